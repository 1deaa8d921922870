/** The request log over HTTP. */
import { idOf, route } from '../../../platform/http/route.ts'
import { getRequest, listRequests } from './actions.ts'
import { ApiRequest, ApiRequestPage, RequestQuery } from './schemas.ts'

export const requestRoutes = [
  route({
    method: 'GET',
    path: '/requests',
    client: 'requests.list',
    access: 'project',
    tag: 'API requests',
    summary: 'List API requests',
    description:
      'Requests with the API keys of the project in the last 7 days, newest first, without their bodies. A request appears within a second of its response. One page of filtered requests covers 20,000 of them; continue with the cursor.',
    query: RequestQuery,
    replies: { 200: { description: 'A page of requests.', schema: ApiRequestPage } },
    refusals: [400, 422],
    handle: (ctx, { caller, query }) => listRequests(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/requests/{id}',
    client: 'requests.get',
    access: 'project',
    tag: 'API requests',
    summary: 'Get an API request',
    description: 'By its request ID, which every response has in the header `X-Request-Id`.',
    params: { id: idOf('request') },
    replies: { 200: { description: 'The request.', schema: ApiRequest } },
    handle: (ctx, { caller, params }) => getRequest(ctx, caller.projectId, params.id),
  }),
]
