/**
 * Prepares MJML for the compiler and repairs its output. The compiler parses everything as XML and writes attributes
 * with Rust's escapes, so everything that it must not change is replaced by tokens: Liquid, the HTML inside elements
 * such as mj-text, and non-ASCII characters.
 */
import { splitLiquid } from '../../kernel/content/liquid-parts.ts'

/** Elements whose content is HTML and is copied to the output. */
const HTML_ELEMENTS = [
  'mj-accordion-text',
  'mj-accordion-title',
  'mj-button',
  'mj-navbar-link',
  'mj-preview',
  'mj-raw',
  'mj-social-element',
  'mj-style',
  'mj-table',
  'mj-text',
  'mj-title',
]
const COMMENT_OR_HTML_ELEMENT = new RegExp(
  `<!--[^]*?-->|<(${HTML_ELEMENTS.join('|')})(?=[\\s/>])(?:"[^"]*"|'[^']*'|[^>"'])*>`,
  'g',
)
const NOT_COPIED = /[^ -~\t\n\r]+|\\+/g

export interface ProtectedSource {
  source: string
  /** Puts back what was replaced. */
  restore(html: string): string
}

export function protectSource(mjml: string): ProtectedSource {
  const mark = unusedMark(mjml)
  const replaced: string[] = []
  const tokenFor = (text: string): string => `${mark}${replaced.push(text) - 1}z`
  const token = new RegExp(`${mark}(\\d+)z`, 'g')
  const restore = (text: string): string => text.replace(token, (_, index) => restore(replaced[Number(index)]!))
  const withoutLiquid = splitLiquid(mjml)
    .map(({ text, isLiquid }) => (isLiquid ? tokenFor(text) : text))
    .join('')
  const source = withoutHtml(withoutLiquid, tokenFor).replace(NOT_COPIED, tokenFor)
  return { source, restore }
}

/** A word that doesn't occur in the source. */
function unusedMark(source: string): string {
  let mark = 'xq'
  while (source.includes(mark)) mark += 'q'
  return mark
}

function withoutHtml(source: string, tokenFor: (html: string) => string): string {
  const opening = new RegExp(COMMENT_OR_HTML_ELEMENT)
  let result = ''
  let copied = 0
  for (let found = opening.exec(source); found; found = opening.exec(source)) {
    const name = found[1]
    if (!name || found[0].endsWith('/>')) continue
    const start = opening.lastIndex
    const end = source.indexOf(`</${name}`, start)
    if (end === -1) continue // the compiler reports it
    const html = source.slice(start, end)
    result += source.slice(copied, start) + (html.trim() === '' ? html : tokenFor(html))
    copied = end
    opening.lastIndex = end
  }
  return result + source.slice(copied)
}
