/** Parses the first rows of a CSV file as the service does, to show them before anything is imported. */
import Papa from 'papaparse'
import { texts } from './texts.ts'

export interface CsvPreview {
  columns: string[]
  rows: string[][]
  /** Why the service would reject the file. */
  problem?: string
}

export const MAX_BYTES = 5 * 1024 * 1024

/** Spreadsheets use semicolons or tabs in locales whose decimal sign is a comma. */
const DELIMITERS = [',', ';', '\t']

export function previewCsv(text: string, maxRows = 5): CsvPreview {
  const results = DELIMITERS.map((delimiter) => parseCsv(text, delimiter, maxRows))
  const { columns, rows } = results.find((result) => result.columns.includes('email')) ?? results[0]!
  return { columns, rows, problem: findProblem(columns) }
}

function parseCsv(text: string, delimiter: string, maxRows: number): { columns: string[]; rows: string[][] } {
  const { data } = Papa.parse<string[]>(text.trimStart(), {
    delimiter,
    preview: maxRows + 1,
    skipEmptyLines: true,
    transform: (cell) => cell.trim(),
  })
  const [header = [], ...rows] = data
  return { columns: header.map((name) => name.toLowerCase()), rows }
}

function findProblem(columns: string[]): string | undefined {
  if (columns.length === 0) return texts.importPage.emptyFile
  if (!columns.includes('email')) return texts.importPage.noEmailColumn
  return undefined
}
