/**
 * Identifies the body of a request: equal JSON has the same fingerprint, whatever the order of its keys and its spaces.
 * Long bodies are read in steps, so that other requests are served in between.
 */
import { createHash, type Hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/** This much is read in about a millisecond. */
const STEP_CHARACTERS = 1_000_000

export async function fingerprintOf(body: unknown): Promise<Buffer> {
  const hash = createHash('sha256')
  let characters = 0
  for (const part of partsOf(body)) {
    for (let start = 0; start < part.length || start === 0; start += STEP_CHARACTERS) {
      update(hash, part.slice(start, start + STEP_CHARACTERS))
      characters += Math.min(part.length - start, STEP_CHARACTERS)
      if (characters < STEP_CHARACTERS) continue
      characters = 0
      await setImmediate()
    }
  }
  return hash.digest()
}

/** UTF-16, so that a piece that ends inside of a character changes nothing. */
const update = (hash: Hash, text: string) => hash.update(text, 'utf16le')

/** A text is preceded by its length, so that no two values have the same parts. */
function* partsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') {
    yield `"${value.length}:`
    yield value
  } else if (Array.isArray(value)) {
    yield `[${value.length}:`
    for (const item of value) yield* partsOf(item)
  } else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    yield `{${entries.length}:`
    for (const [key, item] of entries) {
      yield* partsOf(key)
      yield* partsOf(item)
    }
  } else yield `${JSON.stringify(value)};`
}
