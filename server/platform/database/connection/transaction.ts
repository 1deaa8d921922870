/** Transactions that are retried if PostgreSQL canceled them because of a deadlock, a conflict or a lock timeout. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Tx } from './connect.ts'
import { sql } from './sql.ts'

const RETRYABLE_STATES = new Set(['40001', '40P01'])
const TRIES = 3
const LOCK_NOT_AVAILABLE = '55P03'

export async function transaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === TRIES || !wasCanceledByConflict(error)) throw error
    }
  }
}

const LOCK_TIMEOUT_MS = 3_000
const LOCK_TRIES = 10

/**
 * A transaction that locks a whole table. While it waits behind a long transaction, such as a backup, every other statement
 * on the table waits too, so it gives up after a few seconds, lets them run, and starts again.
 */
export async function lockingTransaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction(db, async (tx) => {
        await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT_MS)}`.execute(tx)
        return work(tx)
      })
    } catch (error) {
      if (attempt === LOCK_TRIES || sqlState(error) !== LOCK_NOT_AVAILABLE) throw error
      await pause(LOCK_TIMEOUT_MS)
    }
  }
}

/** PostgreSQL canceled this transaction in favor of another; it had no effect. */
export const wasCanceledByConflict = (error: unknown): boolean => RETRYABLE_STATES.has(sqlState(error) ?? '')

export const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** The unique constraint that a write violated, if any. */
export const violatedConstraint = (error: unknown): string | undefined =>
  sqlState(error) === '23505' && error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined

// Lost connections, a server that starts or stops, a full disk, too many connections, a failed disk, and a server that has
// become a standby. Not 08P01: a statement that breaks the protocol, such as one with too many values, fails every time.
const UNAVAILABLE_STATES = /^(08(?!P01)|57P0|53[13]00|58030|25006)/
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
])
/** A statement exceeded the time limit, or the limit for waiting for a lock. */
export const isOutOfTime = (error: unknown): boolean => ['57014', LOCK_NOT_AVAILABLE].includes(sqlState(error) ?? '')

/** Out of memory, connections or another resource. */
export const isOutOfResources = (error: unknown): boolean => sqlState(error)?.startsWith('53') ?? false

const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|not queryable/

/** The database is unavailable: the request is not at fault and can be retried. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = sqlState(error) ?? ''
  return UNAVAILABLE_CODES.has(code) || UNAVAILABLE_STATES.test(code) || UNAVAILABLE_MESSAGES.test(error.message)
}
