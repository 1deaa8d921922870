/** Request and response schemas of campaigns. */
import { z } from 'zod'
import { checkOneSource, contentFields, hasSource } from '../../../kernel/content/mail-content.ts'
import { emailAddress } from '../../../kernel/email-address.ts'
import {
  cursorPageOf,
  cursorParam,
  dirParam,
  flagParam,
  PAGE_SIZE_MAX,
  pageOf,
  pageParam,
  sizeParam,
  sortParam,
} from '../../../kernel/pages.ts'
import { REACHED, rateFields } from '../../../kernel/sending/email-rates.ts'
import { tagParam, tagsField } from '../../../kernel/tags.ts'
import { Contact } from '../../audience/contacts/schemas.ts'
import { audienceFields, oneAudience, requireChosen } from '../../audience/segments/audience-schemas.ts'
import { topicIdField } from '../../audience/topics/schemas.ts'
import { CAMPAIGN_STATUSES, campaignInputShape, campaignShape } from './campaign.ts'
import { timingFields } from './waves/timing.ts'

const count = z.number().int()

const {
  totalRecipients,
  sentCount,
  deliveredCount,
  openedCount,
  clickedCount,
  bouncedCount,
  refusedCount,
  skippedCount,
} = campaignShape
const counts = {
  totalRecipients,
  sentCount,
  deliveredCount,
  openedCount,
  clickedCount,
  bouncedCount,
  refusedCount,
  skippedCount,
}

const waves = z
  .array(
    z.object({
      at: z.date().nullable().meta({ description: 'Null while the wave waits for the winner of an experiment.' }),
      recipients: count,
      sent: count,
    }),
  )
  .optional()
  .meta({
    description:
      'The recipients by the time of their email, from the moment at which the audience is fixed. Not in lists of campaigns.',
  })

const waiting = z
  .object({
    reason: z.enum(['warmUp', 'quietHours']).meta({
      description:
        '`warmUp`: the sender domain has sent its marketing email for today (UTC). `quietHours`: the quiet hours of the project.',
    }),
    until: z.date().meta({ description: 'When sending continues.' }),
  })
  .nullable()
  .optional()
  .meta({
    description:
      'Why a campaign that is SENDING sends nothing at the moment, and until when. Null otherwise. Not in lists of campaigns.',
  })

const convertedCount = count.meta({
  description: 'Emails with at least one conversion, by the setting `conversion` of the project.',
})
const revenue = z.record(z.string(), z.number()).meta({
  description: 'What conversions added up to, by currency: `{"EUR": 120.5}`.',
})

export const Campaign = z.object({ ...campaignShape, waves, waiting }).meta({ id: 'Campaign' })

/** The contract wraps this one response in an envelope; clients can read it either way. */
export const CreatedCampaign = z
  .object({ ...Campaign.shape, success: z.literal(true), data: Campaign })
  .meta({ id: 'CreatedCampaign' })

/** What can be changed in any status. */
export const CampaignChanges = z
  .object({ tags: tagsField.optional(), isPublic: z.boolean().optional() })
  .refine(({ tags, isPublic }) => tags !== undefined || isPublic !== undefined, {
    path: ['tags'],
    message: 'Set tags or isPublic.',
    params: { code: 'invalid_type' },
  })

/** For POST and PUT. Missing fields can come from the template. */
export const CampaignInput = z
  .preprocess(
    oneAudience,
    z.object(campaignInputShape).superRefine((value, ctx) => {
      requireChosen(value, ctx)
      checkOneSource(value, ctx)
      for (const field of ['subject', 'body', 'from'] as const) {
        if (value[field] !== undefined || value.templateId || (field === 'body' && hasSource(value))) continue
        const message = 'Required unless a templateId is set.'
        ctx.addIssue({ code: 'custom', path: [field], message, params: { code: 'invalid_type' } })
      }
    }),
  )
  .meta({ id: 'CampaignInput' })

export const AudienceInput = z.preprocess(
  oneAudience,
  z
    .object({ ...audienceFields, type: contentFields.type.default('MARKETING'), topicId: topicIdField.optional() })
    .superRefine(requireChosen),
)

export const AudiencePreview = z
  .object({
    count: count.meta({ description: 'How many contacts would receive the campaign now.' }),
    sample: z.array(Contact).meta({ description: 'Some of these contacts.' }),
    excluded: z.object({
      unsubscribed: count.meta({
        description:
          'Contacts whose address is not suppressed and who are not subscribed, have paused marketing email, or are not in the topic.',
      }),
      suppressed: count.meta({ description: 'Contacts whose address is suppressed.' }),
    }),
    skipped: z.object({
      frequencyCap: count.nullable().meta({
        description:
          "Of `count`, the recipients who have reached the project's frequency cap now, and would be skipped. Null if counting takes too long.",
      }),
      sunset: count.nullable().meta({
        description:
          "Of `count`, the recipients that the project's sunset rule stops now, and who would be skipped. Null if counting takes too long.",
      }),
    }),
    total: count.meta({ description: 'Contacts in the audience, whether or not they would receive the campaign.' }),
    reasons: z
      .array(
        z.object({
          reason: z.enum([
            'notSubscribed',
            'pendingConfirmation',
            'paused',
            'topic',
            'suppressed',
            'frequencyCap',
            'sunset',
          ]),
          count,
        }),
      )
      .meta({ description: 'Who of them would not get it, by reason, most first. A contact can be in the last two.' }),
  })
  .meta({ id: 'AudiencePreview' })

export const CampaignListQuery = z.object({
  page: pageParam,
  pageSize: sizeParam(PAGE_SIZE_MAX),
  status: z
    .string()
    .optional()
    .meta({ enum: [...CAMPAIGN_STATUSES] }),
  search: z
    .string()
    .optional()
    .meta({ description: 'Matches part of the name, subject or sender address, ignoring case and accents.' }),
  tag: tagParam,
  held: flagParam.meta({
    type: 'boolean',
    description: 'With `true`, only campaigns with a `heldReason`; with `false`, only those without one.',
  }),
  content: flagParam.meta({
    type: 'boolean',
    description: 'With `false`, `body` is empty and `document` and `mjml` are null, so that a list is small.',
  }),
  sort: sortParam(['name', 'createdAt', 'updatedAt'], 'createdAt'),
  dir: dirParam,
})

export const CampaignPage = pageOf(Campaign)

export const SendOptions = z
  .object({
    scheduledFor: z.unknown().meta({ type: 'string', format: 'date-time', description: 'Omit to send now.' }),
    ...timingFields,
  })
  .partial()
  .nullish()

export const TestRequest = z.object({
  email: emailAddress,
  contactId: z.uuid('Must be a contact ID.').nullish().meta({
    description:
      'Renders the test with the data of this contact. Defaults to the contact with the address, if there is one.',
  }),
})

export const TestReply = z.object({ success: z.literal(true), message: z.string() })

const rate = z.number().min(0).max(1)

export const FollowUp = z.object({
  recipients: z
    .enum(['OPENED', 'NOT_OPENED', 'CLICKED', 'NOT_CLICKED'])
    .meta({ description: 'Which recipients to follow up with, among those whose email was delivered.' }),
})

export const CampaignReport = z
  .object({
    unit: z.enum(['hour', 'day']).meta({ description: 'The length of an interval, in UTC.' }),
    engagement: z
      .array(z.object({ at: z.date(), opened: count, clicked: count }))
      .meta({ description: 'First opens and first clicks by interval. Intervals without any are omitted.' }),
    links: z
      .array(
        z.object({
          url: z.string(),
          clicks: count.meta({ description: 'Recipients who clicked this link.' }),
          totalClicks: count.meta({ description: 'How often they clicked it.' }),
        }),
      )
      .meta({
        description: 'Every link that a person clicked, most clicked first. A recipient can have clicked several.',
      }),
    convertedCount,
    revenue,
    bounces: z
      .array(z.object({ domain: z.string(), reason: z.string(), count }))
      .meta({ description: 'Bounces by the domain and the response of the receiving server.' }),
    skipped: z
      .array(z.object({ reason: z.enum(['frequencyCap', 'sunset']), count }))
      .meta({ description: 'Why emails were not sent, most frequent reason first.' }),
  })
  .meta({ id: 'CampaignReport' })

export const CampaignStats = z
  .object({
    ...counts,
    failedCount: count,
    complainedCount: count,
    unsubscribedCount: count.meta({
      description:
        'Recipients who unsubscribed on a preference page, if this campaign was the last email they received.',
    }),
    pendingCount: count,
    ...rateFields,
    convertedCount,
    conversionRate: rate.meta({ description: `Converted, as a share of ${REACHED}.` }),
    revenue,
  })
  .meta({ id: 'CampaignStats' })

export const RecipientListQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  status: z.string().optional().meta({ description: 'Return only emails with this status, such as FAILED.' }),
})

const moment = z.date().nullable()

export const Recipient = z
  .object({
    id: z.uuid().meta({ description: 'ID of the email.' }),
    contactId: z.uuid().nullable(),
    email: z.string(),
    status: z.string().meta({ description: 'Status of the email.' }),
    error: z.string().nullable(),
    attempts: count,
    opens: count,
    clicks: count,
    sentAt: moment,
    deliveredAt: moment,
    openedAt: moment,
    clickedAt: moment,
    bouncedAt: moment,
    complainedAt: moment,
    createdAt: z.date(),
  })
  .meta({ id: 'CampaignRecipient' })

export const RecipientPage = cursorPageOf(Recipient)

export const Retried = z.object({ retried: count })
