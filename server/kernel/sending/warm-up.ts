/** The warm-up of a sender domain: how much marketing email it sends on each day (UTC). */
import { z } from 'zod'
import { dateField } from '../time/local-time.ts'

const PER_DAY_MAX = 1_000_000
const GROWTH_MAX = 3

/** Why an email or a campaign waits. Jobs are found by it when the plan changes. */
export const WARMING_UP = 'the sender domain has sent its marketing email for today'

export const WarmUp = z.object({
  startedOn: dateField.meta({
    description: 'The first day of the plan, in UTC. Before it, nothing is held back.',
    examples: ['2026-12-01'],
  }),
  perDay: z
    .int('Must be a whole number, such as 50.')
    .min(1, 'Must be at least 1. To send no marketing email for now, pause the campaigns.')
    .max(PER_DAY_MAX, `Must be at most ${PER_DAY_MAX}. Set warmUp to null if the domain needs no warm-up.`)
    .meta({ description: 'How many marketing emails the domain sends on the first day.' }),
  growth: z
    .number()
    .min(1, 'Must be at least 1, which sends the same number every day.')
    .max(GROWTH_MAX, `Must be at most ${GROWTH_MAX}. A good plan grows by a factor of 1.1 to 2 each day.`)
    .meta({ description: 'The number of each day is that of the day before times this factor, rounded down.' }),
})

export type WarmUp = z.output<typeof WarmUp>

export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)
