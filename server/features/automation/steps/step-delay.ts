/**
 * DELAY: continues after a fixed time, at a date of the contact, or at a time of a weekday or of any day. The end is determined
 * when the execution reaches the step.
 */
import { z } from 'zod'
import { firstIdAt } from '../../../kernel/ids.ts'
import { nextTimeOfDay, timeField } from '../../../kernel/time/local-time.ts'
import { dateOf, weekdayField, zoneField, zoneOf } from './schedule.ts'
import { defineStep, type StepContact } from './step.ts'

const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const
const LONGEST_MS = 365 * UNIT_MS.days

const FIELD = /^data\.[^.\s]{1,200}$/

const untilDate = z.strictObject({
  field: z.string().regex(FIELD, 'Must be a field of the contact, such as data.renewsAt.'),
})
const untilTime = z.strictObject({ weekday: weekdayField.nullish(), time: timeField, timezone: zoneField })

const config = z
  .object({
    amount: z.number('Must be a number.').positive('Must be greater than zero.').nullish(),
    unit: z.enum(['minutes', 'hours', 'days']).nullish(),
    until: z
      .looseObject({})
      .nullish()
      // Only the problems of the kind that was meant are reported.
      .transform((until, ctx) => {
        if (!until) return until
        const parsed = ('weekday' in until || 'time' in until ? untilTime : untilDate).safeParse(until)
        if (parsed.success) return parsed.data
        for (const issue of parsed.error.issues) ctx.addIssue({ ...issue, input: until } as z.core.$ZodRawIssue)
        return z.NEVER
      }),
  })
  .superRefine(({ amount, unit, until }, ctx) => {
    const refuse = (path: string, message: string, code: string) =>
      ctx.addIssue({ code: 'custom', path: [path], message, params: { code } })
    if (until) {
      if (amount != null || unit != null) refuse('until', 'Set either `until`, or `amount` and `unit`.', 'custom')
      return
    }
    if (amount == null) refuse('amount', 'This field is required.', 'invalid_type')
    if (unit == null) refuse('unit', 'This field is required.', 'invalid_type')
    if (amount != null && unit != null && amount * UNIT_MS[unit] > LONGEST_MS) {
      refuse('amount', 'Must be at most 365 days.', 'too_big')
    }
  })

type Config = z.output<typeof config>

/** Null if the contact continues at once: the date is missing, is none, or has passed. */
function endOf({ amount, unit, until }: Config, contact: StepContact, now: Date): Date | null {
  if (!until) return new Date(now.getTime() + Math.max(1, Math.round(amount! * UNIT_MS[unit!])))
  if ('time' in until) return nextTimeOfDay(now, { ...until, timezone: zoneOf(until.timezone, contact) })
  const end = dateOf(contact.data[until.field.slice('data.'.length)], contact)
  return end && end > now ? end : null
}

export const delayStep = defineStep({
  type: 'DELAY',
  config,
  prepare: async ({ until }) => ({ used_fields: until && 'field' in until ? [until.field] : [] }),
  run: async ({ now, contact }, config) => {
    const until = endOf(config, contact, now)
    return until ? { kind: 'wait', until } : { kind: 'continue', output: { until: null } }
  },
  resume: async ({ now }, _config, { until }) =>
    until !== null && until > now ? { kind: 'wait', until } : { kind: 'continue', seenUpTo: firstIdAt(until ?? now) },
  waitUntil: (config, { contact, since }) => endOf(config, contact, since) ?? since,
  simulate: async ({ now, contact }, config) => {
    const until = endOf(config, contact, now)
    return { kind: 'continue', output: { until }, ...(until ? { seenUpTo: firstIdAt(until) } : {}) }
  },
})
