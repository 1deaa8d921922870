/**
 * Contacts as CSV text. Text that a spreadsheet would run as a formula is prefixed with an apostrophe, which
 * spreadsheets treat as text and our import removes.
 */
import { EXPORT_COLUMNS, RUNNABLE } from './layout.ts'

const NUMBER = /^[+-]?\d+(?:\.\d+)?$/
const NEEDS_QUOTES = /[",;\r\n]|^\s|\s$/

export const headerLine = (paths: string[][]): string =>
  line([...EXPORT_COLUMNS, ...paths.map((path) => escapeFormula(path.join('.')))])

export function contactLine(
  contact: { email: string; subscribed: boolean; data: Record<string, unknown>; created_at: Date; updated_at: Date },
  paths: string[][],
): string {
  return line([
    escapeFormula(contact.email),
    String(contact.subscribed),
    contact.created_at.toISOString(),
    contact.updated_at.toISOString(),
    ...paths.map((path) => cellOf(valueAt(contact.data, path))),
  ])
}

function valueAt(data: unknown, path: string[]): unknown {
  let value = data
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
      return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** An object in a field of other contacts' values has its own fields, in its own columns. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return escapeFormula(value)
  if (Array.isArray(value)) return JSON.stringify(value)
  return typeof value === 'object' ? '' : String(value)
}

/** Also after semicolons, which separate cells in the spreadsheets of many countries. */
const escapeFormula = (text: string): string => (NUMBER.test(text) ? text : text.replace(RUNNABLE, "$1'"))

const line = (cells: string[]): string => `${cells.map(quoted).join(',')}\r\n`

const quoted = (cell: string): string => (NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
