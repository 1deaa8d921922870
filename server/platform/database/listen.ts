/**
 * Hears the notifications of a channel on a connection of its own. A connection that breaks is made again for as long
 * as somebody listens; what was said meanwhile is lost, so whoever listens is told to look for themselves.
 */
import pg from 'pg'
import { pause } from '../../kernel/wait.ts'
import type { Log } from '../log.ts'

const LONGEST_PAUSE_MS = 2_000

export interface ListenOptions {
  channel: string
  onNotice: (payload: string) => void
  /** After a break. */
  onRegained: () => void
  log: Log
}

export interface Listening {
  close(): Promise<void>
}

/** Resolves once notifications are heard; rejects if the database cannot be reached now. */
export async function listen(pool: pg.Pool, options: ListenOptions): Promise<Listening> {
  const closing = new AbortController()
  let client = await connect()

  async function connect(): Promise<pg.Client> {
    const fresh = openClient(pool)
    fresh.on('error', (error) => options.log.debug({ err: error }, 'the listening database connection was lost'))
    fresh.on('notification', ({ payload }) => options.onNotice(payload ?? ''))
    try {
      await fresh.connect()
      await fresh.query(`set idle_session_timeout = 0; listen ${fresh.escapeIdentifier(options.channel)}`)
    } catch (error) {
      fresh.end().catch(() => {})
      throw error
    }
    fresh.once('end', () => void regain().catch(() => {})) // closed meanwhile
    return fresh
  }

  async function regain(): Promise<void> {
    for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      await pause(pauseMs, closing.signal)
      try {
        client = await connect()
        break
      } catch (error) {
        options.log.debug({ err: error }, 'the database is still unavailable')
      }
    }
    if (closing.signal.aborted) await client.end()
    else options.onRegained()
  }

  return {
    async close() {
      closing.abort()
      await client.end().catch(() => {})
    },
  }
}

/** To the database of the pool, beside its connections. */
function openClient({ options }: pg.Pool): pg.Client {
  return new pg.Client({
    ...options,
    password: options.password, // the pool hides it from spreading
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'posthorn listening',
  })
}
