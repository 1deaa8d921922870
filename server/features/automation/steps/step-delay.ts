/** DELAY: continues after a fixed time, counted from when the execution reached the step. */
import { z } from 'zod'
import { firstIdAt } from '../../../kernel/ids.ts'
import { defineStep } from './step.ts'

const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const
const LONGEST_MS = 365 * UNIT_MS.days

export const delayStep = defineStep({
  type: 'DELAY',
  config: z
    .object({
      amount: z.number('Must be a number.').positive('Must be greater than zero.'),
      unit: z.enum(['minutes', 'hours', 'days']),
    })
    .refine(({ amount, unit }) => amount * UNIT_MS[unit] <= LONGEST_MS, {
      path: ['amount'],
      message: 'Must be at most 365 days.',
      params: { code: 'too_big' },
    }),
  run: async ({ now }, { amount, unit }) => ({
    kind: 'wait',
    until: new Date(now.getTime() + Math.max(1, Math.round(amount * UNIT_MS[unit]))),
  }),
  resume: async ({ now }, _config, { until }) =>
    until !== null && until > now ? { kind: 'wait', until } : { kind: 'continue', seenUpTo: firstIdAt(until ?? now) },
  simulate: async ({ now }, { amount, unit }) => {
    const until = new Date(now.getTime() + amount * UNIT_MS[unit])
    return { kind: 'continue', output: { until }, seenUpTo: firstIdAt(until) }
  },
})
