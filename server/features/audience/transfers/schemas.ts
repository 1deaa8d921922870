/** Request and response schemas of batches of contacts from another service. */
import { z } from 'zod'

export const BATCH_MAX = 1_000
const SOURCE_MAX = 50
const EMAIL_MAX = 1_000
const TEXT_MAX = 2_000
const TOPICS_MAX = 50

/** Checked for each contact, so that one with a mistake doesn't refuse the others. */
const email = z.string().max(EMAIL_MAX)

const consent = z
  .object({
    at: z
      .string()
      .max(100)
      .optional()
      .meta({ description: 'When the person agreed or opted out, as the other service shows it.' }),
    ip: z.string().max(100).optional(),
    text: z
      .string()
      .max(TEXT_MAX)
      .optional()
      .meta({ description: 'What the person was shown, or how the consent was given.' }),
  })
  .meta({ description: 'What the other service recorded. It is kept in the record of consent.' })

const SUPPRESSION_REASONS = ['BOUNCE', 'COMPLAINT', 'MANUAL'] as const

export const TransferBatch = z.object({
  source: z
    .string()
    .trim()
    .min(1)
    .max(SOURCE_MAX)
    .meta({ description: 'The service they come from. The record of consent names it.', examples: ['listmonk'] }),
  dryRun: z.boolean().default(false).meta({ description: 'Returns what would change, and changes nothing.' }),
  suppressions: z
    .array(z.object({ email, reason: z.enum(SUPPRESSION_REASONS) }))
    .max(BATCH_MAX)
    .default([])
    .meta({ description: 'Addresses that receive no marketing email. They are written before the contacts.' }),
  contacts: z
    .array(
      z.object({
        email,
        subscribed: z.boolean().optional().meta({
          description:
            'False: the person opted out there, and opts out here. True: subscribes the contact, unless the person has opted out or is suppressed here. Absent: an existing contact stays as it is, and a new one is not subscribed.',
        }),
        data: z.record(z.string(), z.unknown()).optional(),
        topics: z
          .record(z.string(), z.boolean())
          .refine((topics) => Object.keys(topics).length <= TOPICS_MAX, `Must have at most ${TOPICS_MAX} topics.`)
          .optional()
          .meta({
            description: 'Keys of topics. A stored opt-out from a topic stays.',
            examples: [{ newsletter: true }],
          }),
        consent: consent.optional(),
      }),
    )
    .max(BATCH_MAX)
    .default([]),
})

const count = z.int().min(0)

export const TransferResult = z
  .object({
    created: count,
    updated: count,
    unchanged: count.meta({ description: 'Contacts that were the same already.' }),
    optedOut: count.meta({ description: 'Contacts of the batch that are opted out now.' }),
    kept: count.meta({
      description: 'Contacts that the batch would have subscribed, but who have opted out or are suppressed here.',
    }),
    suppressed: count.meta({ description: 'New suppressions.' }),
    errors: z.array(
      z.object({
        list: z.enum(['contacts', 'suppressions']),
        index: count.meta({ description: 'The position in its list, from 0.' }),
        email: z.string(),
        error: z.string(),
      }),
    ),
  })
  .meta({ id: 'TransferResult' })
