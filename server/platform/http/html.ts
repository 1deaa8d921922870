/**
 * Markup that escapes automatically: everything in an `html` template is text unless it is itself such a template. All
 * pages are built with it, so no value can inject markup.
 */
export interface Html {
  readonly markup: string
}

export type Part = string | number | Html | Html[] | undefined | false

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!)

export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  let markup = strings[0]!
  parts.forEach((part, i) => {
    markup += markupOf(part) + strings[i + 1]!
  })
  return { markup }
}

function markupOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (Array.isArray(part)) return part.map((item) => item.markup).join('')
  return typeof part === 'object' ? part.markup : escapeText(String(part))
}

/** Constant markup of our own, such as an icon. Never for input. */
export const trusted = (markup: string): Html => ({ markup })

/** Puts `separator` between the items. */
export const joined = (items: Html[], separator: string): Html => ({
  markup: items.map((item) => item.markup).join(escapeText(separator)),
})

/** The subset of Markdown that descriptions use: `code` within a line. */
export const inlineText = (text: string): Html => ({
  markup: text
    .split(/(`[^`]+`)/)
    .map((piece) => (/^`.+`$/s.test(piece) ? `<code>${escapeText(piece.slice(1, -1))}</code>` : escapeText(piece)))
    .join(''),
})

/** Paragraphs and `-` lists, separated by blank lines. */
export const proseText = (text: string): Html => ({
  markup: text
    .split(/\n\s*\n/)
    .map((block) => {
      const lines = block.trim().split('\n')
      if (!lines.every((line) => /^\s*[-*] /.test(line))) return `<p>${inlineText(block.trim()).markup}</p>`
      return `<ul>${lines.map((line) => `<li>${inlineText(line.replace(/^\s*[-*] /, '')).markup}`).join('')}</ul>`
    })
    .join(''),
})
