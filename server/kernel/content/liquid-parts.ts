/** Splits a text into Liquid and the rest, so that the rest can be escaped or compiled and the Liquid stays as written. */

export interface LiquidPart {
  text: string
  isLiquid: boolean
}

/** `{% raw %}` and `{% comment %}` are one part with everything up to their end tag. */
const BLOCK = /^\{%-?\s*(raw|comment)\s*-?%\}$/

export function splitLiquid(source: string): LiquidPart[] {
  const parts: LiquidPart[] = []
  const opening = /\{[{%]/g
  const endless = new Set<string>()
  let textStart = 0
  for (let found = opening.exec(source); found; found = opening.exec(source)) {
    const end = endOfLiquid(source, found.index, endless)
    if (end === undefined) break
    if (found.index > textStart) parts.push({ text: source.slice(textStart, found.index), isLiquid: false })
    parts.push({ text: source.slice(found.index, end), isLiquid: true })
    textStart = end
    opening.lastIndex = end
  }
  if (textStart < source.length) parts.push({ text: source.slice(textStart), isLiquid: false })
  return parts
}

/** Changes everything but the Liquid. */
export const mapOutsideLiquid = (source: string, change: (text: string) => string): string =>
  splitLiquid(source)
    .map(({ text, isLiquid }) => (isLiquid ? text : change(text)))
    .join('')

const NAMED: Record<string, string> = { quot: '"', apos: "'", amp: '&', lt: '<', gt: '>', nbsp: ' ' }
const ENTITY = /&(?:(quot|apos|amp|lt|gt|nbsp)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));/g
const CLOSING = /-?[}%]\}$/
const CODE_POINT_MAX = 0x10ffff

/**
 * Renderers of HTML, such as React's, write `{{ name ?? &quot;you&quot; }}`. Spaces before the end of the Liquid keep
 * everything after it where it was, so that errors name the right place.
 */
export function decodeEntitiesInLiquid(html: string): string {
  if (!html.includes('&')) return html
  const parts = splitLiquid(html)
  if (!parts.some(isEncoded)) return html
  return parts.map((part) => (isEncoded(part) ? decodeEntities(part.text) : part.text)).join('')
}

/** The reverse, for Liquid that is inserted into HTML. */
export const encodeEntitiesInLiquid = (source: string): string =>
  splitLiquid(source)
    .map((part) => (isEncoded(part) ? part.text.replaceAll('&', '&amp;') : part.text))
    .join('')

/** The content of `{% raw %}` is text. */
const isEncoded = ({ text, isLiquid }: LiquidPart): boolean =>
  isLiquid && text.includes('&') && !BLOCK.test(text.slice(0, text.indexOf('}') + 1))

function decodeEntities(liquid: string): string {
  const decoded = liquid.replace(ENTITY, (entity, name?: string, decimal?: string, hex?: string) => {
    const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
    if (name) return NAMED[name]!
    return code > 0 && code <= CODE_POINT_MAX ? String.fromCodePoint(code) : entity
  })
  return decoded.replace(CLOSING, (end) => ' '.repeat(liquid.length - decoded.length) + end)
}

/** Undefined if it never ends; such a text is refused when its Liquid is checked. */
function endOfLiquid(source: string, start: number, endless: Set<string>): number | undefined {
  const end = source[start + 1] === '{' ? endOfOutput(source, start + 2, endless) : endOfTag(source, start + 2)
  if (end === undefined) return undefined
  const block = BLOCK.exec(source.slice(start, end))?.[1]
  if (!block) return end
  const rest = new RegExp(`\\{%-?\\s*end${block}\\s*-?%\\}`, 'g')
  rest.lastIndex = end
  return rest.exec(source) ? rest.lastIndex : undefined
}

/**
 * The delimiter may occur inside quotes. A quote that is never closed is an ordinary character, and so are all later
 * quotes of its kind: they are escaped. Remembering them keeps the time linear.
 */
function endOfOutput(source: string, start: number, endless: Set<string>): number | undefined {
  const stop = /\}\}|["']/g
  stop.lastIndex = start
  for (let found = stop.exec(source); found; found = stop.exec(source)) {
    const [text] = found
    if (text === '}}') return stop.lastIndex
    if (endless.has(text)) continue
    const end = endOfQuoted(source, stop.lastIndex, text)
    if (end === undefined) endless.add(text)
    else stop.lastIndex = end
  }
  return undefined
}

function endOfQuoted(source: string, start: number, quote: string): number | undefined {
  for (let at = start; at < source.length; at++) {
    if (source[at] === quote) return at + 1
    if (source[at] === '\\') at++
  }
  return undefined
}

/** Quotes have no meaning here, as in the engine. */
function endOfTag(source: string, start: number): number | undefined {
  const end = source.indexOf('%}', start)
  return end === -1 ? undefined : end + 2
}

/** A text as a quoted value in Liquid. Delimiters inside it would end a tag, so their characters are escaped. */
export const liquidString = (text: string): string => `"${text.replace(/["\\{}%]/g, escapeCharacter)}"`

const escapeCharacter = (character: string): string =>
  character === '"' || character === '\\' ? `\\${character}` : `\\u00${character.charCodeAt(0).toString(16)}`
