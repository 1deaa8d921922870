/** A suppression as the API speaks of it. */
import { z } from 'zod'
import { emailAddress, storedEmail } from '../../kernel/email-address.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../kernel/pages.ts'

export const Suppression = z
  .object({
    id: z.uuid(),
    email: storedEmail,
    reason: z
      .enum(['BOUNCE', 'COMPLAINT', 'MANUAL'])
      .meta({ description: 'It bounced for good, its owner complained, or someone here decided so.' }),
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
  search: z.string().optional().meta({ description: 'Part of the email address, in any case.' }),
})

export const SuppressionPage = cursorPageOf(Suppression)
