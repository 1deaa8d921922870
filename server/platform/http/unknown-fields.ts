/**
 * Fields of a request that its schema doesn't have. A likely mistake is refused: a field that differs by at most two
 * letters from a known one, or that other services use for something that changes what happens. Others are ignored and named in
 * the response, because existing clients send some. A request with `Prefer: handling=strict` and a route that is strict refuse
 * them all.
 */
import type { z } from 'zod'
import type { FieldProblem } from '../../kernel/errors.ts'

/** The keys that a schema lists for an object, and what it lists for the items of an array. Undefined where any key is allowed. */
export type Known = { keys?: Map<string, () => Known>; items?: () => Known } | undefined

export interface UnknownFields {
  refused: FieldProblem[]
  ignored: string[]
}

const FOUND_MAX = 20
const NAME_MAX = 64

/** Refused on every endpoint that doesn't have them, even if it has no counterpart: ignoring them would surprise. */
const ALWAYS_REFUSED = new Set('html text cc bcc replyto scheduledat sendat tags'.split(' '))

/** What other services, or other endpoints, call a field. Refused if the endpoint has one of the counterparts. */
const COUNTERPARTS = new Map(
  Object.entries({
    html: ['body'],
    htmlbody: ['body'],
    content: ['body'],
    textbody: ['text'],
    replyto: ['reply', 'replyTo'],
    reply: ['replyTo'],
    scheduledat: ['sendAt', 'scheduledFor'],
    scheduledfor: ['sendAt', 'scheduledFor'],
    sendat: ['sendAt', 'scheduledFor'],
    deliverat: ['sendAt', 'scheduledFor'],
    templateid: ['template', 'templateId'],
    variables: ['data'],
    properties: ['data'],
    attributes: ['data'],
    customfields: ['data'],
    fromemail: ['from'],
    fromname: ['fromName', 'name'],
    sender: ['from'],
    recipient: ['to'],
    recipients: ['to'],
    previewtext: ['preheader'],
    segment: ['segmentId'],
    segmentid: ['segmentId'],
    eventname: ['event', 'eventName', 'name'],
    react: ['body'],
    subjectline: ['subject'],
    transactionalid: ['template'],
    templatealias: ['template'],
    templatename: ['template'],
    templatemodel: ['data'],
    templatedata: ['data'],
    dynamictemplatedata: ['data'],
    datavariables: ['data'],
    substitutions: ['data'],
    substitutiondata: ['data'],
    mergevars: ['data'],
    globalmergevars: ['data'],
    params: ['data'],
    userproperties: ['data'],
    contactproperties: ['data'],
    traits: ['data'],
    metadata: ['tags', 'data'],
    customargs: ['tags'],
    categories: ['tags'],
    tag: ['tags'],
    personalizations: ['to', 'messages'],
    emails: ['messages'],
    addtocontacts: ['subscribed'],
    unsubscribed: ['subscribed'],
    events: ['eventTypes'],
    enabledevents: ['eventTypes'],
    filtertypes: ['eventTypes'],
    triggers: ['eventTypes'],
    endpoint: ['url'],
    disabled: ['enabled'],
    active: ['enabled'],
    permission: ['scopes'],
    permissions: ['scopes'],
    expires: ['expiresAt'],
    expiry: ['expiresAt'],
    ipwhitelist: ['allowedIps'],
    ipallowlist: ['allowedIps'],
  }),
)

/** `Reply_To`, `reply-to` and `replyTo` are the same name. */
const plain = (key: string) => key.replaceAll(/[-_]/g, '').toLowerCase()

interface Judged {
  schema: z.ZodType
  /** What the endpoint returns: clients send back what they have read, so its fields are no mistakes. */
  reply?: z.ZodType | undefined
  isStrict: boolean
}

export function findUnknownFields({ schema, reply, isStrict }: Judged, value: unknown): UnknownFields {
  const unknown: UnknownFields = { refused: [], ignored: [] }
  const returned = reply && knownIn(reply)?.keys
  visit(knownIn(schema), value, '', (keys, key, path) => {
    if (unknown.refused.length + unknown.ignored.length >= FOUND_MAX) return
    const field = path + key.slice(0, NAME_MAX).toWellFormed()
    const isReturned = path === '' && returned?.has(key)
    const meant = isReturned ? undefined : nameFor(key, keys)
    if (isStrict || meant || (ALWAYS_REFUSED.has(plain(key)) && !isReturned)) {
      const message = meant ? `Unknown field. Did you mean ${meant}?` : 'Unknown field. Remove it.'
      unknown.refused.push({ field, message, code: 'unknown_field' })
    } else {
      unknown.ignored.push(field)
    }
  })
  return unknown
}

/** RFC 7240. */
export const prefersStrict = (prefer: string | string[] | undefined): boolean =>
  prefer !== undefined && /(?:^|[,;\s])handling\s*=\s*"?strict"?(?:$|[,;\s])/i.test(String(prefer))

/** The value of the response header: names that a header can't contain are percent-encoded. */
export const ignoredFieldsHeader = (ignored: string[]): string =>
  ignored.map((name) => name.replaceAll(/[^\x21-\x2b\x2d-\x7e]/gu, encodeURIComponent)).join(', ')

type Found = (keys: Map<string, unknown>, key: string, path: string) => void

function visit(known: Known, value: unknown, path: string, found: Found): void {
  if (!known || typeof value !== 'object' || value === null) return
  if (Array.isArray(value)) {
    const item = known.items?.()
    for (const [i, inner] of value.entries()) visit(item, inner, `${path}${i}.`, found)
  } else if (known.keys) {
    for (const [key, inner] of Object.entries(value)) {
      const child = known.keys.get(key)
      if (child) visit(child(), inner, `${path}${key}.`, found)
      else found(known.keys, key, path)
    }
  }
}

/** What was probably meant. */
const nameFor = (key: string, keys: Map<string, unknown>): string | undefined =>
  (COUNTERPARTS.get(plain(key)) ?? []).find((name) => keys.has(name)) ?? closestTo(key, keys)

/** Two letters are many in a short name: `name` isn't a mistake for `page`. */
function closestTo(key: string, keys: Map<string, unknown>): string | undefined {
  let closest: { name: string; distance: number } | undefined
  for (const name of keys.keys()) {
    if (Math.abs(name.length - key.length) > 2) continue
    const distance = plain(name) === plain(key) ? 0 : distanceBetween(name, key)
    const isClose = distance <= 1 || (distance === 2 && Math.max(name.length, key.length) > 4)
    if (isClose && distance < (closest?.distance ?? 3)) closest = { name, distance }
  }
  return closest?.name
}

/** How many letters must be added, removed, replaced or exchanged with their neighbor. */
export function distanceBetween(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i, ...Array<number>(b.length).fill(0)])
  for (let j = 0; j <= b.length; j++) rows[0]![j] = j
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, rows[i - 1]![j - 1]! + cost)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, rows[i - 2]![j - 2]! + 1)
      rows[i]![j] = least
    }
  }
  return rows[a.length]![b.length]!
}

const read = new WeakMap<z.core.$ZodType, Known>()

export function knownIn(schema: z.core.$ZodType): Known {
  if (!read.has(schema)) read.set(schema, readKnown(schema))
  return read.get(schema)
}

function readKnown(schema: z.core.$ZodType): Known {
  const def = (schema as z.core.$ZodTypes)._zod.def
  switch (def.type) {
    case 'object': {
      if (def.catchall && def.catchall._zod.def.type !== 'never') return undefined
      return { keys: new Map(Object.entries(def.shape).map(([key, inner]) => [key, () => knownIn(inner)])) }
    }
    case 'array':
      return { items: () => knownIn(def.element) }
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
    case 'nonoptional':
      return knownIn(def.innerType)
    case 'pipe':
      return knownIn(def.in._zod.def.type === 'transform' ? def.out : def.in)
    case 'lazy':
      return knownIn(def.getter())
    case 'intersection':
      return merge(knownIn(def.left), knownIn(def.right))
    case 'union': {
      const objects = def.options.filter((option) => !isScalar(option)).map(knownIn)
      return objects.length === 0 ? undefined : objects.reduce(merge)
    }
    default:
      return undefined
  }
}

/** Values of these types have no keys, so they don't make a union free. */
const SCALARS = new Set('string number boolean null undefined literal enum date bigint void never nan int'.split(' '))

function isScalar(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'pipe') return isScalar(def.in._zod.def.type === 'transform' ? def.out : def.in)
  return 'innerType' in def ? isScalar(def.innerType) : SCALARS.has(def.type)
}

/** A value may be of either kind, so the keys of both are known. */
function merge(a: Known, b: Known): Known {
  if (!a || !b) return undefined
  return {
    ...(a.keys || b.keys ? { keys: mergeKeys(a.keys ?? new Map(), b.keys ?? new Map()) } : {}),
    ...mergeItems(a.items, b.items),
  }
}

function mergeKeys(a: Map<string, () => Known>, b: Map<string, () => Known>): Map<string, () => Known> {
  const keys = new Map(a)
  for (const [key, other] of b) {
    const own = keys.get(key)
    keys.set(key, own ? () => merge(own(), other()) : other)
  }
  return keys
}

function mergeItems(a: (() => Known) | undefined, b: (() => Known) | undefined): { items?: () => Known } {
  if (a && b) return { items: () => merge(a(), b()) }
  const items = a ?? b
  return items ? { items } : {}
}
