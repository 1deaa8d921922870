/** Reads the rows of a file with past events, CSV or JSON Lines. Pure, so that a file always gives the same events. */
import { z } from 'zod'
import { applyDataRules, dataObject } from '../../../kernel/contact-data.ts'
import { isEmailAddress, normalizeEmail } from '../../../kernel/email-address.ts'
import { invalidField, Refusal } from '../../../kernel/errors.ts'
import { readCell } from '../imports/csv/cell-values.ts'
import { readRows } from '../imports/csv/csv-rows.ts'
import { type ImportLayout, readLayout } from '../imports/layout.ts'
import { eventName } from './names.ts'

export interface PastEvent {
  row: number
  email: string
  name: string
  data: Record<string, unknown>
  at: Date
}

export interface EventRowError {
  row: number
  email: string | null
  error: string
}

export type ReadEvent = PastEvent | EventRowError

const PROPERTY_TYPES = ['string', 'number', 'boolean', 'date'] as const
export type PropertyTypes = Record<string, (typeof PROPERTY_TYPES)[number]>

export const propertyTypes = z.record(z.string(), z.enum(PROPERTY_TYPES))

/** Ids start with their time, and nothing that happened before has an email address. */
const EARLIEST = new Date('1990-01-01T00:00:00Z')
const BATCH_ROWS = 1_000
const WINDOW_BYTES = 64 * 1024
const SHOWN_EMAIL_MAX = 254

/** About ten milliseconds of reading each, without empty rows. */
export function* readHistory(file: Buffer, types: PropertyTypes, now: Date): Generator<ReadEvent[]> {
  const first = file.toString('utf8', 0, WINDOW_BYTES).trimStart()[0]
  if (first === '[') throw invalidField('file', 'The file is a JSON array. Send JSON Lines: one object in each line.')
  if (first === '{') yield* readJsonLines(file, now)
  else yield* readCsv(file, types, now)
}

function* readJsonLines(file: Buffer, now: Date): Generator<ReadEvent[]> {
  const lines = file.toString('utf8').split('\n')
  for (let from = 0; from < lines.length; from += BATCH_ROWS) {
    yield lines
      .slice(from, from + BATCH_ROWS)
      .flatMap((line, i) => (line.trim() === '' ? [] : [readLine(line, from + i + 1, now)]))
  }
}

const Line = z.object({
  email: z.string(),
  event: z.string(),
  timestamp: z.string(),
  data: dataObject.optional(),
})

function readLine(line: string, row: number, now: Date): ReadEvent {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return { row, email: null, error: 'The line is not valid JSON.' }
  }
  if (!isStorable(line, value)) return { row, email: null, error: "The line has a character that can't be stored." }
  const { data: given, error } = Line.safeParse(value)
  if (error) {
    const { path, message } = error.issues[0]!
    return { row, email: null, error: `${path.join('.') || 'The line'}: ${message}` }
  }
  return eventOf({ ...given, data: given.data ?? {} }, row, now)
}

const SUSPECT_ESCAPE = /\\u(?:0000|d[89a-f])/i
/** As they are written again. A backslash of the text itself is written as two. */
const UNSTORABLE_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/

/** PostgreSQL stores neither NUL nor lone surrogates. */
const isStorable = (line: string, value: unknown): boolean =>
  !SUSPECT_ESCAPE.test(line) || !UNSTORABLE_ESCAPE.test(JSON.stringify(value))

const TIME_COLUMNS = ['timestamp', 'createdat', 'time', 'date']
const NAME_COLUMNS = ['event', 'name']

function* readCsv(file: Buffer, types: PropertyTypes, now: Date): Generator<ReadEvent[]> {
  const layout = readLayout(file)
  const columnOf = (names: string[]) => names.map((name) => layout.columns.indexOf(name)).find((at) => at >= 0)
  const [nameAt, timeAt] = [columnOf(NAME_COLUMNS), columnOf(TIME_COLUMNS)]
  if (nameAt === undefined || timeAt === undefined) {
    throw invalidField('file', 'The first row must contain the columns "email", "event" and "timestamp".')
  }
  const typeOf = new Map(Object.entries(types).map(([name, type]) => [name.trim().toLowerCase(), type]))
  const places: Places = { emailAt: layout.columns.indexOf('email'), nameAt, timeAt, typeOf }
  let rowsBefore = layout.headerRows
  let windowBytes = WINDOW_BYTES
  for (let at = layout.start; at < file.length; ) {
    const window = file.subarray(at, at + windowBytes)
    const atEnd = at + window.length >= file.length
    const { rows, bytes } = readRows(window, { delimiter: layout.delimiter, rowsMax: BATCH_ROWS, atEnd })
    windowBytes = bytes === 0 ? windowBytes * 2 : WINDOW_BYTES
    yield rows.flatMap(({ cells }, i) =>
      cells?.every((cell) => cell === '') ? [] : [readCells(layout, places, cells, rowsBefore + i + 1, now)],
    )
    rowsBefore += rows.length
    at += bytes
  }
}

interface Places {
  emailAt: number
  nameAt: number
  timeAt: number
  typeOf: Map<string, PropertyTypes[string]>
}

function readCells(
  { columns }: ImportLayout,
  { emailAt, nameAt, timeAt, typeOf }: Places,
  cells: string[] | undefined,
  row: number,
  now: Date,
): ReadEvent {
  if (!cells) return { row, email: null, error: 'A quoted value has no closing quotation mark.' }
  const email = cells[emailAt] ?? ''
  if (cells.some((cell) => cell.includes('\0'))) {
    return { row, email: null, error: "The row contains a NUL character, which can't be stored." }
  }
  const data: Record<string, unknown> = {}
  for (const [i, cell] of cells.entries()) {
    const name = columns[i]
    if (!name || cell === '' || i === emailAt || i === nameAt || i === timeAt) continue
    const type = typeOf.get(name) ?? 'string'
    const value = readCell(cell, { type })
    if (value === undefined) {
      return { row, email: shown(email), error: `"${cell.slice(0, 50)}" in the column "${name}" is not a ${type}.` }
    }
    data[name] = value
  }
  return eventOf({ email, event: cells[nameAt] ?? '', timestamp: cells[timeAt] ?? '', data }, row, now)
}

const shown = (email: string): string | null =>
  email.slice(0, SHOWN_EMAIL_MAX).toWellFormed().replaceAll('\0', '') || null

function eventOf(
  given: { email: string; event: string; timestamp: string; data: Record<string, unknown> },
  row: number,
  now: Date,
): ReadEvent {
  const email = normalizeEmail(given.email)
  const failed = (error: string) => ({ row, email: shown(email), error })
  if (!isEmailAddress(email)) return failed('Must be an email address.')
  const name = eventName.safeParse(given.event)
  if (name.error) return failed(`event: ${name.error.issues[0]!.message}`)
  const time = readCell(given.timestamp.trim(), { type: 'date' })
  if (time === undefined) return failed('timestamp must be a date or time such as 2026-11-18T09:30:00Z.')
  const at = new Date(String(time))
  if (at < EARLIEST || at > now) return failed('timestamp must be in the past, and not before 1990.')
  try {
    return { row, email, name: name.data, data: applyDataRules(given.data).sent, at }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return failed(error.extras.problems?.[0]?.message ?? error.message)
  }
}
