/**
 * Closes connections that no longer lead to the database, although nothing has closed them: its machine failed, or a proxy
 * in front of it did. A statement sent over such a connection would wait until TCP gives up, a quarter of an hour later.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { pause } from '../../../kernel/clock.ts'
import type { Log } from '../../log.ts'

const CHECK_EVERY_MS = 500
/** Five seconds. Checks instead of time, so that what has been received meanwhile is read even if this process is slow. */
const SILENT_CHECKS = 10
const WATCH_MS = 3 * SILENT_CHECKS * CHECK_EVERY_MS
const BEAT_MS = 5_000
const REPLY_WITHIN_MS = 10_000

/** What the driver doesn't declare. */
type Client = pg.ClientBase & {
  /** False from sending a statement until the end of its reply. */
  readyForQuery: boolean
  connection: { stream: { bytesRead: number; destroy(): void } }
}

/** What a connection that may not work has received so far. */
interface Suspect {
  bytesRead: number
  /** How many times in a row it was found waiting for a reply. */
  checks: number
}

export function createSilenceWatch(log: Log) {
  const open = new Set<Client>()
  const suspects = new Map<Client, Suspect>()
  let until = 0
  let isWatching = false

  function check(client: Client, suspect: Suspect): void {
    const { stream } = client.connection
    if (stream.bytesRead !== suspect.bytesRead) return void suspects.delete(client) // it works
    suspect.checks = client.readyForQuery ? 0 : suspect.checks + 1
    if (suspect.checks < SILENT_CHECKS) return
    suspects.delete(client)
    log.warn({}, 'the database did not reply over a connection after an interruption; it was closed')
    destroy(client)
  }

  async function watch(): Promise<void> {
    if (isWatching) return
    isWatching = true
    while (suspects.size > 0 && performance.now() < until) {
      await sleep(CHECK_EVERY_MS, undefined, { ref: false })
      for (const [client, suspect] of suspects) check(client, suspect)
    }
    isWatching = false
  }

  return {
    add(client: pg.ClientBase): void {
      open.add(client as Client)
      client.once('end', () => {
        open.delete(client as Client)
        suspects.delete(client as Client)
      })
    },
    /**
     * When a connection to the server was lost and is open again, the others may be unusable until they have received
     * something. Not before it is open again: a server that is only suspended runs the statements that it has received, and
     * repeating them could send an email twice.
     */
    suspectAll(): void {
      for (const client of open) {
        const { bytesRead } = client.connection.stream
        if (suspects.get(client)?.bytesRead !== bytesRead) suspects.set(client, { bytesRead, checks: 0 })
      }
      until = performance.now() + WATCH_MS
      void watch()
    },
  }
}

const destroy = (client: pg.ClientBase): void => (client as Client).connection.stream.destroy()

/** Closes the connection if the reply takes too long. */
export async function replyWithin<T>(client: pg.ClientBase, reply: Promise<T>): Promise<T> {
  let hung = setTimeout(() => {
    // If this process was suspended, the reply may have been received but not read yet.
    hung = setTimeout(destroy, CHECK_EVERY_MS, client)
  }, REPLY_WITHIN_MS)
  try {
    return await reply
  } finally {
    clearTimeout(hung)
  }
}

/** For a connection over which nothing else is sent for long. */
export function closeWhenSilent(client: pg.ClientBase): void {
  const ended = new AbortController()
  client.once('end', () => ended.abort())
  async function beat(): Promise<void> {
    for (;;) {
      await pause(BEAT_MS, ended.signal)
      await replyWithin(client, client.query('select')).catch(() => destroy(client))
    }
  }
  beat().catch(() => {}) // the connection has ended
}
