/** The warm-up of a sender domain: its plan, and what is left of today. */
import type { Context } from '../../../../context.ts'
import { invalidField } from '../../../../kernel/errors.ts'
import { dayOf, WARMING_UP, type WarmUp } from '../../../../kernel/sending/warm-up.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { enqueue, wakeWaitingOf } from '../../../../platform/queue/job-table.ts'
import type { DomainRow } from '../queries.ts'
import * as queries from './queries.ts'

const DAY_MS = 24 * 3_600_000
const AHEAD_DAYS_MAX = 365
/** Jobs that found the old plan shortly before the change wait for the next day by then. */
const AGAIN_MS = 60_000

/** The keys of the result are domains. */
export async function findWarmUps(ctx: Context, projectId: string, domain?: string) {
  const rows = await queries.listWarmUps(ctx.db, projectId, ctx.clock.now(), domain)
  return new Map(rows.map(({ domain, nextDay: _, ...warmUp }) => [domain, warmUp]))
}

/** When marketing email of the domain is sent again, if today's number is reached, and otherwise how many are left. */
export async function findPlaces(
  ctx: Context,
  projectId: string,
  domain: string,
): Promise<{ left: number; nextDay: Date } | undefined> {
  const [row] = await queries.listWarmUps(ctx.db, projectId, ctx.clock.now(), domain)
  if (!row || row.limitToday === null) return undefined
  return { left: Math.max(0, row.limitToday - row.sentToday), nextDay: row.nextDay }
}

/** Returns the plan before. */
export async function changeWarmUp(tx: Tx, row: DomainRow, plan: WarmUp | null, now: Date): Promise<WarmUp | null> {
  const { project_id: projectId, domain } = row
  if (plan) refuseUnlikelyDay(plan.startedOn, now)
  const [before] = await queries.listWarmUps(tx, projectId, now, domain)
  await queries.saveWarmUp(tx, projectId, domain, plan)
  await enqueue(tx, 'release-warm-up', { projectId }, { jobKey: `warm-up ${projectId}` })
  const runAt = new Date(now.getTime() + AGAIN_MS)
  await enqueue(tx, 'release-warm-up', { projectId }, { jobKey: `warm-up again ${projectId}`, runAt })
  return before ? planIn(before) : null
}

const planIn = ({ startedOn, perDay, growth }: WarmUp): WarmUp => ({ startedOn, perDay, growth })

/** A plan may have started long ago, at another service. */
function refuseUnlikelyDay(startedOn: string, now: Date): void {
  if ((Date.parse(startedOn) - Date.parse(dayOf(now))) / DAY_MS <= AHEAD_DAYS_MAX) return
  throw invalidField('warmUp.startedOn', `Must be at most ${AHEAD_DAYS_MAX} days ahead; today is ${dayOf(now)} in UTC.`)
}

/** Under the new plan, what waits is sent or waits again. */
export const releaseWaiting = (ctx: Context, { projectId }: { projectId: string }): Promise<void> =>
  wakeWaitingOf(ctx.db, projectId, WARMING_UP)
