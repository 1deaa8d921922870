/** Experiments: setting them up, their results, and choosing the winner that the rest of the audience receives. */
import type { z } from 'zod'
import type { Context } from '../../../../context.ts'
import { conflict, invalidField, notFound } from '../../../../kernel/errors.ts'
import { reachedOf } from '../../../../kernel/sending/email-rates.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { transaction } from '../../../../platform/database/connection/transaction.ts'
import { TryAgainAt } from '../../../../platform/queue/try-again.ts'
import { refuseBrokenLiquid } from '../../../../platform/rendering/renderer.ts'
import { compileContent } from '../../../content/documents/actions.ts'
import { type Actor, recordAuditEntry } from '../../../record/audit/actions.ts'
import { requireVerifiedSender } from '../../../tenants/domains/actions.ts'
import { requireCampaign } from '../actions.ts'
import { isAllowed, notAllowed } from '../campaign.ts'
import { findCampaign } from '../queries.ts'
import { enqueueChains } from '../sending.ts'
import { findSettings } from '../sending-queries.ts'
import { releaseRest } from '../waves/queries.ts'
import { decide, probabilitiesOfBest, rateOf, type Trials } from './probability.ts'
import * as queries from './queries.ts'
import type { ExperimentInput } from './schemas.ts'
import { storeVariant } from './variants.ts'
import { startWait } from './wait.ts'
import { describeDecision, describeTest } from './words.ts'

type Input = z.output<typeof ExperimentInput>

export async function setExperiment(ctx: Context, projectId: string, campaignId: string, input: Input, who: Actor) {
  const { status } = await requireCampaign(ctx, projectId, campaignId)
  if (!isAllowed('change', status)) throw notAllowed('change', status)
  const variants: queries.StoredVariant[] = []
  for (const [i, variant] of input.variants.entries()) variants.push(await checkedVariant(ctx, projectId, variant, i))
  const { share, metric, conversionEvent, waitMinutes: wait_minutes, winner: selection } = input
  const conversion_event = metric === 'conversions' ? (conversionEvent ?? null) : null
  const fields = { variants, share, metric, conversion_event, wait_minutes, selection }
  await transaction(ctx.db, async (tx) => {
    const { name, send_options } = await lockDraft(tx, projectId, campaignId)
    if (send_options) throw conflict(TIMED, { suggestion: 'Schedule the campaign without them first.' })
    await queries.saveExperiment(tx, projectId, campaignId, fields, ctx.clock.now())
    await queries.markChanged(tx, projectId, campaignId, ctx.clock.now())
    const details = { campaignId, name, variants: variants.map((variant) => variant.name) }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'experiment.changed', details })
  })
  return getExperiment(ctx, projectId, campaignId)
}

const TIMED =
  'This campaign is scheduled with localTime or spreadMinutes. An experiment needs an audience that receives it at the same time.'

async function lockDraft(tx: Tx, projectId: string, campaignId: string): Promise<queries.LockedCampaign> {
  const campaign = await queries.lockState(tx, projectId, campaignId)
  if (!campaign) throw notFound('campaign', campaignId)
  if (!isAllowed('change', campaign.status)) throw notAllowed('change', campaign.status)
  return campaign
}

async function checkedVariant(
  ctx: Context,
  projectId: string,
  { name, subject, from, fromName, preheader, body, document }: Input['variants'][number],
  index: number,
): Promise<queries.StoredVariant> {
  const at = (field: string) => `variants.${index}.${field}`
  const lines = { [at('subject')]: subject ?? undefined, [at('preheader')]: preheader ?? undefined }
  await refuseBrokenLiquid(ctx.renderer, projectId, { ...lines, [at('body')]: body ?? undefined })
  if (from) await requireVerifiedSender(ctx, projectId, from)
  const content = await compileContent(ctx, projectId, { body: body ?? undefined, document })
  return {
    name,
    subject: subject ?? null,
    from: from ?? null,
    fromName: fromName ?? null,
    preheader: preheader ?? null,
    body: content?.body ?? null,
    document: content?.document ?? null,
  }
}

export async function deleteExperiment(ctx: Context, projectId: string, campaignId: string, who: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const campaign = await queries.lockState(tx, projectId, campaignId)
    if (!campaign) throw notFound('campaign', campaignId)
    if (!(await queries.findExperiment(tx, projectId, campaignId))) throw noExperiment(campaignId)
    if (!(await queries.deleteExperiment(tx, projectId, campaignId))) throw notAllowed('change', campaign.status)
    await queries.markChanged(tx, projectId, campaignId, ctx.clock.now())
    const details = { campaignId, name: campaign.name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'experiment.deleted', details })
  })
}

const noExperiment = (campaignId: string) =>
  notFound('experiment', campaignId, `The campaign with ID ${campaignId} has no experiment.`)

async function requireExperiment(ctx: Context, projectId: string, campaignId: string) {
  const experiment = await queries.findExperiment(ctx.db, projectId, campaignId)
  if (!experiment) throw noExperiment(campaignId)
  return experiment
}

/** None if the campaign has no experiment. */
export const listVariants = async (ctx: Context, projectId: string, campaignId: string) =>
  (await queries.findExperiment(ctx.db, projectId, campaignId))?.variants

export async function getExperiment(ctx: Context, projectId: string, campaignId: string) {
  const campaign = await requireCampaign(ctx, projectId, campaignId)
  const row = await requireExperiment(ctx, projectId, campaignId)
  const counts = await countsOf(ctx.db, projectId, row)
  const trials = counts.map((count) => trialsOf(row, count))
  const chances = probabilitiesOfBest(trials)
  return {
    status: statusOf(campaign.status, row, ctx.clock.now()),
    variants: row.variants.map((variant, i) => {
      const { variant: _, queued: __, untried: ___, ...results } = counts[i]!
      return { ...variant, ...results, rate: Math.min(1, rateOf(trials[i]!)), probabilityBest: chances[i]! }
    }),
    ...(row.winner === null
      ? describeTest(trials.map((trial, i) => ({ ...trial, name: row.variants[i]!.name })))
      : describeDecision(row.winner, row.conclusive)),
    winner: row.winner,
    conclusive: row.conclusive,
    decidedAt: row.decided_at,
    decidedBy: row.decided_by,
    decidesAt: row.decide_at,
    share: row.share,
    metric: row.metric,
    conversionEvent: row.conversion_event,
    waitMinutes: row.wait_minutes,
    selection: row.selection,
  }
}

function statusOf(campaign: string, { decide_at, winner }: queries.ExperimentRow, now: Date) {
  if (campaign === 'SENT' || campaign === 'CANCELLED') return 'done'
  if (!decide_at) return 'draft'
  if (winner !== null) return 'sending'
  return now < decide_at ? 'testing' : 'deciding'
}

const NONE = {
  recipients: 0,
  queued: 0,
  untried: 0,
  sent: 0,
  delivered: 0,
  refused: 0,
  bounced: 0,
  opened: 0,
  clicked: 0,
  converted: 0,
}

/** In the order of the variants. */
async function countsOf(db: Context['db'] | Tx, projectId: string, row: queries.ExperimentRow) {
  const counts = await queries.countVariants(db, projectId, row.campaign_id, row.conversion_event)
  return row.variants.map(({ name }) => counts.find(({ variant }) => variant === name) ?? { variant: name, ...NONE })
}

const MEASURES = { opens: 'opened', clicks: 'clicked', conversions: 'converted' } as const

/** A reaction can be recorded before the email is recorded as sent or delivered. */
function trialsOf({ metric }: queries.ExperimentRow, counts: queries.VariantCounts): Trials {
  const successes = counts[MEASURES[metric]]
  return { successes, trials: Math.max(reachedOf(counts), successes) }
}

/** POST …/winner: at any time while the test runs or waits for a decision. */
export async function chooseWinner(ctx: Context, projectId: string, campaignId: string, name: string, who: Actor) {
  const campaign = await requireCampaign(ctx, projectId, campaignId)
  const { variants } = await requireExperiment(ctx, projectId, campaignId)
  if (!variants.some((variant) => variant.name === name)) {
    const names = variants.map((variant) => `"${variant.name}"`).join(', ')
    throw invalidField('variant', `There is no variant "${name}". The variants are ${names}.`)
  }
  await transaction(ctx.db, async (tx) => {
    const { status, frozen_at } = (await queries.lockState(tx, projectId, campaignId))!
    if (status !== 'SENDING') throw conflict(`The test of a campaign with status ${status} is not running.`)
    if (!frozen_at) throw conflict('The test has not started yet. Try again in a moment.')
    const row = (await queries.findExperiment(tx, projectId, campaignId))!
    if (row.winner !== null) throw conflict(`The winner of this experiment is "${row.winner}" already.`)
    const { conclusive } = decide((await countsOf(tx, projectId, row)).map((count) => trialsOf(row, count)))
    await release(ctx, tx, row, { winner: name, conclusive, by: await deciderOf(tx, who) })
    const details = { campaignId, name: campaign.name, variant: name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'experiment.decided', details })
  })
  return getExperiment(ctx, projectId, campaignId)
}

async function deciderOf(tx: Tx, { actor, key }: Actor): Promise<queries.DecidedBy> {
  if (key) return { type: 'key', id: key.id, name: key.name }
  return { type: 'user', id: actor, name: await queries.nameUser(tx, actor) }
}

const SYSTEM: queries.DecidedBy = { type: 'system', id: null, name: 'Posthorn' }
/** The job at the end of the wait. It does nothing if there is a winner, or if the campaign was canceled. */
export async function decideExperiment(
  ctx: Context,
  { projectId, campaignId }: { projectId: string; campaignId: string },
): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const campaign = await queries.lockState(tx, projectId, campaignId)
    const row = await queries.findExperiment(tx, projectId, campaignId)
    if (campaign?.status !== 'SENDING' || !row?.decide_at || row.winner !== null) return
    const now = ctx.clock.now()
    if (now < row.decide_at) throw new TryAgainAt(row.decide_at, { countsAsAttempt: false, reason: 'too early' })
    if (row.selection === 'manual') return
    const counts = await countsOf(tx, projectId, row)
    if (counts.some(({ queued, recipients, untried }) => queued < recipients || untried > 0)) {
      return startWait(tx, row, now) // it was paused, or takes longer than the wait
    }
    const { winner, conclusive } = decide(counts.map((count) => trialsOf(row, count)))
    const { name } = row.variants[winner]!
    await release(ctx, tx, row, { winner: name, conclusive, by: SYSTEM })
    const details = { campaignId, name: campaign.name, variant: name, conclusive }
    await recordAuditEntry(ctx, tx, { actor: 'system', projectId, act: 'experiment.decided', details })
  })
}

/** The winner, its content for the rest of the audience, and the jobs that send it: all or nothing. */
async function release(
  ctx: Context,
  tx: Tx,
  { project_id, campaign_id, variants }: queries.ExperimentRow,
  decision: { winner: string; conclusive: boolean; by: queries.DecidedBy },
): Promise<void> {
  const now = ctx.clock.now()
  if (!(await queries.setWinner(tx, project_id, campaign_id, decision, now)))
    throw conflict('There is a winner already.')
  const campaign = (await findCampaign(tx, project_id, campaign_id))!
  const variant = variants.find(({ name }) => name === decision.winner)!
  await releaseRest(tx, project_id, campaign_id, await storeVariant(ctx, tx, project_id, campaign, variant, now), now)
  const { settings } = await findSettings(tx, project_id)
  const isGuarded = settings.sendGuard !== undefined && !campaign.guard_passed && !campaign.guarded_at
  await enqueueChains(tx, { projectId: project_id, campaignId: campaign_id }, { hasWaves: true, isGuarded })
}
