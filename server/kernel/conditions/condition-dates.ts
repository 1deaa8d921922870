/**
 * Dates inside conditions. A date is text of one of two exact forms that names a real day. In its full form it compares
 * as text, so no comparison needs a cast that could fail. The SQL function `date_text` applies the same rule.
 */
import type { TimeUnit } from './condition.ts'

const SHAPE = /^(\d{4})-(\d{2})-(\d{2})(?:T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{3})?Z)?$/

/**
 * The date in full, to the millisecond, or undefined if it is invalid. A date without a time means its first instant
 * (UTC).
 */
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

/** The given amount of time before `now`, but not before the first date that can be represented. */
export const timeBefore = (now: Date, amount: number, unit: TimeUnit): Date =>
  new Date(Math.max(EARLIEST_MS, now.getTime() - amount * UNIT_MS[unit]))
