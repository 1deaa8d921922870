/** DELAY: goes on after a while. The moment is fixed when the wait begins; it is a point in time, not a reading of a clock. */
import { z } from 'zod'
import { firstIdAt } from '../../kernel/ids.ts'
import { stepKind } from './step-kind.ts'

const UNIT_MS = { minutes: 60_000, hours: 3_600_000, days: 86_400_000 } as const
const LONGEST_MS = 365 * UNIT_MS.days

export const delayStep = stepKind({
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
    kind: 'waits',
    until: new Date(now.getTime() + Math.max(1, Math.round(amount * UNIT_MS[unit]))),
  }),
  resume: async ({ now }, _config, { until }) =>
    until !== null && until > now ? { kind: 'waits', until } : { kind: 'goes on', seenUpTo: firstIdAt(until ?? now) },
  simulate: async ({ now }, { amount, unit }) => {
    const until = new Date(now.getTime() + amount * UNIT_MS[unit])
    return { kind: 'goes on', output: { until }, seenUpTo: firstIdAt(until) }
  },
})
