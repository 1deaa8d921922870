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
        }),
      )
      .meta({ description: `Errors first, then warnings; at most ${SAME_CODE_MAX} with the same code.` }),
    audience: z
      .object({
        contacts: z.int().meta({ description: 'How many recipients were checked for missing values.' }),
        isSample: z.boolean().meta({ description: 'Whether the audience has more recipients than were checked.' }),
      })
      .nullable()
      .meta({ description: 'Null if there is no audience, or if reading its data took too long.' }),
  })
  .meta({ id: 'Checks' })
