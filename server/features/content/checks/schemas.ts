/** Request and response schemas of the checks. */
import { z } from 'zod'
import { dataObject } from '../../../kernel/contact-data.ts'
import {
  bodyIsRequired,
  checkOneSource,
  contentFields,
  hasSource,
  sourceFields,
  unfinishedFields,
} from '../../../kernel/content/mail-content.ts'
import { AudienceFields } from '../../audience/segments/audience-schemas.ts'
import { SAME_CODE_MAX } from './email-rules.ts'
import { FIELDS, SEVERITIES } from './finding.ts'

const VARIANTS_MAX = 5

const CheckedVariant = z
  .object({
    name: z.string().trim().min(1).max(100),
    subject: unfinishedFields.subject.nullish(),
    preheader: contentFields.preheader.nullish(),
    body: unfinishedFields.body.nullish(),
    document: sourceFields.document,
  })
  .superRefine(({ body, document }, ctx) => checkOneSource({ body: body ?? undefined, document }, ctx))

export const CheckRequest = z
  .object({
    ...unfinishedFields,
    body: unfinishedFields.body.optional(),
    ...sourceFields,
    preheader: contentFields.preheader.optional(),
    text: contentFields.text.nullish(),
    type: contentFields.type.default('MARKETING'),
    data: dataObject.optional().meta({
      description: 'Values that are sent with each email. Variables with these names are not reported as missing.',
    }),
    audience: AudienceFields.optional().meta({
      description: 'The contacts whose data is checked for missing values, as in a campaign.',
    }),
    variants: z.array(CheckedVariant).max(VARIANTS_MAX, `At most ${VARIANTS_MAX} variants.`).optional().meta({
      description: 'The variants of an experiment, each with what differs. Each of them is checked as it is sent.',
    }),
  })
  .refine(hasSource, bodyIsRequired)
  .superRefine(checkOneSource)

export const Checks = z
  .object({
    findings: z
      .array(
        z.object({
          code: z.string().meta({ description: 'Such as `link.insecure`.' }),
          severity: z.enum(SEVERITIES),
          message: z.string(),
          fix: z.string().meta({ description: 'How to fix it.' }),
          field: z.enum(FIELDS),
          line: z.int().optional().meta({ description: 'The line of the HTML or MJML.' }),
          blockId: z.string().optional().meta({ description: 'The block of the document.' }),
          variant: z.string().optional().meta({
            description:
              'The variant of an experiment whose own content it is about; absent if it is about what all share.',
          }),
        }),
      )
      .meta({ description: `Errors first, then warnings; at most ${SAME_CODE_MAX} with the same code in an email.` }),
    audience: z
      .object({
        contacts: z.int().meta({ description: 'How many recipients were checked for missing values.' }),
        isSample: z.boolean().meta({ description: 'Whether the audience has more recipients than were checked.' }),
      })
      .nullable()
      .meta({ description: 'Null if there is no audience, or if reading its data took too long.' }),
  })
  .meta({ id: 'Checks' })
