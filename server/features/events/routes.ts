/** Tracking events and reading them. */
import { type Access, idOf, route } from '../../platform/http/route.ts'
import {
  deleteEvents,
  type Events,
  getEventStats,
  getEventUsage,
  listContactEvents,
  listEventNames,
  listEvents,
} from './actions.ts'
import {
  DeletedEvents,
  EventListQuery,
  EventNames,
  EventPage,
  EventStats,
  EventStatsQuery,
  EventToTrack,
  EventUsage,
  Tracked,
} from './schemas.ts'

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
    handle: (_ctx, { caller, body }, { events }: { events: Events }) =>
      events.track(caller.projectId, body, caller.idempotencyKey),
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
  route({
    method: 'GET',
    path: '/events/stats',
    access: 'project',
    tag: 'Events',
    summary: 'Count events by name',
    description:
      'Most frequent first. Without `from` and `to` over all time, from counts that are kept; with them the events of that time are counted.',
    query: EventStatsQuery,
    replies: { 200: { description: 'The names and their counts', schema: EventStats } },
    refusals: [400],
    handle: (ctx, { caller, query }) => getEventStats(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/events/names',
    access: 'project',
    tag: 'Events',
    summary: 'List the names that events have',
    replies: { 200: { description: 'In alphabetical order', schema: EventNames } },
    handle: (ctx, { caller }) => listEventNames(ctx, caller.projectId),
  }),
  route({
    method: 'GET',
    path: '/events/contact/{contactId}',
    access: 'project',
    tag: 'Events',
    summary: 'List the events of a contact',
    description: 'Newest first.',
    params: { contactId: idOf('contact') },
    query: EventListQuery,
    replies: { 200: { description: 'A page of events', schema: EventPage } },
    refusals: [400],
    handle: (ctx, { caller, params, query }) => listContactEvents(ctx, caller.projectId, params.contactId, query),
  }),
  route({
    method: 'GET',
    path: '/events/{eventName}/usage',
    access: 'project',
    tag: 'Events',
    summary: 'Tell who refers to an event',
    description: 'The name is percent-encoded.',
    params: { eventName: 'text' },
    replies: { 200: { description: 'What refers to it, and how often it happened', schema: EventUsage } },
    handle: (ctx, { caller, params }) => getEventUsage(ctx, caller.projectId, params.eventName),
  }),
  route({
    method: 'DELETE',
    path: '/events/{eventName}',
    access: 'project',
    tag: 'Events',
    summary: 'Delete every event of a name',
    description:
      'The name is percent-encoded. What refers to it remains. Names that the service records itself are refused.',
    params: { eventName: 'text' },
    replies: { 200: { description: 'How many there were', schema: DeletedEvents } },
    refusals: [422],
    handle: (ctx, { caller, params }) => deleteEvents(ctx, caller.projectId, params.eventName),
  }),
]
