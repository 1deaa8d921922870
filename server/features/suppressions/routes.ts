/** Suppressions over HTTP. */
import { Answer, route } from '../../platform/http/route.ts'
import { addSuppression, deleteSuppression, listSuppressions } from './actions.ts'
import { NewSuppression, Suppression, SuppressionListQuery, SuppressionPage } from './schemas.ts'

export const suppressionRoutes = [
  route({
    method: 'GET',
    path: '/suppressions',
    access: 'project',
    tag: 'Suppressions',
    summary: 'List suppressed addresses',
    description:
      'Addresses that get no campaigns and no marketing mail, because they bounced for good, complained, or were added here. Newest first.',
    query: SuppressionListQuery,
    replies: { 200: { description: 'A page of suppressions', schema: SuppressionPage } },
    refusals: [400],
    handle: (ctx, { caller, query }) => listSuppressions(ctx, caller.projectId, query),
  }),
  route({
    method: 'POST',
    path: '/suppressions',
    access: 'project',
    tag: 'Suppressions',
    summary: 'Suppress an address',
    description: 'It need not be a contact. An address that is suppressed already keeps its reason.',
    body: NewSuppression,
    replies: {
      201: { description: 'Suppressed', schema: Suppression },
      200: { description: 'It was suppressed already', schema: Suppression },
    },
    handle: async (ctx, { caller, body }) => {
      const { isNew, suppression } = await addSuppression(ctx, caller.projectId, body)
      return new Answer(isNew ? 201 : 200, suppression)
    },
  }),
  route({
    method: 'DELETE',
    path: '/suppressions/{email}',
    access: 'project',
    tag: 'Suppressions',
    summary: 'Lift a suppression',
    description:
      'The address is percent-encoded. Setting a contact `subscribed: true` by hand lifts the suppression of its address too.',
    params: { email: 'text' },
    replies: { 204: { description: 'Lifted' } },
    refusals: [404],
    handle: (ctx, { caller, params }) => deleteSuppression(ctx, caller.projectId, params.email),
  }),
]
