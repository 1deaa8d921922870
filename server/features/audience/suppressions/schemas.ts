/** Request and response schemas of suppressions. */
import { z } from 'zod'
import { emailAddress, normalizeEmail, storedEmail } from '../../../kernel/email-address.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'

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
})

export const SuppressionPage = cursorPageOf(Suppression)
