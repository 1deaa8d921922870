/** Resend: its API with a key, or CSV exports of an audience. */
import { csvRows } from '../csv.ts'
import { columnTypes, dataOf, freeTopicKey, isOptOut } from '../fields.ts'
import type { Api, MoveFile, MoveInput, MoveRecord, Source } from '../record.ts'

export const resend: Source = {
  id: 'resend',
  title: 'Resend',
  files: 'The CSV file of Audience → Export',
  api: { origin: 'https://api.resend.com', headers: (key) => ({ authorization: `Bearer ${key}` }) },
  async *read(input: MoveInput): AsyncGenerator<MoveRecord> {
    if (input.api) yield* account(input.api)
    for (const file of input.files) yield* people(file, input)
  },
}

interface Contact {
  id: string
  email: string
  first_name?: string | null
  last_name?: string | null
  created_at?: string
  unsubscribed?: boolean
}

interface Page<T> {
  data: T[]
  has_more?: boolean
}

/** In a project with one audience, it is everyone; with several, each is a topic. */
async function* account(api: Api): AsyncGenerator<MoveRecord> {
  const { data: audiences } = (await api('/audiences')) as Page<{ id: string; name: string }>
  const used = new Set<string>()
  for (const { id, name } of audiences) {
    const key = audiences.length > 1 ? freeTopicKey(name, used) : undefined
    if (key) yield { kind: 'topic', key, name: name.slice(0, 100), defaultSubscribed: false }
    let after = ''
    for (;;) {
      const page = (await api(`/audiences/${id}/contacts?limit=100${after}`)) as Page<Contact>
      for (const contact of page.data) {
        const isOut = contact.unsubscribed === true
        yield {
          kind: 'contact',
          email: contact.email,
          // Contacts that unsubscribed receive nothing, whatever the audience.
          subscribed: !isOut,
          data: {
            ...(contact.first_name ? { firstName: contact.first_name } : {}),
            ...(contact.last_name ? { lastName: contact.last_name } : {}),
          },
          topics: key && !isOut ? { [key]: true } : undefined,
          consent: { at: contact.created_at },
          place: { file: name },
        }
      }
      const last = page.data.at(-1)
      if (!page.has_more || !last) break
      after = `&after=${last.id}`
    }
  }
  yield {
    kind: 'left',
    what: 'suppressed addresses and templates',
    why: 'The API of Resend does not list bounced addresses, and its templates are in your code.',
  }
}

const OWN = new Set(['id', 'email', 'unsubscribed', 'created_at', 'updated_at'])

async function* people(file: MoveFile, { subscribe }: MoveInput): AsyncGenerator<MoveRecord> {
  const types = await columnTypes(file, ['email'])
  for await (const { line, cells } of csvRows(file, ['email'])) {
    yield {
      kind: 'contact',
      email: cells.email ?? '',
      subscribed: isOptOut(cells.unsubscribed) ? false : cells.unsubscribed || subscribe ? true : undefined,
      data: dataOf(cells, types, (column) => !OWN.has(column.toLowerCase())),
      consent: { at: cells.created_at || undefined },
      place: { file: file.name, line },
    }
  }
}
