/** Request and response schemas of suppressions. */
import { z } from 'zod'
import { emailAddress, storedEmail } from '../../kernel/email-address.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../kernel/pages.ts'

export const Suppression = z
  .object({
    id: z.uuid(),
    email: storedEmail,
    reason: z
      .enum(['BOUNCE', 'COMPLAINT', 'MANUAL'])
      .meta({ description: 'The address bounced permanently, its owner complained, or it was added manually.' }),
    createdAt: z.date(),
  })
  .meta({ id: 'Suppression' })

export const NewSuppression = z.object({
  email: emailAddress,
  reason: z.literal('MANUAL').default('MANUAL'),
})

export const SuppressionListQuery = z.object({
  limit: sizeParam(100),
  cursor: cursorParam,
  email: z
    .string()
    .optional()
    .transform((text) => text?.trim().toLowerCase())
    .meta({ type: 'string', description: 'Matches the exact email address.' }),
  search: z.string().optional().meta({ description: 'Matches part of the email address, ignoring case.' }),
})

export const SuppressionPage = cursorPageOf(Suppression)
