/** When each recipient gets a campaign: at a local time, spread over some time, or at the hour at which they open emails. */
import { z } from 'zod'
import { invalidField } from '../../../../kernel/errors.ts'
import { dateField, timeField, timeZoneField } from '../../../../kernel/time/local-time.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const AHEAD_DAYS_MAX = 365
/** The first and the last zone are this far from UTC. */
const ZONE_MS_MAX = 14 * 60 * MINUTE_MS

export const timingFields = {
  localTime: z
    .object({
      date: dateField,
      time: timeField,
      fallback: timeZoneField.meta({ description: 'For contacts without a valid time zone in `data.timezone`.' }),
    })
    .nullish()
    .meta({
      description:
        "Sends each contact's email when it is this date and time in the contact's time zone, `data.timezone`. If that time has passed when the campaign starts, the email is sent at the start.",
    }),
  spreadMinutes: z
    .int()
    .min(1, 'Must be at least 1.')
    .max(1_440, 'Must be at most 1440, which is a day.')
    .nullish()
    .meta({ description: 'Sends the emails evenly over this time. With `localTime`, from that time on.' }),
  bestHour: z.boolean().nullish().meta({
    description:
      "Sends each contact's email at the hour of the day at which the contact opened most emails, in the contact's time zone (`data.timezone`, otherwise UTC), within a day from the start. Contacts with fewer than five opens get it at the start. Not with `localTime` or `spreadMinutes`.",
  }),
}

const Timing = z.object(timingFields)
export type Timing = z.output<typeof Timing>

/** Null if all emails are sent as soon as possible. */
export function readTiming({ localTime, spreadMinutes, bestHour }: Timing, start: Date): Timing | null {
  if (bestHour) {
    if (localTime || spreadMinutes)
      throw invalidField('bestHour', 'Not possible with localTime or spreadMinutes. Choose one of them.')
    return { bestHour }
  }
  if (localTime) refuseUnlikelyDate(localTime.date, start)
  return localTime || spreadMinutes ? { localTime: localTime ?? null, spreadMinutes: spreadMinutes ?? null } : null
}

/** A date long past is a mistake, which would send everything at once. */
function refuseUnlikelyDate(date: string, start: Date): void {
  const aheadMs = Date.parse(`${date}T00:00:00Z`) - start.getTime()
  if (aheadMs > AHEAD_DAYS_MAX * DAY_MS)
    throw invalidField('localTime.date', `Must be at most ${AHEAD_DAYS_MAX} days ahead.`)
  if (aheadMs < -2 * DAY_MS - ZONE_MS_MAX)
    throw invalidField('localTime.date', `Must not be in the past; it is ${start.toISOString()} now.`)
}

/** How it is returned. */
export const shownTiming = z
  .object({
    localTime: z
      .object({
        date: z.string().meta({ description: 'YYYY-MM-DD.' }),
        time: z.string().meta({ description: 'HH:MM.' }),
        fallback: z.string().meta({ description: 'The time zone of contacts without a valid one.' }),
      })
      .nullable()
      .meta({
        description: "The date and time in each contact's time zone; null if it doesn't depend on the time zone.",
      }),
    spreadMinutes: z
      .int()
      .nullable()
      .meta({ description: 'Over how many minutes the emails are spread; null if they are not.' }),
    bestHour: z
      .boolean()
      .meta({ description: 'Whether each contact gets it at the hour at which they open most emails.' }),
  })
  .nullable()
  .meta({
    description:
      'When each recipient gets the email, as chosen when the campaign was sent or scheduled; null if all get it as soon as possible.',
  })

export const showTiming = (stored: unknown): z.output<typeof shownTiming> => {
  if (!stored) return null
  const { localTime = null, spreadMinutes = null, bestHour = false } = stored as Timing
  return { localTime, spreadMinutes, bestHour: bestHour ?? false }
}
