/** What delays or pauses a campaign while it is being sent: quiet hours, and its own bounces and complaints. */
import type { Context } from '../../../context.ts'
import type { SendingSettings } from '../../../kernel/sending/settings.ts'
import { endOfWindow } from '../../../kernel/time/local-time.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { TryAgainAt } from '../../../platform/queue/try-again.ts'
import { campaignPausedNotice, enqueueNotices } from '../../record/notices/actions.ts'
import { listManagers } from '../../tenants/members/actions.ts'
import * as queries from './queries.ts'
import * as sending from './sending-queries.ts'

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
  const attempted = campaign.sent + campaign.refused
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
