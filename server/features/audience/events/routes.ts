/** Events over HTTP. */
import { causeOf } from '../../../kernel/consent/cause.ts'
import { DATA_BODY_BYTES_MAX } from '../../../kernel/contact-data.ts'
import { type Access, idOf, type Route, route } from '../../../platform/http/route.ts'
import { actorOf } from '../../record/audit/actions.ts'
import {
  DeletedEvents,
  deleteEvents,
  EventDays,
  EventFields,
  EventListQuery,
  EventNames,
  EventPage,
  EventStats,
  EventStatsQuery,
  type Events,
  EventToTrack,
  EventUsage,
  getEventDays,
  getEventFields,
  getEventStats,
  getEventUsage,
  listContactEvents,
  listEventNames,
  listEvents,
  Tracked,
} from './actions.ts'
import { HISTORY_BYTES_MAX, HistoryForm, ImportedEvents, importHistory, readPropertyTypes } from './history.ts'

const track = (path: string, client: Route['client'], access: Access, summary: string) =>
  route({
    method: 'POST',
    path,
    client,
    access,
    idempotent: access === 'public-key',
    tag: 'Events',
    scope: 'track',
    summary,
    description:
      'Creates the contact if it is new (subscribed unless `subscribed` is false). Values in `data` are stored with the event and on the contact; `{"value": …, "persistent": false}` is stored with the event only.' +
      (access === 'public-key'
        ? " With a key that visitors of a website have, `subscribed: true` doesn't undo an opt-out that the contact made, or a bounce, and the project's setting `publicKeyUpdates` can keep contacts as they are."
        : ''),
    body: EventToTrack,
    example: { email: 'ada@example.org', event: 'signed-up', data: { plan: 'pro' } },
    bodyLimitBytes: () => DATA_BODY_BYTES_MAX,
    replies: { 200: { description: 'Recorded.', schema: Tracked } },
    refusals: access === 'public-key' ? [409] : [],
    handle: (_ctx, { caller, body, facts }, { events }: { events: Events }) => {
      if (caller.isPublic) events.limitContact(caller.projectId, body.email)
      const { publicKeyUpdates } = caller
      return events.track(caller, body, { cause: causeOf({ caller, facts }), publicKeyUpdates })
    },
  })

export const eventRoutes = [
  track('/v1/track', 'events.trackWithPublicKey', 'public-key', 'Track an event for a contact'),
  track('/events/track', 'events.track', 'project', 'Track an event from a server'),
  route({
    method: 'POST',
    path: '/events/import',
    client: 'events.import',
    access: 'project',
    expensive: true,
    tag: 'Events',
    summary: 'Import events of the past',
    description:
      'Adds events with their own times to contacts that exist, for charts and conditions. They start no workflows, call no webhooks and change no contacts. Importing the same rows again adds nothing, so a request that failed can be repeated.',
    upload: { field: 'file', maxBytes: HISTORY_BYTES_MAX },
    body: HistoryForm,
    replies: { 200: { description: 'What was imported.', schema: ImportedEvents } },
    handle: (ctx, { caller, file, facts }) =>
      importHistory(ctx, caller.projectId, file.bytes, readPropertyTypes(file.fields.types), actorOf(caller, facts)),
  }),
  route({
    method: 'GET',
    path: '/events',
    client: 'events.list',
    replica: true,
    access: 'project',
    tag: 'Events',
    summary: 'List events',
    description: 'Newest first.',
    query: EventListQuery,
    replies: { 200: { description: 'A page of events.', schema: EventPage } },
    refusals: [400],
    handle: (ctx, { caller, query }) => listEvents(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/events/stats',
    client: 'events.stats',
    replica: true,
    expensive: true,
    access: 'project',
    tag: 'Events',
    summary: 'Get event counts',
    description:
      'Counts by name, most frequent first, of at most 2,000 names. `total` includes the others. Without `from` and `to`, the counts cover all time.',
    query: EventStatsQuery,
    replies: { 200: { description: 'Event names and their counts.', schema: EventStats } },
    refusals: [400],
    handle: (ctx, { caller, query }) => getEventStats(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/events/names',
    client: 'events.names',
    replica: true,
    access: 'project',
    tag: 'Events',
    summary: 'List event names',
    description: 'At most 2,000, those of the most frequent events.',
    replies: { 200: { description: 'Event names in alphabetical order.', schema: EventNames } },
    handle: (ctx, { caller }) => listEventNames(ctx, caller.projectId),
  }),
  route({
    method: 'GET',
    path: '/events/contact/{contactId}',
    client: 'events.ofContact',
    replica: true,
    access: 'project',
    tag: 'Events',
    summary: "List a contact's events",
    description: 'Newest first.',
    params: { contactId: idOf('contact') },
    query: EventListQuery,
    replies: { 200: { description: 'A page of events.', schema: EventPage } },
    refusals: [400],
    handle: (ctx, { caller, params, query }) => listContactEvents(ctx, caller.projectId, params.contactId, query),
  }),
  route({
    method: 'GET',
    path: '/events/{eventName}/fields',
    client: 'events.fields',
    replica: true,
    expensive: true,
    access: 'project',
    tag: 'Events',
    summary: 'List properties of an event',
    description:
      'The properties in the data of the 1,000 latest events with the name, with the type of their latest value; for nested objects, each leaf. At most 2,000, those that most events have. The event name must be percent-encoded. Use them in `where` of a condition.',
    params: { eventName: 'text' },
    replies: { 200: { description: 'The properties by name.', schema: EventFields } },
    handle: (ctx, { caller, params }) => getEventFields(ctx, caller.projectId, params.eventName),
  }),
  route({
    method: 'GET',
    path: '/events/{eventName}/days',
    client: 'events.days',
    replica: true,
    access: 'project',
    tag: 'Events',
    summary: 'Get counts of an event by day',
    description:
      'Covers the last 30 days by default, and at most 366 days; each is a UTC day. Days without the event are included. The event name must be percent-encoded.',
    params: { eventName: 'text' },
    query: EventStatsQuery,
    replies: { 200: { description: 'One entry per day, oldest first.', schema: EventDays } },
    refusals: [400],
    handle: (ctx, { caller, params, query }) => getEventDays(ctx, caller.projectId, params.eventName, query),
  }),
  route({
    method: 'GET',
    path: '/events/{eventName}/usage',
    client: 'events.usage',
    access: 'project',
    tag: 'Events',
    summary: 'Get usage of an event',
    description: 'The event name must be percent-encoded.',
    params: { eventName: 'text' },
    replies: { 200: { description: 'What uses the event, and how often it was recorded.', schema: EventUsage } },
    handle: (ctx, { caller, params }) => getEventUsage(ctx, caller.projectId, params.eventName),
  }),
  route({
    method: 'DELETE',
    path: '/events/{eventName}',
    client: 'events.delete',
    access: 'project',
    tag: 'Events',
    summary: 'Delete all events with a name',
    description:
      'The event name must be percent-encoded. Segments and workflows that use the event are kept. System events are refused.',
    params: { eventName: 'text' },
    replies: { 200: { description: 'The number of events deleted.', schema: DeletedEvents } },
    refusals: [422],
    handle: (ctx, { caller, params, facts }) =>
      deleteEvents(ctx, caller.projectId, params.eventName, actorOf(caller, facts)),
  }),
]
