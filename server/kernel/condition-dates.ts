/**
 * Dates inside conditions. A date is text of two exact shapes that names a real day; written out in full it compares as
 * text, so no comparison ever needs a cast that could fail. The database has the same rule: see `date_text` there.
 */
import type { TimeUnit } from './condition.ts'

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z)?$/

/** The date in full, to the millisecond, or nothing. A date alone means its first instant (UTC). */
export function dateText(text: string): string | undefined {
  const [, year, month, day] = (SHAPE.exec(text) ?? []).map(Number)
  if (year === undefined || month! < 1 || month! > 12 || day! < 1 || day! > daysIn(year, month!)) return undefined
  if (text.length === 10) return `${text}T00:00:00.000Z`
  return text.length === 20 ? `${text.slice(0, 19)}.000Z` : text
}

export const isDateAlone = (text: string): boolean => text.length === 10

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

const UNIT_MS: Record<TimeUnit, number> = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 }

/** The first instant that a date can name. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00.000Z')

/** So long ago, but not before dates begin. */
export const timeBefore = (now: Date, amount: number, unit: TimeUnit): Date =>
  new Date(Math.max(EARLIEST_MS, now.getTime() - amount * UNIT_MS[unit]))
