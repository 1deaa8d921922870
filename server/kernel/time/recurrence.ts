/**
 * The times of something that recurs every day, week or month at a time of day in a zone. Each local date has at most one
 * time, so a change of the clocks neither skips nor repeats one.
 */
import { z } from 'zod'
import { dateField, dateIn, momentIn, timeField, timeZoneField } from './local-time.ts'

const DAY_MS = 86_400_000
/** A month has a day for every rule within this many days. */
const SEARCH_DAYS_MAX = 62

export const recurrenceFields = {
  every: z.enum(['day', 'week', 'month']).meta({ description: 'How often a campaign is sent.' }),
  time: timeField,
  timezone: timeZoneField,
  weekdays: z
    .array(z.int().min(1, 'Must be from 1 (Monday) to 7 (Sunday).').max(7, 'Must be from 1 (Monday) to 7 (Sunday).'))
    .min(1, 'Must have at least one weekday.')
    .max(7, 'Must have at most 7 weekdays.')
    .transform((days) => [...new Set(days)].sort())
    .nullish()
    .meta({ description: 'For `week`: the weekdays, from 1 (Monday) to 7 (Sunday).' }),
  day: z.int().min(1, 'Must be at least 1.').max(31, 'Must be at most 31.').nullish().meta({
    description: 'For `month`: the day of the month. In a shorter month it is the last day.',
  }),
  startsOn: dateField.nullish().meta({ description: 'The first possible date; today if omitted.' }),
  endsOn: dateField.nullish().meta({ description: 'The last possible date.' }),
  count: z
    .int()
    .min(1, 'Must be at least 1.')
    .max(1_000, 'Must be at most 1000.')
    .nullish()
    .meta({ description: 'How many campaigns are sent in all. Without it and `endsOn`, there is no end.' }),
}

const Fields = z.object(recurrenceFields)
export type RecurrenceRule = z.output<typeof Fields>

/** What the fields must have together. */
export function requireRule(
  { every, weekdays, day, startsOn, endsOn }: RecurrenceRule,
  ctx: { addIssue(issue: { code: 'custom'; path: string[]; message: string }): void },
): void {
  const refuse = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
  if (every === 'week' && !weekdays) refuse('weekdays', 'Required if `every` is week.')
  if (every === 'month' && !day) refuse('day', 'Required if `every` is month.')
  if (every !== 'week' && weekdays) refuse('weekdays', 'Only possible if `every` is week.')
  if (every !== 'month' && day) refuse('day', 'Only possible if `every` is month.')
  if (startsOn && endsOn && endsOn < startsOn) refuse('endsOn', 'Must not be before `startsOn`.')
}

/** The first time after `after`; undefined if there is none. How many there were isn't considered. */
export function nextOccurrence(rule: RecurrenceRule, after: Date): Date | undefined {
  const today = dateIn(rule.timezone, after)
  const first = rule.startsOn && rule.startsOn > today ? rule.startsOn : today
  for (let n = 0; n <= SEARCH_DAYS_MAX; n++) {
    const date = plusDays(first, n)
    if (rule.endsOn && date > rule.endsOn) return undefined
    if (!isOn(rule, date)) continue
    const moment = momentIn(rule.timezone, date, rule.time)
    if (moment > after) return moment
  }
  return undefined
}

const plusDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

function isOn({ every, weekdays, day }: RecurrenceRule, date: string): boolean {
  if (every === 'day') return true
  const at = new Date(`${date}T00:00:00Z`)
  if (every === 'week') return weekdays?.includes(at.getUTCDay() || 7) ?? false
  const lastDay = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
  return at.getUTCDate() === Math.min(day ?? 1, lastDay)
}
