/** Compares two emails line by line: their text, or their HTML with a line for each tag. */

export interface DiffLine {
  kind: 'same' | 'added' | 'removed'
  text: string
}

/** Beyond this, comparing every line with every other would block the page. */
const CELLS_MAX = 4_000_000

export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++
  return [
    ...as('same', before.slice(0, start)),
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...as('same', before.slice(before.length - end)),
  ]
}

const as = (kind: DiffLine['kind'], lines: readonly string[]): DiffLine[] => lines.map((text) => ({ kind, text }))

/** The longest common subsequence: `lengths` has its length for every pair of remaining lines. */
function diffMiddle(before: readonly string[], after: readonly string[]): DiffLine[] {
  const width = after.length + 1
  if ((before.length + 1) * width > CELLS_MAX) return [...as('removed', before), ...as('added', after)]
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const skipped = Math.max(lengths[(i + 1) * width + j]!, lengths[i * width + j + 1]!)
      lengths[i * width + j] = before[i] === after[j] ? lengths[(i + 1) * width + j + 1]! + 1 : skipped
    }
  }
  const lines: DiffLine[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ kind: 'same', text: before[i]! })
      i++
      j++
    } else if (
      j === after.length ||
      (i < before.length && lengths[(i + 1) * width + j]! >= lengths[i * width + j + 1]!)
    ) {
      lines.push({ kind: 'removed', text: before[i++]! })
    } else {
      lines.push({ kind: 'added', text: after[j++]! })
    }
  }
  return lines
}

/** Compiled HTML has no line breaks, so there is one after each tag. */
export const htmlLines = (html: string): string[] =>
  html
    .replaceAll(/>\s*</g, '>\n<')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')

const BLOCK_END = /<\/(?:p|div|h[1-6]|li|tr|table|section|blockquote)>|<br\s*\/?>/gi

/** The text as it is read, without markup. */
export function textLines(html: string): string[] {
  const broken = html.replaceAll(/<!--[\s\S]*?-->|<(style|title)\b[\s\S]*?<\/\1>/gi, '').replaceAll(BLOCK_END, '$&\n')
  const text = broken
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(nbsp|amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
  return text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
}

const ENTITIES: Record<string, string> = { nbsp: ' ', amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
