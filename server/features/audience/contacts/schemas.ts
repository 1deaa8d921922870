/** Request and response schemas of contacts. */
import { z } from 'zod'
import { dataObject } from '../../../kernel/contact-data.ts'
import { emailAddress, storedEmail } from '../../../kernel/email-address.ts'
import { cursorPageOf, cursorParam, sizeParam } from '../../../kernel/pages.ts'
import { CONTACTS_ON_PAGE_MAX, contactFilterParams } from './list-queries.ts'

export const Contact = z
  .object({
    id: z.uuid(),
    email: storedEmail,
    subscribed: z.boolean(),
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

export const NewContact = z.object({
  email: emailAddress,
  subscribed: z.boolean().optional(),
  data: dataObject.optional(),
  keepSuppression,
})

export const ContactChanges = z.object({
  email: emailAddress.optional(),
  subscribed: z.boolean().optional(),
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
