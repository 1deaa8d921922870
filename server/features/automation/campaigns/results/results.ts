/** The results of a campaign: its statistics, its recipients, and a preview of its audience. */
import type { z } from 'zod'
import type { Context } from '../../../../context.ts'
import { EMAIL_STATUSES } from '../../../../kernel/content/mail-content.ts'
import { badRequest } from '../../../../kernel/errors.ts'
import { cursorPage } from '../../../../kernel/pages.ts'
import { ratesOf, ratio, reachedOf } from '../../../../kernel/sending/email-rates.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { withStatementTimeout } from '../../../audience/segments/actions.ts'
import { requireCampaign } from '../actions.ts'
import * as queries from '../queries.ts'
import type { RecipientListQuery } from '../schemas.ts'
import * as reportQueries from './report-queries.ts'

export async function getCampaignStats(ctx: Context, projectId: string, id: string) {
  const row = await requireCampaign(ctx, projectId, id)
  const { converted, revenue } = await reportQueries.readConversions(ctx.db, projectId, id)
  return {
    totalRecipients: row.total_recipients,
    sentCount: row.sent,
    deliveredCount: row.delivered,
    openedCount: row.opened,
    clickedCount: row.clicked,
    bouncedCount: row.bounced,
    refusedCount: row.refused,
    skippedCount: row.skipped,
    failedCount: row.failed,
    complainedCount: row.complained,
    unsubscribedCount: row.sent_at ? await queries.countUnsubscribed(ctx.db, projectId, id, row.sent_at) : 0,
    pendingCount: row.status === 'SENDING' ? Math.max(0, row.total_recipients - row.ended) : 0,
    ...ratesOf(row),
    convertedCount: converted,
    conversionRate: ratio([converted, reachedOf(row)]),
    revenue,
  }
}

const HOUR_MS = 3_600_000
/** Opens of the first two days are shown by hour, later ones by day. */
const HOURLY_MS = 48 * HOUR_MS
const LINKS_MAX = 50
const BOUNCES_MAX = 50
/** Most clicks happen within days; without a limit, every later click in the project would be read. */
const CLICKS_MS = 30 * 24 * HOUR_MS
/** A user waits for the response, and a large campaign has millions of emails. */
const REPORT_TIMEOUT_MS = 15_000
const TOO_LONG =
  'Counting the opens, clicks and bounces of this campaign takes too long. Use GET /campaigns/{id}/stats for its totals.'

export async function getCampaignReport(ctx: Context, projectId: string, id: string) {
  const row = await requireCampaign(ctx, projectId, id)
  const since = row.sent_at
  if (since === null)
    return {
      unit: 'hour' as const,
      engagement: [],
      links: [],
      bounces: [],
      skipped: [],
      convertedCount: 0,
      revenue: {},
    }
  const now = ctx.clock.now()
  const until = new Date((row.finished_at ?? now).getTime() + CLICKS_MS)
  const unit: 'hour' | 'day' = now.getTime() - since.getTime() <= HOURLY_MS ? 'hour' : 'day'
  const read = async (tx: Tx) => ({
    unit,
    engagement: await reportQueries.listEngagement(tx, projectId, id, unit),
    links: await reportQueries.listLinks(tx, projectId, id, { since, until, most: LINKS_MAX }),
    bounces: await reportQueries.listBounces(tx, projectId, id, BOUNCES_MAX),
    skipped: row.skipped > 0 ? await reportQueries.countSkipped(tx, projectId, id) : [],
  })
  const report = await withStatementTimeout(ctx.db, read, REPORT_TIMEOUT_MS, TOO_LONG)
  const { converted, revenue } = await reportQueries.readConversions(ctx.db, projectId, id)
  return { ...report, convertedCount: converted, revenue }
}

export async function listCampaignRecipients(
  ctx: Context,
  projectId: string,
  id: string,
  { limit, cursor, status }: z.output<typeof RecipientListQuery>,
) {
  if (status !== undefined && !EMAIL_STATUSES.some((known) => known === status)) {
    throw badRequest(`status must be one of ${EMAIL_STATUSES.join(', ')}.`)
  }
  await requireCampaign(ctx, projectId, id)
  const [rows, total] = await Promise.all([
    queries.listRecipients(ctx.db, projectId, id, { status, before: cursor, limit }),
    cursor === undefined ? queries.countRecipients(ctx.db, projectId, id, status) : 0,
  ])
  return cursorPage(rows, limit, total, showRecipient)
}

const showRecipient = (row: queries.RecipientRow) => ({
  id: row.id,
  contactId: row.contact_id,
  email: row.to_email,
  status: row.status,
  error: row.error,
  attempts: row.attempts,
  opens: row.opens,
  clicks: row.clicks,
  sentAt: row.sent_at,
  deliveredAt: row.delivered_at,
  openedAt: row.opened_at,
  clickedAt: row.clicked_at,
  bouncedAt: row.bounced_at,
  complainedAt: row.complained_at,
  createdAt: row.created_at,
})
