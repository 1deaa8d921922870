/** Tracking events and reading them. */
import { type Access, route } from '../../platform/http/route.ts'
import { listEvents, trackEvent } from './actions.ts'
import { EventListQuery, EventPage, EventToTrack, Tracked } from './schemas.ts'

const track = (path: string, access: Access, summary: string) =>
  route({
    method: 'POST',
    path,
    access,
    idempotent: access === 'public-key',
    tag: 'Events',
    summary,
    description:
      'The contact is created when it is new (subscribed unless you say otherwise). Values in `data` are stored on it.',
    body: EventToTrack,
    replies: { 200: { description: 'Recorded', schema: Tracked } },
    refusals: access === 'public-key' ? [409] : [],
    handle: (ctx, { caller, body }) => trackEvent(ctx, caller.projectId, body, caller.idempotencyKey),
  })

export const eventRoutes = [
  track('/v1/track', 'public-key', 'Track an event for a contact'),
  track('/events/track', 'project', 'Track an event with the secret key'),
  route({
    method: 'GET',
    path: '/events',
    access: 'project',
    tag: 'Events',
    summary: 'List events',
    description: 'Newest first.',
    query: EventListQuery,
    replies: { 200: { description: 'A page of events', schema: EventPage } },
    refusals: [400],
    handle: (ctx, { caller, query }) => listEvents(ctx, caller.projectId, query),
  }),
]
