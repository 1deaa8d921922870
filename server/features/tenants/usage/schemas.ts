/** The reputation of a project. */
import { z } from 'zod'

const Rates = z.object({
  sent: z.int(),
  bounces: z.int().meta({ description: 'Permanent bounces only.' }),
  complaints: z.int(),
  bounceRate: z.number().meta({ description: 'From 0 to 1.' }),
  complaintRate: z.number(),
})

const Levels = z.object({ warning: z.number(), critical: z.number() })

export const Security = z
  .object({
    status: z.enum(['healthy', 'warning', 'critical']),
    isDisabled: z.boolean(),
    disabledReason: z.string().nullable(),
    sevenDay: Rates,
    allTime: Rates,
    thresholds: z.object({
      minimumEmails: z.int().meta({ description: 'With fewer emails, no status is determined.' }),
      bounceRate: Levels,
      complaintRate: Levels,
    }),
  })
  .meta({ id: 'Security' })
