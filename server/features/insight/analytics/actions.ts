/** Time series and rankings from stored counts, and breakdowns of the emails of a period. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { firstIdAt } from '../../../kernel/ids.ts'
import { ratesOf } from '../../../kernel/sending/email-rates.ts'
import { dayRange, refuseReversedRange, type TimeRange } from '../../../kernel/time-range.ts'
import { withStatementTimeout } from '../../audience/segments/actions.ts'
import { readEmailDays, readTopNames } from '../../record/journal/actions.ts'
import * as queries from './queries.ts'
import type { BreakdownQuery, TopQuery } from './schemas.ts'

export async function getTimeseries(ctx: Context, projectId: string, range: TimeRange) {
  const rows = await readEmailDays(ctx, projectId, dayRange(range, ctx.clock.now()))
  return { data: rows.map(({ day, ...facts }) => ({ date: day, ...facts })) }
}

export async function listTopEvents(ctx: Context, projectId: string, { limit, ...range }: z.output<typeof TopQuery>) {
  return { data: await readTopNames(ctx, projectId, dayRange(range, ctx.clock.now()), limit) }
}

export async function listTopCampaigns(
  ctx: Context,
  projectId: string,
  { limit, ...range }: z.output<typeof TopQuery>,
) {
  refuseReversedRange(range)
  const rows = await queries.listTopCampaigns(ctx.db, projectId, range, limit)
  return {
    data: rows.map((row) => ({
      id: row.id,
      name: row.name,
      subject: row.subject,
      status: row.status,
      sentAt: row.sent_at,
      ...showNumbers(row),
      ...ratesOf(row),
    })),
  }
}

/** Someone waits for it, and a long period of a large project has millions of emails. */
const BREAKDOWN_TIMEOUT_MS = 15_000
const TOO_LONG = 'Counting the emails of this period takes too long. Choose a shorter period.'

export async function listBreakdown(
  ctx: Context,
  projectId: string,
  { by, tag, limit, ...range }: z.output<typeof BreakdownQuery>,
) {
  const { first, last } = dayRange(range, ctx.clock.now())
  const ids = { first: firstIdAt(new Date(first)), end: firstIdAt(new Date(Date.parse(last) + DAY_MS)) }
  const rows = await withStatementTimeout(
    ctx.db,
    (tx) => queries.listBreakdown(tx, projectId, { by, tag }, ids, limit),
    BREAKDOWN_TIMEOUT_MS,
    TOO_LONG,
  )
  return {
    data: rows.map(({ key, name, ...counts }) => ({
      id: by === 'domain' || by === 'tag' ? null : key,
      name,
      ...counts,
    })),
  }
}

const DAY_MS = 86_400_000

export async function getCampaignStats(ctx: Context, projectId: string, range: TimeRange) {
  refuseReversedRange(range)
  const sums = await queries.sumCampaigns(ctx.db, projectId, range)
  return {
    campaignCount: sums.campaigns,
    ...showNumbers(sums),
    deliveryRate: sums.delivery_rate,
    openRate: sums.open_rate,
    clickRate: sums.click_rate,
    bounceRate: sums.bounce_rate,
    complaintRate: sums.complaint_rate,
  }
}

const showNumbers = (row: queries.CampaignNumbers) => ({
  totalRecipients: row.total_recipients,
  sentCount: row.sent,
  deliveredCount: row.delivered,
  openedCount: row.opened,
  clickedCount: row.clicked,
  bouncedCount: row.bounced,
  refusedCount: row.refused,
  complainedCount: row.complained,
  failedCount: row.failed,
})
