/** Activity over HTTP. */
import { Answer, idOf, route } from '../../platform/http/route.ts'
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
    access: 'project',
    tag: 'Activity',
    summary: 'List what happened',
    description: 'Events, campaigns and workflows in one list, newest first.',
    query: ActivityListQuery,
    replies: { 200: { description: 'A page of activity', schema: ActivityPage } },
    refusals: [400, 404],
    handle: (ctx, { caller, query }) => listActivity(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/activity/stats',
    access: 'project',
    tag: 'Activity',
    summary: 'Totals and rates of some days',
    description: 'The last 30 days by default, at most 366. Days are UTC and counted whole.',
    query: ActivityStatsQuery,
    replies: { 200: { description: 'Totals, and rates from 0 to 1', schema: ActivityStats } },
    refusals: [400],
    handle: (ctx, { caller, query }) => getActivityStats(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/activity/recent-count',
    access: 'project',
    tag: 'Activity',
    summary: 'Count what happened in the last minutes',
    query: RecentCountQuery,
    replies: { 200: { description: 'The count', schema: RecentCount } },
    handle: (ctx, { caller, query }) => countRecentActivity(ctx, caller.projectId, query.minutes),
  }),
  route({
    method: 'GET',
    path: '/activity/types',
    access: 'project',
    tag: 'Activity',
    summary: 'List the types of activity',
    replies: {
      200: { description: 'The names of events, and those of campaigns and workflows', schema: ActivityTypes },
    },
    handle: (ctx, { caller }) => listActivityTypes(ctx, caller.projectId),
  }),
  route({
    method: 'GET',
    path: '/activity/upcoming',
    access: 'project',
    tag: 'Activity',
    summary: 'List what is about to happen',
    description: 'Scheduled campaigns and executions that wait until a moment, soonest first.',
    query: UpcomingQuery,
    replies: { 200: { description: 'What comes next', schema: Upcoming } },
    handle: (ctx, { caller, query }) => listUpcoming(ctx, caller.projectId, query.limit),
  }),
  route({
    method: 'GET',
    path: '/activity/stream',
    access: 'project',
    tag: 'Activity',
    summary: 'Watch activity as it happens',
    description:
      'Server-sent events: `data` is an item of `GET /activity`, `id` its id. Send the last one you got as `Last-Event-ID` to get what you missed, at most 500.',
    replies: { 200: { description: 'A stream that stays open', contentType: 'text/event-stream' } },
    refusals: [429],
    handle: async (_ctx, { caller, facts }, { activityStreams }: { activityStreams: ActivityStreams }) => {
      if (facts.method === 'HEAD') return new Answer(200, '', STREAM_HEADERS)
      const lastId = facts.headers['last-event-id']
      const stream = await activityStreams.open(caller.projectId, typeof lastId === 'string' ? lastId : undefined)
      return new Answer(200, stream, STREAM_HEADERS)
    },
  }),
  route({
    method: 'GET',
    path: '/contacts/{id}/timeline',
    access: 'project',
    tag: 'Contacts',
    summary: 'List the events and emails of a contact',
    description: 'Newest first. An email stands where it was accepted; what became of it are events.',
    params: { id: idOf('contact') },
    query: TimelineQuery,
    replies: { 200: { description: 'A page of the timeline', schema: Timeline } },
    refusals: [400],
    handle: (ctx, { caller, params, query }) => listTimeline(ctx, caller.projectId, params.id, query),
  }),
]
