/**
 * listmonk: a dump of its database by pg_dump, which has everything, or the CSV export of subscribers. In the CSV file, "enabled" doesn't
 * mean subscribed: who unsubscribed from a list is still enabled. Only the dump tells, so only it subscribes people.
 */
import { csvRows } from '../csv.ts'
import { topicKey } from '../fields.ts'
import { textOf } from '../files.ts'
import { BrokenFile, type MoveFile, type MoveInput, type MoveRecord, type Source } from '../record.ts'
import { type CopyRow, copiedRows } from './postgres-dump.ts'

export const listmonk: Source = {
  id: 'listmonk',
  title: 'listmonk',
  files: 'The file of "pg_dump listmonk > listmonk.sql", or a CSV export of subscribers',
  async *read(input: MoveInput): AsyncGenerator<MoveRecord> {
    for (const file of input.files) {
      if (/\.csv$/i.test(file.name)) yield* subscribers(file, input)
      else if (await isDump(file)) yield* dump(file)
      else
        throw new BrokenFile(
          file.name,
          1,
          'This is neither a CSV file nor a dump in plain text. Write it with: pg_dump --format=plain',
        )
    }
  },
}

async function isDump(file: MoveFile): Promise<boolean> {
  for await (const part of textOf(file))
    if (part !== '') return part.startsWith('--') || /^(SET|COPY|CREATE|DROP) /m.test(part)
  return false
}

async function* subscribers(file: MoveFile, { subscribe }: MoveInput): AsyncGenerator<MoveRecord> {
  for await (const { line, cells } of csvRows(file, ['email', 'status'])) {
    const status = cells.status!.toLowerCase()
    const place = { file: file.name, line }
    if (status === 'blocklisted') yield { kind: 'suppression', email: cells.email!, reason: 'MANUAL', place }
    yield {
      kind: 'contact',
      email: cells.email!,
      subscribed: status === 'blocklisted' || status === 'disabled' ? false : subscribe ? true : undefined,
      data: { ...nameOf(cells.name), ...attributes(cells.attributes || cells.attribs || '{}', file, line) },
      consent: { at: cells.created_at || undefined },
      place,
    }
  }
}

const nameOf = (name: string | undefined | null) => (name ? { name } : {})

function attributes(text: string, file: MoveFile, line: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // reported below
  }
  throw new BrokenFile(file.name, line, 'The attributes are not a JSON object.')
}

interface List {
  key: string
  double: boolean
}

/** What the tables that come before `subscribers` in a dump tell about them, by their ID. */
interface Facts {
  lists: Map<string, List>
  /** `key` with a sign before it: + for a subscription, - for an opt-out, ? for one that was never confirmed. */
  choices: Map<string, string[]>
  bounced: Map<string, 'BOUNCE' | 'COMPLAINT'>
}

async function* dump(file: MoveFile): AsyncGenerator<MoveRecord> {
  const facts: Facts = { lists: new Map(), choices: new Map(), bounced: new Map() }
  const memberships: CopyRow[] = []
  for await (const row of copiedRows(file, ['lists', 'subscriber_lists', 'bounces'])) {
    const { table, cells } = row
    if (table === 'lists') {
      const key = freeKey(topicKey(cells.name!), facts.lists)
      facts.lists.set(cells.id!, { key, double: cells.optin === 'double' })
      yield {
        kind: 'topic',
        key,
        name: cells.name!.slice(0, 100),
        description: cells.description?.slice(0, 500) || undefined,
        defaultSubscribed: false,
        isPublic: cells.type === 'public',
      }
    } else if (table === 'bounces') {
      if (cells.type !== 'soft')
        facts.bounced.set(cells.subscriber_id!, cells.type === 'complaint' ? 'COMPLAINT' : 'BOUNCE')
    } else if (facts.lists.size > 0) addChoice(facts, row)
    else memberships.push(row)
  }
  for (const row of memberships) addChoice(facts, row)
  for await (const row of copiedRows(file, ['subscribers', 'templates', 'campaigns'])) {
    if (row.table === 'subscribers') yield* subscriber(file, row, facts)
    else yield* content(file, row)
  }
}

const freeKey = (key: string, lists: Map<string, List>): string => {
  const used = new Set([...lists.values()].map((list) => list.key))
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? key : `${key.slice(0, 46)}-${n}`
    if (!used.has(candidate)) return candidate
  }
}

function addChoice({ lists, choices }: Facts, { cells }: CopyRow): void {
  const list = lists.get(cells.list_id ?? '')
  if (!list) return
  const isUnconfirmed = cells.status === 'unconfirmed' && list.double
  const sign = cells.status === 'unsubscribed' ? '-' : isUnconfirmed ? '?' : '+'
  const known = choices.get(cells.subscriber_id!)
  if (known) known.push(sign + list.key)
  else choices.set(cells.subscriber_id!, [sign + list.key])
}

function* subscriber(file: MoveFile, { line, cells }: CopyRow, { choices, bounced }: Facts): Generator<MoveRecord> {
  const place = { file: file.name, line }
  const email = cells.email!
  const chosen = choices.get(cells.id!) ?? []
  const reason = bounced.get(cells.id!) ?? (cells.status === 'blocklisted' ? ('MANUAL' as const) : undefined)
  if (reason) yield { kind: 'suppression', email, reason, place }
  const isIn = chosen.some((choice) => choice.startsWith('+'))
  const hasLeft = chosen.length > 0 && chosen.every((choice) => choice.startsWith('-'))
  const topics = Object.fromEntries(
    chosen.filter((choice) => !choice.startsWith('?')).map((choice) => [choice.slice(1), choice.startsWith('+')]),
  )
  yield {
    kind: 'contact',
    email,
    subscribed: cells.status !== 'enabled' || hasLeft ? false : isIn ? true : undefined,
    data: { ...nameOf(cells.name), ...attributes(cells.attribs || '{}', file, line) },
    topics: Object.keys(topics).length > 0 ? topics : undefined,
    consent: { at: cells.created_at || undefined },
    place,
  }
}

function* content(file: MoveFile, { table, line, cells }: CopyRow): Generator<MoveRecord> {
  const place = { file: file.name, line }
  const name = cells.name!
  const body = convert(cells.body ?? '')
  const isTransactional = cells.type === 'tx'
  if (table === 'templates') {
    const subject = convert(cells.subject || name)
    yield {
      kind: 'template',
      name,
      body: { name, subject, body, type: isTransactional ? 'TRANSACTIONAL' : 'MARKETING' },
      place,
    }
    return
  }
  if (cells.type === 'optin') {
    yield {
      kind: 'left',
      what: `campaign "${name}"`,
      why: 'It asks for confirmation, which Posthorn does automatically.',
    }
    return
  }
  if (cells.content_type === 'markdown') {
    yield { kind: 'left', what: `campaign "${name}"`, why: 'Its body is Markdown.' }
    return
  }
  const html = cells.content_type === 'plain' ? `<p style="white-space: pre-wrap">${escapeHtml(body)}</p>` : body
  yield {
    kind: 'campaign',
    name,
    body: { name, subject: convert(cells.subject ?? name), body: html, from: addressOf(cells.from_email) },
    place,
  }
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const addressOf = (from: string | null | undefined) => /<([^>]+)>/.exec(from ?? '')?.[1] ?? (from || undefined)

/** Go expressions that have a counterpart; others are refused when the content is created, and reported. */
const convert = (text: string): string =>
  text
    .replace(/\{\{-?\s*\.Subscriber\.Email\s*-?\}\}/g, '{{ email }}')
    .replace(/\{\{-?\s*\.Subscriber\.(?:Name|FirstName)\s*-?\}\}/g, '{{ name }}')
    .replace(/\{\{-?\s*\.Subscriber\.Attribs\.([\w.]+)\s*-?\}\}/g, '{{ $1 }}')
    .replace(/\{\{-?\s*\.Tx\.Data\.([\w.]+)\s*-?\}\}/g, '{{ $1 }}')
    .replace(/\{\{-?\s*UnsubscribeURL\s*\.?\s*-?\}\}/g, '{{ unsubscribeUrl }}')
    .replace(/\{\{-?\s*ManageURL\s*\.?\s*-?\}\}/g, '{{ manageUrl }}')
    .replace(/\{\{-?\s*MessageURL\s*\.?\s*-?\}\}/g, '{{ viewInBrowserUrl }}')
    .replace(/\{\{-?\s*TrackView\s*\.?\s*-?\}\}/g, '')
    .replace(/\{\{-?\s*TrackLink\s+"([^"]*)"\s*\.?\s*-?\}\}/g, '$1')
    .replace(/@TrackLink(?=["'\s>])/g, '')
