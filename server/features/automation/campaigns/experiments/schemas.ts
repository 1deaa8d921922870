/** Request and response schemas of experiments. */
import { z } from 'zod'
import { EmailDocument } from '../../../../kernel/content/email-document.ts'
import { checkOneSource, contentFields, sourceFields } from '../../../../kernel/content/mail-content.ts'
import { emailAddress } from '../../../../kernel/email-address.ts'
import { emailCountFields, REACHED } from '../../../../kernel/sending/email-rates.ts'

const VARIANTS_MAX = 5
const NAME_MAX = 100
const EVENT_NAME_MAX = 200

const name = z.string().trim().min(1, 'Must not be empty.').max(NAME_MAX, `Must be at most ${NAME_MAX} characters.`)

const VariantInput = z
  .object({
    name,
    subject: contentFields.subject.nullish(),
    from: emailAddress.nullish().meta({ description: 'The domain must be verified.' }),
    fromName: contentFields.fromName.optional(),
    preheader: contentFields.preheader.optional(),
    body: contentFields.body.nullish(),
    document: sourceFields.document,
  })
  .superRefine(({ body, document }, ctx) => checkOneSource({ body: body ?? undefined, document }, ctx))

export const ExperimentInput = z
  .object({
    variants: z
      .array(VariantInput)
      .min(2, 'Must have at least 2 variants.')
      .max(VARIANTS_MAX, `Must have at most ${VARIANTS_MAX} variants.`)
      .superRefine((variants, ctx) => {
        for (const [i, { name }] of variants.entries()) {
          if (variants.findIndex((other) => other.name === name) === i) continue
          ctx.addIssue({ code: 'custom', path: [i, 'name'], message: `Another variant is named "${name}".` })
        }
      })
      .meta({ description: 'Each with what differs from the campaign. Names are unique.' }),
    share: z
      .int()
      .min(5, 'Must be at least 5.')
      .max(50, 'Must be at most 50.')
      .meta({ description: 'The percentage of the audience that the test receives, divided equally and at random.' }),
    metric: z.enum(['opens', 'clicks', 'conversions']).meta({
      description: 'What the variants are compared by. Opens and clicks of scanners and prefetchers do not count.',
    }),
    conversionEvent: z
      .string()
      .trim()
      .min(1, 'Must not be empty.')
      .max(EVENT_NAME_MAX, `Must be at most ${EVENT_NAME_MAX} characters.`)
      .nullish()
      .meta({ description: 'For `conversions`: the event that recipients trigger after a click.' }),
    waitMinutes: z.int().min(15, 'Must be at least 15.').max(10_080, 'Must be at most 10080, which is 7 days.').meta({
      description:
        "How long the test runs, from the start of the campaign. If the test isn't completely sent by then, for example because the campaign was paused, it runs as long again.",
    }),
    winner: z.enum(['automatic', 'manual']).meta({
      description: 'Whether the winner is chosen at the end of the test, or by you.',
    }),
  })
  .superRefine(({ metric, conversionEvent }, ctx) => {
    if (metric === 'conversions' && !conversionEvent)
      ctx.addIssue({ code: 'custom', path: ['conversionEvent'], message: 'Required if the metric is conversions.' })
  })
  .meta({ id: 'ExperimentInput' })

export const WinnerChoice = z.object({ variant: name.meta({ description: 'The name of the variant.' }) })

const count = z.number().int()
const share = z.number().min(0).max(1)
const text = z.string()

export const Experiment = z
  .object({
    status: z.enum(['draft', 'testing', 'deciding', 'sending', 'done']).meta({
      description:
        '`testing` until the end of the wait, `deciding` until there is a winner, `sending` while the rest of the audience receives it.',
    }),
    variants: z.array(
      z.object({
        name: text,
        subject: text.nullable(),
        from: text.nullable(),
        fromName: text.nullable(),
        preheader: text.nullable(),
        body: text.nullable(),
        document: EmailDocument.nullable(),
        recipients: count.meta({ description: 'Of the test.' }),
        sent: emailCountFields.sent,
        delivered: emailCountFields.delivered,
        refused: emailCountFields.refused,
        bounced: emailCountFields.bounced,
        opened: emailCountFields.opened,
        clicked: emailCountFields.clicked,
        converted: count,
        rate: share.meta({ description: `Opened, clicked or converted, by the metric, as a share of ${REACHED}.` }),
        probabilityBest: share.meta({ description: 'The probability that this variant has the highest rate.' }),
      }),
    ),
    summary: text.meta({
      description:
        'The result in words, such as "B is ahead, but by too little to be sure; 1,200 more recipients are needed."',
    }),
    recipientsNeeded: count.nullable().meta({
      description:
        'How many more recipients the test needs for a clear result if the rates stay the same, up to a million. Null while there is no result, and when the result is clear or a winner was chosen.',
    }),
    winner: text.nullable().meta({ description: 'The name of the variant that the rest of the audience receives.' }),
    conclusive: z.boolean().nullable().meta({
      description: 'Whether a variant had a probability above 0.8 when the winner was chosen; null before.',
    }),
    decidedAt: z.date().nullable(),
    decidedBy: z
      .object({ type: z.enum(['system', 'user', 'key']), id: z.uuid().nullable(), name: text })
      .nullable()
      .meta({ description: 'Who chose the winner; `system` at the end of the wait.' }),
    decidesAt: z.date().nullable().meta({ description: 'When the wait ends; null before the test.' }),
    share: count,
    metric: z.enum(['opens', 'clicks', 'conversions']),
    conversionEvent: text.nullable(),
    waitMinutes: count,
    selection: z.enum(['automatic', 'manual']).meta({ description: 'The `winner` of the request.' }),
  })
  .meta({ id: 'Experiment' })
