/**
 * `from` and `to` of a query. Each is a date, which means that whole UTC day, or a date with a time. Invalid values are
 * refused, because a report over the wrong days looks like a correct one.
 */
import { z } from 'zod'
import { dateText } from './conditions/condition-dates.ts'
import { badRequest } from './errors.ts'

const DAY_MS = 86_400_000
/** The time of the smallest id. */
const EARLIEST_MS = 0
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** A plus sign of a time zone that was not percent-encoded is received as a space. */
const SHAPE = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+ -]\d{2}:\d{2})?)?$/

function parseMoment(name: string, text: string, wholeDayMs: number): Date {
  const [, date = '', time, zone = 'Z'] = SHAPE.exec(text.trim()) ?? []
  const start = time === undefined ? `${date}T00:00:00Z` : `${date}T${time}${zone.replace(' ', '+')}`
  const ms = dateText(date) === undefined ? Number.NaN : Date.parse(start)
  if (Number.isNaN(ms)) {
    throw badRequest(`${name} must be a date such as 2026-01-31, or a date and time such as 2026-01-31T09:00:00Z.`)
  }
  return clamped(time === undefined ? ms + wholeDayMs : ms)
}

const clamped = (ms: number) => new Date(Math.min(LATEST_MS, Math.max(EARLIEST_MS, ms)))

const momentParam = (name: string, wholeDayMs: number, description: string) =>
  z
    .string()
    .optional()
    .transform((text) => (text === undefined || text === '' ? undefined : parseMoment(name, text, wholeDayMs)))
    .meta({ type: 'string', description })

export const fromParam = momentParam('from', 0, 'A date (UTC) or a date and time.')
export const toParam = momentParam('to', DAY_MS - 1, 'A date (UTC, the whole day) or a date and time; inclusive.')

export interface TimeRange {
  from?: Date | undefined
  to?: Date | undefined
}

export function refuseReversedRange({ from, to }: TimeRange): void {
  if (from && to && from > to) throw badRequest('from must not be after to.')
}

/** Days such as `2026-01-31`, both inclusive. */
export interface DayRange {
  first: string
  last: string
}

const DEFAULT_DAYS = 30
const DAYS_MAX = 366

/** The whole UTC days from `from` to `to`; by default the last 30 including today. */
export function dayRange({ from, to }: TimeRange, now: Date): DayRange {
  const last = to ?? now
  const first = from ?? clamped(last.getTime() - (DEFAULT_DAYS - 1) * DAY_MS)
  if (first > last) throw badRequest(`from must not be after ${to ? 'to' : 'the current time'}.`)
  const range = { first: dayOf(first), last: dayOf(last) }
  const days = (Date.parse(range.last) - Date.parse(range.first)) / DAY_MS + 1
  if (days > DAYS_MAX)
    throw badRequest(`The range from \`from\` to \`to\` spans ${days} days; the maximum is ${DAYS_MAX}.`)
  return range
}

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
