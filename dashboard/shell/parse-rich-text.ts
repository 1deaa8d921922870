/** Splits a text at its tags, `<link>…</link>` and `<time/>`. Tags can't be nested. */
export interface TextPart {
  /** Empty for plain text. */
  tag: string
  content: string
}

const TAGS = /<(\w+)>(.*?)<\/\1>|<(\w+)\/>/g

export function parseRichText(text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(TAGS)) {
    if (match.index > end) parts.push({ tag: '', content: text.slice(end, match.index) })
    parts.push({ tag: match[1] ?? match[3]!, content: match[2] ?? '' })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ tag: '', content: text.slice(end) })
  return parts
}
