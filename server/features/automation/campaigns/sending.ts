/**
 * Sends a campaign. Starting it freezes the recipients; then a few chains of jobs each deliver a slice of emails and
 * write the next one, until the cursor has passed all recipients. Each job names the emails it delivers, so an
 * interrupted job can run again. Once the cursor is at the end, the last email to be sent completes the campaign.
 */
import type { Context } from '../../../context.ts'
import { badRequest, countOf, invalidField, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { SendingSettings } from '../../../kernel/sending/settings.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction, violatedConstraint } from '../../../platform/database/connection/transaction.ts'
import { type JobRun, PRIORITY } from '../../../platform/queue/catalogue.ts'
import { enqueue, enqueueMany } from '../../../platform/queue/job-table.ts'
import { TryAgainAt } from '../../../platform/queue/try-again.ts'
import { isStatic } from '../../../platform/rendering/template.ts'
import { countReached, segmentIsGone } from '../../audience/segments/audience.ts'
import { findTopicRule } from '../../audience/topics/actions.ts'
import { withPreheader } from '../../content/composing/additions.ts'
import type { Delivery } from '../../mail/delivery/deliver.ts'
import { type Actor, SYSTEM } from '../../record/audit/actions.ts'
import { campaignHeldNotice, enqueueNotices } from '../../record/notices/actions.ts'
import { requireVerifiedSender, senderIsVerified } from '../../tenants/domains/actions.ts'
import { listManagers } from '../../tenants/members/actions.ts'
import { requireWithinLimit } from '../../tenants/usage/actions.ts'
import { isAllowed, notAllowed } from './campaign.ts'
import { findExperiment } from './experiments/queries.ts'
import { sendersOf, whyTooSmall } from './experiments/variants.ts'
import { decideKey } from './experiments/wait.ts'
import { feedToSend } from './feeds/actions.ts'
import { findFeed, saveFeed } from './feeds/queries.ts'
import { FeedProblem } from './feeds/read-feed.ts'
import { recordCampaignAct } from './limits/audit.ts'
import { passesGuard, SLICE_SIZE, sliceSize, waitForQuietHours, waitForWarmUp } from './limits/limits.ts'
import * as queries from './queries.ts'
import { listDueRecurrences } from './recurrences/queries.ts'
import * as sending from './sending-queries.ts'
import { freezeWaves } from './waves/freeze.ts'
import { findNextWave, storeSent } from './waves/queries.ts'
import { insertSlice } from './waves/slice-queries.ts'
import type { Timing } from './waves/timing.ts'

/** Slices that are delivered concurrently, so that a slow response of a mail server doesn't block the rest. */
const CHAINS = 4
const DISABLED_PAUSE_MS = 60_000
/** The longest time that a delayed slice delays the next one. */
const BACKPRESSURE_MAX_MS = 60_000
/** A scheduled campaign that is later than this is not started automatically. */
export const LATE_MAX_MS = 3_600_000
const IDLE_MS = 10 * 60_000
/** Up to this many recipients are frozen within the request, in about a tenth of a second; more, in a job. */
const FREEZE_AT_ONCE_MAX = 10_000

interface CampaignRef {
  projectId: string
  campaignId: string
}

const chains = (ref: CampaignRef) => Array.from({ length: CHAINS }, () => ({ ...ref, emailIds: [] }))

const jobOf = (hasWaves: boolean) => (hasWaves ? 'send-campaign-wave' : 'send-campaign-slice')

/** Jobs that write slices and deliver them, until nothing is due. */
export const enqueueChains = (
  db: Database | Tx,
  ref: CampaignRef,
  { hasWaves, isGuarded = false }: { hasWaves: boolean; isGuarded?: boolean },
): Promise<void> => enqueueMany(db, jobOf(hasWaves), isGuarded ? chains(ref).slice(0, 1) : chains(ref))

/** POST /campaigns/{id}/send without a scheduled time. */
export async function startNow(
  ctx: Context,
  projectId: string,
  campaign: queries.CampaignRow,
  timing: Timing | null,
  who: Actor,
): Promise<void> {
  if (!isAllowed('send', campaign.status)) throw notAllowed('send', campaign.status)
  await requireVerifiedSender(ctx, projectId, campaign.from_email)
  const experiment = await requireSendable(ctx, projectId, campaign.id, timing)
  const reached = await countReached(ctx, projectId, campaign)
  if (reached === 0) throw badRequest(await noRecipientsMessage(ctx, projectId, campaign))
  const tooSmall = experiment && whyTooSmall(experiment, reached)
  if (tooSmall) throw invalidField('experiment', tooSmall)
  await requireWithinLimit(ctx, projectId, 'campaigns', reached)
  const feed = await feedToSend(ctx, campaign).catch((error: unknown) => {
    if (error instanceof FeedProblem) throw invalidField('feed', error.message)
    throw error
  })
  const changes = { send_options: storedTiming(timing) }
  if (!(await start(ctx, campaign, { recipients: reached, who, changes, feed })))
    throw await statusConflict(ctx, projectId, campaign.id)
}

export const storedTiming = (timing: Timing | null): string | null => timing && JSON.stringify(timing)

/** The experiment of the campaign, if it has one: its senders are verified, and it has no other time for each recipient. */
export async function requireSendable(ctx: Context, projectId: string, campaignId: string, timing: Timing | null) {
  const experiment = await findExperiment(ctx.db, projectId, campaignId)
  if (!experiment) return undefined
  if (timing)
    throw invalidField(
      timing.localTime ? 'localTime' : timing.bestHour ? 'bestHour' : 'spreadMinutes',
      'This campaign has an experiment, whose variants are sent at the same time. Delete the experiment, or omit this field.',
    )
  for (const sender of sendersOf(experiment)) await requireVerifiedSender(ctx, projectId, sender)
  return experiment
}

const noRecipientsMessage = async (ctx: Context, projectId: string, campaign: queries.CampaignRow): Promise<string> =>
  (await segmentIsGone(ctx, projectId, campaign))
    ? 'The segment of this campaign was deleted. Choose another audience and send the campaign again.'
    : 'This campaign has no recipients: no contact in its audience can receive it.'

interface Start {
  /** 0 if they aren't counted. */
  recipients: number
  who: Actor
  changes?: { send_options?: string | null }
  feed: { feed: unknown } | undefined
}

/**
 * True for the one caller that started it, if the campaign is as it was checked. Small audiences are frozen in the same
 * transaction.
 */
async function start(
  ctx: Context,
  { project_id: projectId, id: campaignId, updated_at: checked }: queries.CampaignRow,
  { recipients, who, changes, feed }: Start,
): Promise<boolean> {
  const ref = { projectId, campaignId }
  const now = ctx.clock.now()
  const fields = { status: 'SENDING', sent_at: now, held_reason: null, total_recipients: recipients, ...changes }
  return transaction(ctx.db, async (tx) => {
    if (!(await queries.setState(tx, projectId, campaignId, 'send', fields, now, checked))) return false
    await recordCampaignAct(ctx, tx, ref, { act: 'campaign.sent' }, who)
    if (feed) await saveFeed(tx, projectId, campaignId, feed.feed, now)
    const campaign = await queries.findCampaign(tx, projectId, campaignId)
    const isQuick = recipients > 0 && recipients <= FREEZE_AT_ONCE_MAX && !readsHistory(campaign)
    if (campaign && isQuick) await freeze(ctx, tx, ref, campaign, now)
    else await enqueue(tx, 'freeze-campaign', ref)
    return true
  })
}

/** The opens of all contacts are read, which takes a while even if few of them are recipients. */
const readsHistory = (campaign: queries.CampaignRow | undefined): boolean =>
  Boolean((campaign?.send_options as Timing | null)?.bestHour)

async function statusConflict(ctx: Context, projectId: string, id: string) {
  const campaign = await queries.findCampaign(ctx.db, projectId, id)
  return campaign ? notAllowed('send', campaign.status) : notFound('campaign', id)
}

/** Runs at the scheduled time, or when a worker starts after it. A changed schedule has its own job. */
export async function startScheduled(ctx: Context, ref: CampaignRef & { scheduledFor: string }): Promise<void> {
  const campaign = await queries.findCampaign(ctx.db, ref.projectId, ref.campaignId)
  if (campaign?.status !== 'SCHEDULED' || campaign.scheduled_for?.toISOString() !== ref.scheduledFor) return
  const now = ctx.clock.now()
  if (now < campaign.scheduled_for)
    throw new TryAgainAt(campaign.scheduled_for, { countsAsAttempt: false, reason: 'too early' })
  await waitWhileDisabled(ctx, ref.projectId)
  const reason = await reasonNotToStart(ctx, ref.projectId, campaign)
  if (reason) return hold(ctx, ref, campaign.name, reason)
  try {
    await start(ctx, campaign, { recipients: 0, who: SYSTEM, feed: await feedToSend(ctx, campaign) })
  } catch (error) {
    if (!(error instanceof FeedProblem)) throw error
    await hold(ctx, ref, campaign.name, `The feed of the campaign could not be used: ${error.message}`)
  }
}

/** Keeps the campaign scheduled, and notifies the owners and admins of the reason. */
async function hold(ctx: Context, ref: CampaignRef, name: string, reason: string): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    if (!(await queries.setHeldReason(tx, ref.projectId, ref.campaignId, reason, ctx.clock.now()))) return
    const managers = await listManagers(tx, ref.projectId)
    const notices = managers.map((to) => campaignHeldNotice({ to, name, reason, baseUrl: ctx.baseUrl }))
    await enqueueNotices(ctx, tx, notices)
  })
}

async function reasonNotToStart(
  ctx: Context,
  projectId: string,
  campaign: queries.CampaignRow,
): Promise<string | undefined> {
  if (ctx.clock.now().getTime() - campaign.scheduled_for!.getTime() > LATE_MAX_MS) {
    return 'The campaign was due more than an hour ago while the service was not running. Send it now or schedule it again.'
  }
  if (!(await senderIsVerified(ctx, projectId, campaign.from_email))) {
    return unverified(campaign.from_email)
  }
  const experiment = await findExperiment(ctx.db, projectId, campaign.id)
  if (!experiment) return undefined
  for (const sender of sendersOf(experiment)) {
    if (!(await senderIsVerified(ctx, projectId, sender))) return unverified(sender)
  }
  return whyTooSmall(experiment, await countReached(ctx, projectId, campaign))
}

const unverified = (sender: string) =>
  `The domain of ${sender} was not verified at the scheduled time. Verify the domain and send the campaign again.`

export async function waitWhileDisabled(ctx: Context, projectId: string): Promise<SendingSettings> {
  const { isDisabled, settings } = await sending.findSettings(ctx.db, projectId)
  if (!isDisabled) return settings
  const at = new Date(ctx.clock.now().getTime() + DISABLED_PAUSE_MS)
  throw new TryAgainAt(at, { countsAsAttempt: false, reason: 'the project is disabled' })
}

/** Stores the recipients and the content, in one transaction. */
export async function freezeCampaign(ctx: Context, ref: CampaignRef): Promise<void> {
  await waitWhileDisabled(ctx, ref.projectId)
  const { projectId, campaignId } = ref
  const campaign = await queries.findCampaign(ctx.db, projectId, campaignId)
  if (campaign?.status !== 'SENDING' || campaign.frozen_at) return
  const now = ctx.clock.now()
  await ctx.db
    .transaction()
    .execute((tx) => freeze(ctx, tx, ref, campaign, now))
    .catch((error: unknown) => {
      const wasStarted =
        error instanceof StatusChanged || sending.RECIPIENTS_KEYS.includes(violatedConstraint(error) ?? '')
      if (!wasStarted) throw error
    })
}

class StatusChanged extends Error {}

async function freeze(ctx: Context, tx: Tx, ref: CampaignRef, campaign: queries.CampaignRow, now: Date): Promise<void> {
  const { projectId, campaignId } = ref
  const contentId = newId(now)
  const inWaves = await freezeWaves(ctx, tx, ref, campaign, now)
  const recipients = inWaves ?? (await sending.freezeRecipients(tx, projectId, campaignId, campaign, now))
  const hasWaves = inWaves !== undefined
  const topic = campaign.topic_id ? await findTopicRule(tx, projectId, campaign.topic_id) : undefined
  const body = withPreheader(campaign.body, campaign.preheader)
  const data = (await findFeed(tx, projectId, campaignId)) ?? null
  const text = { ...campaign, body, topic: topic?.number ?? null, data }
  await sending.insertCampaignContent(tx, ctx.secrets, projectId, contentId, text, now)
  // The campaign's row is updated last, so that canceling it doesn't wait for a million recipients.
  const frozen = { contentId, recipients, hasWaves }
  if (!(await sending.setFrozen(tx, projectId, campaignId, frozen, now))) throw new StatusChanged()
  const { settings } = await sending.findSettings(tx, projectId)
  await enqueueChains(tx, ref, { hasWaves, isGuarded: settings.sendGuard !== undefined })
}

/** Delivers a slice, then writes the next one. */
export async function sendSlice(
  ctx: Context,
  delivery: Delivery,
  ref: CampaignRef & { emailIds: string[] | null },
  job: Pick<JobRun, 'attempt'>,
): Promise<void> {
  const { projectId, campaignId } = ref
  const settings = await waitWhileDisabled(ctx, projectId)
  await waitForQuietHours(ctx, ref, settings)
  const emails = (ref.emailIds ?? []).map((emailId) => ({ projectId, emailId }))
  const { postponed, until, waiting } = await delivery.deliverEmails(emails, {
    priority: PRIORITY.campaign,
    takeOver: job.attempt > 1,
  })
  const campaign = await queries.findCampaign(ctx.db, projectId, campaignId)
  if (campaign?.status !== 'SENDING') return
  if (waiting) {
    const rest = { projectId, campaignId, emailIds: waiting.emailIds }
    throw new TryAgainAt(waiting.until, { countsAsAttempt: false, reason: waiting.reason, payload: rest })
  }
  const guard = settings.sendGuard ? await passesGuard(ctx, ref, campaign, settings.sendGuard) : 'passed'
  if (!guard) return
  if (guard === 'first') await enqueueMany(ctx.db, jobOf(campaign.has_waves), chains(ref).slice(1))
  const size = await waitForWarmUp(ctx, ref, campaign, CHAINS)
  const now = ctx.clock.now()
  const { recipients, overLimit } = await insertSlice(ctx.db, projectId, campaignId, {
    size: Math.min(size, sliceSize(campaign, settings)),
    now,
    deliverAt: postponed * 2 > emails.length ? backpressure(now, until) : undefined,
    subject: isStatic(campaign.subject) ? campaign.subject : null,
    waves: campaign.has_waves,
  })
  if (overLimit !== null) return sending.setOverLimit(ctx.db, projectId, campaignId, overLimitMessage(overLimit), now)
  if (recipients > 0) return
  const isGuarded = settings.sendGuard !== undefined && !campaign.guard_passed && !campaign.guarded_at
  if (campaign.has_waves && !campaign.paused_at) await enqueueNextWave(ctx, ref, isGuarded ? 1 : CHAINS)
  await finishSending(ctx, ref)
}

/** No wave is due. Jobs with the same key replace each other, so it doesn't matter how often this is called. */
async function enqueueNextWave(ctx: Context, ref: CampaignRef, count: number): Promise<void> {
  const { at, undecided } = await findNextWave(ctx.db, ref.projectId, ref.campaignId)
  if (at) {
    for (const [i, slice] of chains(ref).slice(0, count).entries()) {
      await enqueue(ctx.db, 'send-campaign-wave', slice, { runAt: at, jobKey: `wave ${ref.campaignId} ${i}` })
    }
  } else if (undecided) await enqueue(ctx.db, 'decide-experiment', ref, { jobKey: decideKey(ref.campaignId) })
}

const overLimitMessage = (limit: number) =>
  `The project has reached its limit of ${countOf(limit, 'campaign email')} per month. Raise the limit or wait for the next month, then resume the campaign.`

/** Most of a slice had to wait for the mail server: the next one waits as long. */
const backpressure = (now: Date, until: Date | undefined): Date | undefined =>
  until && new Date(Math.min(until.getTime(), now.getTime() + BACKPRESSURE_MAX_MS))

/** The cursor is at the end. From now on, each email that is sent or fails checks whether it was the last. */
async function finishSending(ctx: Context, ref: CampaignRef): Promise<void> {
  await sending.setAllQueued(ctx.db, ref.projectId, ref.campaignId, ctx.clock.now())
  await completeCampaign(ctx, ref)
}

/** Completes the campaign if no email is pending. */
export async function completeCampaign(ctx: Context, { projectId, campaignId }: CampaignRef): Promise<void> {
  if (await sending.hasPendingEmails(ctx.db, projectId, campaignId)) return
  if (!(await sending.setFinished(ctx.db, projectId, campaignId, ctx.clock.now()))) return
  await storeSent(ctx.db, projectId, campaignId)
  await enqueue(ctx.db, 'clear-campaign', { projectId, campaignId })
}

/** After a pause. Emails that were already queued are sent first; otherwise their jobs would be rescheduled for seconds. */
export async function continueSending(ctx: Context, ref: CampaignRef): Promise<void> {
  const pendingIds = await sending.listPendingEmails(ctx.db, ref.projectId, ref.campaignId, CHAINS * SLICE_SIZE)
  const slices = chains(ref).map((slice, i) => ({
    ...slice,
    emailIds: pendingIds.slice(i * SLICE_SIZE, (i + 1) * SLICE_SIZE),
  }))
  const campaign = await queries.findCampaign(ctx.db, ref.projectId, ref.campaignId)
  if (campaign) await enqueueMany(ctx.db, jobOf(campaign.has_waves), slices)
}

const CLEAR_AT_ONCE = 20_000

export async function clearCampaign(ctx: Context, { projectId, campaignId }: CampaignRef): Promise<void> {
  for (const clear of [sending.clearRecipients, sending.clearWaveRecipients])
    while ((await clear(ctx.db, projectId, campaignId, CLEAR_AT_ONCE)) === CLEAR_AT_ONCE);
}

/**
 * Runs every minute: starts campaigns that are overdue and continues those that have stalled. Both are safe to repeat.
 */
export async function recoverCampaigns(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  for (const row of await listDueRecurrences(ctx.db, now)) {
    const job = { projectId: row.project_id, campaignId: row.campaign_id, at: row.next_at.toISOString() }
    await enqueue(ctx.db, 'run-recurrence', job, { jobKey: `recurrence ${row.campaign_id}` })
  }
  for (const row of await sending.listStalled(ctx.db, now, new Date(now.getTime() - IDLE_MS))) {
    const ref = { projectId: row.project_id, campaignId: row.id }
    if (row.status === 'SCHEDULED') {
      const scheduledFor = row.scheduled_for!.toISOString()
      await enqueue(ctx.db, 'start-campaign', { ...ref, scheduledFor }, { jobKey: `start:${row.id}:${scheduledFor}` })
      continue
    }
    if (row.allQueued) {
      await completeCampaign(ctx, ref)
      continue
    }
    await sending.setMoved(ctx.db, row.project_id, row.id, now)
    await enqueue(ctx.db, 'freeze-campaign', ref)
    // Its own key, so that jobs don't add up while each of them waits, such as in quiet hours.
    await enqueue(ctx.db, jobOf(row.has_waves), { ...ref, emailIds: [] }, { jobKey: `recover ${row.id}` })
  }
}
