/**
 * Contact jobs: creating, reading, running, failing and deleting them. The work itself is in `import.ts` and `bulk.ts`.
 */
import type { Context } from '../../../context.ts'
import type { Condition } from '../../../kernel/conditions/condition.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { notFound, Refusal } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { TryAgainAt } from '../../../platform/queue/try-again.ts'
import type { Actor } from '../../record/audit/actions.ts'
import * as queries from './queries.ts'

const KEPT_DAYS = 30
const DISABLED_PAUSE_MS = 15 * 60_000

/** Finds the contacts of a condition; from the feature `segments`, which comes later. */
export interface Matching {
  /** Refuses a condition that names an unknown segment or is too large. */
  check(ctx: Context, db: Database | Tx, projectId: string, condition: Condition): Promise<void>
  count(ctx: Context, tx: Tx, projectId: string, condition: Condition, before: string): Promise<number>
  /** The next ids after `after` and before `before`, in order. */
  next(ctx: Context, tx: Tx, projectId: string, condition: Condition, range: MatchingRange): Promise<string[]>
}

export interface MatchingRange {
  after: string | null
  before: string
  limit: number
}

/** Something that a bulk change can be about. */
export interface Target<T> {
  /** Refuses a target that doesn't exist or can't be used, and records who asked for the change if nothing else does. */
  prepare(ctx: Context, projectId: string, target: T, who: Actor): Promise<void>
  /** Returns for each of the contacts that exist whether it was changed. */
  change(ctx: Context, tx: Tx, projectId: string, target: T, change: TargetChange): Promise<Map<string, boolean>>
}

interface TargetChange {
  contactIds: string[]
  /** Identifies the job. */
  jobId: string
  cause: ConsentCause
}

/** Those of later features are given. */
export interface LaterTargets {
  segmentId: Target<string>
  workflowId: Target<string>
}

export async function createContactJob(
  ctx: Context,
  job: Omit<queries.NewJob, 'jobId' | 'now'>,
): Promise<{ jobId: string }> {
  const now = ctx.clock.now()
  const jobId = newId(now)
  await queries.insertJob(ctx.db, { ...job, jobId, now })
  return { jobId }
}

/** Imports are not found among bulk jobs, and vice versa. */
export async function getContactJob(ctx: Context, ref: queries.JobRef, kind: 'import' | 'bulk') {
  const row = await queries.findJob(ctx.db, ref)
  if (!row || (row.type === 'IMPORT') !== (kind === 'import')) throw notFound('job', ref.jobId)
  return {
    id: row.id,
    type: row.type,
    status: row.status,
    progress: row.progress,
    result: row.result,
    error: row.error,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(kind === 'import' ? { confirmations: confirmationsOf(row) } : {}),
  }
}

const confirmationsOf = (row: queries.ContactJobRow) =>
  row.confirmations_per_hour === null
    ? null
    : {
        perHour: row.confirmations_per_hour,
        total: row.confirmations_total,
        sent: row.confirmations_sent,
        skipped: row.confirmations_skipped,
        waiting: row.confirmations_total - row.confirmations_sent - row.confirmations_skipped,
      }

/**
 * Runs an open job. The queue retries failures; after the last attempt it calls `failContactJob`. A refusal would be the
 * same in every attempt, so it fails the job at once.
 */
export async function runContactJob(ctx: Context, ref: queries.JobRef, work: () => Promise<void>): Promise<void> {
  const now = ctx.clock.now()
  const job = await queries.startJob(ctx.db, ref, now)
  if (!job) return
  if (job.disabled) {
    const later = new Date(now.getTime() + DISABLED_PAUSE_MS)
    throw new TryAgainAt(later, { countsAsAttempt: false, reason: 'the project is disabled' })
  }
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await queries.endJob(ctx.db, ref, { status: 'FAILED', error: error.message }, ctx.clock.now())
  }
}

export async function failContactJob(ctx: Context, ref: queries.JobRef): Promise<void> {
  const error = 'The job stopped because of an internal error. The counts show what was completed.'
  await queries.endJob(ctx.db, ref, { status: 'FAILED', error }, ctx.clock.now())
}

export async function deleteOldContactJobs(ctx: Context): Promise<void> {
  await queries.deleteJobs(ctx.db, new Date(ctx.clock.now().getTime() - KEPT_DAYS * 86_400_000))
}
