/** The size of each segment by day, for its chart: recorded once a day, and kept for two years. */
import type { Context } from '../../../../context.ts'
import { notFound, Refusal } from '../../../../kernel/errors.ts'
import { dayOf, dayRange, type TimeRange } from '../../../../kernel/time-range.ts'
import * as segments from '../queries.ts'
import * as queries from './size-queries.ts'

const DAY_MS = 86_400_000
/** Two years and the first day of the third, so that a day can be compared with the same day two years ago. */
const KEPT_DAYS = 732
const DELETED_AT_ONCE = 10_000
/** Counting a segment can take long; the next round, an hour later, continues. */
const ROUND_MS = 10 * 60_000

export async function getSegmentHistory(ctx: Context, projectId: string, id: string, range: TimeRange) {
  if (!(await segments.findSegment(ctx.db, projectId, id))) throw notFound('segment', id)
  const rows = await queries.listSizes(ctx.db, projectId, id, dayRange(range, ctx.clock.now()))
  return {
    data: rows.map(({ day, contacts, total }) => ({
      day,
      contacts,
      total,
      share: total > 0 ? Math.min(1, contacts / total) : 0,
    })),
  }
}

/**
 * Records the sizes of this day (UTC) that are missing. Runs every hour, so that a new segment has one soon and a service that was
 * down has one for each day on which it ran.
 */
export async function recordSegmentSizes(ctx: Context): Promise<void> {
  const startedAt = performance.now()
  const day = dayOf(ctx.clock.now())
  await queries.recordKeptSizes(ctx.db, day)
  let after: queries.Place | undefined
  while (performance.now() - startedAt < ROUND_MS) {
    const segment = await queries.findUncounted(ctx.db, day, after)
    if (!segment) return
    after = { projectId: segment.project_id, id: segment.id }
    const contacts = await count(ctx, segment)
    if (contacts !== undefined) await queries.recordSize(ctx.db, segment.project_id, segment.id, { day, contacts })
  }
}

/** Undefined if it takes too long: then the day stays empty. */
async function count(ctx: Context, segment: segments.SegmentRow): Promise<number | undefined> {
  const { project_id: projectId, id } = segment
  try {
    const audience = await segments.segmentAudienceSql(ctx.db, projectId, segment, ctx.clock.now())
    return await segments.withStatementTimeout(ctx.db, (tx) => segments.countMatching(tx, projectId, audience))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    ctx.log.warn({ segmentId: id, reason: error.message }, 'the size of a segment was not recorded')
    return undefined
  }
}

export async function deleteOldSegmentSizes(ctx: Context): Promise<void> {
  const before = dayOf(new Date(ctx.clock.now().getTime() - KEPT_DAYS * DAY_MS))
  while ((await queries.deleteSizesBefore(ctx.db, before, DELETED_AT_ONCE)) === DELETED_AT_ONCE);
}
