/** Divides the audience of a campaign into waves when it starts: by variant, by time zone, or evenly over some time. */
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../../../context.ts'
import { isTimeZone, momentIn } from '../../../../kernel/time/local-time.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { countReached } from '../../../audience/segments/audience.ts'
import { type ExperimentRow, findExperiment } from '../experiments/queries.ts'
import { storeVariant } from '../experiments/variants.ts'
import { startWait } from '../experiments/wait.ts'
import type { CampaignRow } from '../queries.ts'
import * as queries from './queries.ts'
import type { Timing } from './timing.ts'

const MINUTE_MS = 60_000
const ZONES_AT_ONCE = 20

interface CampaignRef {
  projectId: string
  campaignId: string
}

/** How many recipients were stored; undefined if the campaign has no waves. */
export async function freezeWaves(
  ctx: Context,
  tx: Tx,
  ref: CampaignRef,
  campaign: CampaignRow,
  now: Date,
): Promise<number | undefined> {
  const experiment = await findExperiment(tx, ref.projectId, ref.campaignId)
  if (experiment) return freezeVariants(ctx, tx, ref, campaign, experiment, now)
  const timing = campaign.send_options as Timing | null
  if (!timing) return undefined
  const names = timing.bestHour || timing.localTime ? await queries.listZones(tx) : []
  const plan = timing.bestHour
    ? queries.bestHourPlan(ref.projectId, await mapZones(names, (zone) => zone), now)
    : await timedPlan(ctx, tx, campaign, names, timing, now)
  const recipients = await queries.freezeInWaves(tx, ref.projectId, ref.campaignId, campaign, plan, now)
  await queries.insertTimedWaves(tx, ref.projectId, ref.campaignId, now)
  return recipients
}

async function freezeVariants(
  ctx: Context,
  tx: Tx,
  ref: CampaignRef,
  campaign: CampaignRow,
  experiment: ExperimentRow,
  now: Date,
): Promise<number> {
  const { projectId, campaignId } = ref
  const { share, variants } = experiment
  const plan = queries.experimentPlan(campaignId, share, variants.length, await totalOf(ctx, tx, campaign))
  const recipients = await queries.freezeInWaves(tx, projectId, campaignId, campaign, plan, now)
  const waves: queries.VariantWave[] = []
  for (const variant of variants) {
    waves.push({ variant: variant.name, ...(await storeVariant(ctx, tx, projectId, campaign, variant, now)) })
  }
  const rest = { variant: null, contentId: null, subject: null, fromEmail: null, fromName: null }
  await queries.insertVariantWaves(tx, projectId, campaignId, [...waves, rest], now)
  await startWait(tx, experiment, now)
  return recipients
}

/** As it was counted when the campaign was sent; one that was scheduled is counted now. Windows over all rows take longer. */
const totalOf = async (ctx: Context, tx: Tx, campaign: CampaignRow): Promise<number> =>
  campaign.total_recipients || countReached(ctx, campaign.project_id, campaign, tx)

async function timedPlan(
  ctx: Context,
  tx: Tx,
  campaign: CampaignRow,
  names: string[],
  { localTime, spreadMinutes }: Timing,
  now: Date,
): Promise<queries.WavePlan> {
  const spread = spreadMinutes ? { minutes: spreadMinutes, total: await totalOf(ctx, tx, campaign) } : null
  if (!localTime) return queries.timedPlan([], 0, spread)
  const { date, time, fallback } = localTime
  const minutesIn = (zone: string) => minutesUntil(momentIn(zone, date, time), now)
  const minutes = await mapZones(names, (zone) => ({ zone: zone.toLowerCase(), minutes: minutesIn(zone) }))
  return queries.timedPlan(minutes, minutesIn(fallback), spread)
}

/**
 * Without the names that aren't zones here. Preparing the rules of a zone takes longer than using them, so each is used at
 * once; and those of all zones a tenth of a second, so other work has its turn in between.
 */
export async function mapZones<T>(names: string[], use: (zone: string) => T): Promise<T[]> {
  const used: T[] = []
  for (const [i, zone] of names.entries()) {
    if (i % ZONES_AT_ONCE === 0) await setImmediate()
    if (isTimeZone(zone)) used.push(use(zone))
  }
  return used
}

/** Counted from the start of the current minute, because moments are whole minutes. */
export const minutesUntil = (moment: Date, now: Date): number =>
  moment <= now ? 0 : Math.round(moment.getTime() / MINUTE_MS - Math.floor(now.getTime() / MINUTE_MS))
