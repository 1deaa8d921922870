/**
 * Ends connections that no longer lead to the database: its machine failed, or a firewall or proxy forgot them, and
 * nothing said so. A statement sent over such a connection would wait until TCP gives up, a quarter of an hour later.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Log } from '../log.ts'

/** Longer than almost every statement takes. Those that take longer are run by jobs, which are retried. */
const SILENT_MS = 5_000
const LOOK_EVERY_MS = 500
/** By then, keep-alive has closed the unusable connections that have been idle. */
const WATCH_MS = 30_000

/** What the driver doesn't declare. */
type Client = pg.PoolClient & {
  readyForQuery: boolean
  connection: { stream: { bytesRead: number } }
  end(): Promise<void>
}

interface Silence {
  bytesRead: number
  since: number
}

/** Returns a function for the moment when another connection of this process had to be opened again. */
export function watchForSilence(pool: pg.Pool, log: Log): () => void {
  const clients = new Set<pg.PoolClient>()
  let watch = 0
  pool.on('connect', (client) => clients.add(client))
  pool.on('remove', (client) => clients.delete(client))

  /** Resets a silence unless the connection has been waiting for a reply since then. */
  function isSilent(client: Client, silence: Silence): boolean {
    const now = performance.now()
    const { bytesRead } = client.connection.stream
    if (client.readyForQuery || bytesRead !== silence.bytesRead) Object.assign(silence, { bytesRead, since: now })
    return now - silence.since >= SILENT_MS
  }

  async function endSilent(current: number): Promise<void> {
    const older = new Map([...clients].map((client) => [client as Client, { bytesRead: -1, since: 0 }]))
    for (const until = performance.now() + WATCH_MS; older.size > 0 && performance.now() < until; ) {
      for (const [client, silence] of older) {
        const isOpen = clients.has(client)
        if (isOpen && !isSilent(client, silence)) continue
        older.delete(client)
        if (!isOpen) continue
        log.warn({}, 'a statement got no reply after the database was unreachable; its connection was closed')
        void client.end()
      }
      await sleep(LOOK_EVERY_MS, undefined, { ref: false })
      if (watch !== current) return // the next one has started
    }
  }

  return () => void endSilent(++watch)
}
