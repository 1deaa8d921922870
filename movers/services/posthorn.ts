/** Another Posthorn: the ZIP archive of GET /export. */
import { jsonLines, jsonOf } from '../files.ts'
import { BrokenFile, type ContentKind, type MoveFile, type MoveInput, type MoveRecord, type Source } from '../record.ts'

const FORMAT = 'posthorn-project'
const VERSION_MAX = 1

type Row = Record<string, unknown>

export const posthorn: Source = {
  id: 'posthorn',
  title: 'Posthorn',
  files: 'The ZIP file of Settings → Export, or of "posthorn export"',
  async *read({ files }: MoveInput): AsyncGenerator<MoveRecord> {
    const find = (name: string) => files.find((file) => file.name === name)
    const about = find('project.json')
    const { format, version = 0 } = about ? ((await jsonOf(about)) as { format?: string; version?: number }) : {}
    if (format !== FORMAT)
      throw new BrokenFile(files[0]?.name ?? 'The file', undefined, 'It is not an export of a Posthorn project.')
    if (version > VERSION_MAX)
      throw new BrokenFile(
        'project.json',
        undefined,
        'The export was written by a newer version of Posthorn. Upgrade this one first.',
      )
    for (const [name, read] of FILES) {
      const file = find(name)
      if (file) yield* read(file)
    }
    for (const [name, why] of LEFT) if (find(name)) yield { kind: 'left', what: name, why }
  },
}

const LEFT = [
  ['segment-members.jsonl', 'Static segments are created without members. Add them with POST /segments/{id}/members.'],
  ['consents.jsonl', 'The record of consent belongs to the installation that wrote it. Keep the file as a proof.'],
  ['emails.jsonl', 'Emails that were sent stay where they were sent.'],
  ['events.jsonl', 'Events would start workflows again.'],
] as const

async function* topics(file: MoveFile): AsyncGenerator<MoveRecord> {
  for await (const { value } of jsonLines(file)) {
    const { id, key, name, description, defaultSubscribed, isPublic } = value as never as {
      id: string
      key: string
      name: string
      description: string | null
      defaultSubscribed: boolean
      isPublic: boolean
    }
    yield { kind: 'topic', id, key, name, description, defaultSubscribed, isPublic }
  }
}

interface Suppression {
  email: string
  reason: 'BOUNCE' | 'COMPLAINT' | 'MANUAL'
  /** The key of the topic that it is about; otherwise it is about all marketing email. */
  topic?: string | null
}

async function* suppressions(file: MoveFile): AsyncGenerator<MoveRecord> {
  for await (const { line, value } of jsonLines<Suppression>(file)) {
    const { email, reason, topic } = value
    const place = { file: file.name, line }
    if (topic) yield { kind: 'contact', email, topics: { [topic]: false }, place }
    else yield { kind: 'suppression', email, reason, place }
  }
}

interface Contact {
  email: string
  subscribed: boolean
  optedOut: boolean
  topics: Record<string, boolean>
  data: Row
  confirmedAt: string | null
  createdAt: string
}

async function* contacts(file: MoveFile): AsyncGenerator<MoveRecord> {
  for await (const { line, value } of jsonLines<Contact>(file)) {
    const { email, subscribed, optedOut, data, confirmedAt, createdAt } = value
    yield {
      kind: 'contact',
      email,
      // Who was never asked is neither subscribed nor opted out.
      subscribed: subscribed ? true : optedOut ? false : undefined,
      data,
      topics: Object.keys(value.topics).length > 0 ? value.topics : undefined,
      consent: { at: confirmedAt ?? createdAt },
      place: { file: file.name, line },
    }
  }
}

const CONTENT_FIELDS = [
  'name',
  'description',
  'type',
  'subject',
  'preheader',
  'from',
  'fromName',
  'replyTo',
  'text',
  'tags',
  'topicId',
]
const AUDIENCE_FIELDS = ['audienceType', 'audienceCondition', 'segmentId']

/** The fields that a request has, without those that are null. */
const pick = (row: Row, names: string[]): Row =>
  Object.fromEntries(
    names.flatMap((name) => (row[name] === null || row[name] === undefined ? [] : [[name, row[name]]])),
  )

const bodyOf = (row: Row): Row =>
  row.document ? { document: row.document } : row.mjml ? { mjml: row.mjml } : { body: row.body }

const content = (kind: ContentKind, bodyFrom: (row: Row) => Row | undefined) =>
  async function* (file: MoveFile): AsyncGenerator<MoveRecord> {
    for await (const { line, value } of jsonLines(file)) {
      const body = bodyFrom(value)
      const name = String(value.name)
      if (body) yield { kind, name, id: String(value.id), body, place: { file: file.name, line } }
      else yield { kind: 'left', what: 'campaigns that were sent', why: 'They are in the export, for your records.' }
    }
  }

const FILES: Array<[string, (file: MoveFile) => AsyncGenerator<MoveRecord>]> = [
  ['topics.jsonl', topics],
  ['suppressions.jsonl', suppressions],
  ['contacts.jsonl', contacts],
  ['layouts.jsonl', content('layout', (row) => pick(row, ['name', 'header', 'footer']))],
  ['saved-blocks.jsonl', content('saved-block', (row) => pick(row, ['name', 'blocks']))],
  [
    'segments.jsonl',
    content('segment', (row) => pick(row, ['name', 'description', 'type', 'condition', 'trackMembership', 'tags'])),
  ],
  ['templates.jsonl', content('template', (row) => ({ ...pick(row, CONTENT_FIELDS), ...bodyOf(row) }))],
  [
    'campaigns.jsonl',
    content('campaign', (row) =>
      row.status === 'DRAFT' ? { ...pick(row, [...CONTENT_FIELDS, ...AUDIENCE_FIELDS]), ...bodyOf(row) } : undefined,
    ),
  ],
  ['workflows.jsonl', content('workflow', ({ id: _id, enabled: _enabled, ...document }) => document)],
]
