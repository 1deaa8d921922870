/** What delays or pauses a campaign while it is being sent: quiet hours, the warm-up of its domain, and its own bounces and complaints. */

import type { Context } from '../../../../context.ts'
import { attemptedOf } from '../../../../kernel/sending/email-rates.ts'
import type { SendingSettings } from '../../../../kernel/sending/settings.ts'
import { WARMING_UP } from '../../../../kernel/sending/warm-up.ts'
import { endOfWindow } from '../../../../kernel/time/local-time.ts'
import { transaction } from '../../../../platform/database/connection/transaction.ts'
import { TryAgainAt } from '../../../../platform/queue/try-again.ts'
import { campaignPausedNotice, enqueueNotices } from '../../../record/notices/actions.ts'
import { findPlaces } from '../../../tenants/domains/actions.ts'
import { listManagers } from '../../../tenants/members/actions.ts'
import * as queries from '../queries.ts'
import * as sending from '../sending-queries.ts'

export const SLICE_SIZE = 250

interface CampaignRef {
  projectId: string
  campaignId: string
}

type Guard = NonNullable<SendingSettings['sendGuard']>

/** The job waits, instead of each of its emails. */
export async function waitForQuietHours(
  ctx: Context,
  { projectId, campaignId }: CampaignRef,
  { quietHours }: SendingSettings,
): Promise<void> {
  const end = quietHours && endOfWindow(ctx.clock.now(), quietHours)
  if (!end) return
  const campaign = await queries.findCampaign(ctx.db, projectId, campaignId)
  if (campaign?.status !== 'SENDING' || campaign.type === 'TRANSACTIONAL') return
  throw new TryAgainAt(end, { countsAsAttempt: false, reason: 'these are quiet hours' })
}

/**
 * The job waits for the next day if the sender's domain has sent its marketing email for today, and emails are still to be
 * written. Otherwise it returns how many may be written now, by one of `chains` jobs.
 */
export async function waitForWarmUp(
  ctx: Context,
  ref: CampaignRef,
  campaign: queries.CampaignRow,
  chains: number,
): Promise<number> {
  const { projectId, campaignId } = ref
  if (campaign.type === 'TRANSACTIONAL') return SLICE_SIZE
  const places = await findPlaces(ctx, projectId, campaign.from_domain)
  if (!places) return SLICE_SIZE
  if (places.left > 0) return Math.ceil(places.left / chains)
  if (!(await sending.hasUnwritten(ctx.db, projectId, campaignId))) return SLICE_SIZE
  const rest = { projectId, campaignId, emailIds: [] }
  throw new TryAgainAt(places.nextDay, { countsAsAttempt: false, reason: WARMING_UP, payload: rest })
}

/** Why a campaign that is being sent doesn't continue now, and until when. */
export async function waitOf(ctx: Context, campaign: queries.CampaignRow) {
  if (campaign.status !== 'SENDING' || campaign.paused_at || campaign.type === 'TRANSACTIONAL') return null
  const { project_id: projectId, from_domain: domain } = campaign
  const [{ settings }, places] = await Promise.all([
    sending.findSettings(ctx.db, projectId),
    findPlaces(ctx, projectId, domain),
  ])
  const quietUntil = settings.quietHours && endOfWindow(ctx.clock.now(), settings.quietHours)
  if (places?.left === 0) return { reason: 'warmUp' as const, until: places.nextDay }
  return quietUntil ? { reason: 'quietHours' as const, until: quietUntil } : null
}

/** Until enough emails are sent to judge the campaign, slices are no larger than that number. */
export const sliceSize = (campaign: queries.CampaignRow, { sendGuard }: SendingSettings): number =>
  sendGuard && !campaign.guard_passed ? Math.min(SLICE_SIZE, sendGuard.minimum) : SLICE_SIZE

/** False if the campaign is paused now. A guarded campaign has one chain until enough emails are sent, and then all. */
export async function passesGuard(
  ctx: Context,
  ref: CampaignRef,
  campaign: queries.CampaignRow,
  guard: Guard,
): Promise<'first' | 'passed' | false> {
  const { projectId, campaignId } = ref
  const attempted = attemptedOf(campaign)
  if (attempted < guard.minimum || campaign.guarded_at) return 'passed' // a person has resumed it
  const reason = whyPaused(campaign, attempted, guard)
  return transaction(ctx.db, async (tx) => {
    if (!reason) return (await sending.setGuardPassed(tx, projectId, campaignId)) ? 'first' : 'passed'
    if (!(await sending.setGuarded(tx, projectId, campaignId, reason, ctx.clock.now()))) return false
    const managers = await listManagers(tx, projectId)
    const notices = managers.map((to) =>
      campaignPausedNotice({ to, name: campaign.name, reason, baseUrl: ctx.baseUrl }),
    )
    await enqueueNotices(ctx, tx, notices)
    return false
  })
}

/** Undefined if both rates are low enough. */
export function whyPaused(
  { bounced, complained }: Pick<queries.CampaignRow, 'bounced' | 'complained'>,
  attempted: number,
  { bounceRate, complaintRate }: Guard,
): string | undefined {
  const percent = (rate: number) => `${Number((rate * 100).toFixed(2))} percent`
  const exceeds = (count: number, limit: number, what: string) =>
    count / attempted > limit
      ? `${count} of ${attempted} emails ${what}, which is ${percent(count / attempted)}; the limit is ${percent(limit)}. Check where the addresses come from, then resume or cancel the campaign.`
      : undefined
  return exceeds(bounced, bounceRate, 'bounced') ?? exceeds(complained, complaintRate, 'were reported as spam')
}
