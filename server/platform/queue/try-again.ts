/**
 * A handler that knows better than the queue when its job is worth another try throws `TryAgainAt`.
 * The job's row is replaced by a new one in a single statement: a crash before it leaves the old one to be found,
 * a crash after it leaves the new one, and the library's own bookkeeping of the old id then touches nothing.
 */
import type { Job } from 'graphile-worker'
import type { ClientBase } from 'pg'

export interface TryAgainOptions {
  /** False for waiting that isn't the job's fault, such as a rate limit. */
  countsAsAttempt?: boolean
  reason?: string
  cause?: unknown
}

export class TryAgainAt extends Error {
  readonly at: Date
  readonly countsAsAttempt: boolean

  constructor(at: Date, { countsAsAttempt = true, reason, cause }: TryAgainOptions = {}) {
    super(reason ?? `try again at ${at.toISOString()}`, { cause })
    this.at = at
    this.countsAsAttempt = countsAsAttempt
  }
}

/** By the database's clock: while that is ahead of ours, a job that came too early would come back at once, over and over. */
const NOT_SOONER = '100 milliseconds'

/** True if the job waits for its time now (or was replaced by a newer job with its key); false if it isn't ours any more. */
export async function postponeJob(client: Pick<ClientBase, 'query'>, job: Job, wish: TryAgainAt): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `with gone as (
       delete from graphile_worker._private_jobs where id = $1 and locked_by = $2 returning *
     ), again as (
       insert into graphile_worker._private_jobs
         (task_id, payload, priority, run_at, attempts, max_attempts, last_error, created_at, key, revision)
       select task_id, payload, priority, greatest($3, now() + $7::interval), attempts - $4, max_attempts, $5, created_at, key, revision
       from gone where key is not distinct from $6
     )
     select exists (select from gone) as taken`,
    [job.id, job.locked_by, wish.at, wish.countsAsAttempt ? 0 : 1, wish.message, job.key, NOT_SOONER],
  )
  return rows[0]!.taken
}
