/**
 * The variables of a template. A name is looked up in the request's data, then the contact's data, then `id`, `email`
 * and the three links, then `data`. Everything is copied into objects with a harmless prototype, so that only the data
 * can be reached and no rendering affects another.
 */
export interface Scope {
  readonly [name: string]: unknown
}

export interface ScopeParts {
  /** The `data` of the request (or the context of a manually started workflow). */
  requestData?: Record<string, unknown> | null
  contactData?: Record<string, unknown> | null
  contact: { id: string; email: string }
  links: { unsubscribeUrl: string; subscribeUrl: string; manageUrl: string }
  /** The event that started a workflow; if set, `event` refers only to it. */
  event?: Record<string, unknown> | null
}

/** Data below this depth is dropped. */
const DEPTH_MAX = 64

/**
 * Filters convert values to text: the text of an object is its JSON. A symbol can't be shadowed by a key in the data.
 */
const shape: object = Object.freeze(
  Object.assign(Object.create(null), {
    [Symbol.toPrimitive](this: object, hint: string): string | number {
      return hint === 'number' ? Number.NaN : JSON.stringify(this)
    },
  }),
)

type Bag = Record<string, unknown>

function copyInto(bag: Bag, from: object, depth: number): Bag {
  for (const [key, value] of Object.entries(from)) {
    const copied = copyValue(value, depth + 1)
    if (copied !== undefined) bag[key] = copied
  }
  return bag
}

function copyValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null) {
    return value
  }
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || depth > DEPTH_MAX) return undefined
  if (Array.isArray(value)) return value.map((item) => copyValue(item, depth + 1) ?? null)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString()
  return copyInto(Object.create(shape), value, depth)
}

/** Converts any record into a scope, also after it was sent to another thread. */
export const scopeOf = (record: object): Scope => copyInto(Object.create(null), record, 0)

/**
 * `data` is the contact's data overlaid by the request's. If the data has a key named `data`, that key takes
 * precedence: its entries overlay the others if it is an object; otherwise it replaces them.
 */
export function templateScope({ requestData, contactData, contact, links, event }: ScopeParts): Scope {
  const data: Bag = Object.create(shape)
  if (contactData) copyInto(data, contactData, 0)
  if (requestData) copyInto(data, requestData, 0)

  const scope: Bag = Object.create(null)
  Object.assign(scope, { id: contact.id, email: contact.email }, pickLinks(links), data)
  const own = data.data
  if (own === undefined) scope.data = data
  else if (isBag(own)) scope.data = Object.assign(Object.create(shape), data, own)
  if (event) scope.event = copyInto(Object.create(shape), event, 0)
  return scope
}

const pickLinks = ({ unsubscribeUrl, subscribeUrl, manageUrl }: ScopeParts['links']) => ({
  unsubscribeUrl,
  subscribeUrl,
  manageUrl,
})

const isBag = (value: unknown): value is Bag => typeof value === 'object' && value !== null && !Array.isArray(value)
