/** Statements on jobs that workers have claimed: they complete, are retried, or are released by a process that stops or exited. */
import type { ClientBase, Pool } from 'pg'
import type { JobName } from './catalogue.ts'

/**
 * For connections of the queue itself. Its records need not wait for the disk: if a crash of the database loses one,
 * the job runs again, which every job allows. The table grows and shrinks too fast for statistics, so plans always use
 * its indexes.
 */
export const SETTINGS = `
  set synchronous_commit = off; set plan_cache_mode = force_generic_plan; set jit = off;
  set enable_seqscan = off; set enable_bitmapscan = off; set enable_sort = off;
  set enable_hashjoin = off; set enable_mergejoin = off`

export type Connection = Pick<Pool | ClientBase, 'query'>

export interface Job {
  id: string
  name: JobName
  payload: unknown
  priority: number
  runAt: Date
  /** Including this one. */
  attempts: number
  maxAttempts: number
}

export async function completeJobs(connection: Connection, lockNumber: number, ids: string[]): Promise<void> {
  const text = '/* complete-jobs */ delete from posthorn_queue.jobs where id = any($2) and locked_by = $1'
  await connection.query(text, [lockNumber, ids])
}

export interface Retry {
  id: string
  /** An exponential back-off of up to six hours if absent. */
  at?: Date
  countsAsAttempt: boolean
  /** Replaces the payload of the job. */
  payload?: object | undefined
  error: string
}

export const RETRY_MIN_MS = 100

/**
 * No retry is due immediately by the database's clock: if that clock is ahead of ours, a job rescheduled for a time
 * that has already passed there would be claimed repeatedly.
 */
const RETRY = `/* retry-jobs */
  with retry as (
    select * from unnest($2::bigint[], $3::timestamptz[], $4::smallint[], $5::text[], $6::text[])
      as retry(id, at, uncounted, error, payload)
  ), replaced as (
    delete from posthorn_queue.jobs using retry where jobs.id = retry.id and locked_by = $1 and max_attempts = 0
  )
  update posthorn_queue.jobs set
    locked_by = null, locked_at = null, attempts = attempts - retry.uncounted, last_error = retry.error,
    payload = coalesce(retry.payload::json, jobs.payload),
    run_at = coalesce(greatest(retry.at, now() + interval '${RETRY_MIN_MS} milliseconds'),
      greatest(run_at, now()) + exp(least(attempts, 10)) * interval '1 second')
  from retry where jobs.id = retry.id and locked_by = $1 and max_attempts > 0`

export async function retryJobs(connection: Connection, lockNumber: number, retries: Retry[]): Promise<void> {
  await connection.query(RETRY, [
    lockNumber,
    retries.map((retry) => retry.id),
    retries.map((retry) => retry.at ?? null),
    retries.map((retry) => (retry.countsAsAttempt ? 0 : 1)),
    retries.map((retry) => retry.error),
    retries.map((retry) => (retry.payload ? JSON.stringify(retry.payload) : null)),
  ])
}

const release = (whose: string, change: string) => `
  with replaced as (
    delete from posthorn_queue.jobs where ${whose} and max_attempts = 0
  ), released as (
    update posthorn_queue.jobs set locked_by = null, locked_at = null, ${change}
    where ${whose} and max_attempts > 0 returning id
  )
  select count(*)::int as count, posthorn_queue.wake_workers() from released`

async function count(connection: Connection, text: string, values: unknown[]): Promise<number> {
  return (await connection.query<{ count: number }>(text, values)).rows[0]!.count
}

const UNCOUNTED = 'attempts = attempts - 1'
/** After the loss of the last attempt there is one more, in which the job is only recorded as failed; see `perform`. */
const LOST = `last_error = 'the process that ran it exited', max_attempts = greatest(max_attempts, attempts + 1)`
/** A stop doesn't count if it was the last attempt. */
const INTERRUPTED = `last_error = 'the process that ran it was stopped', attempts = least(attempts, max_attempts - 1)`

export const releaseUnstartedJobs = (connection: Connection, lockNumber: number, ids: string[]): Promise<number> =>
  count(connection, release('locked_by = $1 and id = any($2)', UNCOUNTED), [lockNumber, ids])

/** All jobs that this process has locked but never started, because it doesn't know them. */
export const releaseUnknownJobs = (connection: Connection, lockNumber: number, ids: string[]): Promise<number> =>
  count(connection, release('locked_by = $1 and id <> all($2)', UNCOUNTED), [lockNumber, ids])

/** All jobs that this process has locked, because it stops. Their handlers may have started, so the attempts count. */
export const releaseOwnJobs = (connection: Connection, lockNumber: number): Promise<number> =>
  count(connection, release('locked_by = $1', INTERRUPTED), [lockNumber])

/** In one statement with the check, so that a process that regained its lock in time keeps its jobs. */
export const releaseLostJobs = (connection: Connection, lockNumbers: number[]): Promise<number> =>
  count(connection, release('locked_by = any($1) and not posthorn_queue.is_running(locked_by)', LOST), [lockNumbers])

/** Without waiting for the lock: for processes that are known to have exited. All, if none are given. */
export const releaseJobsOfExited = (connection: Connection, lockNumbers?: number[]): Promise<number> =>
  count(
    connection,
    release(
      `locked_by is not null and ($1::int[] is null or locked_by = any($1)) and not posthorn_queue.holds_lock(locked_by)`,
      LOST,
    ),
    [lockNumbers ?? null],
  )

/** Lock numbers of processes that hold jobs and no longer hold their lock. */
export async function findLostWorkers(connection: Connection): Promise<number[]> {
  const { rows } = await connection.query<{ number: number }>(
    `select number from (select distinct locked_by as number from posthorn_queue.jobs where locked_by is not null) as holder
     where not posthorn_queue.is_running(number)`,
  )
  return rows.map((row) => row.number)
}
