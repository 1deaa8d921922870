/** The time at which a request wants an email to be sent. */
import { z } from 'zod'
import { invalidField } from './errors.ts'

const DAY_MS = 24 * 3_600_000
const AHEAD_DAYS_MAX = 365
/** A time this close counts as now. */
const NOW_MS = 5_000

export const sendAtField = z.iso
  .datetime({ offset: true, message: 'Must be a time with an offset, such as 2026-12-01T09:00:00+01:00.' })
  .meta({
    type: 'string',
    format: 'date-time',
    description:
      'When the email is sent, with an offset and up to 365 days ahead. Until then its status is `SCHEDULED`. The content is that of the request; the contact, suppressions, the sender domain and the monthly limit are those of the moment of sending.',
  })

/** Undefined if it counts as now. */
export function readSendTime(text: string, now: Date): Date | undefined {
  const at = new Date(text)
  const aheadMs = at.getTime() - now.getTime()
  if (Number.isNaN(aheadMs)) throw invalidField('sendAt', 'Must be a time that exists.', 'invalid_string')
  if (aheadMs < 0) throw invalidField('sendAt', `Must not be in the past; it is ${now.toISOString()} now.`)
  if (aheadMs > AHEAD_DAYS_MAX * DAY_MS) throw invalidField('sendAt', `Must be at most ${AHEAD_DAYS_MAX} days ahead.`)
  return aheadMs <= NOW_MS ? undefined : at
}
