/** Contacts over HTTP. */
import { causeOf } from '../../../kernel/consent/cause.ts'
import { DATA_BODY_BYTES_MAX } from '../../../kernel/contact-data.ts'
import { CustomResponse, idOf, route } from '../../../platform/http/route.ts'
import {
  contactPageRead,
  getContact,
  listContacts,
  patchContact,
  requestConfirmation,
  upsertContact,
} from './actions.ts'
import type { ListedContact } from './list-queries.ts'
import { Contact, ContactChanges, ContactListQuery, ContactPage, NewContact, UpsertedContact } from './schemas.ts'

export const contactRoutes = [
  route({
    method: 'GET',
    path: '/contacts',
    client: 'contacts.list',
    replica: true,
    access: 'project',
    tag: 'Contacts',
    summary: 'List contacts',
    description: 'Newest first by default.',
    query: ContactListQuery,
    replies: { 200: { description: 'A page of contacts.', schema: ContactPage } },
    refusals: [400],
    sharedRead: contactPageRead,
    handle: (ctx, { caller, query }) =>
      listContacts(ctx, caller.projectId, query, caller.rows as ListedContact[] | undefined),
  }),
  route({
    method: 'POST',
    path: '/contacts',
    client: 'contacts.upsert',
    access: 'project',
    tag: 'Contacts',
    summary: 'Create or update a contact',
    description:
      'Contacts are identified by email address. New contacts are subscribed unless `subscribed` is false, or asked to confirm with double opt-in.',
    body: NewContact,
    example: { email: 'grace@example.org', data: { name: 'Grace', plan: 'pro' } },
    bodyLimitBytes: () => DATA_BODY_BYTES_MAX,
    replies: {
      201: { description: 'Created.', schema: UpsertedContact },
      200: { description: 'Updated.', schema: UpsertedContact },
    },
    handle: async (ctx, { caller, body, facts }) => {
      const contact = await upsertContact(ctx, caller.projectId, body, causeOf({ caller, facts }, body.consent))
      return new CustomResponse(contact._meta.isNew ? 201 : 200, contact)
    },
  }),
  route({
    method: 'GET',
    path: '/contacts/{id}',
    client: 'contacts.get',
    access: 'project',
    tag: 'Contacts',
    summary: 'Get a contact',
    params: { id: idOf('contact') },
    replies: { 200: { description: 'The contact.', schema: Contact } },
    handle: (ctx, { caller, params }) => getContact(ctx, caller.projectId, params.id),
  }),
  route({
    method: 'PATCH',
    path: '/contacts/{id}',
    client: 'contacts.update',
    access: 'project',
    tag: 'Contacts',
    summary: 'Update a contact',
    description:
      'Changing `subscribed` records a contact.subscribed or contact.unsubscribed event, changing `topics` a topic.subscribed or topic.unsubscribed event.',
    params: { id: idOf('contact') },
    body: ContactChanges,
    example: { subscribed: true, data: { plan: 'pro' } },
    bodyLimitBytes: () => DATA_BODY_BYTES_MAX,
    replies: { 200: { description: 'The contact.', schema: Contact } },
    refusals: [409],
    ifMatch: true,
    handle: (ctx, { caller, params, body, facts }) =>
      patchContact(ctx, caller.projectId, params.id, body, causeOf({ caller, facts }), facts.ifMatch),
  }),
  route({
    method: 'POST',
    path: '/contacts/{id}/confirmation',
    client: 'contacts.requestConfirmation',
    access: 'project',
    tag: 'Contacts',
    summary: 'Send a confirmation email',
    description:
      'Asks a contact that is not subscribed to confirm its subscription (double opt-in). At most one email in 10 minutes, and 5 in all until the contact confirms.',
    params: { id: idOf('contact') },
    replies: { 200: { description: 'The contact, whose confirmation is pending.', schema: Contact } },
    refusals: [409, 429],
    handle: (ctx, { caller, params, facts }) =>
      requestConfirmation(ctx, caller.projectId, params.id, causeOf({ caller, facts })),
  }),
]
