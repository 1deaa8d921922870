/** Activity over HTTP. */
import { CustomResponse, idOf, route } from '../../../platform/http/route.ts'
import {
  countRecentActivity,
  getActivityStats,
  listActivity,
  listActivityTypes,
  listTimeline,
  listUpcoming,
} from './actions.ts'
import {
  ActivityListQuery,
  ActivityPage,
  ActivityStats,
  ActivityStatsQuery,
  ActivityTypes,
  RecentCount,
  RecentCountQuery,
  Timeline,
  TimelineQuery,
  Upcoming,
  UpcomingQuery,
} from './schemas.ts'
import type { ActivityStreams } from './stream.ts'

const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
  connection: 'close', // a stream that ended must not keep the service from stopping
}

export const activityRoutes = [
  route({
    method: 'GET',
    path: '/activity',
    client: 'activity.list',
    replica: true,
    access: 'project',
    tag: 'Activity',
    summary: 'List activity',
    description: 'Events, campaigns and workflow executions in one list, newest first.',
    query: ActivityListQuery,
    replies: { 200: { description: 'A page of activity.', schema: ActivityPage } },
    refusals: [400, 404],
    handle: (ctx, { caller, query }) => listActivity(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/activity/stats',
    client: 'activity.stats',
    replica: true,
    access: 'project',
    tag: 'Activity',
    summary: 'Get activity totals and rates',
    description: 'Covers the last 30 days by default, and at most 366 days. Days are whole UTC days.',
    query: ActivityStatsQuery,
    replies: { 200: { description: 'Totals, and rates from 0 to 1.', schema: ActivityStats } },
    refusals: [400],
    handle: (ctx, { caller, query }) => getActivityStats(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/activity/recent-count',
    client: 'activity.recentCount',
    replica: true,
    access: 'project',
    tag: 'Activity',
    summary: 'Count recent activity',
    query: RecentCountQuery,
    replies: { 200: { description: 'The number of items in that time.', schema: RecentCount } },
    handle: (ctx, { caller, query }) => countRecentActivity(ctx, caller.projectId, query.minutes),
  }),
  route({
    method: 'GET',
    path: '/activity/types',
    client: 'activity.types',
    replica: true,
    access: 'project',
    tag: 'Activity',
    summary: 'List activity types',
    replies: {
      200: { description: 'Event names, and the types of campaign and workflow activity.', schema: ActivityTypes },
    },
    handle: (ctx, { caller }) => listActivityTypes(ctx, caller.projectId),
  }),
  route({
    method: 'GET',
    path: '/activity/upcoming',
    client: 'activity.upcoming',
    replica: true,
    access: 'project',
    tag: 'Activity',
    summary: 'List upcoming activity',
    description: 'Scheduled campaigns and executions waiting until a certain time, soonest first.',
    query: UpcomingQuery,
    replies: { 200: { description: 'Upcoming activity.', schema: Upcoming } },
    handle: (ctx, { caller, query }) => listUpcoming(ctx, caller.projectId, query.limit),
  }),
  route({
    method: 'GET',
    path: '/activity/stream',
    access: 'project',
    tag: 'Activity',
    summary: 'Stream activity',
    description:
      'A stream of server-sent events. `data` is an item of `GET /activity` and `id` is its ID. To receive the items you missed, up to 500, send the last ID you received as `Last-Event-ID`.',
    replies: { 200: { description: 'A stream that stays open.', contentType: 'text/event-stream' } },
    refusals: [429],
    handle: async (_ctx, { caller, facts }, { activityStreams }: { activityStreams: ActivityStreams }) => {
      if (facts.method === 'HEAD') return new CustomResponse(200, '', STREAM_HEADERS)
      const lastId = facts.headers['last-event-id']
      const stream = await activityStreams.open(caller.projectId, {
        lastId: typeof lastId === 'string' ? lastId : undefined,
        until: caller.key?.expiresAt,
      })
      return new CustomResponse(200, stream, STREAM_HEADERS)
    },
  }),
  route({
    method: 'GET',
    path: '/contacts/{id}/timeline',
    client: 'contacts.timeline',
    replica: true,
    access: 'project',
    tag: 'Contacts',
    summary: "List a contact's timeline",
    description:
      'Events and emails of the contact, newest first. An email appears at the time it was accepted; deliveries, opens and bounces appear as events.',
    params: { id: idOf('contact') },
    query: TimelineQuery,
    replies: { 200: { description: 'A page of the timeline.', schema: Timeline } },
    refusals: [400],
    handle: (ctx, { caller, params, query }) => listTimeline(ctx, caller.projectId, params.id, query),
  }),
]
