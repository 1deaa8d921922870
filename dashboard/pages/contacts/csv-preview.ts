/** The first rows of a CSV file, as the service will read them: to show before anything is imported. */
import Papa from 'papaparse'

export interface CsvPreview {
  columns: string[]
  rows: string[][]
  /** Why it would be refused. */
  wrong?: string
}

export const LARGEST_BYTES = 5 * 1024 * 1024

/** Spreadsheets write the last two where the comma is the decimal sign. */
const DELIMITERS = [',', ';', '\t']

export function previewCsv(text: string, most = 5): CsvPreview {
  const readings = DELIMITERS.map((delimiter) => read(text, delimiter, most))
  const { columns, rows } = readings.find((reading) => reading.columns.includes('email')) ?? readings[0]!
  return { columns, rows, wrong: wrongWith(columns) }
}

function read(text: string, delimiter: string, most: number): { columns: string[]; rows: string[][] } {
  const { data } = Papa.parse<string[]>(text.trimStart(), {
    delimiter,
    preview: most + 1,
    skipEmptyLines: true,
    transform: (cell) => cell.trim(),
  })
  const [header = [], ...rows] = data
  return { columns: header.map((name) => name.toLowerCase()), rows }
}

function wrongWith(columns: string[]): string | undefined {
  if (columns.length === 0) return 'The file is empty.'
  if (!columns.includes('email')) return 'There is no column "email". Its first row must name the columns.'
  return undefined
}
