/** Analytics over HTTP. */
import { route } from '../../platform/http/route.ts'
import { getCampaignStats, getTimeseries, listTopCampaigns, listTopEvents } from './actions.ts'
import {
  CampaignStats,
  CampaignStatsQuery,
  Timeseries,
  TimeseriesQuery,
  TopCampaigns,
  TopEvents,
  TopQuery,
} from './schemas.ts'

export const analyticsRoutes = [
  route({
    method: 'GET',
    path: '/analytics/timeseries',
    access: 'project',
    tag: 'Analytics',
    summary: 'What became of emails, day by day',
    description:
      'The last 30 days by default, at most 366. Each thing counts on the UTC day on which it happened; days without any are there too.',
    query: TimeseriesQuery,
    replies: { 200: { description: 'Oldest day first', schema: Timeseries } },
    refusals: [400],
    handle: (ctx, { caller, query }) => getTimeseries(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/analytics/top-campaigns',
    access: 'project',
    tag: 'Analytics',
    summary: 'List the campaigns that most people opened',
    description: 'Of all that began to send, or of those that did between `from` and `to`.',
    query: TopQuery,
    replies: { 200: { description: 'Most opened first', schema: TopCampaigns } },
    refusals: [400],
    handle: (ctx, { caller, query }) => listTopCampaigns(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/analytics/campaign-stats',
    access: 'project',
    tag: 'Analytics',
    summary: 'Totals and mean rates of campaigns',
    description: 'The rates are means over campaigns: a large one counts as much as a small one.',
    query: CampaignStatsQuery,
    replies: { 200: { description: 'Totals, and rates from 0 to 1', schema: CampaignStats } },
    refusals: [400],
    handle: (ctx, { caller, query }) => getCampaignStats(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/analytics/top-events',
    access: 'project',
    tag: 'Analytics',
    summary: 'List the most frequent events',
    description: 'Of the last 30 days by default, at most 366. Days are UTC and counted whole.',
    query: TopQuery,
    replies: { 200: { description: 'Most frequent first', schema: TopEvents } },
    refusals: [400],
    handle: (ctx, { caller, query }) => listTopEvents(ctx, caller.projectId, query),
  }),
]
