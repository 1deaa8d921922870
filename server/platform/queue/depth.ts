/**
 * How much is waiting, for /metrics and /ready. Counts end somewhere, and each priority is read by itself along the
 * library's index (priority, run_at), so a million jobs scheduled for next week cost no more than ten thousand.
 */
import { type QueryExecutorProvider, sql } from 'kysely'

/** Per priority. Beyond that it is enough to know that there are many. */
const COUNT_READY_TO = 50_000
const COUNT_OTHERS_TO = 10_000

export interface QueueDepth {
  /** Due and not yet taken. */
  ready: number
  /** Due later, retries included. */
  scheduled: number
  /** Given up. */
  failed: number
  /** How long the longest waiting job has been due; 0 if none is. */
  oldestReadySeconds: number
}

export async function queueDepth(db: QueryExecutorProvider): Promise<QueueDepth> {
  const { rows } = await sql<QueueDepth>`
    with recursive levels as (
      (select priority from graphile_worker._private_jobs where is_available order by priority limit 1)
      union all
      select (select priority from graphile_worker._private_jobs
              where is_available and priority > levels.priority order by priority limit 1)
      from levels where levels.priority is not null
    )
    select
      coalesce(sum(ready), 0)::float8 as ready,
      coalesce(sum(scheduled), 0)::float8 as scheduled,
      (select count(*)::float8 from (
        select from graphile_worker._private_jobs
        where attempts >= max_attempts and locked_at is null limit ${COUNT_OTHERS_TO}) as exhausted) as failed,
      greatest(0, coalesce(extract(epoch from now() - min(oldest)), 0))::float8 as "oldestReadySeconds"
    from levels, lateral (
      select
        (select count(*) from (
          select from graphile_worker._private_jobs
          where is_available and priority = levels.priority and run_at <= now() limit ${COUNT_READY_TO}) as due) as ready,
        (select count(*) from (
          select from graphile_worker._private_jobs
          where is_available and priority = levels.priority and run_at > now() limit ${COUNT_OTHERS_TO}) as later) as scheduled,
        (select min(run_at) from graphile_worker._private_jobs
          where is_available and priority = levels.priority and run_at <= now()) as oldest
    ) as level
    where levels.priority is not null`.execute(db)
  return rows[0]!
}
