/**
 * Updates the members of tracked dynamic segments: on request, about a minute after contacts changed, and at least
 * every five minutes. Each segment is computed by one worker at a time and compared with its stored members, so nobody
 * is recorded to enter or leave twice.
 */
import type { Context } from '../../../context.ts'
import { badRequest, notFound } from '../../../kernel/errors.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import * as members from './member-queries.ts'
import * as queries from './queries.ts'

const MINUTE_MS = 60_000
const SETTLE_MS = MINUTE_MS
const LONGEST_MS = 5 * MINUTE_MS
/** The next round continues with the segments that have waited longest. */
const ROUND_MS = 50_000

/**
 * A name as part of an event name. Keeps letters and digits of any script; every other run of characters becomes one
 * hyphen, with none at the ends.
 */
export const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{Nd}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')

/** A name without letters or digits has no slug: its events use the segment's id. */
export function eventSource({ project_id, id, name, track_membership }: queries.SegmentRow): members.EventSource {
  const slug = slugOf(name) || id
  return {
    projectId: project_id,
    segmentId: id,
    entry: `segment.${slug}.entry`,
    exit: `segment.${slug}.exit`,
    data: { segmentId: id, segmentName: name },
    tracked: track_membership,
  }
}

export async function computeSegment(ctx: Context, projectId: string, id: string): Promise<members.Computed> {
  const row = await queries.findSegment(ctx.db, projectId, id)
  if (!row) throw notFound('segment', id)
  if (row.type === 'STATIC') {
    throw badRequest('A STATIC segment has a fixed list of members, so there is nothing to compute.')
  }
  if (!row.track_membership) {
    throw badRequest("This segment doesn't track membership. Set `trackMembership` to true first.")
  }
  await members.startComputing(ctx.db, projectId, id, ctx.clock.now())
  const computed = await compute(ctx, projectId, id, { wait: true })
  if (!computed) throw notFound('segment', id)
  return computed
}

/** Undefined if there is nothing to do: another worker is computing it, or the segment is no longer tracked. */
async function compute(
  ctx: Context,
  projectId: string,
  id: string,
  options: { wait: boolean },
): Promise<members.Computed | undefined> {
  return transaction(ctx.db, async (tx) => {
    if (!(await members.lockMembers(tx, id, options))) return undefined
    const segment = await queries.findSegment(tx, projectId, id)
    if (!segment?.condition || !segment.track_membership) return undefined
    const now = ctx.clock.now()
    const audience = await queries.audienceSql(tx, projectId, segment.condition, now)
    const computed = await members.computeMembers(tx, eventSource(segment), audience, now)
    await queries.setMemberCount(tx, projectId, id, computed.total)
    if (computed.added + computed.removed > 0) await members.markDependents(tx, projectId, now)
    return computed
  })
}

/** Computes all tracked segments that are due, one after the other. */
export async function recomputeSegments(ctx: Context): Promise<void> {
  const startedAt = performance.now()
  const now = ctx.clock.now()
  const due = {
    changedBefore: new Date(now.getTime() - SETTLE_MS),
    computedBefore: new Date(now.getTime() - LONGEST_MS),
  }
  while (performance.now() - startedAt < ROUND_MS) {
    const segment = await members.claimDueSegment(ctx.db, due, now)
    if (!segment) return
    const computed = await compute(ctx, segment.project_id, segment.id, { wait: false })
    if (computed && computed.added + computed.removed > 0) {
      ctx.log.debug({ segmentId: segment.id, ...computed }, 'the members of a segment changed')
    }
  }
}
