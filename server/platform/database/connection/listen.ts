/**
 * Listens for notifications of a channel on a separate connection. A broken connection is reopened as long as there is
 * a listener; notifications in between are lost, so `onReconnect` lets the listener check for itself.
 */
import pg from 'pg'
import { pause } from '../../../kernel/clock.ts'
import type { Log } from '../../log.ts'
import { closeWhenSilent, replyWithin } from './silent-connections.ts'

const LONGEST_PAUSE_MS = 2_000

export interface ListenOptions {
  channel: string
  onNotice: (payload: string) => void
  /** Called after the connection was reopened. */
  onReconnect: () => void
  log: Log
}

export interface Listening {
  close(): Promise<void>
}

/** Resolves once notifications are received; rejects if the database is unavailable now. */
export async function listen(pool: pg.Pool, options: ListenOptions): Promise<Listening> {
  const closing = new AbortController()
  let client = await connect()

  async function connect(): Promise<pg.Client> {
    const fresh = openClient(pool)
    fresh.on('error', (error) => options.log.debug({ err: error }, 'the listening database connection was lost'))
    fresh.on('notification', ({ payload }) => options.onNotice(payload ?? ''))
    try {
      await fresh.connect()
      const listening = `set idle_session_timeout = 0; listen ${fresh.escapeIdentifier(options.channel)}`
      await replyWithin(fresh, fresh.query(listening))
    } catch (error) {
      fresh.end().catch(() => {})
      throw error
    }
    closeWhenSilent(fresh)
    fresh.once('end', () => void reconnect().catch(() => {})) // closed meanwhile
    return fresh
  }

  async function reconnect(): Promise<void> {
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
    else options.onReconnect()
  }

  return {
    async close() {
      closing.abort()
      await client.end().catch(() => {})
    },
  }
}

/** To the database of the pool, in addition to its connections. */
function openClient({ options }: pg.Pool): pg.Client {
  return new pg.Client({
    ...options,
    password: options.password, // the pool hides it from spreading
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: 'posthorn listening',
  })
}
