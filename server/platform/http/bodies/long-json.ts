/** JSON of an object that can contain megabytes of text, written in steps between which other requests are served. */
import { setImmediate } from 'node:timers/promises'

const STEP_CHARACTERS = 500_000

/** Returns the same text as `JSON.stringify`. Only strings directly in the object are split. */
export async function longJson(object: object): Promise<Buffer> {
  const parts: Buffer[] = []
  const add = (text: string) => parts.push(Buffer.from(text))
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue
    add(`${parts.length === 0 ? '{' : ','}${JSON.stringify(key)}:`)
    if (typeof value !== 'string' || value.length <= STEP_CHARACTERS) add(JSON.stringify(value))
    else for await (const piece of pieces(value)) add(piece)
  }
  add(parts.length === 0 ? '{}' : '}')
  return Buffer.concat(parts)
}

async function* pieces(text: string): AsyncGenerator<string> {
  for (let start = 0; start < text.length; ) {
    const end = wholeCharacters(text, start + STEP_CHARACTERS)
    const piece = JSON.stringify(text.slice(start, end))
    yield piece.slice(start === 0 ? 0 : 1, end < text.length ? -1 : piece.length)
    await setImmediate()
    start = end
  }
}

/** Surrogate pairs are not split. */
const wholeCharacters = (text: string, end: number): number =>
  end < text.length && (text.charCodeAt(end) & 0xfc00) === 0xdc00 ? end + 1 : end
