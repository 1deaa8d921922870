/** Times that follow the clock of a place: zones in the configuration of steps, dates of a contact, and windows of hours. */
import { z } from 'zod'
import { isDate, isTimeZone, momentIn, nextInWindow, timeField } from '../../../kernel/time/local-time.ts'
import type { StepContact } from './step.ts'

export const zoneField = z
  .string()
  .refine(
    (zone) => zone === 'contact' || isTimeZone(zone),
    'Must be "contact" or the name of a time zone, such as Europe/Berlin.',
  )

export const weekdayField = z
  .int('Must be a weekday from 1 (Monday) to 7 (Sunday).')
  .min(1, 'Must be at least 1 (Monday).')
  .max(7, 'Must be at most 7 (Sunday).')

/** `contact` is the zone in `data.timezone`, or UTC if that is none. */
export function zoneOf(zone: string, { data }: StepContact): string {
  if (zone !== 'contact') return zone
  return typeof data.timezone === 'string' && isTimeZone(data.timezone) ? data.timezone : 'UTC'
}

const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:T((?:[01]\d|2[0-3]):[0-5]\d)(?::[0-5]\d(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** Undefined if the text is no date. A day is its start, and a time without an offset is one, in the contact's time zone. */
export function dateOf(value: unknown, contact: StepContact): Date | undefined {
  const [, day, time, offset] = (typeof value === 'string' && DATE_TIME.exec(value.trim())) || []
  if (day === undefined || !isDate(day)) return undefined
  const date =
    offset === undefined ? momentIn(zoneOf('contact', contact), day, time ?? '00:00') : new Date(String(value).trim())
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** Hours of certain weekdays. */
export const windowField = z
  .strictObject({
    days: z
      .array(weekdayField)
      .min(1, 'Must have at least one weekday.')
      .max(7, 'Must have at most 7 weekdays.')
      .refine((days) => new Set(days).size === days.length, 'Must not have the same weekday twice.'),
    from: timeField,
    to: timeField,
    timezone: zoneField,
  })
  .refine(({ from, to }) => from !== to, {
    path: ['to'],
    message: 'Must differ from `from`: a window needs a length. For whole days, use 00:00 to 23:59.',
  })

export type SendWindow = z.output<typeof windowField>

/** The first moment from `now` on that is in the window. */
export const openingOf = (window: SendWindow | null | undefined, contact: StepContact, now: Date): Date =>
  window ? nextInWindow(now, { ...window, timezone: zoneOf(window.timezone, contact) }) : now
