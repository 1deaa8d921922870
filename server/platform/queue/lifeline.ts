/**
 * How others know that this process lives: a connection of its own that holds an advisory lock. PostgreSQL lets go
 * of the lock when the process dies or its machine falls silent, and keeps it however slow the process is.
 * `posthorn_queue.workers` says which names in the job table belong to which lock.
 */
import { randomInt } from 'node:crypto'
import pg from 'pg'
import type { QueueLog } from './catalogue.ts'
import { WORKER_LOCKS } from './migrate.ts'
import { pause } from './wait.ts'

/** Well under the time after which others take a silent worker for dead, so that all find back after an outage. */
const LONGEST_PAUSE_MS = 2_000
const ANSWER_WITHIN_MS = 10_000

export interface Lifeline {
  isHeld(): boolean
  /** Resolves once the lock is held (again); rejects after `close`. */
  held(): Promise<void>
  /** To be called before a worker of that name takes its first job. */
  register(workerId: string): Promise<void>
  /** Runs a statement on the lifeline's connection; fails at once while there is none. */
  query<R extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<R[]>
  forget(workerId: string): void
  close(): Promise<void>
}

export interface LifelineOptions {
  pool: pg.Pool
  log: QueueLog | undefined
  onRegained?: () => void
  lockNumber: number
}

export async function holdLifeline({ pool, log, onRegained, lockNumber }: LifelineOptions): Promise<Lifeline> {
  const workerIds = new Set<string>()
  const closing = new AbortController()
  let client: pg.Client | undefined
  let regained: Promise<void> = Promise.resolve()

  async function connect(): Promise<void> {
    const fresh = openClient(pool)
    fresh.on('error', (error) => log?.debug({ err: error }, "the worker's lifeline broke"))
    fresh.once('end', () => {
      if (client !== fresh) return
      client = undefined
      if (closing.signal.aborted) return
      regained = regain()
      regained.catch(() => {}) // closed meanwhile; whoever waits for it hears so
    })
    try {
      await fresh.connect()
      await fresh.query(KEEP_ALIVE)
      await announce(fresh, lockNumber, [...workerIds])
    } catch (error) {
      fresh.end().catch(() => {})
      throw error
    }
    client = fresh
  }

  async function regain(): Promise<void> {
    log?.warn({}, 'the queue lost its database connection; reconnecting')
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await pause(pauseMs, closing.signal)
      try {
        await connect()
        break
      } catch (error) {
        log?.debug({ err: error }, 'the database is still away')
      }
    }
    log?.info({}, 'the queue has its database connection back')
    onRegained?.()
  }

  async function query<R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> {
    const used = client
    if (!used) throw new Error('the queue has no database connection at the moment')
    const hung = setTimeout(() => used.end().catch(() => {}), ANSWER_WITHIN_MS)
    try {
      return (await used.query<R>(text, values)).rows
    } finally {
      clearTimeout(hung)
    }
  }

  await connect()
  return {
    isHeld: () => client !== undefined,
    held: () => regained,
    query,
    async register(workerId) {
      workerIds.add(workerId)
      await query(REGISTER, [[workerId], lockNumber])
    },
    forget: (workerId) => void workerIds.delete(workerId),
    async close() {
      closing.abort()
      const used = client
      client = undefined
      await used?.end().catch(() => {})
    },
  }
}

export const newLockNumber = () => randomInt(1, 2 ** 31 - 1)

/** For as long as this session lives, or until it lets go of the lock, the workers of these names do. */
export async function announce(client: pg.ClientBase, lockNumber: number, workerIds: string[]): Promise<void> {
  // Shared, because after a broken connection the server may hold our former session for a while.
  await client.query('select pg_advisory_lock_shared($1, $2)', [WORKER_LOCKS, lockNumber])
  await client.query(REGISTER, [workerIds, lockNumber])
}

const REGISTER = `
  insert into posthorn_queue.workers (worker_id, lock_number) select unnest($1::text[]), $2
  on conflict (worker_id) do nothing`

/** A machine that falls silent is noticed after 25 seconds; a quiet session isn't ended by the server's settings. */
const KEEP_ALIVE = `
  set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3;
  set idle_session_timeout = 0; set statement_timeout = 0`

function openClient(pool: pg.Pool): pg.Client {
  const { options } = pool
  return new pg.Client({
    ...options,
    password: options.password, // the pool hides it from spreading
    connectionTimeoutMillis: options.connectionTimeoutMillis || 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'posthorn lifeline',
  })
}
