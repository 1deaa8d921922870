/** SendGrid: its API with a key, or CSV exports of contacts and of each suppression list, whose file names tell which list it is. */
import { csvRows, headerOf } from '../csv.ts'
import { columnTypes, dataOf, freeTopicKey } from '../fields.ts'
import type { Api, MoveFile, MoveInput, MoveRecord, Source } from '../record.ts'

const PAGE = 500

/** By what the names of files and the paths of the API contain. */
const LISTS = [
  { name: /bounce/i, path: '/v3/suppression/bounces', reason: 'BOUNCE' },
  { name: /invalid/i, path: '/v3/suppression/invalid_emails', reason: 'BOUNCE' },
  { name: /spam/i, path: '/v3/suppression/spam_reports', reason: 'COMPLAINT' },
  { name: /unsubscribe/i, path: '/v3/suppression/unsubscribes', reason: undefined },
] as const

type Reason = (typeof LISTS)[number]['reason']

export const sendgrid: Source = {
  id: 'sendgrid',
  title: 'SendGrid',
  files:
    'The CSV files of Marketing → Contacts → Export, and of Suppressions: bounces, invalid, spam reports, unsubscribes',
  api: { origin: 'https://api.sendgrid.com', headers: (key) => ({ authorization: `Bearer ${key}` }) },
  async *read(input: MoveInput): AsyncGenerator<MoveRecord> {
    if (input.api) yield* account(input.api)
    for (const file of input.files) {
      const list = LISTS.find(({ name }) => name.test(file.name.slice(file.name.lastIndexOf('/') + 1)))
      if (list) yield* suppressions(file, list.reason)
      else yield* people(file, input)
    }
    if (input.api)
      yield {
        kind: 'left',
        what: 'contacts of Marketing Campaigns',
        why: 'SendGrid exports them only as a file. Export them to CSV, and import the file as well.',
      }
  },
}

interface Suppressed {
  email: string
  created?: number
  reason?: string
}

const timeOf = (seconds: number | undefined) => (seconds ? new Date(seconds * 1000).toISOString() : undefined)

function* suppress(
  email: string,
  reason: Reason,
  at: string | undefined,
  place: { file: string; line?: number },
): Generator<MoveRecord> {
  if (reason) yield { kind: 'suppression', email, reason, place }
  if (reason !== 'BOUNCE') yield { kind: 'contact', email, subscribed: false, consent: { at }, place }
}

async function* account(api: Api): AsyncGenerator<MoveRecord> {
  for (const { path, reason } of LISTS) {
    for (let offset = 0; ; offset += PAGE) {
      const page = (await api(`${path}?limit=${PAGE}&offset=${offset}`)) as Suppressed[]
      for (const { email, created } of page) yield* suppress(email, reason, timeOf(created), { file: path })
      if (page.length < PAGE) break
    }
  }
  // Groups are topics: who is in a group receives it until opting out.
  const groups = (await api('/v3/asm/groups')) as Array<{ id: number; name: string; description?: string }>
  const used = new Set<string>()
  for (const { id, name, description } of groups) {
    const key = freeTopicKey(name, used)
    yield {
      kind: 'topic',
      key,
      name: name.slice(0, 100),
      description: description || undefined,
      defaultSubscribed: true,
    }
    for (const email of (await api(`/v3/asm/groups/${id}/suppressions`)) as string[]) {
      yield { kind: 'contact', email, topics: { [key]: false }, place: { file: `group ${name}` } }
    }
  }
  const { result = [] } = (await api('/v3/templates?generations=dynamic&page_size=200')) as {
    result?: Array<{ id: string; name: string }>
  }
  for (const { id, name } of result) {
    const { versions = [] } = (await api(`/v3/templates/${id}`)) as {
      versions?: Array<{ active: number; subject?: string; html_content?: string }>
    }
    const version = versions.find(({ active }) => active === 1) ?? versions[0]
    if (!version) continue
    const body = {
      name,
      subject: convert(version.subject || name),
      body: convert(version.html_content ?? ''),
      type: 'TRANSACTIONAL',
    }
    yield { kind: 'template', name, body, place: { file: 'templates' } }
  }
}

/** Handlebars that has a counterpart; other blocks are refused when the template is created, and reported. */
const convert = (text: string) =>
  text
    .replace(/\{\{\{\s*([\w.]+)\s*\}\}\}/g, '{{ $1 }}')
    .replace(/\{\{#if\s+([\w.]+)\s*\}\}/g, '{% if $1 %}')
    .replace(/\{\{else\}\}/g, '{% else %}')
    .replace(/\{\{\/if\}\}/g, '{% endif %}')
    .replace(/\{\{\{?\s*unsubscribe\s*\}?\}\}|<%asm_group_unsubscribe_raw_url%>/g, '{{ unsubscribeUrl }}')

async function* suppressions(file: MoveFile, reason: Reason): AsyncGenerator<MoveRecord> {
  for await (const { line, cells } of csvRows(file, ['email'])) {
    yield* suppress(
      cells.email ?? '',
      reason,
      /^\d{9,}$/.test(cells.created ?? '') ? timeOf(Number(cells.created)) : cells.created || undefined,
      { file: file.name, line },
    )
  }
}

const OWN = new Set(['EMAIL', 'CREATED_AT', 'UPDATED_AT', 'CONTACT_ID', 'ALTERNATE_EMAILS', 'LIST_IDS', 'SEGMENT_IDS'])

async function* people(file: MoveFile, { subscribe }: MoveInput): AsyncGenerator<MoveRecord> {
  const email = (await headerOf(file)).find((name) => name.toUpperCase() === 'EMAIL') ?? 'EMAIL'
  const types = await columnTypes(file, [email])
  for await (const { line, cells } of csvRows(file, [email])) {
    yield {
      kind: 'contact',
      email: cells[email]!,
      subscribed: subscribe ? true : undefined,
      data: dataOf(cells, types, (column) => !OWN.has(column.toUpperCase())),
      consent: { at: cells.CREATED_AT || undefined },
      place: { file: file.name, line },
    }
  }
}
