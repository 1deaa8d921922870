/** Reads a CSV file in the browser as the service does, to show what an import will do before anything is uploaded. */
import Papa from 'papaparse'

export interface CsvPreview {
  /** The names of the columns, as in the file. */
  columns: string[]
  rows: string[][]
}

export const MAX_BYTES = 5 * 1024 * 1024

/** Spreadsheets use semicolons or tabs in locales whose decimal sign is a comma. */
const DELIMITERS = [',', ';', '\t']

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

/** The delimiter is the one that finds a column named "email", or else the most columns. */
export function previewCsv(text: string, maxRows = 5): CsvPreview {
  const results = DELIMITERS.map((delimiter) => parseCsv(text, delimiter, maxRows))
  const named = results.find(({ columns }) => columns.some((name) => name.toLowerCase() === 'email'))
  return named ?? results.reduce((most, one) => (one.columns.length > most.columns.length ? one : most))
}

function parseCsv(text: string, delimiter: string, maxRows: number): CsvPreview {
  const { data } = Papa.parse<string[]>(text.trimStart(), {
    delimiter,
    preview: maxRows + 1,
    skipEmptyLines: true,
    transform: (cell) => cell.trim(),
  })
  const [columns = [], ...rows] = data
  return { columns, rows }
}
