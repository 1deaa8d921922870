/** Campaigns: reading, listing and deleting them, and actions such as sending, pausing and canceling. Sending itself is in sending.ts. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import type { ContentType } from '../../../kernel/content/mail-content.ts'
import { badRequest, conflict, notFound } from '../../../kernel/errors.ts'
import { numberedPage, offsetOf, pageTooLarge } from '../../../kernel/pages.ts'
import { isDate } from '../../../kernel/time/local-time.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { cancelCampaignEmails, retryCampaignEmails } from '../../mail/emails/actions.ts'
import { sendTestEmail } from '../../mail/outbox/test-email.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import { requireVerifiedSender } from '../../tenants/domains/actions.ts'
import { CAMPAIGN_STATUSES, type CampaignAction, isAllowed, notAllowed, showCampaign } from './campaign.ts'
import { readFeedNow } from './feeds/actions.ts'
import { recordCampaignAct } from './limits/audit.ts'
import { waitOf } from './limits/limits.ts'
import * as queries from './queries.ts'
import type { CampaignListQuery, SendOptions, TestRequest } from './schemas.ts'
import { completeCampaign, continueSending, requireSendable, startNow, storedTiming } from './sending.ts'
import { listWaves, type WaveRow } from './waves/queries.ts'
import { readTiming, type Timing } from './waves/timing.ts'

export async function requireCampaign(ctx: Context, projectId: string, id: string): Promise<queries.CampaignRow> {
  const row = await queries.findCampaign(ctx.db, projectId, id)
  if (!row) throw notFound('campaign', id)
  return row
}

export async function getCampaign(ctx: Context, projectId: string, id: string) {
  const row = await requireCampaign(ctx, projectId, id)
  const [waves, waiting] = await Promise.all([wavesOf(ctx, row), waitOf(ctx, row)])
  return { ...showCampaign(row), waves, waiting }
}

/** None until the audience is fixed; then at least one. */
async function wavesOf(ctx: Context, row: queries.CampaignRow): Promise<WaveRow[]> {
  if (!row.frozen_at) return []
  if (row.has_waves) return listWaves(ctx.db, row.project_id, row.id)
  return [{ at: row.sent_at, recipients: row.total_recipients, sent: row.sent }]
}

export async function refused(ctx: Context, projectId: string, id: string, act: CampaignAction) {
  return notAllowed(act, (await requireCampaign(ctx, projectId, id)).status)
}

export async function deleteCampaign(ctx: Context, projectId: string, id: string, who: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const campaign = await queries.findCampaign(tx, projectId, id)
    if (!(await queries.deleteCampaign(tx, projectId, id))) throw await refused(ctx, projectId, id, 'delete')
    const details = { campaignId: id, name: campaign?.name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'campaign.deleted', details })
  })
}

/** Sends now, or schedules the campaign. */
export async function sendCampaign(
  ctx: Context,
  projectId: string,
  id: string,
  { scheduledFor, ...options }: NonNullable<z.output<typeof SendOptions>>,
  who: Actor,
) {
  const campaign = await requireCampaign(ctx, projectId, id)
  if (!isAllowed('send', campaign.status)) throw notAllowed('send', campaign.status)
  if (campaign.recurrence)
    throw conflict('This campaign recurs: copies of it are sent at their times.', {
      suggestion: 'Duplicate it to send it once, or delete its recurrence first.',
    })
  const at = scheduledFor === undefined || scheduledFor === null ? undefined : readMoment(ctx, scheduledFor)
  const timing = readTiming(options, at ?? ctx.clock.now())
  if (at) await schedule(ctx, projectId, campaign, at, timing, who)
  else await startNow(ctx, projectId, campaign, timing, who)
  return getCampaign(ctx, projectId, id)
}

/** A date, or a date and time with a time zone. */
const MOMENT = /^(\d{4}-\d{2}-\d{2})([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/

function readMoment(ctx: Context, value: unknown): Date {
  const day = typeof value === 'string' ? MOMENT.exec(value)?.[1] : undefined
  const at = day && isDate(day) ? new Date(value as string) : undefined
  if (!at || Number.isNaN(at.getTime())) {
    throw badRequest('scheduledFor must be an ISO 8601 date-time such as 2027-01-31T09:00:00Z.')
  }
  if (at <= ctx.clock.now()) throw badRequest('scheduledFor is in the past. Omit it to send now.')
  return at
}

async function schedule(
  ctx: Context,
  projectId: string,
  campaign: queries.CampaignRow,
  at: Date,
  timing: Timing | null,
  who: Actor,
): Promise<void> {
  await requireVerifiedSender(ctx, projectId, campaign.from_email)
  await requireSendable(ctx, projectId, campaign.id, timing)
  const now = ctx.clock.now()
  const send_options = storedTiming(timing)
  const fields = { status: 'SCHEDULED', scheduled_for: at, scheduled_at: now, held_reason: null, send_options }
  const scheduledFor = at.toISOString()
  await transaction(ctx.db, async (tx) => {
    if (!(await queries.setState(tx, projectId, campaign.id, 'send', fields, now, campaign.updated_at))) {
      throw await refused(ctx, projectId, campaign.id, 'send')
    }
    const job = { projectId, campaignId: campaign.id, scheduledFor }
    await enqueue(tx, 'start-campaign', job, { runAt: at, jobKey: `start:${campaign.id}:${scheduledFor}` })
    const details = { campaignId: campaign.id, name: campaign.name, scheduledFor }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'campaign.scheduled', details })
  })
}

/** The status is set before the emails are canceled, so that no new slice is created in between. */
export async function cancelCampaign(ctx: Context, projectId: string, id: string, who: Actor) {
  const now = ctx.clock.now()
  await transaction(ctx.db, async (tx) => {
    const fields = { status: 'CANCELLED', paused_at: null, held_reason: null, finished_at: now }
    if (!(await queries.setState(tx, projectId, id, 'cancel', fields, now)))
      throw await refused(ctx, projectId, id, 'cancel')
    await cancelCampaignEmails(ctx, tx, projectId, id)
    await enqueue(tx, 'clear-campaign', { projectId, campaignId: id })
    await recordCampaignAct(ctx, tx, { projectId, campaignId: id }, { act: 'campaign.canceled' }, who)
  })
  return getCampaign(ctx, projectId, id)
}

export async function pauseCampaign(ctx: Context, projectId: string, id: string, who: Actor) {
  await setPaused(ctx, projectId, id, 'pause', who)
  return getCampaign(ctx, projectId, id)
}

export async function resumeCampaign(ctx: Context, projectId: string, id: string, who: Actor) {
  await setPaused(ctx, projectId, id, 'resume', who)
  await continueSending(ctx, { projectId, campaignId: id })
  return getCampaign(ctx, projectId, id)
}

async function setPaused(ctx: Context, projectId: string, id: string, act: 'pause' | 'resume', who: Actor) {
  const now = ctx.clock.now()
  const fields = { paused_at: act === 'pause' ? now : null, held_reason: null }
  await transaction(ctx.db, async (tx) => {
    if (!(await queries.setState(tx, projectId, id, act, fields, now))) throw await refused(ctx, projectId, id, act)
    await recordCampaignAct(ctx, tx, { projectId, campaignId: id }, { act: `campaign.${act}d` }, who)
  })
}

/** Retries the failed emails, with all attempts available again. */
export async function retryFailed(ctx: Context, projectId: string, id: string, who: Actor) {
  const campaign = await requireCampaign(ctx, projectId, id)
  if (!isAllowed('retry', campaign.status)) throw notAllowed('retry', campaign.status)
  await requireVerifiedSender(ctx, projectId, campaign.from_email)
  const now = ctx.clock.now()
  const retried = await transaction(ctx.db, async (tx) => {
    if (!(await queries.setState(tx, projectId, id, 'retry', { status: 'SENDING', finished_at: null }, now))) {
      throw await refused(ctx, projectId, id, 'retry')
    }
    const count = await retryCampaignEmails(ctx, tx, projectId, id)
    const details = { campaignId: id, name: campaign.name, emails: count }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'campaign.retried', details })
    return count
  })
  if (retried === 0) await completeCampaign(ctx, { projectId, campaignId: id })
  return { retried }
}

/** A test email to an address that is not a recipient: it has no contact and isn't counted. */
export async function testCampaign(
  ctx: Context,
  projectId: string,
  id: string,
  { email, contactId }: z.output<typeof TestRequest>,
  who: Actor,
) {
  const campaign = await requireCampaign(ctx, projectId, id)
  const { name, subject, body, plain, preheader, type, from_email, from_name, reply_to } = campaign
  const data = campaign.feed ? { feed: await readFeedNow(ctx, campaign.feed, 'feed') } : null
  const sender = { from: from_email, fromName: from_name, replyTo: reply_to }
  const content = { subject, body, text: plain, preheader, type: type as ContentType, ...sender, data }
  await sendTestEmail(ctx, projectId, content, { email, contactId })
  const details = { campaignId: id, name, email }
  await recordAuditEntry(ctx, ctx.db, { ...who, projectId, act: 'campaign.tested', details })
  return { success: true, message: `A test of "${name}" was queued for ${email}.` }
}

/** The maximum total size of the bodies in one response, as for templates. */
const PAGE_BYTES_MAX = 64 * 1024 * 1024

export async function listCampaigns(ctx: Context, projectId: string, query: z.output<typeof CampaignListQuery>) {
  const { page, pageSize, sort, dir, content = true, ...filter } = query
  if (filter.status !== undefined && !CAMPAIGN_STATUSES.some((status) => status === filter.status)) {
    throw badRequest(`status must be one of ${CAMPAIGN_STATUSES.join(', ')}.`)
  }
  const window = { ...filter, sort, dir, limit: pageSize, offset: offsetOf(query) }
  const [found, total] = await Promise.all([
    queries.findPage(ctx.db, projectId, window),
    queries.countCampaigns(ctx.db, projectId, filter),
  ])
  if (content && found.reduce((sum, { bytes }) => sum + bytes, 0) > PAGE_BYTES_MAX) {
    throw pageTooLarge('campaigns')
  }
  const ids = found.map(({ id }) => id)
  const rows = await queries.findCampaigns(ctx.db, projectId, ids, content)
  const show = (row: queries.CampaignRow) => ({ ...showCampaign(row), ...(!content && { document: null, mjml: null }) })
  return numberedPage(rows, query, total, show)
}
