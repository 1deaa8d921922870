/**
 * A connection that holds an advisory lock for as long as this process runs, and in a worker listens for new jobs.
 * PostgreSQL releases the lock when the process exits or its machine becomes unreachable, and keeps it however slow the
 * process is: other processes recover our jobs and idempotency keys only if the lock is gone.
 */
import { randomInt } from 'node:crypto'
import pg from 'pg'
import { pause } from '../../kernel/clock.ts'
import { DETECT_UNREACHABLE } from '../database/connection/connect.ts'
import { closeWhenSilent, replyWithin } from '../database/connection/silent-connections.ts'
import type { QueueLog } from './catalogue.ts'
import { SETTINGS } from './claimed-jobs.ts'

/** Well under the time after which others recover the jobs of a process, so that every process reconnects in time. */
const LONGEST_PAUSE_MS = 2_000

export interface ProcessLock {
  isHeld(): boolean
  /** Runs a statement on this connection; fails immediately while there is none. */
  query: pg.Pool['query']
  close(): Promise<void>
}

export interface ProcessLockOptions {
  pool: pg.Pool
  log: QueueLog
  lockNumber: number
  /** Called when jobs were added. It listens only if this is set. */
  onJobs?: () => void
  onReconnect?: () => void
}

export async function holdProcessLock({ pool, log, lockNumber, ...on }: ProcessLockOptions): Promise<ProcessLock> {
  const closing = new AbortController()
  let client: pg.Client | undefined

  async function connect(): Promise<void> {
    const fresh = openClient(pool)
    fresh.on('error', (error) =>
      log.debug({ err: error }, 'the connection that holds the lock of this process was lost'),
    )
    if (on.onJobs) fresh.on('notification', on.onJobs)
    fresh.once('end', () => {
      if (client !== fresh) return
      client = undefined
      if (!closing.signal.aborted) reconnect().catch(() => {}) // only closing ends it
    })
    try {
      await fresh.connect()
      await replyWithin(fresh, prepare(fresh))
      closing.signal.throwIfAborted()
    } catch (error) {
      fresh.end().catch(() => {})
      throw error
    }
    client = fresh
    if (!on.onJobs) closeWhenSilent(fresh) // a worker asks for lost jobs all the time
  }

  async function prepare(fresh: pg.Client): Promise<void> {
    await fresh.query(`${SETTINGS}; ${KEEP_ALIVE}`)
    await holdLock(fresh, lockNumber)
    if (on.onJobs) await fresh.query('listen posthorn_jobs')
  }

  async function reconnect(): Promise<void> {
    log.warn({}, 'the queue lost its database connection; reconnecting')
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await pause(pauseMs, closing.signal)
      try {
        await connect()
        break
      } catch (error) {
        log.debug({ err: error }, 'the database is still unavailable')
      }
    }
    log.info({}, 'the queue reconnected to the database')
    on.onReconnect?.()
  }

  async function query(text: string, values: unknown[] = []): Promise<pg.QueryResult> {
    if (!client) throw new Error('the queue is not connected to the database')
    return replyWithin(client, client.query(text, values))
  }

  await connect()
  return {
    isHeld: () => client !== undefined,
    query: query as pg.Pool['query'],
    async close() {
      closing.abort()
      const used = client
      client = undefined
      await used?.end().catch(() => {})
    },
  }
}

export const newLockNumber = () => randomInt(1, 2 ** 31 - 1)

/** Held as long as the session. Shared, because the server may keep a previous session of ours for a while. */
export async function holdLock(client: pg.ClientBase, lockNumber: number): Promise<void> {
  await client.query('select pg_advisory_lock_shared(posthorn_queue.worker_locks(), $1)', [lockNumber])
}

/** The server's settings don't end an idle session. */
const KEEP_ALIVE = `${DETECT_UNREACHABLE}; set idle_session_timeout = 0; set statement_timeout = 0`

function openClient({ options }: pg.Pool): pg.Client {
  return new pg.Client({
    ...options,
    password: options.password, // the pool hides it from spreading
    connectionTimeoutMillis: options.connectionTimeoutMillis || 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'posthorn processLock',
  })
}
