/** Brevo: its API with a key, saved responses of it, or CSV exports of contacts (columns EMAIL and, if chosen, the blocklist). */
import { csvRows, headerOf } from '../csv.ts'
import { columnTypes, dataOf, fieldName, freeTopicKey, isOptOut } from '../fields.ts'
import { jsonOf } from '../files.ts'
import type { Api, MoveFile, MoveInput, MoveRecord, Place, Source } from '../record.ts'

interface BrevoContact {
  email?: string
  emailBlacklisted?: boolean
  createdAt?: string
  listIds?: number[]
  attributes?: Record<string, unknown>
}

const PAGE = 500

export const brevo: Source = {
  id: 'brevo',
  title: 'Brevo',
  files: 'The CSV file of Contacts → Export, with all attributes and the email blocklist',
  api: { origin: 'https://api.brevo.com', headers: (key) => ({ 'api-key': key }) },
  async *read(input: MoveInput): AsyncGenerator<MoveRecord> {
    if (input.api) yield* account(input.api)
    for (const file of input.files) {
      if (/\.json$/i.test(file.name)) yield* saved(file)
      else yield* people(file, input)
    }
  },
}

async function* account(api: Api): AsyncGenerator<MoveRecord> {
  const keys = new Map<number, string>()
  const used = new Set<string>()
  for await (const list of pages<{ id: number; name: string }>(api, '/v3/contacts/lists', 'lists', 50)) {
    const key = freeTopicKey(list.name, used)
    keys.set(list.id, key)
    yield { kind: 'topic', key, name: list.name.slice(0, 100), defaultSubscribed: false }
  }
  for await (const blocked of pages<Blocked>(api, '/v3/smtp/blockedContacts', 'contacts', 100))
    yield* block(blocked, { file: 'blockedContacts' })
  for await (const contact of pages<BrevoContact>(api, '/v3/contacts', 'contacts', PAGE))
    yield* person(contact, keys, { file: 'contacts' })
  for await (const template of pages<Template>(api, '/v3/smtp/templates', 'templates', 50)) yield* content(template)
}

/** Every item of a list of the API. */
async function* pages<T>(api: Api, path: string, field: string, limit: number): AsyncGenerator<T> {
  for (let offset = 0; ; offset += limit) {
    const page = (await api(`${path}?limit=${limit}&offset=${offset}&sort=asc`)) as Record<string, T[] | undefined>
    const items = page[field] ?? []
    yield* items
    if (items.length < limit) return
  }
}

interface Blocked {
  email: string
  reason?: { code?: string; message?: string }
  blockedAt?: string
}

const REASONS: Record<string, 'BOUNCE' | 'COMPLAINT'> = { hardBounce: 'BOUNCE', contactFlaggedAsSpam: 'COMPLAINT' }

function* block({ email, reason, blockedAt }: Blocked, place: Place): Generator<MoveRecord> {
  const code = reason?.code ?? ''
  yield { kind: 'suppression', email, reason: REASONS[code] ?? 'MANUAL', place }
  if (REASONS[code] !== 'BOUNCE')
    yield { kind: 'contact', email, subscribed: false, consent: { at: blockedAt, text: reason?.message }, place }
}

function* person(
  { email, emailBlacklisted, createdAt, listIds = [], attributes = {} }: BrevoContact,
  keys: Map<number, string>,
  place: Place,
): Generator<MoveRecord> {
  if (!email)
    return yield {
      kind: 'left',
      what: 'contacts without an email address',
      why: 'Posthorn has only contacts with one.',
    }
  const topics = listIds.flatMap((id) => keys.get(id) ?? []).map((key) => [key, true] as const)
  yield {
    kind: 'contact',
    email,
    subscribed: emailBlacklisted !== true,
    data: Object.fromEntries(
      Object.entries(attributes).flatMap(([name, value]) => (value === '' ? [] : [[fieldName(name), value]])),
    ),
    topics: emailBlacklisted || topics.length === 0 ? undefined : Object.fromEntries(topics),
    consent: { at: createdAt },
    place,
  }
}

interface Template {
  name: string
  subject?: string
  sender?: { name?: string; email?: string }
  htmlContent?: string
}

function* content({ name, subject, sender, htmlContent = '' }: Template): Generator<MoveRecord> {
  const body = {
    name,
    subject: convert(subject || name),
    body: convert(htmlContent),
    from: sender?.email,
    fromName: sender?.name || undefined,
  }
  yield { kind: 'template', name, body, place: { file: 'templates' } }
}

const convert = (text: string) =>
  text
    .replace(/\{\{\s*contact\.EMAIL\s*\}\}/g, '{{ email }}')
    .replace(/\{\{\s*contact\.([A-Z0-9_]+)/g, (_, name: string) => `{{ ${fieldName(name)}`)
    .replace(/\{\{\s*params\.([\w.]+)/g, '{{ $1')
    .replace(/\{\{\s*unsubscribe\s*\}\}/g, '{{ unsubscribeUrl }}')
    .replace(/\{\{\s*mirror\s*\}\}/g, '{{ viewInBrowserUrl }}')
    .replace(/\{\{\s*update_profile\s*\}\}/g, '{{ manageUrl }}')

async function* saved(file: MoveFile): AsyncGenerator<MoveRecord> {
  const document = (await jsonOf(file)) as { contacts?: Array<BrevoContact & Partial<Blocked>>; templates?: Template[] }
  for (const contact of document.contacts ?? []) {
    if (contact.reason) yield* block(contact as Blocked, { file: file.name })
    else yield* person(contact, new Map(), { file: file.name })
  }
  for (const template of document.templates ?? []) yield* content(template)
}

const BLOCKED = /^(email[ _]?)?(black|block)listed$|^email[ _](black|block)list/i
const UNSUBSCRIBED = /unsubscribed/i
const OWN = /^(contact[ _]?id|added[_ ]time|modified[_ ]time|.*(black|block)list.*|.*unsubscribed.*)$/i

async function* people(file: MoveFile, { subscribe }: MoveInput): AsyncGenerator<MoveRecord> {
  const header = await headerOf(file)
  const email = header.find((name) => /^e-?mail$/i.test(name)) ?? 'EMAIL'
  const flags = header.filter((name) => BLOCKED.test(name) || UNSUBSCRIBED.test(name))
  const types = await columnTypes(file, [email])
  for await (const { line, cells } of csvRows(file, [email])) {
    if (cells[email] === '') continue // people with only a phone number
    const isOut = flags.some((name) => isOptOut(cells[name] ?? cells[name.toLowerCase()]))
    yield {
      kind: 'contact',
      email: cells[email]!,
      subscribed: isOut ? false : flags.length > 0 || subscribe ? true : undefined,
      data: dataOf(cells, types, (column) => column !== email && !OWN.test(column)),
      consent: { at: cells.ADDED_TIME || undefined },
      place: { file: file.name, line },
    }
  }
}
