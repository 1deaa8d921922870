/** Request and response schemas of suppressions. */
import { z } from 'zod'
import { emailAddress, normalizeEmail, storedEmail } from '../../../kernel/email-address.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'

const REASONS = ['BOUNCE', 'COMPLAINT', 'MANUAL'] as const

export const Suppression = z
  .object({
    id: z.uuid(),
    email: storedEmail,
    reason: z
      .enum(REASONS)
      .meta({ description: 'The address bounced permanently, its owner complained, or it was added manually.' }),
    topic: z.string().nullable().meta({
      description:
        'The key of the topic whose marketing email the address does not receive; null for all marketing email.',
    }),
    createdAt: z.date(),
  })
  .meta({ id: 'Suppression' })

export const NewSuppression = z.object({
  email: emailAddress,
  reason: z.literal('MANUAL').default('MANUAL'),
  topic: z
    .string()
    .nullish()
    .meta({
      description: 'The key of a topic. By default, the address receives no marketing email at all.',
      examples: ['product-news'],
    }),
})

export const SuppressionQuery = z.object({
  topic: z.string().optional().meta({
    description:
      'The key of a topic, to delete the suppression of that topic. By default, that of all marketing email.',
  }),
})

const EMAILS_MAX = 100

/** The text is also one address, because a quoted local part can contain commas. */
const emailsParam = z
  .string()
  .optional()
  .transform((text) => {
    if (text === undefined) return undefined
    const emails = new Set([text, ...text.split(',')].map(normalizeEmail))
    if (emails.size > EMAILS_MAX + 1) throw badRequest(`email can contain at most ${EMAILS_MAX} addresses.`)
    return [...emails]
  })
  .meta({
    type: 'string',
    description: `Matches the exact email address, or each of up to ${EMAILS_MAX} addresses separated by commas.`,
  })

export const SuppressionListQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  email: emailsParam,
  search: z.string().optional().meta({ description: 'Matches part of the email address, ignoring case.' }),
  reason: z.enum(REASONS).optional().meta({ description: 'Return only suppressions with this reason.' }),
  topic: z.string().optional().meta({ description: 'Return only suppressions of the topic with this key.' }),
})

const REMOVED_IDS_MAX = 1_000
export const REMOVED_MAX = 10_000

/** Strict, and without an empty search: a filter with a mistake must not match everything. */
const RemovalFilter = SuppressionListQuery.pick({ search: true, reason: true, topic: true })
  .extend({
    search: z.string().min(1).optional().meta({ description: 'Matches part of the email address, ignoring case.' }),
  })
  .strict()

export const SuppressionChoice = z
  .object({
    ids: z
      .array(z.uuid())
      .min(1)
      .max(REMOVED_IDS_MAX)
      .optional()
      .meta({ description: 'The suppressions to delete. Send either this or `filter`.' }),
    filter: RemovalFilter.optional().meta({
      description: 'Delete all suppressions that match, or simply all with `{}`.',
    }),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ['ids'],
    error: 'Send either `ids` or `filter`.',
    params: { code: 'invalid_type' },
  })

export const RemovedSuppressions = z
  .object({
    removedCount: z.number().int().meta({ description: 'How many suppressions were deleted.' }),
    hasMore: z.boolean().meta({
      description: `Whether others match, because at most ${REMOVED_MAX.toLocaleString('en')} are deleted at once. Send the request again.`,
    }),
  })
  .meta({ id: 'RemovedSuppressions' })

export const SuppressionPage = cursorPageOf(Suppression)
