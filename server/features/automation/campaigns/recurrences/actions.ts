/** Recurring campaigns: a draft of which a copy is sent every day, week or month. Setting that up, pausing and ending it. */
import type { z } from 'zod'
import type { Context } from '../../../../context.ts'
import { conflict, invalidField, notFound } from '../../../../kernel/errors.ts'
import { cursorPage } from '../../../../kernel/pages.ts'
import { nextOccurrence } from '../../../../kernel/time/recurrence.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { transaction } from '../../../../platform/database/connection/transaction.ts'
import { enqueue } from '../../../../platform/queue/job-table.ts'
import { type Actor, recordAuditEntry } from '../../../record/audit/actions.ts'
import { requireCampaign } from '../actions.ts'
import { lockState, markChanged } from '../experiments/queries.ts'
import * as queries from './queries.ts'
import type { OccurrenceListQuery, RecurrenceInput } from './schemas.ts'

export async function setRecurrence(
  ctx: Context,
  projectId: string,
  campaignId: string,
  { useTemplate, ...rule }: z.output<typeof RecurrenceInput>,
  who: Actor,
) {
  const { template_id: templateId } = await requireCampaign(ctx, projectId, campaignId)
  if (useTemplate && !templateId) throw invalidField('useTemplate', 'The campaign has no template.')
  const now = ctx.clock.now()
  await transaction(ctx.db, async (tx) => {
    const campaign = await lockState(tx, projectId, campaignId)
    if (!campaign) throw notFound('campaign', campaignId)
    if (campaign.status !== 'DRAFT')
      throw conflict(`A campaign with status ${campaign.status} can't recur; the status must be DRAFT.`, {
        suggestion: 'Duplicate the campaign instead.',
      })
    const before = await queries.lockRecurrence(tx, projectId, campaignId)
    if (before && rule.count && rule.count <= before.sent)
      throw invalidField('count', `${before.sent} campaigns were sent already. Choose a higher number.`)
    const nextAt = nextTime(before, rule, now)
    if (!nextAt) throw invalidField('endsOn', 'There is no time of this recurrence before its end.')
    const status = before?.status === 'paused' ? 'paused' : 'active'
    const fields = { rule, usesTemplate: useTemplate, status, nextAt: status === 'active' ? nextAt : null } as const
    await queries.saveRecurrence(tx, projectId, campaignId, fields, now)
    await markChanged(tx, projectId, campaignId, now)
    if (status === 'active') await enqueueRun(tx, { projectId, campaignId }, nextAt)
    const details = { campaignId, name: campaign.name }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'recurrence.changed', details })
  })
  return getRecurrence(ctx, projectId, campaignId)
}

/** A time that has come and is about to be handled isn't skipped by a change. */
const nextTime = (before: queries.RecurrenceRow | undefined, rule: queries.RecurrenceRow['rule'], now: Date) =>
  before?.next_at && before.next_at <= now ? before.next_at : nextOccurrence(rule, now)

/** A waiting job of an earlier time does nothing when it runs. */
export const enqueueRun = (tx: Tx, ref: { projectId: string; campaignId: string }, at: Date): Promise<void> =>
  enqueue(tx, 'run-recurrence', { ...ref, at: at.toISOString() }, { runAt: at, jobKey: `recurrence ${ref.campaignId}` })

export async function getRecurrence(ctx: Context, projectId: string, campaignId: string) {
  await requireCampaign(ctx, projectId, campaignId)
  const row = await requireRecurrence(ctx, projectId, campaignId)
  const { every, time, timezone, weekdays, day, startsOn, endsOn, count } = row.rule
  const [last] = await queries.listOccurrences(ctx.db, projectId, campaignId, { limit: 1 })
  return {
    every,
    time,
    timezone,
    weekdays: weekdays ?? null,
    day: day ?? null,
    startsOn: startsOn ?? null,
    endsOn: endsOn ?? null,
    count: count ?? null,
    useTemplate: row.uses_template,
    status: row.status,
    nextAt: row.next_at,
    sentCount: row.sent,
    lastOccurrence: last ? showOccurrence(last) : null,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

async function requireRecurrence(ctx: Context, projectId: string, campaignId: string): Promise<queries.RecurrenceRow> {
  const row = await queries.findRecurrence(ctx.db, projectId, campaignId)
  if (!row) throw noRecurrence(campaignId)
  return row
}

const noRecurrence = (campaignId: string) =>
  notFound('recurrence', campaignId, `The campaign with ID ${campaignId} has no recurrence.`)

const showOccurrence = ({ id, at, sent_campaign_id, reason }: queries.OccurrenceRow) => ({
  id,
  at,
  campaignId: sent_campaign_id,
  reason,
})

export async function listOccurrences(
  ctx: Context,
  projectId: string,
  campaignId: string,
  { limit, cursor }: z.output<typeof OccurrenceListQuery>,
) {
  await requireCampaign(ctx, projectId, campaignId)
  await requireRecurrence(ctx, projectId, campaignId)
  const rows = await queries.listOccurrences(ctx.db, projectId, campaignId, { limit, before: cursor })
  const total = await queries.countOccurrences(ctx.db, projectId, campaignId)
  return cursorPage(rows, limit, total, showOccurrence)
}

export async function pauseRecurrence(ctx: Context, projectId: string, campaignId: string, who: Actor) {
  await change(ctx, projectId, campaignId, 'paused', who)
  return getRecurrence(ctx, projectId, campaignId)
}

/** Times that passed during the pause are not caught up on. */
export async function resumeRecurrence(ctx: Context, projectId: string, campaignId: string, who: Actor) {
  await change(ctx, projectId, campaignId, 'active', who)
  return getRecurrence(ctx, projectId, campaignId)
}

async function change(
  ctx: Context,
  projectId: string,
  campaignId: string,
  status: 'active' | 'paused',
  who: Actor,
): Promise<void> {
  const { name } = await requireCampaign(ctx, projectId, campaignId)
  const now = ctx.clock.now()
  await transaction(ctx.db, async (tx) => {
    const row = await queries.lockRecurrence(tx, projectId, campaignId)
    if (!row) throw noRecurrence(campaignId)
    const required = status === 'active' ? 'paused' : 'active'
    if (row.status !== required)
      throw conflict(`This recurrence is ${row.status}; it must be ${required}.`, {
        suggestion: row.status === 'ended' ? 'Set it again with a later end.' : 'Nothing has to be done.',
      })
    const nextAt = status === 'active' ? (nextOccurrence(row.rule, now) ?? null) : null
    const next = status === 'active' && !nextAt ? 'ended' : status
    await queries.setRecurrenceStatus(tx, projectId, campaignId, { status: next, nextAt }, now)
    if (nextAt) await enqueueRun(tx, { projectId, campaignId }, nextAt)
    const act = status === 'active' ? 'recurrence.resumed' : 'recurrence.paused'
    await recordAuditEntry(ctx, tx, { ...who, projectId, act, details: { campaignId, name } })
  })
}

/** The campaign stays as a draft, and the campaigns that were made stay too. */
export async function deleteRecurrence(ctx: Context, projectId: string, campaignId: string, who: Actor): Promise<void> {
  const { name } = await requireCampaign(ctx, projectId, campaignId)
  await transaction(ctx.db, async (tx) => {
    if (!(await queries.deleteRecurrence(tx, projectId, campaignId))) throw noRecurrence(campaignId)
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'recurrence.deleted', details: { campaignId, name } })
  })
}
