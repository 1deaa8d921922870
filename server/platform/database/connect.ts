/**
 * The connection pool and Kysely on top of it. A statement that begins with a comment such as
 * `/* track-event *\/` is prepared under that name once per connection, so hot statements are planned once.
 */
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import type { Log } from '../log.ts'
import { type Listening, type ListenOptions, listen } from './listen.ts'
import { readMoment } from './moments.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>
export type Tx = Transaction<Tables>

pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readMoment)

const NAMED = /^\s*\/\* ([a-z-]+) \*\//

/** A client that prepares statements under the name in their comment. */
class NamingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own method has nine overloads; we only look at the first argument.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args
    const name = typeof text === 'string' ? NAMED.exec(text)?.[1] : undefined
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const query = super.query as any
    return name ? query.call(this, { name, text, values }, ...rest) : query.apply(this, args)
  }
}

export interface OpenDatabase {
  db: Database
  pool: pg.Pool
  /** On a separate connection. */
  listen(options: Omit<ListenOptions, 'log'>): Promise<Listening>
  close(): Promise<void>
}

export interface ConnectOptions {
  url: string
  poolSize: number
  log: Log
  /** For a process that only serves requests: a statement that takes longer, or waits longer for a lock, fails. */
  patience?: { statementMs: number; lockMs: number }
}

export function openDatabase({ url, poolSize, log, patience }: ConnectOptions): OpenDatabase {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    Client: NamingClient,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    application_name: 'posthorn',
    ...(patience && { statement_timeout: patience.statementMs, lock_timeout: patience.lockMs }),
  })
  let closing = false
  pool.on('error', (error) => {
    if (!closing) log.warn({ reason: error.message }, 'a database connection was lost')
  })
  // If the server closes a connection in use, only its statement fails; the process must not exit.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    pool,
    listen: (options) => listen(pool, { ...options, log }),
    close() {
      closing = true
      return db.destroy()
    },
  }
}
