/** Suppressions over HTTP. */
import { CustomResponse, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import {
  addSuppression,
  deleteSuppression,
  deleteSuppressions,
  exportSuppressions,
  listSuppressions,
} from './actions.ts'
import {
  NewSuppression,
  RemovedSuppressions,
  Suppression,
  SuppressionChoice,
  SuppressionListQuery,
  SuppressionPage,
  SuppressionQuery,
} from './schemas.ts'

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
      'Addresses that receive no marketing email because of a permanent bounce or a spam complaint, or because they were added manually. Those with a `topic` receive no marketing email of that topic. Newest first.',
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
      "The address doesn't need to belong to a contact. With a `topic`, it still receives other marketing email. An address that is already suppressed keeps its reason.",
    body: NewSuppression,
    example: { email: 'unwanted@example.org', reason: 'MANUAL' },
    replies: {
      201: { description: 'Suppressed.', schema: Suppression },
      200: { description: 'The address was already suppressed.', schema: Suppression },
    },
    handle: async (ctx, { caller, body, facts }) => {
      const { isNew, suppression } = await addSuppression(ctx, caller.projectId, body, actorOf(caller, facts))
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
    query: SuppressionQuery,
    replies: { 204: { description: 'Deleted.' } },
    refusals: [404],
    handle: (ctx, { caller, params, query, facts }) =>
      deleteSuppression(ctx, caller.projectId, params.email, query.topic, actorOf(caller, facts)),
  }),
  route({
    method: 'POST',
    path: '/suppressions/delete',
    client: 'suppressions.deleteMany',
    access: 'project',
    tag: 'Suppressions',
    summary: 'Delete several suppressions',
    description:
      'Either those with the given `ids`, or all that match the `filter`. Sending to addresses that bounced or complained harms your sender reputation.',
    body: SuppressionChoice,
    example: { filter: { reason: 'MANUAL', search: '@old.example' } },
    replies: { 200: { description: 'How many were deleted.', schema: RemovedSuppressions } },
    handle: (ctx, { caller, body, facts }) => deleteSuppressions(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    method: 'GET',
    path: '/suppressions/export',
    client: 'suppressions.export',
    replica: true,
    access: 'project',
    tag: 'Suppressions',
    summary: 'Export all suppressions',
    description:
      'A CSV file with the columns `email`, `reason`, `topic` and `createdAt`, newest first. It can be imported again.',
    replies: { 200: { description: 'A CSV file.', contentType: 'text/csv' } },
    handle: async (ctx, { caller }) =>
      new CustomResponse(200, await exportSuppressions(ctx, caller.projectId), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="suppressions.csv"',
      }),
  }),
]
