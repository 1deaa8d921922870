/** Plunk: its API with the secret key, a saved response of it, or a CSV export of contacts (email, subscribed, data). */
import { csvRows, headerOf } from '../csv.ts'
import { columnTypes, dataOf, isYes } from '../fields.ts'
import { jsonOf } from '../files.ts'
import { BrokenFile, type MoveFile, type MoveInput, type MoveRecord, type Place, type Source } from '../record.ts'

interface Contact {
  email: string
  subscribed?: boolean
  /** An object, or its JSON. */
  data?: string | Record<string, unknown> | null
  createdAt?: string
}

export const plunk: Source = {
  id: 'plunk',
  title: 'Plunk',
  files: 'The CSV export of contacts, or the JSON of GET /v1/contacts',
  api: { origin: 'https://api.useplunk.com', headers: (key) => ({ authorization: `Bearer ${key}` }) },
  async *read(input: MoveInput): AsyncGenerator<MoveRecord> {
    if (input.api) yield* listed(await input.api('/v1/contacts'), 'contacts')
    for (const file of input.files) {
      if (/\.json$/i.test(file.name)) yield* listed(await jsonOf(file), file.name)
      else yield* people(file, input)
    }
  },
}

function* listed(document: unknown, file: string): Generator<MoveRecord> {
  const { contacts = document, data = contacts } = (Array.isArray(document) ? {} : document) as {
    contacts?: unknown
    data?: unknown
  }
  const found = Array.isArray(document) ? document : data
  if (!Array.isArray(found)) throw new BrokenFile(file, undefined, 'It has no list of contacts.')
  for (const contact of found as Contact[]) yield person(contact, { file })
}

function person({ email, subscribed, data, createdAt }: Contact, place: Place): MoveRecord {
  return {
    kind: 'contact',
    email,
    subscribed: subscribed === undefined ? undefined : subscribed === true,
    data: fieldsOf(data, place),
    consent: { at: createdAt || undefined },
    place,
  }
}

function fieldsOf(data: Contact['data'], { file, line }: Place): Record<string, unknown> {
  if (!data) return {}
  if (typeof data === 'object') return data
  try {
    return JSON.parse(data) as Record<string, unknown>
  } catch {
    throw new BrokenFile(file, line, '`data` is not a JSON object.')
  }
}

const OWN = new Set(['id', 'email', 'subscribed', 'data', 'createdAt', 'updatedAt', 'created_at', 'updated_at'])

async function* people(file: MoveFile, { subscribe }: MoveInput): AsyncGenerator<MoveRecord> {
  const hasState = (await headerOf(file)).some((name) => name.toLowerCase() === 'subscribed')
  const types = await columnTypes(file, ['email'])
  for await (const { line, cells } of csvRows(file, ['email'])) {
    const place = { file: file.name, line }
    const subscribed = hasState ? isYes(cells.subscribed) : subscribe || undefined
    const read = person(
      { email: cells.email ?? '', subscribed, data: cells.data, createdAt: cells.createdAt ?? cells.created_at },
      place,
    )
    if (read.kind === 'contact')
      yield { ...read, data: { ...dataOf(cells, types, (column) => !OWN.has(column)), ...read.data } }
  }
}
