/** The record of consent over HTTP. */
import { CustomResponse, idOf, route } from '../../../platform/http/route.ts'
import { exportConsents, findObjection, listConsents, measureConfirmations } from './actions.ts'
import {
  Confirmations,
  ConfirmationsQuery,
  ConsentExportQuery,
  ConsentListQuery,
  ConsentPage,
  Objection,
  ObjectionLookup,
} from './schemas.ts'

export const consentRoutes = [
  route({
    method: 'GET',
    path: '/contacts/{id}/consents',
    client: 'contacts.listConsents',
    replica: true,
    access: 'project',
    tag: 'Contacts',
    summary: 'List the consents of a contact',
    description:
      'Every change of the subscription and of topics, and every confirmation, with its cause. Entries are never changed. Newest first.',
    params: { id: idOf('contact') },
    query: ConsentListQuery,
    replies: { 200: { description: 'A page of consents.', schema: ConsentPage } },
    refusals: [400],
    handle: (ctx, { caller, params, query }) => listConsents(ctx, caller.projectId, params.id, query),
  }),
  route({
    method: 'GET',
    path: '/contacts/consents/export',
    client: 'contacts.exportConsents',
    replica: true,
    access: 'project',
    tag: 'Contacts',
    summary: 'Export all consents',
    description: 'A CSV or JSON file of the consents of all contacts, by contact and oldest first.',
    query: ConsentExportQuery,
    replies: { 200: { description: 'A CSV file, or a JSON array.', contentType: 'text/csv' } },
    handle: async (ctx, { caller, query: { format } }) =>
      new CustomResponse(200, await exportConsents(ctx, caller.projectId, format), {
        'content-type': `${format === 'csv' ? 'text/csv' : 'application/json'}; charset=utf-8`,
        'content-disposition': `attachment; filename="consents.${format}"`,
      }),
  }),
  route({
    method: 'POST',
    path: '/contacts/objections/lookup',
    client: 'contacts.findObjection',
    access: 'project',
    strict: true,
    readOnly: true,
    tag: 'Contacts',
    summary: 'Find the objection of an erased contact',
    description:
      'When a contact who has opted out is deleted, Posthorn keeps a hash of the address and the time of the objection. This ' +
      'returns the time for a known address, as proof.',
    body: ObjectionLookup,
    example: { email: 'ada@example.org' },
    replies: { 200: { description: 'The time of the objection.', schema: Objection } },
    handle: (ctx, { caller, body }) => findObjection(ctx, caller.projectId, body.email),
  }),
  route({
    method: 'GET',
    path: '/analytics/confirmations',
    client: 'analytics.confirmations',
    replica: true,
    expensive: true,
    access: 'project',
    tag: 'Analytics',
    summary: 'Get the confirmations of double opt-in by day',
    description:
      'Covers the last 30 days by default, and at most 366 days, in UTC. Days without a confirmation are included.',
    query: ConfirmationsQuery,
    replies: { 200: { description: 'Totals, and one entry per day, oldest first.', schema: Confirmations } },
    refusals: [400],
    handle: (ctx, { caller, query }) => measureConfirmations(ctx, caller.projectId, query),
  }),
]
