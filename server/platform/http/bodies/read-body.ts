/**
 * Parses JSON bodies, whatever their declared type, because many clients omit the header. NUL characters and lone
 * surrogates, which JSON allows and PostgreSQL doesn't, are handled here; also the form fields of the few routes that
 * accept them.
 */
import { invalidField, Refusal } from '../../../kernel/errors.ts'

const DEEPEST = 100
const SUSPECT_ESCAPE = /\\u(?:0000|d[89a-f][0-9a-f]{2})/i

/**
 * Far more than any request needs. Parsing takes time for each value, up to a second for some megabytes of brackets, and
 * blocks all other requests.
 */
const JSON_SYMBOLS_MAX = 50_000

export function parseJsonBody(text: string, valuesMax = JSON_SYMBOLS_MAX): unknown {
  if (text.trim() === '') return undefined
  if (hasTooManySymbols(text, valuesMax)) {
    throw new Refusal('too-large', 'PAYLOAD_TOO_LARGE', 'The request body contains too many values.', {
      suggestion: 'Divide it into several requests.',
    })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Refusal(
      'bad-request',
      'INVALID_REQUEST_BODY',
      `The body is not valid JSON: ${(error as Error).message}.`,
      {
        suggestion: 'Send a JSON body with Content-Type: application/json.',
      },
    )
  }
  return SUSPECT_ESCAPE.test(text) ? storable(value, '') : value
}

const SYMBOLS = new Set([...'[{,:'].map((symbol) => symbol.charCodeAt(0)))
const QUOTE = '"'.charCodeAt(0)
const BACKSLASH = '\\'.charCodeAt(0)

/** Counts brackets, commas and colons outside strings. Strings are skipped, because attachments can be long. */
function hasTooManySymbols(text: string, max: number): boolean {
  if (text.length <= max) return false
  let count = 0
  let escaped = indexOrEnd(text, '\\', 0)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      if (escaped <= at) escaped = indexOrEnd(text, '\\', at + 1)
      const end = indexOrEnd(text, '"', at + 1)
      at = escaped < end ? endOfEscaped(text, escaped) : end
    } else if (SYMBOLS.has(code) && ++count > max) return true
  }
  return false
}

const indexOrEnd = (text: string, wanted: string, from: number): number => {
  const index = text.indexOf(wanted, from)
  return index === -1 ? text.length : index
}

/** The closing quotation mark after an escape. One by one, because a text can consist of escapes. */
function endOfEscaped(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1
  return at
}

/** The fields of a URL-encoded form. A body of any other type is accepted and has no fields. */
export function parseFormBody(contentType: string | undefined, text: string): Record<string, string> {
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(contentType ?? '')
  return Object.fromEntries(new URLSearchParams(isForm ? text : ''))
}

/** A copy whose text PostgreSQL can store. Only bodies with a suspicious escape are copied. */
function storable(value: unknown, path: string, depth = 0): unknown {
  if (typeof value === 'string') return storableText(value, path)
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) throw invalidField(path, `Must be nested at most ${DEEPEST} levels deep.`)
  if (Array.isArray(value)) return value.map((item, i) => storable(item, join(path, String(i)), depth + 1))
  const copy: Record<string, unknown> = Object.create(null)
  for (const [key, item] of Object.entries(value)) {
    copy[storableText(key, join(path, 'key'))] = storable(item, join(path, key), depth + 1)
  }
  return copy
}

export function storableText(text: string, path: string): string {
  if (text.includes('\0')) throw invalidField(path, 'Must not contain the NUL character.')
  return text.toWellFormed()
}

const join = (path: string, key: string) => (path === '' ? key : `${path}.${key}`)
