/**
 * Reads the header of an uploaded file: its columns and delimiter. A file that is not a list of contacts is refused at
 * upload, with advice.
 */
import { isUtf8 } from 'node:buffer'
import { invalidField } from '../../../kernel/errors.ts'
import type { TopicRule } from '../../../kernel/subscription.ts'
import { readRows } from './csv/csv-rows.ts'

export interface ImportLayout {
  delimiter: string
  /** Trimmed and lower-cased; '' for a column without a name, which is ignored. */
  columns: string[]
  /** The file is one of our own exports: its dates are not data, and the apostrophes of escaped cells are removed. */
  exported: boolean
  /** Rows before the first contact: the header, if there is one, and empty lines above it. */
  headerRows: number
  /** The offset of the first contact. */
  start: number
  /** What each column becomes, if the request has a mapping; null for a column that is ignored. */
  targets?: (ColumnTarget | null)[]
  /** The topics that columns are about, by their keys. */
  topics?: Record<string, TopicRule>
  /** New contacts are not subscribed, unless their row says so. */
  newUnsubscribed?: boolean
}

export const TOPIC_COLUMN = 'topic:'

/** The keys of topics that columns are about. */
export const topicKeysIn = ({ columns, targets }: ImportLayout): string[] =>
  (targets?.map((target) => target?.field ?? '') ?? columns).flatMap((name) =>
    name.startsWith(TOPIC_COLUMN) ? [name.slice(TOPIC_COLUMN.length)] : [],
  )

export const CELL_TYPES = ['string', 'number', 'boolean', 'date'] as const

export interface ColumnTarget {
  /** `email`, `subscribed`, `topic:<key>` or `data.<name>`. */
  field: string
  type: (typeof CELL_TYPES)[number]
  /** The decimal sign of numbers; the other sign then separates thousands. */
  decimal?: DecimalSign | undefined
  /** What the words of a column mean for the subscription or the topic, in lower case. */
  values?: Record<string, boolean> | undefined
}

export type DecimalSign = ',' | '.'

/** The columns to import, by their names in the header or by their positions from 1. */
export type ColumnMapping = Array<ColumnTarget & { column?: string | undefined; position?: number | undefined }>

export interface LayoutOptions {
  mapping?: ColumnMapping | undefined
  /** False if the first row is a contact. */
  hasHeader?: boolean
}

export const EXPORT_COLUMNS = ['email', 'subscribed', 'createdAt', 'updatedAt']

/** Spreadsheets use the last two in locales with a decimal comma. */
const DELIMITERS = [',', ';', '\t']
const ADDRESS = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/
const COLUMNS_MAX = 1_000
const NAME_LENGTH_MAX = 255
const HEADER_BYTES_MAX = 64 * 1024
const ZIP = Buffer.from('504b0304', 'hex')
const OLD_OFFICE = Buffer.from('d0cf11e0', 'hex')
const BOM = Buffer.from('efbbbf', 'hex')
const CR = 13
const LF = 10
const TAB = 9
const SPACE = 32

function readFirstRow(file: Buffer): ImportLayout[] {
  refuseOtherFormats(file)
  const blank = passBlank(file)
  return DELIMITERS.map((delimiter) => readHeader(file, blank, delimiter))
}

/** With the delimiter that finds most of these columns. */
function findColumns(file: Buffer, wanted: string[]): ImportLayout {
  const layouts = readFirstRow(file)
  const countFound = ({ columns }: ImportLayout) => wanted.filter((name) => columns.includes(name)).length
  return layouts.reduce((best, one) => (countFound(one) > countFound(best) ? one : best))
}

/** For a file of another kind, whose column of addresses has one of these names; it is then named `email`. */
export function readAddressLayout(file: Buffer, names: string[]): ImportLayout {
  const layout = findColumns(file, names)
  refuseBadColumns(layout.columns)
  const name = names.find((one) => layout.columns.includes(one))
  if (name === undefined) throw withoutEmail()
  return { ...layout, columns: layout.columns.map((column) => (column === name ? 'email' : column)) }
}

const withoutEmail = () => refused('The first row must contain the column names, and one of them must be "email".')

export function readLayout(file: Buffer, { mapping, hasHeader = true }: LayoutOptions = {}): ImportLayout {
  if (mapping?.some(({ position }) => position !== undefined)) return readPositions(file, mapping, hasHeader)
  if (!hasHeader) throw invalidField('mapping', 'A file without a header needs a mapping with positions.')
  const layout = findColumns(file, mapping?.map(({ column }) => column!) ?? ['email'])
  if (mapping) return { ...layout, targets: targetsOf(layout.columns, mapping) }
  if (!layout.columns.includes('email') && !layout.columns.some(hasNul)) {
    throw withoutEmail()
  }
  refuseBadColumns(layout.columns)
  return layout
}

/**
 * With the delimiter that finds a column named "email", or else a cell that is an address, or else the most cells. The
 * dashboard shows columns by the same rule (`csv-preview.ts`).
 */
function pickLayout(layouts: ImportLayout[]): ImportLayout {
  const found =
    layouts.find(({ columns }) => columns.includes('email')) ??
    layouts.find(({ columns }) => columns.some((cell) => ADDRESS.test(cell)))
  return found ?? layouts.reduce((most, one) => (one.columns.length > most.columns.length ? one : most))
}

/** Columns by position can have the same name, or none. */
function readPositions(file: Buffer, mapping: ColumnMapping, hasHeader: boolean): ImportLayout {
  const layout = pickLayout(readFirstRow(file))
  const { columns, headerRows } = layout
  if (columns.some(hasNul)) throw notUtf8()
  refuseTooManyColumns(columns)
  const missing = mapping.find(({ position }) => position! > columns.length)
  if (missing) {
    throw invalidField(
      'mapping',
      `The file has no column ${missing.position}; its first row has ${columns.length} cells.`,
    )
  }
  const targets = columns.map((_, i) => withoutColumn(mapping.find(({ position }) => position === i + 1)))
  if (hasHeader) return { ...layout, targets }
  const start = passBlank(file).bytes
  return { ...layout, columns: columns.map(() => ''), exported: false, headerRows: headerRows - 1, start, targets }
}

function targetsOf(columns: string[], mapping: ColumnMapping): (ColumnTarget | null)[] {
  refuseBadColumns(columns)
  const missing = mapping.find(({ column }) => !columns.includes(column!))
  if (missing) throw invalidField('mapping', `The file has no column named "${missing.column}".`)
  return columns.map((name) => withoutColumn(mapping.find(({ column }) => column === name)))
}

function withoutColumn(found: ColumnMapping[number] | undefined): ColumnTarget | null {
  if (!found) return null
  const { column: _column, position: _position, ...target } = found
  return target
}

const hasNul = (name: string) => name.includes('\0')

function refuseOtherFormats(file: Buffer): void {
  const startsWith = (magic: Buffer) => file.subarray(0, magic.length).equals(magic)
  if (startsWith(ZIP) || startsWith(OLD_OFFICE)) {
    throw refused('This is a spreadsheet or an archive, not a CSV file. Export it as CSV and upload the exported file.')
  }
  if (!isUtf8(file)) throw notUtf8()
  if (file.toString('utf8').trim() === '') throw refused('The file is empty.')
}

function readHeader(file: Buffer, blank: { bytes: number; rows: number }, delimiter: string): ImportLayout {
  const head = file.subarray(blank.bytes, blank.bytes + HEADER_BYTES_MAX)
  const atEnd = blank.bytes + head.length === file.length
  const { rows, bytes } = readRows(head, { delimiter, rowsMax: 1, atEnd })
  const names = (rows[0]?.cells ?? []).map((cell) => cell.toLowerCase())
  const exported = EXPORT_COLUMNS.every((name, i) => names[i] === name.toLowerCase())
  const columns = exported ? names.map(freeFormula) : names
  return { delimiter, columns, exported, headerRows: blank.rows + 1, start: blank.bytes + bytes }
}

/** What precedes the header: a byte order mark and empty lines. */
function passBlank(file: Buffer): { bytes: number; rows: number } {
  let bytes = file.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0
  let rows = 0
  for (let i = bytes; i < file.length; i++) {
    const char = file[i]
    if (char !== LF && char !== CR && char !== SPACE && char !== TAB) break
    if (char === LF || (char === CR && file[i + 1] !== LF)) {
      rows++
      bytes = i + 1
    }
  }
  return { bytes, rows }
}

function refuseBadColumns(columns: string[]): void {
  // For example UTF-16, which is valid UTF-8 if it has no accents. A NUL further down fails only its own row.
  if (columns.some(hasNul)) throw notUtf8()
  refuseTooManyColumns(columns)
  const named = columns.filter((name) => name !== '')
  const twice = named.find((name, i) => named.indexOf(name) !== i)
  if (twice !== undefined) throw refused(`The column name "${twice}" appears more than once.`)
  if (named.some((name) => name.length > NAME_LENGTH_MAX)) {
    throw refused(`Column names must be at most ${NAME_LENGTH_MAX} characters long.`)
  }
}

function refuseTooManyColumns(columns: string[]): void {
  if (columns.length > COLUMNS_MAX) throw refused(`The file has more than ${COLUMNS_MAX} columns.`)
}

/** Removes the apostrophe that an export adds to formulas. */
export const freeFormula = (text: string): string => text.replace(GUARDED, '$1')

const GUARDED = /(^|;[ "]*)'(?='*[=+\-@\t\r＝＋－＠])/g

const notUtf8 = () => refused('The file is not UTF-8 text. Export it as "CSV UTF-8" and upload the exported file.')

const refused = (message: string) => invalidField('file', message)
