/**
 * Runs the PostgreSQL that comes with Posthorn on the files in DATA_DIR, for one owner at a time. The owner holds an
 * advisory lock in the server itself: the lock ends with its process, so it can't be left behind. A server whose owner
 * was killed is stopped by a worker of that owner, or adopted by the next start; one that exits is restarted.
 */
import { Socket } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { OperatorProblem } from '../../../kernel/errors.ts'
import {
  type Cluster,
  type ClusterOptions,
  type Credentials,
  ensureCluster,
  openCluster,
  readCredentials,
  removeLeftovers,
  resetPassword,
  SERVICE_NAME,
  SUPERUSER,
  saveCredentials,
} from './cluster.ts'
import {
  findPostmaster,
  freePort,
  type Launched,
  launch,
  type Postmaster,
  type ServerProcess,
  type ServerSettings,
  shutDown,
  shutDownNow,
} from './postmaster.ts'
import { refuseOtherMajor } from './version.ts'

export interface EmbeddedPostgres {
  /** URL of the database `posthorn`; its role can create databases but is not a superuser. */
  url: string
  stop(): Promise<void>
  /** Doesn't wait for open transactions; the next start recovers. Can also be called while `stop` is in progress. */
  stopNow(): Promise<void>
}

export interface EmbeddedPostgresOptions extends ClusterOptions {
  dataDir: string
  log?: (line: string) => void
  /** `false` trades safety against power loss for speed, for tests. */
  fsync?: boolean
  settings?: Record<string, string>
  /** Cancels a start; it then rejects with `StartCanceled` and leaves no server behind. */
  canceled?: AbortSignal | undefined
  /** Called when initdb or the server has been started, or the server was found; the caller can do other work until it is ready. */
  onLaunch?: () => void
}

/** Another process owns the DATA_DIR. The message is shown to the operator. */
export class DataDirInUse extends OperatorProblem {
  constructor(dataDir: string) {
    super(`Another Posthorn process is already using DATA_DIR ${dataDir}. Stop it or set another DATA_DIR.`)
    this.name = 'DataDirInUse'
  }
}

class StartCanceled extends OperatorProblem {
  constructor() {
    super('The start was canceled.')
  }
}

const READY_WITHIN_MS = 60_000
const POLL_MS = 25
const RETRY_MS = 250
/** The session of a killed owner ends slightly after the owner; only a running owner counts. */
const REFUSAL_GRACE_MS = 2_000
/** A worker whose main process was killed stops within this time. */
const CLIENTS_LEAVE_WITHIN_MS = 10_000
const LOCK_KEY = 0x706f7374
const STEADY_MS = 60_000
const PAUSE_MAX_MS = 30_000
/** Another start was faster, backends of a killed server are still running, or the port was taken: worth a retry. */
const PASSING = /lock file|shared memory block|TCP\/IP sockets/

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined)
  const server: ServerSettings = { fsync: options.fsync ?? true, settings: options.settings ?? {} }
  const cluster = await openCluster(options.dataDir, options)
  await refuseOtherMajor(cluster)
  const credentials = await readCredentials(cluster.dataDir)
  const { canceled, onLaunch } = options
  await ensureCluster(cluster, credentials.password, server.fsync, onLaunch).catch((error: unknown) => {
    throw canceled?.aborted ? new StartCanceled() : error
  })

  const mayLaunch = () => !canceled?.aborted
  const first = await takeOwnership(cluster, credentials, { server, log, mayLaunch, canceled, onLaunch })
  if (!first) throw new StartCanceled()
  const { port } = first
  if (port !== credentials.port) await saveCredentials(cluster.dataDir, { ...credentials, port })
  await removeLeftovers(cluster.dataDir)

  const reacquire = (mayLaunch: () => boolean, canceled: AbortSignal) =>
    takeOwnership(cluster, credentials, { server, log, mayLaunch, canceled, fixedPort: port })
  return {
    url: `postgres://${SERVICE_NAME}:${credentials.password}@127.0.0.1:${port}/${SERVICE_NAME}`,
    ...keep(cluster, first, reacquire, log),
  }
}

/**
 * Stops the server of an owner that was killed, once the other workers of that owner have disconnected. If another process has
 * adopted the server, nothing happens. One that starts in the meantime waits for the shutdown.
 */
export async function stopAbandonedPostgres(dataDirOption: string): Promise<void> {
  const dataDir = resolve(dataDirOption)
  if (!(await findPostmaster(join(dataDir, 'postgres')))?.alive) return
  const cluster = await openCluster(dataDir)
  const credentials = await readCredentials(dataDir)
  const options = { server: { fsync: true, settings: {} }, log: () => undefined, mayLaunch: () => false }
  for (const deadline = Date.now() + CLIENTS_LEAVE_WITHIN_MS; ; await sleep(RETRY_MS)) {
    const owned = await takeOwnership(cluster, credentials, options).catch((error: unknown) => {
      if (!(error instanceof DataDirInUse)) throw error
    })
    if (!owned) return
    const clients = await owned.session.query(`select from pg_stat_activity where usename = '${SERVICE_NAME}'`)
    const isAbandoned = clients.rowCount === 0 || Date.now() > deadline
    if (isAbandoned) await shutDown(cluster, owned.server)
    await owned.session.end()
    if (isAbandoned) return
  }
}

interface Owned {
  port: number
  server: ServerProcess
  session: pg.Client
  socket: Socket
  /** Resolves when the session that holds the lock has ended, which happens immediately when the server exits. */
  lost: Promise<void>
  launched?: Launched
}

interface OwnershipOptions {
  server: ServerSettings
  log: (line: string) => void
  /** Checked before each launch: during a shutdown, a running server is looked for but none is started. */
  mayLaunch: () => boolean
  canceled?: AbortSignal
  onLaunch?: () => void
  fixedPort?: number
}

/**
 * Connects to the cluster's server, starting it if necessary, and takes the lock. Undefined if none runs and none
 * should be started.
 */
async function takeOwnership(
  cluster: Cluster,
  credentials: Credentials,
  { server, log, mayLaunch, canceled, onLaunch, fixedPort }: OwnershipOptions,
): Promise<Owned | undefined> {
  const deadline = Date.now() + READY_WITHIN_MS
  let preferredPort = credentials.port
  let launched: Launched | undefined
  let refusedSince: number | undefined
  let problem = ''
  const announceLaunch = once(() => onLaunch?.())
  while (Date.now() < deadline) {
    if (canceled?.aborted) {
      if (launched?.server && !launched.hasExited()) await shutDownNow(cluster, launched.server)
      return undefined
    }
    const found = await findPostmaster(cluster.folder)
    if (found?.alive) {
      announceLaunch()
      const attempt = await tryToLock(found.port, credentials.password)
      const own = launched?.server?.pid === found.pid
      if (attempt.outcome === 'locked') {
        log(
          own
            ? `PostgreSQL listens on 127.0.0.1:${found.port}.`
            : `Using the running PostgreSQL server with pid ${found.pid}.`,
        )
        return { ...attempt, port: found.port, server: found, launched: own ? launched : undefined }
      }
      if (attempt.outcome === 'not-ready') {
        problem = attempt.problem
        refusedSince = undefined
      } else if (attempt.outcome === 'wrong-password' && own) {
        await regainAccess(cluster, credentials.password, launched!)
        launched = undefined
        log('postgres.json was missing, so the PostgreSQL password was reset.')
      } else {
        refusedSince ??= Date.now()
        const refusal = attempt.outcome === 'in-use' ? new DataDirInUse(cluster.dataDir) : unknownServer(cluster, found)
        if (Date.now() - refusedSince > REFUSAL_GRACE_MS) throw refusal
      }
    } else if (!launched || launched.hasExited()) {
      if (!mayLaunch()) return undefined
      if (launched) {
        problem = await reasonToRetry(launched, cluster)
        if (problem.includes('TCP/IP')) preferredPort = undefined
        await sleep(RETRY_MS)
      }
      launched = await launch(cluster, fixedPort ?? (await freePort(preferredPort)), server, found)
      announceLaunch()
    }
    await sleep(POLL_MS)
  }
  throw new OperatorProblem(
    `PostgreSQL in ${cluster.folder} was not ready within ${READY_WITHIN_MS / 1000} s (${problem}). ` +
      `See ${cluster.logFile}; if it is still recovering, start again later.`,
  )
}

type LockAttempt =
  | { outcome: 'locked'; session: pg.Client; socket: Socket; lost: Promise<void> }
  | { outcome: 'in-use' | 'wrong-password' }
  | { outcome: 'not-ready'; problem: string }

/** Always in the database `postgres`, because advisory locks are per database. */
async function tryToLock(port: number, password: string): Promise<LockAttempt> {
  const socket = new Socket()
  const session = new pg.Client({
    stream: () => socket,
    ssl: false,
    host: '127.0.0.1',
    port,
    user: SUPERUSER,
    password,
    database: 'postgres',
    application_name: 'posthorn-owner',
    connectionTimeoutMillis: 5_000,
  })
  session.on('error', () => undefined) // its end is what counts
  const lost = new Promise<void>((resolve) => session.once('end', resolve))
  try {
    await session.connect()
    const { rows } = await session.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [LOCK_KEY])
    if (rows[0]?.locked) return { outcome: 'locked', session, socket, lost }
    await session.end()
    return { outcome: 'in-use' }
  } catch (error) {
    await session.end().catch(() => undefined)
    const { code, message } = error as { code?: string; message: string }
    // All other errors are temporary: starting, recovering, shutting down, or stopped since we checked.
    return code === '28P01' ? { outcome: 'wrong-password' } : { outcome: 'not-ready', problem: message }
  }
}

/** The password is set in single-user mode, so the server that was just started must stop first. */
async function regainAccess(cluster: Cluster, password: string, launched: Launched): Promise<void> {
  await shutDown(cluster, launched.server!)
  await launched.ended()
  await resetPassword(cluster, password).catch((error: Error) => {
    if (!PASSING.test(error.message)) throw error // another start may do the same
  })
}

const unknownServer = (cluster: Cluster, { pid }: Postmaster) =>
  new OperatorProblem(
    `A PostgreSQL server (process ${pid}) is running on ${cluster.folder}, but postgres.json next to it does not ` +
      'contain its password. Stop the Posthorn process that uses it, or that server, and start again.',
  )

async function reasonToRetry(launched: Launched, cluster: Cluster): Promise<string> {
  if (launched.wasEnded()) return 'the server was stopped while it was starting'
  const complaint = await launched.complaint()
  if (PASSING.test(complaint)) return complaint
  throw new OperatorProblem(`PostgreSQL did not start: ${complaint || 'no reason was given.'} See ${cluster.logFile}.`)
}

/** Keeps the server running until it is stopped: if the lock is lost, takes it again. */
function keep(
  cluster: Cluster,
  first: Owned,
  reacquire: (mayLaunch: () => boolean, canceled: AbortSignal) => Promise<Owned | undefined>,
  log: (line: string) => void,
): Pick<EmbeddedPostgres, 'stop' | 'stopNow'> {
  const stopping = new AbortController()
  const stoppingNow = new AbortController()
  let { server } = first
  let owned: Owned | undefined
  let recovery: Promise<void> | undefined
  let pauseMs = 0

  function hold(acquired: Owned): void {
    const since = Date.now()
    owned = acquired
    server = acquired.server
    acquired.socket.unref() // must not keep the process running
    void acquired.lost.then(() => {
      if (stopping.signal.aborted) return
      owned = undefined
      pauseMs = Date.now() - since > STEADY_MS ? 0 : nextPause(pauseMs)
      log('The connection to PostgreSQL was lost.')
      recovery = recover()
    })
  }

  async function recover(): Promise<void> {
    for (;;) {
      await sleep(pauseMs, undefined, { ref: false, signal: stopping.signal }).catch(() => undefined)
      try {
        const acquired = await reacquire(() => !stopping.signal.aborted, stoppingNow.signal)
        if (acquired) return hold(acquired)
      } catch (error) {
        log((error as Error).message)
      }
      if (stopping.signal.aborted) return
      pauseMs = nextPause(pauseMs)
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await recovery
    if (!owned) return // it is down, or owned by another process
    // The lock is held to the end: a process that starts in the meantime waits for the shutdown instead of adopting a
    // server that is stopping.
    await shutDown(cluster, owned.server)
    await owned.launched?.ended()
    owned.socket.ref()
    await owned.session.end()
  }

  hold(first)
  let stopped: Promise<void> | undefined
  return {
    stop: () => {
      stopped ??= stop()
      return stopped
    },
    async stopNow() {
      stopping.abort()
      stoppingNow.abort() // stops a server that is being restarted
      await shutDownNow(cluster, server)
      await recovery
    },
  }
}

const nextPause = (pauseMs: number) => Math.min(Math.max(pauseMs * 2, 100), PAUSE_MAX_MS)

function once(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}
