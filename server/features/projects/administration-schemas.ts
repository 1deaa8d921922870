/** Shapes of a project's administration. */
import { z } from 'zod'
import { NewProject } from './schemas.ts'

const LANGUAGE = /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/

export const ProjectPatch = z.object({
  name: NewProject.shape.name.optional(),
  tracking: z
    .enum(['ENABLED', 'DISABLED', 'MARKETING_ONLY'])
    .optional()
    .meta({ description: 'Whether opens and clicks are tracked, or only those of marketing mail.' }),
  language: z
    .string()
    .trim()
    .regex(LANGUAGE, 'Must be a language such as "en" or "pt-BR".')
    .optional()
    .meta({ description: 'Language of pages and footers for contacts without a `locale` of their own.' }),
})

export const ResetRequest = z
  .object({
    confirm: z.string().nullish().meta({ description: 'The name of the project. A session must send it.' }),
  })
  .nullish()

export const ResetReply = z
  .object({
    success: z.literal(true),
    complete: z.boolean().meta({ description: 'False while the rest is removed in the background.' }),
  })
  .meta({ id: 'ResetReply' })

export const SetupState = z
  .object({
    hasVerifiedDomain: z.boolean(),
    contactCount: z.int(),
    emailsSent: z.int(),
    hasTemplate: z.boolean(),
    hasCampaignSent: z.boolean(),
    hasEnabledWorkflow: z.boolean(),
  })
  .meta({ id: 'SetupState' })

const Rates = z.object({
  sent: z.int(),
  bounces: z.int().meta({ description: 'Permanent ones only.' }),
  complaints: z.int(),
  bounceRate: z.number().meta({ description: 'Between 0 and 1.' }),
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
      minimumEmails: z.int().meta({ description: 'With fewer emails nothing is judged.' }),
      bounceRate: Levels,
      complaintRate: Levels,
    }),
  })
  .meta({ id: 'Security' })
