/** Converts the text of a cell to the type that a column has in the mapping of an import. */
import type { ColumnTarget } from './layout.ts'

export const FLAGS = new Map([
  ...['true', '1', 'yes'].map((word) => [word, true] as const),
  ...['false', '0', 'no'].map((word) => [word, false] as const),
])

/** A comma is a decimal sign in many spreadsheets; signs between thousands are not accepted, because they look the same. */
const NUMBER = /^[+-]?\d+([.,]\d+)?$/
const ISO = /^\d{4}-\d{2}-\d{2}([T ].+)?$/
const WITH_DOTS = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/

/** Undefined if the text is not of the type. */
export function readCell(text: string, type: ColumnTarget['type']): string | number | boolean | undefined {
  if (type === 'number') return NUMBER.test(text) ? Number(text.replace(',', '.')) : undefined
  if (type === 'boolean') return FLAGS.get(text.toLowerCase())
  return type === 'date' ? dateOf(text) : text
}

/** `2026-11-16`, or a time in UTC. The day of 16.11.2026 comes first wherever dates are written with dots. */
function dateOf(text: string): string | undefined {
  const [, day, month, year] = WITH_DOTS.exec(text) ?? []
  const iso = year ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` : text
  if (!ISO.test(iso)) return undefined
  const time = new Date(iso.length === 10 ? `${iso}T00:00:00Z` : iso)
  if (Number.isNaN(time.getTime())) return undefined
  // February 30 would silently become a day in March.
  if (iso.length === 10) return time.toISOString().startsWith(iso) ? iso : undefined
  return time.toISOString()
}
