/** A transaction that is tried again when PostgreSQL chose it as the victim of a deadlock or a serialisation conflict. */
import type { Database, Tx } from './connect.ts'

const WORTH_ANOTHER_TRY = new Set(['40001', '40P01'])
const TRIES = 3

export async function transaction<T>(db: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === TRIES || !isVictim(error)) throw error
    }
  }
}

/** PostgreSQL gave this one up so that another could go on; nothing of it happened. */
export const isVictim = (error: unknown): boolean => WORTH_ANOTHER_TRY.has(sqlState(error) ?? '')

export const sqlState = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

/** Which unique constraint a write ran into, if that is what happened. */
export const violatedConstraint = (error: unknown): string | undefined =>
  sqlState(error) === '23505' && error instanceof Error && 'constraint' in error ? String(error.constraint) : undefined

// Not 08P01: a statement that breaks the protocol, such as one with too many values, fails every time.
const AWAY_STATES = /^(08(?!P01)|57P0|53300)/
const AWAY_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
])
/** A statement took longer, or waited longer for a lock, than it may. */
export const isOutOfTime = (error: unknown): boolean => ['57014', '55P03'].includes(sqlState(error) ?? '')

const AWAY_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|not queryable/

/** The database cannot be reached right now: nothing is wrong with the request, it may be tried again. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = sqlState(error) ?? ''
  return AWAY_CODES.has(code) || AWAY_STATES.test(code) || AWAY_WORDS.test(error.message)
}
