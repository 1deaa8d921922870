/** The time at which a request wants an email to be sent. */
import { z } from 'zod'
import { invalidField } from '../errors.ts'

const DAY_MS = 24 * 3_600_000
const AHEAD_DAYS_MAX = 365
/** A time this close counts as now. */
const NOW_MS = 5_000

/** ISO 8601 in its extended form. The seconds, their fraction and the colon of the offset can be absent. */
const WITH_OFFSET = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}:\d{2})(:\d{2})?([.,]\d{1,9})?(?:([Zz])|([+-]\d{2}):?(\d{2})?)$/

export const sendAtField = z
  .string()
  .regex(WITH_OFFSET, 'Must be a time with an offset, such as 2026-12-01T09:00:00+01:00.')
  .meta({
    type: 'string',
    format: 'date-time',
    description:
      'When the email is sent, with an offset and up to 365 days ahead. Until then its status is `SCHEDULED`. The content is that of the request; the contact, suppressions, the sender domain and the monthly limit are those of the moment of sending.',
  })

/** Returns the text in the form that `Date` reads. */
const withSeconds = (text: string): string =>
  text.replace(
    WITH_OFFSET,
    (_, day, minute, second = ':00', fraction = '', utc, hours, minutes = '00') =>
      `${day}T${minute}${second}${fraction.replace(',', '.').slice(0, 4)}${utc ? 'Z' : `${hours}:${minutes}`}`,
  )

/** `Date` reads the 30th of February as a day in March. */
const isDay = (day: string): boolean => new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)

/** Undefined if it counts as now. */
export function readSendTime(text: string, now: Date): Date | undefined {
  const at = new Date(withSeconds(text))
  const aheadMs = at.getTime() - now.getTime()
  if (Number.isNaN(aheadMs) || !isDay(text.slice(0, 10)))
    throw invalidField('sendAt', 'Must be a time that exists.', 'invalid_string')
  if (aheadMs < 0) throw invalidField('sendAt', `Must not be in the past; it is ${now.toISOString()} now.`)
  if (aheadMs > AHEAD_DAYS_MAX * DAY_MS) throw invalidField('sendAt', `Must be at most ${AHEAD_DAYS_MAX} days ahead.`)
  return aheadMs <= NOW_MS ? undefined : at
}
