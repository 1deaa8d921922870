/** Analytics over HTTP. */
import { route } from '../../../platform/http/route.ts'
import { getCampaignStats, getTimeseries, listBreakdown, listTopCampaigns, listTopEvents } from './actions.ts'
import {
  BreakdownList,
  BreakdownQuery,
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
    replica: true,
    access: 'project',
    tag: 'Analytics',
    summary: 'Get email statistics by day',
    description:
      'Covers the last 30 days by default, and at most 366 days. Each event counts on the UTC day it happened. Days without events are included.',
    query: TimeseriesQuery,
    replies: { 200: { description: 'One entry per day, oldest first.', schema: Timeseries } },
    refusals: [400],
    handle: (ctx, { caller, query }) => getTimeseries(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/analytics/top-campaigns',
    replica: true,
    access: 'project',
    tag: 'Analytics',
    summary: 'List top campaigns',
    description:
      'Includes campaigns that started sending between `from` and `to`, or all campaigns without these parameters.',
    query: TopQuery,
    replies: { 200: { description: 'Campaigns with the most opens first.', schema: TopCampaigns } },
    refusals: [400],
    handle: (ctx, { caller, query }) => listTopCampaigns(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/analytics/campaign-stats',
    replica: true,
    access: 'project',
    tag: 'Analytics',
    summary: 'Get campaign totals and average rates',
    description: 'Rates are averaged over campaigns, regardless of their size.',
    query: CampaignStatsQuery,
    replies: { 200: { description: 'Totals, and rates from 0 to 1.', schema: CampaignStats } },
    refusals: [400],
    handle: (ctx, { caller, query }) => getCampaignStats(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/analytics/breakdown',
    replica: true,
    access: 'project',
    expensive: true,
    tag: 'Analytics',
    summary: 'Get email statistics by campaign, template, workflow or domain',
    description:
      'Counts the emails accepted on the UTC days from `from` to `to`, by default the last 30 and at most 366, with everything that has happened to them since. Most emails first. Test emails are not counted.',
    query: BreakdownQuery,
    replies: {
      200: { description: 'One entry for each campaign, template, workflow or domain.', schema: BreakdownList },
    },
    refusals: [400],
    handle: (ctx, { caller, query }) => listBreakdown(ctx, caller.projectId, query),
  }),
  route({
    method: 'GET',
    path: '/analytics/top-events',
    replica: true,
    access: 'project',
    tag: 'Analytics',
    summary: 'List top events',
    description: 'Covers the last 30 days by default, and at most 366 days. Days are whole UTC days.',
    query: TopQuery,
    replies: { 200: { description: 'The most frequent events first.', schema: TopEvents } },
    refusals: [400],
    handle: (ctx, { caller, query }) => listTopEvents(ctx, caller.projectId, query),
  }),
]
