/** Request and response schemas of contacts. */
import { z } from 'zod'
import { dataObject } from '../../../kernel/contact-data.ts'
import { emailAddress, storedEmail } from '../../../kernel/email-address.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import { CONTACTS_ON_PAGE_MAX, contactFilterParams } from './list-queries.ts'
import { topicsField } from './topics.ts'

export const Contact = z
  .object({
    id: z.uuid(),
    email: storedEmail,
    subscribed: z.boolean(),
    pausedUntil: z.date().nullable().meta({
      description: "Until then, the contact receives no marketing email. Null if it isn't paused.",
    }),
    confirmation: z
      .object({
        status: z.enum(['pending', 'confirmed']),
        requestedAt: z.date(),
        confirmedAt: z.date().nullable(),
      })
      .nullable()
      .meta({ description: 'Double opt-in. Null if the contact was never asked to confirm its subscription.' }),
    data: z.record(z.string(), z.unknown()).nullable(),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: 'Contact' })

export const UpsertedContact = Contact.extend({
  _meta: z.object({ isNew: z.boolean(), isUpdate: z.boolean() }),
}).meta({ id: 'UpsertedContact' })

export const keepSuppression = z.boolean().default(false).meta({
  description:
    'Keep the suppression of the address. By default, `subscribed: true` deletes it, and the address receives marketing email again.',
})

/** What the caller knows about the consent of the person; recorded with the change of the subscription. */
export const consent = z
  .strictObject({
    ip: z.union([z.ipv4(), z.ipv6()], { error: 'Must be an IP address.' }).optional(),
    userAgent: z.string().max(500, 'Must be at most 500 characters.').optional(),
    text: z
      .string()
      .max(10_000, 'Must be at most 10,000 characters.')
      .optional()
      .meta({ description: 'What the person was shown, such as the label of a checkbox.' }),
  })
  .meta({
    description: 'How the person gave consent. It is recorded if the request changes the subscription.',
  })

export const NewContact = z.object({
  email: emailAddress,
  subscribed: z.boolean().optional(),
  topics: topicsField.optional(),
  data: dataObject.optional(),
  keepSuppression,
  consent: consent.optional(),
  doubleOptIn: z.boolean().optional().meta({
    description:
      'With true, a contact that is not subscribed gets a confirmation email and is subscribed when it confirms. With false, it is subscribed without one. By default, the setting `doubleOptIn` of the project applies.',
  }),
})

export const ContactChanges = z.object({
  email: emailAddress.optional(),
  subscribed: z.boolean().optional(),
  topics: topicsField.optional(),
  pausedUntil: z.iso
    .datetime({ offset: true, error: 'Must be an ISO 8601 time with an offset, or null.' })
    .transform((text) => new Date(text))
    .nullable()
    .optional()
    .meta({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Pauses marketing email until then. Null ends the pause.',
    }),
  data: dataObject.optional(),
  keepSuppression,
})

export const contactSort = z.enum(['-createdAt', 'createdAt', 'email', '-email']).default('-createdAt').meta({
  description: 'Sorts by creation time or email address. A minus sign reverses the order.',
})

export type ContactSort = z.output<typeof contactSort>

export const ContactListQuery = z.object({
  limit: sizeParam(CONTACTS_ON_PAGE_MAX),
  cursor: cursorParam,
  sort: contactSort.catch('-createdAt'),
  ...contactFilterParams,
})

export const ContactPage = cursorPageOf(Contact)
