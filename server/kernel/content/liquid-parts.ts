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
