/**
 * Reads a CSV file in windows, each row with the byte offset where it ends, so that an interrupted import continues
 * from there. A row with malformed quotes is read as one line, so it can't absorb the rows after it.
 */
import { parse } from 'csv-parse/sync'

export interface CsvRow {
  /** Absent if the row can't be read. */
  cells: string[] | undefined
  /** Where the next row starts, relative to the start of the window. */
  end: number
}

export interface CsvWindow {
  rows: CsvRow[]
  /** How much of the window the rows use; 0 if not even one row fits. */
  bytes: number
}

export interface CsvReading {
  delimiter: string
  rowsMax: number
  /**
   * The window reaches the end of the file. Otherwise its last row may be incomplete and is left for the next window.
   */
  atEnd: boolean
}

const LINE_ENDS = ['\r\n', '\n', '\r']
/** A malformed row costs 200 µs and a valid row 10, so a window full of them must not block other work. */
const REPAIRS_MAX = 100
/** A cell with line breaks that is longer than this is treated as an unclosed quote. */
const OPEN_QUOTE_BYTES_MAX = 2 * 1024 * 1024
const CR = 13
const LF = 10
const QUOTE = '"'

export function readRows(window: Buffer, { delimiter, rowsMax, atEnd }: CsvReading): CsvWindow {
  const rows: CsvRow[] = []
  let offset = 0
  let repairs = 0
  while (offset < window.length && rows.length < rowsMax && repairs < REPAIRS_MAX) {
    const start = offset
    const problem = readValidRows(window.subarray(start), delimiter, rowsMax - rows.length, (cells, end) => {
      offset = start + end
      rows.push({ cells, end: offset })
    })
    if (!problem) {
      if (atEnd && rows.length < rowsMax) offset = window.length // only an empty line is left
      break
    }
    const mayClose = !atEnd && window.length - offset < OPEN_QUOTE_BYTES_MAX
    if (problem === 'CSV_QUOTE_NOT_CLOSED' && mayClose) break
    const end = endOfLine(window, offset)
    if (end === undefined && !atEnd) break
    rows.push({ cells: readLine(window.subarray(offset, end), delimiter), end: end ?? window.length })
    offset = end ?? window.length
    repairs++
  }
  if (!atEnd && rows.at(-1)?.end === window.length) {
    rows.pop()
    offset = rows.at(-1)?.end ?? 0
  }
  return { rows, bytes: offset }
}

/** Parses strictly up to the first error, whose code it returns. */
function readValidRows(
  bytes: Buffer,
  delimiter: string,
  rowsMax: number,
  take: (cells: string[], end: number) => void,
): string | undefined {
  if (!bytes.includes(QUOTE)) return readPlainRows(bytes, delimiter, rowsMax, take)
  try {
    parse(bytes, {
      delimiter,
      record_delimiter: LINE_ENDS,
      relax_column_count: true,
      trim: true,
      to: rowsMax,
      on_record(cells: string[], { bytes: end }) {
        take(cells, end)
        return null
      },
    })
    return undefined
  } catch (error) {
    return (error as { code: string }).code
  }
}

/**
 * Without a quote, every line is a row and every delimiter ends a cell. The parser takes ten times as long for such a
 * text.
 */
function readPlainRows(
  bytes: Buffer,
  delimiter: string,
  rowsMax: number,
  take: (cells: string[], end: number) => void,
): undefined {
  let start = 0
  for (let rows = 0; rows < rowsMax && start < bytes.length; rows++) {
    const end = endOfLine(bytes, start)
    const cells = bytes
      .toString('utf8', start, end)
      .split(delimiter)
      .map((cell) => cell.trim())
    if (end === undefined && cells.length === 1 && cells[0] === '' && bytes.at(-1) !== CR) return
    start = end ?? bytes.length
    take(cells, start)
  }
}

/** One line, with quotes as ordinary characters. */
function readLine(line: Buffer, delimiter: string): string[] | undefined {
  try {
    const rows: string[][] = parse(line, {
      delimiter,
      record_delimiter: LINE_ENDS,
      relax_column_count: true,
      relax_quotes: true,
    })
    return rows.length === 1 ? rows[0]!.map((cell) => cell.trim()) : undefined
  } catch {
    return undefined // an unclosed quote
  }
}

/** Where the next line starts; undefined if it is outside the window. */
function endOfLine(bytes: Buffer, from: number): number | undefined {
  for (let i = from; i < bytes.length; i++) {
    if (bytes[i] === LF) return i + 1
    if (bytes[i] === CR && i + 1 < bytes.length) return bytes[i + 1] === LF ? i + 2 : i + 1
  }
  return undefined
}
