/**
 * Reads from a standby of the database (DATABASE_REPLICA_URL). A request is served by the standby only if everything that
 * was committed before the request arrived has been replayed there, so its response is as fresh as the primary's, whichever
 * process wrote. Otherwise, and if the standby fails, the primary serves it.
 */
import type pg from 'pg'
import { pause, within } from '../../../kernel/clock.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import type { Log } from '../../log.ts'
import { countReplicaRead, watch } from '../../metrics.ts'
import { type ConnectOptions, type Database, openDatabase } from './connect.ts'
import { replyWithin } from './silent-connections.ts'
import { isDatabaseUnavailable, isOutOfTime } from './transaction.ts'

const CHECK_EVERY_MS = 1_000
const POLL_MS = 2
/** A check that takes longer counts as failed; connecting takes some of it. */
const CHECK_WITHIN_MS = 5_000
const SHARED_MAX = 10_000

export interface ReplicaOptions extends Omit<ConnectOptions, 'readOnly'> {
  /** The pool of the primary. */
  primary: pg.Pool
  /** How long a request waits for the standby to catch up. */
  maxLagMs: number
}

export interface Replica {
  /** Refuses writes, even after the standby was promoted. */
  db: Database
  /** Whether the standby has replayed, or replays in time, what has been committed until now. Never rejects. */
  isCurrent(): Promise<boolean>
  /** Refusals are final; after any other failure on the standby, `work` runs again on the primary. */
  read<T>(isCurrent: Promise<boolean>, work: (onReplica: boolean) => Promise<T>): Promise<T>
  close(): Promise<void>
}

export function openReplica({ primary, maxLagMs, log, ...options }: ReplicaOptions): Replica {
  const standby = openDatabase({ ...options, log, readOnly: true })
  const committed = shared(() => committedPosition(primary))
  /** A connection of its own, so that checks don't wait for reads. */
  const checks = openDatabase({ ...options, poolSize: 1, log, readOnly: true })
  const replayed = shared(() =>
    replayedPosition(checks.pool).catch((error: unknown) => {
      standby.suspectConnections()
      throw error
    }),
  )
  const closing = new AbortController()
  const usable = announced(log)
  let lagBytes = Number.NaN

  async function reaches(position: number, deadline: number): Promise<boolean> {
    for (;;) {
      const reached = await replayed()
      if (reached === undefined) return false
      if (reached >= position) return true
      if (performance.now() >= deadline) return false
      await pause(POLL_MS, closing.signal)
    }
  }

  /** Like a request, and whether the standby follows this primary: otherwise it can be ahead of it. */
  async function check(): Promise<boolean> {
    lagBytes = Number.NaN
    const reached = await replayed()
    const position = await committed()
    if (reached === undefined || reached > position) return false
    lagBytes = position - reached
    return reaches(position, performance.now() + maxLagMs)
  }

  async function keepChecking(): Promise<void> {
    while (!closing.signal.aborted) {
      usable.set((await within(CHECK_WITHIN_MS, check()).catch(() => false)) ?? false)
      await pause(CHECK_EVERY_MS, closing.signal).catch(() => {})
    }
  }

  watch('posthorn_database_replica_lag_bytes', 'Write-ahead log that the replica has yet to replay.', () => lagBytes)
  void keepChecking()

  return {
    db: standby.db,
    async isCurrent() {
      if (!usable.get()) return false
      const deadline = performance.now() + maxLagMs
      const catchUp = async () => reaches(await committed(), deadline)
      const current = (await within(maxLagMs, catchUp()).catch(() => false)) ?? false
      if (!current) usable.set(false) // so that the next requests don't wait; a check finds out when it has caught up
      return current
    },
    async read(isCurrent, work) {
      if (await isCurrent) {
        try {
          const result = await work(true)
          countReplicaRead('replica')
          return result
        } catch (error) {
          if (error instanceof Refusal || isOutOfTime(error)) throw error
          if (isDatabaseUnavailable(error)) usable.set(false)
          else log.warn({ err: error }, 'a read failed on the replica; the primary serves it')
        }
      }
      countReplicaRead('primary')
      return work(false)
    },
    async close() {
      closing.abort()
      lagBytes = Number.NaN
      await Promise.all([standby.close(), checks.close()])
    },
  }
}

/** Calls that wait at the same time share one statement, which starts after all of them. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  const batch = createBatcher(
    async (calls: undefined[]) => {
      const value = await read()
      return calls.map(() => value)
    },
    { batchMax: SHARED_MAX, concurrency: 1 },
  )
  return () => batch(undefined)
}

/**
 * The end of the write-ahead log, which includes commits that aren't on disk yet. They aren't sent to the standby before, so
 * an empty message is committed, which writes them to disk.
 */
async function committedPosition(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ position: number }>(`
    with log as materialized (select pg_current_wal_insert_lsn() as position)
    select (position - '0/0')::bigint as position,
      case when position > pg_current_wal_flush_lsn() then pg_logical_emit_message(true, 'posthorn', '') end,
      set_config('synchronous_commit', 'local', true)
    from log`)
  return rows[0]!.position
}

/** Undefined if the server isn't a standby, for example because it was promoted. */
async function replayedPosition(pool: pg.Pool): Promise<number | undefined> {
  const client = await pool.connect()
  try {
    const reply = client.query<{ position: number | null }>(
      `select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::bigint end as position`,
    )
    const { rows } = await replyWithin(client, reply)
    return rows[0]!.position ?? undefined
  } finally {
    client.release()
  }
}

/** A state whose changes are logged. */
function announced(log: Log) {
  let usable: boolean | undefined
  return {
    get: () => usable === true,
    set(next: boolean): void {
      if (next === usable) return
      if (next) log.info('lists and analytics are read from the replica')
      else log.warn('the replica is unavailable or has not caught up; lists and analytics are read from the primary')
      usable = next
    },
  }
}
