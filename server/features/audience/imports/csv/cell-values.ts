/** Converts the text of a cell to the type that a column has in the mapping of an import. */
import type { ColumnTarget, DecimalSign } from '../layout.ts'

export const FLAGS = new Map([
  ...['true', '1', 'yes'].map((word) => [word, true] as const),
  ...['false', '0', 'no'].map((word) => [word, false] as const),
])

const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/
const GROUPED: Record<DecimalSign, RegExp> = {
  ',': /^[+-]?\d{1,3}(?:\.\d{3})+(?:,\d+)?$/,
  '.': /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/,
}
const SIGNS = [',', '.'] as const
const ISO = /^\d{4}-\d{2}-\d{2}([T ].+)?$/
const WITH_DOTS = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/

/** Undefined if the text is not of the type. */
export function readCell(
  text: string,
  { type, decimal }: Pick<ColumnTarget, 'type' | 'decimal'>,
): string | number | boolean | undefined {
  if (type === 'number') return numberOf(text, decimal)
  if (type === 'boolean') return FLAGS.get(text.toLowerCase())
  return type === 'date' ? dateOf(text) : text
}

/**
 * Without a decimal sign, a single comma or dot is one: 1.234 is a bit more than 1. In 1.234,50 and 1,234,567 it is clear
 * which sign separates thousands.
 */
function numberOf(text: string, decimal: DecimalSign | undefined): number | undefined {
  if (!decimal && NUMBER.test(text)) return Number(text.replace(',', '.'))
  const sign = decimal ?? SIGNS.find((one) => GROUPED[one].test(text))
  if (!sign) return undefined
  const plain = GROUPED[sign].test(text) ? text.replaceAll(sign === ',' ? '.' : ',', '') : text
  return NUMBER.test(plain) && !plain.includes(sign === ',' ? '.' : ',') ? Number(plain.replace(',', '.')) : undefined
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
