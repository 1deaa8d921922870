/** Contacts as CSV text. */
import { escapeFormula, csvLine as line } from '../../../platform/csv-line.ts'
import { EXPORT_COLUMNS } from './layout.ts'

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
