/**
 * Jobs of workers that are no more. The library itself would wait four hours; here a worker whose lock is gone
 * for a while is taken for dead and its jobs are free again. A worker that isn't in our list is left alone.
 */
import type { Lifeline } from './lifeline.ts'

const IS_ALIVE = 'posthorn_queue.lives(workers.lock_number)'

const WAKE_ALL = `pg_notify('jobs:insert', '{"count":50}')`

export interface Undertaker {
  /** Looks for missing workers and frees the jobs of those missing for long. Resolves to the names of the dead. */
  sweep(): Promise<string[]>
  /** What was seen before an outage says nothing about who survived it. */
  startOver(): void
}

export function watchForTheDead(lifeline: Lifeline, missingForMs: number): Undertaker {
  const missingSince = new Map<string, number>()

  async function sweep(): Promise<string[]> {
    const now = performance.now()
    const rows = await lifeline.query<{ worker_id: string }>(
      `select worker_id from posthorn_queue.workers where not ${IS_ALIVE}`,
    )
    const missing = new Set(rows.map((row) => row.worker_id))
    for (const known of missingSince.keys()) {
      if (!missing.has(known)) missingSince.delete(known)
    }
    for (const workerId of missing) {
      if (!missingSince.has(workerId)) missingSince.set(workerId, now)
    }
    const overdue = [...missingSince].filter(([, since]) => now - since >= missingForMs).map(([workerId]) => workerId)
    return overdue.length > 0 ? freeJobsOf(lifeline, overdue) : []
  }

  return { sweep, startOver: () => missingSince.clear() }
}

/** One statement, so that of many sweepers one succeeds, and a worker that came back in time keeps its jobs. */
async function freeJobsOf(lifeline: Lifeline, workerIds: string[]): Promise<string[]> {
  const rows = await lifeline.query<{ dead: string[] }>(
    `with dead as (
       delete from posthorn_queue.workers where worker_id = any($1) and not ${IS_ALIVE} returning worker_id
     ), names as (
       select array_agg(worker_id) as dead from dead having count(*) > 0
     )
     select dead, graphile_worker.force_unlock_workers(dead), ${WAKE_ALL} from names`,
    [workerIds],
  )
  return rows[0]?.dead ?? []
}

/**
 * Gives back what one of our own workers still holds although none of its handlers runs any more: jobs whose
 * fetching went down with a connection, so that nobody here knows of them. They count as tried.
 */
export async function giveBackLeftovers(lifeline: Lifeline, workerId: string): Promise<void> {
  lifeline.forget(workerId)
  await lifeline.query(GIVE_BACK, [workerId])
}

export const GIVE_BACK = `
  with gone as (delete from posthorn_queue.workers where worker_id = $1)
  select graphile_worker.force_unlock_workers(array[$1]), ${WAKE_ALL}`

/** At the end of our own life: what we hold goes to whoever is next, as if we had never taken it. */
export async function handBackJobs(lifeline: Lifeline, workerIds: string[]): Promise<number> {
  for (const workerId of workerIds) lifeline.forget(workerId)
  const rows = await lifeline.query<{ count: number }>(
    `with gone as (
       delete from posthorn_queue.workers where worker_id = any($1)
     ), returned as (
       update graphile_worker._private_jobs
       set attempts = greatest(0, attempts - 1), locked_by = null, locked_at = null
       where locked_by = any($1) returning id
     )
     select count(*)::int as count, ${WAKE_ALL} from returned`,
    [workerIds],
  )
  return rows[0]!.count
}

/** For a database that nobody else can be using: whatever is locked was locked by the dead. */
export async function freeAllJobs(lifeline: Lifeline): Promise<void> {
  await lifeline.query(
    `with gone as (
       delete from posthorn_queue.workers
     ), queues as (
       update graphile_worker._private_job_queues set locked_by = null, locked_at = null where locked_at is not null
     )
     update graphile_worker._private_jobs set locked_by = null, locked_at = null where locked_at is not null`,
  )
}
