/**
 * Which workers can run jobs. Each records it every few seconds, so that /ready and /metrics of any process can report
 * that there is none. A lock would also be held by a process that is suspended.
 */
import type { QueryExecutorProvider } from 'kysely'
import type { ClientBase, Pool } from 'pg'
import { sql } from '../database/connection/sql.ts'

/** A worker that hasn't recorded anything for this long runs no jobs. */
export const SILENT_AFTER_MS = 30_000

/** Does nothing if the last record is recent. Records of processes that exited are removed after an hour. */
const RECORD = `/* record-running-worker */
  with exited as (
    delete from posthorn_queue.running_workers
    where lock_number <> $1 and seen_at not between now() - interval '1 hour' and now() + interval '1 minute'
  )
  insert into posthorn_queue.running_workers as worker (lock_number, seen_at) values ($1, now())
  on conflict (lock_number) do update set seen_at = excluded.seen_at
  where worker.seen_at not between now() - interval '5 seconds' and now()`

export async function recordRunning(connection: Pick<Pool | ClientBase, 'query'>, lockNumber: number): Promise<void> {
  await connection.query(RECORD, [lockNumber])
}

/** Counts those of all processes, or only of the one with this lock number. */
export async function countRunningWorkers(db: QueryExecutorProvider, lockNumber?: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-running-workers */
    select count(*)::int as count from posthorn_queue.running_workers
    where (${lockNumber ?? null}::int is null or lock_number = ${lockNumber ?? null}::int)
      and seen_at between clock_timestamp() - make_interval(secs => ${SILENT_AFTER_MS / 1000}::float8) and clock_timestamp()`.execute(
    db,
  )
  return rows[0]!.count
}
