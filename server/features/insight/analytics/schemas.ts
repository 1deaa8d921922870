/** Request and response schemas of analytics. */
import { z } from 'zod'
import { tagName } from '../../../kernel/email-tags.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { sizeParam } from '../../../kernel/pages.ts'
import { emailCountFields, rateFields } from '../../../kernel/sending/email-rates.ts'
import { fromParam, toParam } from '../../../kernel/time-range.ts'
import { BREAKDOWNS } from './queries.ts'

const intervalParam = z
  .string()
  .optional()
  .transform((interval) => {
    if (interval !== undefined && interval !== '' && interval !== 'day') throw badRequest('interval must be day.')
    return 'day' as const
  })
  .meta({ type: 'string', enum: ['day'], default: 'day' })

export const TimeseriesQuery = z.object({ from: fromParam, to: toParam, interval: intervalParam })

const amount = z.number().int()

export const Timeseries = z.object({ data: z.array(z.object({ date: z.iso.date(), ...emailCountFields })) })

const TOP = 10

export const TopQuery = z.object({ from: fromParam, to: toParam, limit: sizeParam(100, TOP) })

export const TopEvents = z.object({ data: z.array(z.object({ name: z.string(), count: amount })) })

const CampaignNumbers = {
  totalRecipients: amount,
  sentCount: amount,
  deliveredCount: amount,
  openedCount: amount,
  clickedCount: amount,
  bouncedCount: amount,
  refusedCount: emailCountFields.refused,
  complainedCount: amount,
  failedCount: amount,
  ...rateFields,
}

export const TopCampaigns = z.object({
  data: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      subject: z.string(),
      status: z.string(),
      sentAt: z.date(),
      ...CampaignNumbers,
    }),
  ),
})

export const BreakdownQuery = z
  .object({
    by: z.enum(BREAKDOWNS).meta({
      description: "How the emails are grouped; `domain` is the recipient's domain, `tag` the values of the tag `tag`.",
    }),
    tag: tagName.optional().meta({
      description: 'The name of a tag, required if `by` is `tag`. Emails without that tag are not counted.',
    }),
    from: fromParam,
    to: toParam,
    limit: sizeParam(1_000, 50),
  })
  .superRefine(({ by, tag }, issues) => {
    if (by !== 'tag' || tag !== undefined) return
    issues.addIssue({
      code: 'custom',
      path: ['tag'],
      message: 'This field is required if `by` is `tag`.',
      params: { code: 'invalid_type' },
    })
  })

export const BreakdownList = z.object({
  data: z.array(
    z
      .object({
        id: z.uuid().nullable().meta({ description: 'The campaign, template or workflow.' }),
        name: z
          .string()
          .nullable()
          .meta({ description: 'Its name, the domain or the value of the tag. null if it was deleted.' }),
        ...emailCountFields,
      })
      .meta({ id: 'BreakdownEntry' }),
  ),
})

export const CampaignStatsQuery = z.object({ from: fromParam, to: toParam })

export const CampaignStats = z.object({
  campaignCount: amount.meta({ description: 'Campaigns that started sending.' }),
  ...CampaignNumbers,
})
