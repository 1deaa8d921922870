/** Divides the audience of a campaign into waves when it starts: by variant, by time zone, or evenly over some time. */
import { z } from 'zod'
import type { Context } from '../../../../context.ts'
import { invalidField } from '../../../../kernel/errors.ts'
import { dateField, isTimeZone, momentIn, timeField, timeZoneField } from '../../../../kernel/time/local-time.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { type ExperimentRow, findExperiment } from '../experiments/queries.ts'
import { storeVariant } from '../experiments/variants.ts'
import { startWait } from '../experiments/wait.ts'
import type { CampaignRow } from '../queries.ts'
import * as queries from './queries.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const AHEAD_DAYS_MAX = 365
/** Of the zones, the first and the last are this far from UTC. */
const ZONE_MS_MAX = 14 * 60 * MINUTE_MS

export const timingFields = {
  localTime: z
    .object({
      date: dateField,
      time: timeField,
      fallback: timeZoneField.meta({ description: 'For contacts without a valid time zone in `data.timezone`.' }),
    })
    .nullish()
    .meta({
      description:
        "Sends each contact's email when it is this date and time in the contact's time zone, `data.timezone`. If that time has passed when the campaign starts, the email is sent at the start.",
    }),
  spreadMinutes: z
    .int()
    .min(1, 'Must be at least 1.')
    .max(1_440, 'Must be at most 1440, which is a day.')
    .nullish()
    .meta({ description: 'Sends the emails evenly over this time. With `localTime`, from that time on.' }),
  bestHour: z.boolean().nullish().meta({
    description:
      "Sends each contact's email at the hour of the day (UTC) at which the contact opened most emails, within a day from the start. Contacts with fewer than five opens get it at the start. Not with `localTime` or `spreadMinutes`.",
  }),
}

const Timing = z.object(timingFields)
export type Timing = z.output<typeof Timing>

/** Null if all emails are sent as soon as possible. */
export function readTiming({ localTime, spreadMinutes, bestHour }: Timing, start: Date): Timing | null {
  if (bestHour) {
    if (localTime || spreadMinutes)
      throw invalidField('bestHour', 'Not possible with localTime or spreadMinutes. Choose one of them.')
    return { bestHour }
  }
  if (localTime) refuseUnlikelyDate(localTime.date, start)
  return localTime || spreadMinutes ? { localTime: localTime ?? null, spreadMinutes: spreadMinutes ?? null } : null
}

/** A date long past is a mistake, which would send everything at once. */
function refuseUnlikelyDate(date: string, start: Date): void {
  const aheadMs = Date.parse(`${date}T00:00:00Z`) - start.getTime()
  if (aheadMs > AHEAD_DAYS_MAX * DAY_MS)
    throw invalidField('localTime.date', `Must be at most ${AHEAD_DAYS_MAX} days ahead.`)
  if (aheadMs < -2 * DAY_MS - ZONE_MS_MAX)
    throw invalidField('localTime.date', `Must not be in the past; it is ${start.toISOString()} now.`)
}

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
  const plan = timing.bestHour ? queries.bestHourPlan(ref.projectId, now) : await timedPlan(tx, timing, now)
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
  const plan = queries.experimentPlan(campaignId, share, variants.length)
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

async function timedPlan(tx: Tx, { localTime, spreadMinutes }: Timing, now: Date): Promise<queries.WavePlan> {
  const spread = spreadMinutes ?? 0
  if (!localTime) return queries.timedPlan([], 0, spread)
  const { date, time, fallback } = localTime
  const minutesIn = (zone: string) => minutesUntil(momentIn(zone, date, time), now)
  const zones = (await queries.listZones(tx)).filter(isTimeZone)
  const minutes = zones.map((zone) => ({ zone: zone.toLowerCase(), minutes: minutesIn(zone) }))
  return queries.timedPlan(minutes, minutesIn(fallback), spread)
}

/** Counted from the start of the current minute, because moments are whole minutes. */
export const minutesUntil = (moment: Date, now: Date): number =>
  moment <= now ? 0 : Math.round(moment.getTime() / MINUTE_MS - Math.floor(now.getTime() / MINUTE_MS))
