/** Reads a CSV file in the browser as the service does, so that its columns can be shown before anything is uploaded. */
import Papa from 'papaparse'

export interface CsvFile {
  /** All rows, the first one too, even if it contains the names of the columns. */
  rows: string[][]
  /** Whether the first row looks like the names of the columns. */
  hasHeader: boolean
}

export const MAX_BYTES = 5 * 1024 * 1024

/** Spreadsheets use semicolons or tabs in locales whose decimal sign is a comma. */
const DELIMITERS = [',', ';', '\t']
const ADDRESS = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]+$/

export const isAddress = (cell: string): boolean => ADDRESS.test(cell)

/** Text has no control characters but tabs, line breaks and an old mark of its end; in a picture they are among the first bytes. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what it looks for.
const BINARY = /[\x00-\x08\x0E-\x19\x1C-\x1F]/
const LOOKED_AT = 64 * 1024

/** The text of a file: UTF-16 if it says so, UTF-8 if it is valid, otherwise the encoding of Windows in Western Europe. */
export function decodeText(bytes: Uint8Array): { text: string; isUtf8: boolean } {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes), isUtf8: false }
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes), isUtf8: false }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isUtf8: true }
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), isUtf8: false }
  }
}

export const isBinary = (text: string): boolean => BINARY.test(text.slice(0, LOOKED_AT))

/**
 * The delimiter is the one that finds a column named "email", or else a cell that is an address, or else the most cells:
 * the same rule as on the server. A first row with an address has no names of columns.
 */
export function readCsv(text: string): CsvFile {
  const firsts = DELIMITERS.map((delimiter) => ({ delimiter, cells: parseCsv(text, delimiter, 1)[0] ?? [] }))
  const found =
    firsts.find(({ cells }) => cells.some((cell) => cell.toLowerCase() === 'email')) ??
    firsts.find(({ cells }) => cells.some(isAddress)) ??
    firsts.reduce((most, one) => (one.cells.length > most.cells.length ? one : most))
  return { rows: parseCsv(text, found.delimiter), hasHeader: !found.cells.some(isAddress) }
}

const parseCsv = (text: string, delimiter: string, maxRows = 0): string[][] =>
  Papa.parse<string[]>(text.trimStart(), {
    delimiter,
    preview: maxRows,
    skipEmptyLines: true,
    transform: (cell) => cell.trim(),
  }).data

/** The names of the columns and the other rows. Columns of a file without a header have no names. */
export function columnsOf({ rows }: CsvFile, hasHeader: boolean): { columns: string[]; rows: string[][] } {
  const [first = [], ...others] = rows
  return hasHeader ? { columns: first, rows: others } : { columns: first.map(() => ''), rows }
}
