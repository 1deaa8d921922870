/**
 * What happens at each time of a recurrence: a copy of the campaign is scheduled for it, or there is a reason why nothing
 * is sent. The copy, the record of the time and the next time are written in one transaction, so that each time is handled once.
 */
import type { Context } from '../../../../context.ts'
import { NAME_MAX } from '../../../../kernel/content/mail-content.ts'
import { Refusal } from '../../../../kernel/errors.ts'
import { newId } from '../../../../kernel/ids.ts'
import { dateIn } from '../../../../kernel/time/local-time.ts'
import { nextOccurrence } from '../../../../kernel/time/recurrence.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { transaction } from '../../../../platform/database/connection/transaction.ts'
import { enqueue } from '../../../../platform/queue/job-table.ts'
import { TryAgainAt } from '../../../../platform/queue/try-again.ts'
import { compileStored } from '../../../content/documents/actions.ts'
import { getTemplate } from '../../../content/templates/actions.ts'
import { SYSTEM } from '../../../record/audit/actions.ts'
import { campaignHeldNotice, enqueueNotices } from '../../../record/notices/actions.ts'
import { listManagers } from '../../../tenants/members/actions.ts'
import { type CampaignFields, fieldsOfRow, withTemplate } from '../campaign.ts'
import { addCampaign } from '../editing.ts'
import { type ExperimentRow, findExperiment, saveExperiment } from '../experiments/queries.ts'
import { hasNoItems } from '../feeds/actions.ts'
import { type FetchedFeed, fetchFeed } from '../feeds/fetch-feed.ts'
import { saveFeed } from '../feeds/queries.ts'
import { FeedProblem } from '../feeds/read-feed.ts'
import { type CampaignRow, findCampaign } from '../queries.ts'
import { LATE_MAX_MS, waitWhileDisabled } from '../sending.ts'
import { enqueueRun } from './actions.ts'
import * as queries from './queries.ts'

/** A feed that can't be read is fetched again, for so long. */
const FEED_RETRY_MS = 5 * 60_000
const FEED_RETRIES_MS = 20 * 60_000

interface Ref {
  projectId: string
  campaignId: string
}

export async function runRecurrence(ctx: Context, { at, ...ref }: Ref & { at: string }): Promise<void> {
  const row = await queries.findRecurrence(ctx.db, ref.projectId, ref.campaignId)
  if (row?.next_at?.toISOString() !== at) return
  const now = ctx.clock.now()
  if (now < row.next_at) throw new TryAgainAt(row.next_at, { countsAsAttempt: false, reason: 'too early' })
  await waitWhileDisabled(ctx, ref.projectId)
  const campaign = await findCampaign(ctx.db, ref.projectId, ref.campaignId)
  if (!campaign) return
  const due = latestTime(row, now)
  const prepared = await prepare(ctx, row, campaign, due, now)
  await transaction(ctx.db, async (tx) => {
    const locked = await queries.lockRecurrence(tx, ref.projectId, ref.campaignId)
    if (locked?.next_at?.toISOString() !== at) return
    const made = 'reason' in prepared ? null : await addOccurrence(ctx, tx, campaign, prepared, due, now)
    const reason = 'reason' in prepared ? prepared.reason : null
    const seen = 'reason' in prepared ? [] : (prepared.feed?.seen ?? [])
    await queries.recordOutcome(tx, ref.projectId, ref.campaignId, {
      id: newId(now),
      at: due,
      sentCampaignId: made,
      reason,
      seen,
    })
    await moveOn(tx, ref, locked, { sent: locked.sent + (made ? 1 : 0), due, now })
    if (reason !== null && reason !== NOTHING_NEW) await notify(ctx, tx, campaign, reason)
  })
}

/** Only the latest of several times that have passed is handled. */
function latestTime({ rule, next_at }: queries.RecurrenceRow, now: Date): Date {
  let latest = next_at!
  for (let next = nextOccurrence(rule, latest); next && next <= now; next = nextOccurrence(rule, latest)) latest = next
  return latest
}

interface Prepared {
  fields: CampaignFields
  experiment: ExperimentRow | undefined
  feed: FetchedFeed | undefined
}

const LATE = 'The service was not running at this time, and it was more than an hour late.'
const NOTHING_NEW = 'The feed has no new items.'

async function prepare(
  ctx: Context,
  row: queries.RecurrenceRow,
  campaign: CampaignRow,
  due: Date,
  now: Date,
): Promise<Prepared | { reason: string }> {
  const lateMs = now.getTime() - due.getTime()
  if (lateMs > LATE_MAX_MS) return { reason: LATE }
  try {
    const fields = await contentOf(ctx, row, campaign, due)
    const feed = campaign.feed ? await fetchFeed(ctx, campaign.feed, new Set(row.seen_items)) : undefined
    if (feed && hasNoItems(campaign.feed!, feed.data)) return { reason: NOTHING_NEW }
    return { fields, feed, experiment: await findExperiment(ctx.db, campaign.project_id, campaign.id) }
  } catch (error) {
    if (error instanceof Refusal) return { reason: messageOf(error) }
    if (!(error instanceof FeedProblem)) throw error
    if (lateMs < FEED_RETRIES_MS)
      throw new TryAgainAt(new Date(now.getTime() + FEED_RETRY_MS), { countsAsAttempt: false, reason: error.message })
    return { reason: `The feed could not be read: ${error.message}` }
  }
}

const messageOf = ({ message, extras }: Refusal): string => extras.problems?.[0]?.message ?? message

/** The campaign as it is now, with the content of its template if that is wanted. */
async function contentOf(
  ctx: Context,
  { rule, uses_template, project_id: projectId }: queries.RecurrenceRow,
  campaign: CampaignRow,
  due: Date,
): Promise<CampaignFields> {
  const own = fieldsOfRow(campaign)
  const template =
    uses_template && campaign.template_id ? await getTemplate(ctx, projectId, campaign.template_id) : undefined
  const fields = template ? withTemplate(own, template) : own
  const suffix = `, ${dateIn(rule.timezone, due)}`
  const start = campaign.name.slice(0, NAME_MAX - suffix.length).toWellFormed()
  return compileStored(ctx, projectId, { ...fields, name: start + suffix })
}

async function addOccurrence(
  ctx: Context,
  tx: Tx,
  campaign: CampaignRow,
  { fields, experiment, feed }: Prepared,
  due: Date,
  now: Date,
): Promise<string> {
  const { project_id: projectId, id: of } = campaign
  const id = newId(now)
  await addCampaign(ctx, tx, projectId, id, fields, SYSTEM)
  await queries.scheduleOccurrence(tx, projectId, id, { of, at: due, now })
  if (experiment) await saveExperiment(tx, projectId, id, experiment, now)
  if (feed) await saveFeed(tx, projectId, id, feed.data, now)
  const scheduledFor = due.toISOString()
  const job = { projectId, campaignId: id, scheduledFor }
  await enqueue(tx, 'start-campaign', job, { runAt: due, jobKey: `start:${id}:${scheduledFor}` })
  return id
}

async function moveOn(
  tx: Tx,
  { projectId, campaignId }: Ref,
  { rule }: queries.RecurrenceRow,
  { sent, due, now }: { sent: number; due: Date; now: Date },
): Promise<void> {
  const nextAt = rule.count && sent >= rule.count ? null : (nextOccurrence(rule, due) ?? null)
  const status = nextAt ? 'active' : 'ended'
  await queries.setRecurrenceStatus(tx, projectId, campaignId, { status, nextAt }, now)
  if (nextAt) await enqueueRun(tx, { projectId, campaignId }, nextAt)
}

async function notify(ctx: Context, tx: Tx, { project_id, name }: CampaignRow, reason: string): Promise<void> {
  const managers = await listManagers(tx, project_id)
  await enqueueNotices(
    ctx,
    tx,
    managers.map((to) => campaignHeldNotice({ to, name, reason, baseUrl: ctx.baseUrl })),
  )
}
