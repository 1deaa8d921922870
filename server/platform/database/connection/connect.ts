/**
 * The connection pool and Kysely on top of it. A statement that begins with a comment such as
 * `/* track-event *\/` is prepared under that name once per connection, so hot statements are planned once.
 */
import type { EventEmitter } from 'node:events'
import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import pg from 'pg'
import { currentSpan, errorType, type Span, startSpan } from '../../../kernel/tracing.ts'
import type { Log } from '../../log.ts'
import type { Tables } from '../tables.ts'
import { type Listening, type ListenOptions, listen } from './listen.ts'
import { createSilenceWatch } from './silent-connections.ts'

export type Database = Kysely<Tables>
export type Tx = Transaction<Tables>

const parseAnyTimestamp: (text: string) => Date = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, parseTimestamp)

const READ_ONLY = '25006'
const NAMED = /^\s*\/\* ([a-z-]+) \*\//

/** A client that prepares statements under the name in their comment. */
class NamingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own method has nine overloads; we only look at the first argument.
  override query(...args: any[]): any {
    const [text, values, ...rest] = args
    const name = typeof text === 'string' ? NAMED.exec(text)?.[1] : undefined
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    const query = super.query as any
    const given = name ? [{ name, text, values }, ...rest] : args
    const span = currentSpan() && typeof text === 'string' ? startStatementSpan(name, text) : undefined
    return span ? endWith(span, given, (traced) => query.apply(this, traced)) : query.apply(this, given)
  }
}

/** With the name of the statement or its first word, never with its text or its values. */
function startStatementSpan(name: string | undefined, text: string): Span | undefined {
  return startSpan(name ?? /\w+/.exec(text)?.[0]?.toLowerCase() ?? 'statement', {
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': name },
  })
}

/** The driver reports the end to a callback if it is given one, otherwise through a promise. */
function endWith(span: Span, args: unknown[], query: (args: unknown[]) => unknown): unknown {
  const end = (error?: unknown) => {
    if (error) span.fail(errorType(error))
    span.end()
  }
  const done = args.at(-1)
  if (typeof done === 'function') {
    const traced = (error: unknown, result: unknown) => {
      end(error)
      done(error, result)
    }
    return query([...args.slice(0, -1), traced])
  }
  const result = query(args)
  if (result instanceof Promise) result.then(() => end(), end)
  return result
}

export interface OpenDatabase {
  db: Database
  pool: pg.Pool
  /** Listens on a separate connection. */
  listen(options: Omit<ListenOptions, 'log'>): Promise<Listening>
  /** See `createSilenceWatch`. */
  suspectConnections(): void
  close(): Promise<void>
}

export interface ConnectOptions {
  url: string
  poolSize: number
  log: Log
  /** For a process that only serves requests: a statement that takes longer, or waits longer for a lock, fails. */
  timeouts?: { statementMs: number; lockMs: number }
  /** For a standby: writes are refused, even after it was promoted. */
  readOnly?: boolean
}

/**
 * The server ends the sessions of an unreachable machine after 25 seconds, so that its transactions don't keep their
 * locks, and statements whose connection was closed after five. By default that takes hours. Behind a proxy such as
 * PgBouncer, the proxy has to notice it. The last two exist on Linux only; a server on another system would log an error
 * for every connection.
 */
export const DETECT_UNREACHABLE = [
  'set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3',
  `select set_config('tcp_user_timeout', '25000', false), set_config('client_connection_check_interval', '5000', false)
    where version() like '%linux%'`,
].join('; ')

export function openDatabase({ url, poolSize, log, timeouts, readOnly }: ConnectOptions): OpenDatabase {
  // After connecting, because PgBouncer refuses such parameters of a connection.
  const settings = [
    DETECT_UNREACHABLE,
    ...(timeouts ? [`set statement_timeout = ${timeouts.statementMs}; set lock_timeout = ${timeouts.lockMs}`] : []),
    ...(readOnly ? ['set default_transaction_read_only = on'] : []),
  ].join('; ')
  const silence = createSilenceWatch(log)
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    Client: NamingClient,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000, // by default hours: a server that is gone would not be noticed
    application_name: 'posthorn',
    onConnect(client: pg.ClientBase) {
      client.on('error', () => undefined) // if the server closes a connection in use, only its statement fails
      silence.add(client)
      return client.query(settings)
    },
  })
  let closing = false
  pool.on('error', (error) => {
    if (!closing) log.warn({ reason: error.message }, 'a database connection was lost')
  })
  pool.on('connect', (client) => {
    if (!readOnly) leaveStandby(client)
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    pool,
    listen: (options) => listen(pool, { ...options, log }),
    suspectConnections() {
      silence.suspectAll()
      if (closing) return
      for (let idle = pool.idleCount; idle > 0; idle--) pool.query('select').catch(() => {}) // each over another connection
    },
    close() {
      closing = true
      return db.destroy()
    },
  }
}

/** After a failover, a connection to the server that is now a standby is closed, and the next one finds the new primary. */
function leaveStandby(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: EventEmitter }
  connection.on('errorMessage', ({ code }: { code?: string }) => {
    if (code === READ_ONLY) void (client as unknown as pg.Client).end()
  })
}

/** `2026-11-15 17:45:03.123456+00`, with up to six digits of a second or none. */
const USUAL_LENGTH = { least: 22, most: 29 }
const POINT = 46
const ZERO = 48
const PLUS = 43

/**
 * Parses a `timestamptz`. Every row has two or three, and the driver's parser takes most of the time of reading a row, so
 * the usual form is parsed digit by digit. Years before 1000 or after 9999, other time zones and infinity are left to the
 * driver.
 */
export function parseTimestamp(text: string): Date {
  const zone = text.length - 3
  if (!isUsual(text, zone)) return parseAnyTimestamp(text)
  const year = digitPair(text, 0) * 100 + digitPair(text, 2)
  const day = Date.UTC(year, digitPair(text, 5) - 1, digitPair(text, 8))
  const seconds = digitPair(text, 11) * 3600 + digitPair(text, 14) * 60 + digitPair(text, 17)
  return new Date(day + seconds * 1000 + milliseconds(text, zone))
}

/** With a five-digit year, the separators are at other positions. */
const isUsual = (text: string, zone: number): boolean =>
  text.length >= USUAL_LENGTH.least &&
  text.length <= USUAL_LENGTH.most &&
  text.charCodeAt(0) !== ZERO &&
  text.charCodeAt(zone) === PLUS &&
  text.charCodeAt(zone + 1) === ZERO &&
  text.charCodeAt(zone + 2) === ZERO &&
  (zone === 19 || text.charCodeAt(19) === POINT)

const digit = (text: string, at: number): number => text.charCodeAt(at) - ZERO
const digitPair = (text: string, at: number): number => digit(text, at) * 10 + digit(text, at + 1)

/** PostgreSQL omits trailing zeros. */
const milliseconds = (text: string, zone: number): number =>
  (zone > 20 ? digit(text, 20) * 100 : 0) + (zone > 21 ? digit(text, 21) * 10 : 0) + (zone > 22 ? digit(text, 22) : 0)
