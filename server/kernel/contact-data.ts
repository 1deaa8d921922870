/**
 * The rules of free-form contact data, as a pure function: which values of a request's `data` are stored, which keys
 * are removed, and which values are used for this email or event only.
 */
import { z } from 'zod'
import { type FieldProblem, invalid, invalidField } from './errors.ts'

export type Data = Record<string, unknown>

export interface DataChange {
  /** Keys to set on the contact. */
  patch: Data
  /** Keys to remove from the contact. */
  removed: string[]
  /** The values of this request for templates and events: stored and transient ones. */
  visible: Data
  /** What an event records: everything that was sent, as plain values. */
  sent: Data
}

/** Names that the service sets; callers can't set them. The branded ones keep older clients working. */
const RESERVED = new Set([
  'id',
  'email',
  'service_id',
  'service_email',
  'posthorn_id',
  'posthorn_email',
  'plunk_id',
  'plunk_email',
  'unsubscribeUrl',
  'subscribeUrl',
  'manageUrl',
  'viewInBrowserUrl',
])

const RESERVED_IN_LOWER_CASE = new Set([...RESERVED].map((name) => name.toLowerCase()))

/** For names whose case is lost, such as columns. */
export const isReservedInAnyCase = (name: string): boolean => RESERVED_IN_LOWER_CASE.has(name.toLowerCase())

/** Never allowed as keys, at any depth, because they would change prototypes. */
const UNSAFE = new Set(['__proto__', 'constructor', 'prototype'])

const DEPTH_MAX = 20
const KEY_LENGTH_MAX = 255
const KEYS_MAX = 1_000

/** The maximum size of the data of one request, as JSON. */
const SENT_BYTES_MAX = 64 * 1024

/**
 * The maximum size of all data of a contact, as JSON. `bounded_contact_data` in contacts/functions.sql has the same
 * number.
 */
export const CONTACT_BYTES_MAX = 256 * 1024

/** The limit of bodies with data: the limit of the data, plus the other fields and spaces. */
export const DATA_BODY_BYTES_MAX = 256 * 1024

export const isTooMuchToStore = (data: Data): boolean => Buffer.byteLength(JSON.stringify(data)) > CONTACT_BYTES_MAX

export const TOO_MUCH_TO_STORE = `The contact's data would exceed ${CONTACT_BYTES_MAX / 1024} KB. Remove fields that are no longer needed: null removes a key.`

export const tooMuchToStore = () => invalidField('data', TOO_MUCH_TO_STORE, 'too_big')

export function refuseTooMuchData(data: Data, field = 'data'): void {
  if (jsonBytes(data, SENT_BYTES_MAX) <= SENT_BYTES_MAX) return
  throw invalidField(field, `Must be at most ${SENT_BYTES_MAX / 1024} KB as JSON.`, 'too_big')
}

/**
 * The size of a value as JSON, not counting escapes; counting stops beyond `most`. It uses no recursion and doesn't
 * serialize the value, which may be very deep or very large.
 */
function jsonBytes(value: unknown, most: number): number {
  let bytes = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0 && bytes <= most) {
    const item = waiting.pop()
    if (typeof item === 'string') bytes += Buffer.byteLength(item) + 3
    else if (typeof item !== 'object' || item === null) bytes += String(item).length + 1
    else if (Array.isArray(item)) {
      bytes += 2 + item.length
      if (bytes <= most) for (const inner of item) waiting.push(inner)
    } else {
      bytes += 2
      for (const [key, inner] of Object.entries(item)) {
        bytes += Buffer.byteLength(key) + 3
        waiting.push(inner)
      }
    }
  }
  return bytes
}

const NO_CHANGE: DataChange = { patch: {}, removed: [], visible: {}, sent: {} }

/** Refuses what can't be stored; sorts everything else into set, removed and transient values. */
export function applyDataRules(data: Data | undefined, field = 'data'): DataChange {
  if (data === undefined) return NO_CHANGE
  refuseTooMuchData(data, field)
  const problems: FieldProblem[] = []
  const budget = { keys: 0 }
  const change: DataChange = { patch: {}, removed: [], visible: {}, sent: {} }

  for (const [key, given] of Object.entries(data)) {
    if (RESERVED.has(key) || UNSAFE.has(key)) continue
    const at = `${field}.${key}`
    const problem = problemOfName(key, field, budget)
    if (problem) {
      problems.push(problem)
      continue
    }
    const transient = isTransient(given)
    const value = clean(transient ? given.value : given, at, 1, budget, problems)
    change.sent[key] = value
    if (value === null) {
      if (!transient) change.removed.push(key)
      continue
    }
    if (value === '' && !transient) continue
    change.visible[key] = value
    if (!transient) change.patch[key] = value
  }
  if (problems.length > 0) throw invalid(problems.slice(0, 20))
  return change
}

/** `{value, persistent: false}` is used once and not stored; any other object is plain nested data. */
function isTransient(value: unknown): value is { value: unknown; persistent: false } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'value' in value &&
    (value as { persistent?: unknown }).persistent === false
  )
}

function problemOfName(key: string, field: string, budget: { keys: number }): FieldProblem | undefined {
  const message =
    key.length > KEY_LENGTH_MAX
      ? `Keys must be at most ${KEY_LENGTH_MAX} characters long.`
      : ++budget.keys > KEYS_MAX
        ? `Must contain at most ${KEYS_MAX} keys, including nested ones.`
        : undefined
  return message === undefined ? undefined : { field, message, code: 'too_big' }
}

/** A copy without unsafe keys, within the limits. */
function clean(value: unknown, at: string, depth: number, budget: { keys: number }, problems: FieldProblem[]): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    problems.push({ field: at, message: 'The number is too large.', code: 'too_big' })
    return null
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEPTH_MAX) {
    problems.push({ field: at, message: `Must be at most ${DEPTH_MAX} levels deep.`, code: 'too_big' })
    return null
  }
  if (Array.isArray(value)) return value.map((item, i) => clean(item, `${at}.${i}`, depth + 1, budget, problems))

  const copy: Data = {}
  for (const [key, item] of Object.entries(value)) {
    if (UNSAFE.has(key)) continue
    const problem = problemOfName(key, at, budget)
    if (problem) {
      problems.push(problem)
      return null
    }
    copy[key] = clean(item, `${at}.${key}`, depth + 1, budget, problems)
  }
  return copy
}

/** An object with any keys. Its rules are applied by `applyDataRules`. */
export const dataObject = z
  .custom<Data>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'Must be an object.',
    params: { code: 'invalid_type' },
  })
  .meta({
    type: 'object',
    additionalProperties: true,
    description:
      'Custom fields. Only the keys you send change; null removes a key; "" is ignored; {"value": …, "persistent": false} is used once and not stored. At most 64 KB as JSON; all data of a contact at most 256 KB.',
  })
