/** Recurring campaigns and feeds over HTTP. */
import { idOf, route } from '../../../../platform/http/route.ts'
import { actorOf } from '../../../record/audit/actions.ts'
import { readFeedNow } from '../feeds/actions.ts'
import { FeedPreview, FeedSetting } from '../feeds/fetch-feed.ts'
import {
  deleteRecurrence,
  getRecurrence,
  listOccurrences,
  pauseRecurrence,
  resumeRecurrence,
  setRecurrence,
} from './actions.ts'
import { OccurrenceListQuery, OccurrencePage, Recurrence, RecurrenceInput } from './schemas.ts'

const one = { access: 'project', tag: 'Campaigns', params: { id: idOf('campaign') } } as const
const replies = { 200: { description: 'The recurrence.', schema: Recurrence } }

export const recurrenceRoutes = [
  route({
    ...one,
    method: 'PUT',
    path: '/campaigns/{id}/recurrence',
    client: 'campaigns.setRecurrence',
    summary: 'Make a campaign recur',
    description:
      'The campaign stays a draft, and a copy of it, as it is at that moment, is sent every day, week or month. Only possible while the campaign is DRAFT. Replaces an earlier recurrence.',
    strict: true,
    body: RecurrenceInput,
    example: { every: 'week', weekdays: [1], time: '09:00', timezone: 'Europe/Berlin' },
    replies,
    refusals: [409],
    handle: (ctx, { caller, params, body, facts }) =>
      setRecurrence(ctx, caller.projectId, params.id, body, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/campaigns/{id}/recurrence',
    client: 'campaigns.recurrence',
    summary: 'Get the recurrence of a campaign',
    description: 'A campaign without a recurrence returns 404.',
    replies,
    handle: (ctx, { caller, params }) => getRecurrence(ctx, caller.projectId, params.id),
  }),
  route({
    ...one,
    method: 'DELETE',
    path: '/campaigns/{id}/recurrence',
    client: 'campaigns.deleteRecurrence',
    summary: 'Delete the recurrence of a campaign',
    description: 'The campaign stays a draft, and the campaigns that were made are kept.',
    replies: { 204: { description: 'Deleted.' } },
    handle: (ctx, { caller, params, facts }) =>
      deleteRecurrence(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/campaigns/{id}/recurrence/pause',
    client: 'campaigns.pauseRecurrence',
    summary: 'Pause a recurrence',
    description: 'No more campaigns are made. One that is scheduled or being sent is not changed.',
    replies,
    refusals: [409],
    handle: (ctx, { caller, params, facts }) =>
      pauseRecurrence(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/campaigns/{id}/recurrence/resume',
    client: 'campaigns.resumeRecurrence',
    summary: 'Resume a recurrence',
    description: 'It continues at its next time. Times that passed during the pause are left out.',
    replies,
    refusals: [409],
    handle: (ctx, { caller, params, facts }) =>
      resumeRecurrence(ctx, caller.projectId, params.id, actorOf(caller, facts)),
  }),
  route({
    ...one,
    method: 'GET',
    path: '/campaigns/{id}/recurrence/occurrences',
    client: 'campaigns.occurrences',
    summary: 'List the occurrences of a campaign',
    description: 'What happened each time, newest first: the campaign that was made, or why nothing was sent.',
    query: OccurrenceListQuery,
    replies: { 200: { description: 'A page of occurrences.', schema: OccurrencePage } },
    handle: (ctx, { caller, params, query }) => listOccurrences(ctx, caller.projectId, params.id, query),
  }),
  route({
    access: 'project',
    tag: 'Campaigns',
    method: 'POST',
    path: '/campaigns/feed-preview',
    client: 'campaigns.previewFeed',
    expensive: true,
    readOnly: true,
    summary: 'Preview a feed',
    description:
      'Fetches the feed now and returns what the template of a campaign would have as `feed`. A feed that cannot be read returns 422 with the reason.',
    strict: true,
    body: FeedSetting,
    example: { url: 'https://blog.example/feed.xml', format: 'rss', maxItems: 5 },
    replies: { 200: { description: 'The feed.', schema: FeedPreview } },
    handle: async (ctx, { body }) => ({ feed: await readFeedNow(ctx, body) }),
  }),
]
