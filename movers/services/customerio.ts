/** Customer.io: CSV exports of people, with `unsubscribed` and `cio_subscription_preferences` among the attributes. */
import { csvRows } from '../csv.ts'
import { columnTypes, dataOf, isOptOut, isYes } from '../fields.ts'
import { BrokenFile, type MoveFile, type MoveInput, type MoveRecord, type Source } from '../record.ts'

const PREFERENCES = 'cio_subscription_preferences'
const OWN = new Set(['id', 'cio_id', 'email', 'unsubscribed', 'created_at', PREFERENCES])
const NESTED = `${PREFERENCES}.topics.`

export const customerio: Source = {
  id: 'customerio',
  title: 'Customer.io',
  files:
    'The CSV file of People → Export to CSV with all attributes; suppressed people in a file whose name contains "suppressed"',
  async *read(input: MoveInput): AsyncGenerator<MoveRecord> {
    const keys = new Set<string>()
    for (const file of input.files) yield* people(file, input, keys)
  },
}

async function* people(file: MoveFile, { subscribe }: MoveInput, keys: Set<string>): AsyncGenerator<MoveRecord> {
  const isSuppressed = /suppress/i.test(file.name)
  const isBounced = /bounce/i.test(file.name)
  const types = await columnTypes(file, ['email'])
  for await (const { line, cells } of csvRows(file, ['email'])) {
    const place = { file: file.name, line }
    const email = cells.email ?? ''
    if (email === '') {
      yield { kind: 'left', what: 'people without an email address', why: 'Posthorn has only contacts with one.' }
      continue
    }
    if (isSuppressed || isBounced) yield { kind: 'suppression', email, reason: isBounced ? 'BOUNCE' : 'MANUAL', place }
    const topics = topicsOf(cells, file.name, line)
    for (const key of Object.keys(topics)) {
      if (keys.has(key)) continue
      keys.add(key)
      const number = /^topic-(\d+)$/.exec(key)?.[1]
      yield { kind: 'topic', key, name: number ? `Topic ${number}` : key, defaultSubscribed: false }
    }
    yield {
      kind: 'contact',
      email,
      subscribed:
        isSuppressed || isOptOut(cells.unsubscribed) ? false : cells.unsubscribed || subscribe ? true : undefined,
      data: dataOf(cells, types, (column) => !OWN.has(column) && !column.startsWith(NESTED)),
      topics: Object.keys(topics).length > 0 ? topics : undefined,
      consent: { at: timeOf(cells.created_at) },
      place,
    }
  }
}

/** `{"topics": {"topic_1": true}}`, or a column for each topic. */
function topicsOf(cells: Record<string, string>, file: string, line: number): Record<string, boolean> {
  const found: Record<string, boolean> = {}
  for (const [column, text] of Object.entries(cells)) {
    if (column.startsWith(NESTED) && text !== '') found[keyOf(column.slice(NESTED.length))] = isYes(text)
  }
  if (!cells[PREFERENCES]) return found
  try {
    const { topics = {} } = JSON.parse(cells[PREFERENCES]) as { topics?: Record<string, unknown> }
    for (const [name, value] of Object.entries(topics)) found[keyOf(name)] = value === true || value === 'true'
    return found
  } catch {
    throw new BrokenFile(file, line, `${PREFERENCES} is not a JSON object.`)
  }
}

const keyOf = (name: string) =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
const timeOf = (text: string | undefined) =>
  text && /^\d{9,10}$/.test(text) ? new Date(Number(text) * 1000).toISOString() : text || undefined
