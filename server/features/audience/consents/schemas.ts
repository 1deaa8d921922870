/** Request and response schemas of the record of consent. */
import { z } from 'zod'
import { CONSENT_KINDS, CONSENT_SOURCES } from '../../../kernel/consent/cause.ts'
import { emailAddress } from '../../../kernel/email-address.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import { fromParam, toParam } from '../../../kernel/time-range.ts'

export const Consent = z
  .object({
    id: z.uuid(),
    at: z.date(),
    kind: z.enum(CONSENT_KINDS),
    topic: z.string().nullable().meta({ description: 'The key of the topic, if the change is about one.' }),
    source: z.enum(CONSENT_SOURCES),
    ip: z.string().nullable().meta({ description: 'The IP address of the person, if known.' }),
    userAgent: z.string().nullable(),
    text: z.string().nullable().meta({ description: 'What the person was shown.' }),
    by: z
      .object({ type: z.enum(['user', 'key']), id: z.uuid().nullable(), name: z.string().nullable() })
      .nullable()
      .meta({ description: 'The account or API key that made the change. Null if the person did.' }),
  })
  .meta({ id: 'Consent' })

export const ConsentListQuery = z.object({ limit: sizeParam(100), cursor: cursorParam })

export const ConsentPage = cursorPageOf(Consent)

export const ObjectionLookup = z.object({ email: emailAddress })

export const Objection = z
  .object({
    objectedAt: z.date().nullable().meta({ description: 'Null if no erased contact with this address had opted out.' }),
  })
  .meta({ id: 'Objection' })

export const ConsentExportQuery = z.object({
  format: z.enum(['csv', 'json']).default('csv').meta({
    description: '`json` returns one JSON array of consents, each with `contactId` and `email`.',
  }),
})

export const ConfirmationsQuery = z.object({ from: fromParam, to: toParam })

const count = z.int().min(0)

export const Confirmations = z
  .object({
    asked: count.meta({ description: 'Contacts who were asked to confirm in the period.' }),
    confirmed: count.meta({ description: 'How many of them confirmed in the period.' }),
    rate: z.number().min(0).max(1),
    pending: count.meta({ description: 'Contacts who have not answered, whatever the period.' }),
    data: z.array(
      z.object({
        date: z.iso.date(),
        requested: count.meta({ description: 'Confirmation emails that were requested.' }),
        confirmed: count,
      }),
    ),
  })
  .meta({ id: 'Confirmations' })
