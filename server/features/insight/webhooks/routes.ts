/** Webhook endpoints, their secrets, tests, deliveries and replays. */
import { idOf, NoBody, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import * as actions from './actions.ts'
import * as schemas from './schemas.ts'
import type { WebhookSender } from './sender.ts'

const common = { access: 'project', tag: 'Webhook endpoints' } as const
const one = { ...common, params: { id: idOf('webhook endpoint') } } as const
const oneDelivery = { ...common, params: { id: idOf('webhook endpoint'), deliveryId: idOf('delivery') } } as const

type Services = { webhookSender: WebhookSender }

export const webhookRoutes = [
  route({
    ...common,
    method: 'GET',
    path: '/webhook-endpoints',
    client: 'webhookEndpoints.list',
    summary: 'List webhook endpoints',
    description: 'Newest first, without their secrets.',
    query: schemas.EndpointQuery,
    replies: { 200: { description: 'The webhook endpoints.', schema: schemas.EndpointPage } },
    handle: (ctx, { caller, query }) => actions.listEndpoints(ctx, caller.projectId, query),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/webhook-endpoints',
    client: 'webhookEndpoints.create',
    role: 'ADMIN',
    summary: 'Create a webhook endpoint',
    description:
      'Posthorn sends a signed request to the URL for each event that the endpoint wants. A project can have 20 endpoints; another one returns 409.',
    strict: true,
    body: schemas.NewEndpoint,
    example: { url: 'https://example.com/webhooks', eventTypes: ['email.bounce', 'email.complaint'] },
    replies: { 201: { description: 'The endpoint with its secret.', schema: schemas.EndpointWithSecret } },
    refusals: [409],
    handle: (ctx, { caller, body, facts }) =>
      actions.createEndpoint(ctx, caller.projectId, body, actorOf(caller, facts)),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/webhook-endpoints/event-types',
    client: 'webhookEndpoints.eventTypes',
    summary: 'List event types',
    description:
      'Every event type that Posthorn sends, with an example of the whole body. Your own events have the names that you track.',
    replies: { 200: { description: 'The event types.', schema: schemas.EventTypeList } },
    handle: () => actions.listEventTypes(),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/webhook-endpoints/{id}',
    client: 'webhookEndpoints.get',
    summary: 'Get a webhook endpoint',
    description: '`backlog` counts the deliveries that are waiting and those that failed in the last 30 days.',
    replies: { 200: { description: 'The endpoint, without its secret.', schema: schemas.EndpointDetails } },
    handle: (ctx, { caller, params }) => actions.getEndpoint(ctx, caller.projectId, params.id),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/webhook-endpoints/{id}',
    client: 'webhookEndpoints.update',
    role: 'ADMIN',
    summary: 'Update a webhook endpoint',
    description: 'Fields that are not given stay unchanged.',
    strict: true,
    body: schemas.EndpointChanges,
    replies: { 200: { description: 'The endpoint.', schema: schemas.Endpoint } },
    handle: (ctx, { caller, params, body, facts }) =>
      actions.changeEndpoint(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/webhook-endpoints/{id}',
    client: 'webhookEndpoints.delete',
    role: 'ADMIN',
    summary: 'Delete a webhook endpoint',
    description: 'Deliveries that are waiting are not sent, and the log is deleted.',
    replies: { 204: { description: 'Deleted.' } },
    handle: (ctx, { caller, params, facts }) =>
      actions.deleteEndpoint(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/webhook-endpoints/{id}/secret',
    client: 'webhookEndpoints.secret',
    scope: 'webhooks:write',
    role: 'ADMIN',
    summary: 'Get the secret of an endpoint',
    replies: { 200: { description: 'The secret that signs its requests.', schema: schemas.Secret } },
    handle: (ctx, { caller, params }) => actions.getSecret(ctx, caller.projectId, params.id),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/webhook-endpoints/{id}/rotate-secret',
    client: 'webhookEndpoints.rotateSecret',
    role: 'ADMIN',
    summary: 'Rotate the secret of an endpoint',
    description: 'For `overlapHours`, requests carry the signatures of both the old and the new secret.',
    strict: true,
    body: schemas.Rotation,
    replies: { 200: { description: 'The new secret.', schema: schemas.Secret } },
    handle: (ctx, { caller, params, body, facts }) =>
      actions.rotateSecret(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route<Services, { id: { resource: string } }, never, typeof schemas.TestRequest>({
    ...one,
    method: 'POST',
    path: '/webhook-endpoints/{id}/test',
    client: 'webhookEndpoints.test',
    role: 'ADMIN',
    summary: 'Send a test',
    description:
      'Sends an example now and returns the response. It is in the log with `test: true`, and works while the endpoint is disabled.',
    strict: true,
    body: schemas.TestRequest,
    example: { eventType: 'email.bounce' },
    replies: { 200: { description: 'The result of the request.', schema: schemas.TestResult } },
    handle: (ctx, { caller, params, body, facts }, { webhookSender }) =>
      actions.testEndpoint(ctx, webhookSender, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/webhook-endpoints/{id}/deliveries',
    client: 'webhookEndpoints.deliveries',
    summary: 'List deliveries',
    description: 'Newest first, for 30 days. `total` counts up to 10,000.',
    query: schemas.DeliveryQuery,
    replies: { 200: { description: 'The deliveries.', schema: schemas.DeliveryPage } },
    refusals: [400],
    handle: (ctx, { caller, params, query }) => actions.listDeliveries(ctx, caller.projectId, params.id, query),
  }),
  route({
    ...oneDelivery,
    method: 'GET',
    path: '/webhook-endpoints/{id}/deliveries/{deliveryId}',
    client: 'webhookEndpoints.delivery',
    summary: 'Get a delivery',
    description: 'With the body of the request and every attempt.',
    replies: { 200: { description: 'The delivery.', schema: schemas.DeliveryDetails } },
    handle: (ctx, { caller, params }) => actions.getDelivery(ctx, caller.projectId, params.id, params.deliveryId),
  }),
  route({
    ...oneDelivery,
    method: 'POST',
    path: '/webhook-endpoints/{id}/deliveries/{deliveryId}/replay',
    client: 'webhookEndpoints.replayDelivery',
    role: 'ADMIN',
    summary: 'Replay a delivery',
    description: 'Sends the event again as a new delivery with the same `webhook-id`.',
    strict: true,
    body: NoBody,
    replies: { 202: { description: 'The new delivery.', schema: schemas.Replayed } },
    handle: (ctx, { caller, params, facts }) =>
      actions.replayDelivery(ctx, caller.projectId, params.id, params.deliveryId, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/webhook-endpoints/{id}/replay',
    client: 'webhookEndpoints.replay',
    role: 'ADMIN',
    summary: 'Replay deliveries',
    description:
      'Sends the failed deliveries of a time range again, or all that ended. Tests and earlier replays are left out.',
    strict: true,
    body: schemas.ReplayRequest,
    example: { since: '2026-01-01T00:00:00Z', status: 'failed' },
    replies: { 202: { description: 'How many deliveries were added.', schema: schemas.ReplayedCount } },
    handle: (ctx, { caller, params, body, facts }) =>
      actions.replayDeliveries(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
]
