/** Suppressions over HTTP. */
import { CustomResponse, route } from '../../../platform/http/route.ts'
import { addSuppression, deleteSuppression, listSuppressions } from './actions.ts'
import { NewSuppression, Suppression, SuppressionListQuery, SuppressionPage } from './schemas.ts'

export const suppressionRoutes = [
  route({
    method: 'GET',
    path: '/suppressions',
    client: 'suppressions.list',
    replica: true,
    access: 'project',
    tag: 'Suppressions',
    summary: 'List suppressed addresses',
    description:
      'Addresses that receive no marketing email because of a permanent bounce or a spam complaint, or because they were added manually. Newest first.',
    query: SuppressionListQuery,
    replies: { 200: { description: 'A page of suppressions.', schema: SuppressionPage } },
    refusals: [400],
    handle: (ctx, { caller, query }) => listSuppressions(ctx, caller.projectId, query),
  }),
  route({
    method: 'POST',
    path: '/suppressions',
    client: 'suppressions.create',
    access: 'project',
    tag: 'Suppressions',
    summary: 'Suppress an address',
    description:
      "The address doesn't need to belong to a contact. An address that is already suppressed keeps its reason.",
    body: NewSuppression,
    example: { email: 'unwanted@example.org', reason: 'MANUAL' },
    replies: {
      201: { description: 'Suppressed.', schema: Suppression },
      200: { description: 'The address was already suppressed.', schema: Suppression },
    },
    handle: async (ctx, { caller, body }) => {
      const { isNew, suppression } = await addSuppression(ctx, caller.projectId, body)
      return new CustomResponse(isNew ? 201 : 200, suppression)
    },
  }),
  route({
    method: 'DELETE',
    path: '/suppressions/{email}',
    client: 'suppressions.delete',
    access: 'project',
    tag: 'Suppressions',
    summary: 'Delete a suppression',
    description:
      'The address must be percent-encoded. Setting `subscribed: true` on a contact also deletes the suppression of its address, unless `keepSuppression` is true.',
    params: { email: 'text' },
    replies: { 204: { description: 'Deleted.' } },
    refusals: [404],
    handle: (ctx, { caller, params }) => deleteSuppression(ctx, caller.projectId, params.email),
  }),
]
