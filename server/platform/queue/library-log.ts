/**
 * The library talks a lot and attaches whole jobs to what it says. Only its words and errors pass, never a payload
 * (it may hold an address); our own lines about jobs are written in perform.ts.
 */
import { Logger } from 'graphile-worker'
import type pg from 'pg'
import type { QueueLog } from './catalogue.ts'

/** `onTrouble` hears of errors of the machinery, not of failed jobs. */
export function libraryLogger(log: QueueLog | undefined, onTrouble?: (error: unknown) => void): Logger {
  return new Logger(() => (level, message, meta) => {
    const words = `queue: ${firstLine(message)}`
    if (level !== 'error' || meta?.failure) return log?.debug({}, words)
    const err = meta?.error ?? meta?.fatalError
    log?.debug({ err }, words)
    onTrouble?.(err ?? new Error(words))
  })
}

/** A failed job's stack follows in further lines, and we have logged it ourselves. */
const firstLine = (message: string): string => message.split('\n', 1)[0]!

/**
 * A pool without these listeners ends the process when a connection breaks, idle or in use.
 * Only connections opened from now on are guarded. Returns what takes the listeners off again.
 */
export function guardConnections(pool: pg.Pool, log: QueueLog | undefined): () => void {
  const note = (error: Error) => log?.debug({ err: error }, 'a database connection of the queue was lost')
  const onConnect = (client: pg.PoolClient) => client.on('error', note)
  pool.on('error', note)
  pool.on('connect', onConnect)
  return () => {
    pool.off('error', note)
    pool.off('connect', onConnect)
  }
}
