/**
 * Runs the PostgreSQL that comes with Posthorn on the files in DATA_DIR, for one owner at a time.
 * The owner is whoever holds an advisory lock in the server itself: the lock ends with its process, however that ends,
 * so nothing stale can be left behind. A server that outlived its owner is adopted; one that dies is started again.
 */
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { OperatorProblem } from '../../kernel/errors.ts'
import {
  type Cluster,
  type Credentials,
  ensureCluster,
  openCluster,
  readCredentials,
  removeLeftovers,
  resetPassword,
  SERVICE_NAME,
  SUPERUSER,
  saveCredentials,
} from './embedded-postgres-cluster.ts'
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
} from './embedded-postgres-postmaster.ts'

export interface EmbeddedPostgres {
  /** Of the database `posthorn`; its role may create databases but is no superuser. */
  url: string
  stop(): Promise<void>
  /** Without waiting for open transactions; the next start recovers. Also while `stop` is under way. */
  stopNow(): Promise<void>
}

export interface EmbeddedPostgresOptions {
  dataDir: string
  log?: (line: string) => void
  /** `false` trades safety against power loss for speed: for tests. */
  fsync?: boolean
  settings?: Record<string, string>
  /** Ends a start under way; it then rejects with `StartCanceled` and leaves no server behind. */
  canceled?: AbortSignal
  /** Called when the server process has been started, or was found running: the time until it is ready is free. */
  onLaunch?: () => void
}

/** Another process owns the DATA_DIR. The message is a sentence for the person who started us. */
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
/** A killed owner's session ends a moment after the owner; a refusal must be about a living one. */
const REFUSAL_GRACE_MS = 2_000
const LOCK_KEY = 0x706f7374
const STEADY_MS = 60_000
const PAUSE_MAX_MS = 30_000
/** Another start was faster, backends of a killed server still run, or the port was taken: worth another try. */
const PASSING = /lock file|shared memory block|TCP\/IP sockets/

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const log = options.log ?? (() => undefined)
  const server: ServerSettings = { fsync: options.fsync ?? true, settings: options.settings ?? {} }
  const cluster = await openCluster(options.dataDir, options.canceled)
  const credentials = await readCredentials(cluster.dataDir)
  await ensureCluster(cluster, credentials.password, server.fsync).catch((error: unknown) => {
    throw options.canceled?.aborted ? new StartCanceled() : error
  })

  const { canceled, onLaunch } = options
  const mayLaunch = () => !canceled?.aborted
  const first = await takeOwnership(cluster, credentials, { server, log, mayLaunch, canceled, onLaunch })
  if (!first) throw new StartCanceled()
  const { port } = first
  if (port !== credentials.port) await saveCredentials(cluster.dataDir, { ...credentials, port })
  await removeLeftovers(cluster.dataDir)

  const takeAgain = (mayLaunch: () => boolean, canceled: AbortSignal) =>
    takeOwnership(cluster, credentials, { server, log, mayLaunch, canceled, fixedPort: port })
  return {
    url: `postgres://${SERVICE_NAME}:${credentials.password}@127.0.0.1:${port}/${SERVICE_NAME}`,
    ...keep(cluster, first, takeAgain, log),
  }
}

interface Owned {
  port: number
  server: ServerProcess
  session: pg.Client
  socket: Socket
  /** Resolves when the session that holds the lock has ended, which it does at once when the server dies. */
  lost: Promise<void>
  launched?: Launched
}

interface OwnershipOptions {
  server: ServerSettings
  log: (line: string) => void
  /** Asked before each launch: someone who is stopping looks for a server but starts none. */
  mayLaunch: () => boolean
  canceled?: AbortSignal
  onLaunch?: () => void
  fixedPort?: number
}

/** Connects to the cluster's server, starting it if need be, and takes the lock. Absent: none runs, none was wanted. */
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
        const refusal = attempt.outcome === 'held' ? new DataDirInUse(cluster.dataDir) : unknownServer(cluster, found)
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
  | { outcome: 'held' | 'wrong-password' }
  | { outcome: 'not-ready'; problem: string }

/** Always in the database `postgres`: advisory locks of different databases don't see each other. */
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
    return { outcome: 'held' }
  } catch (error) {
    await session.end().catch(() => undefined)
    const { code, message } = error as { code?: string; message: string }
    // Everything else passes: still starting or recovering, shutting down, or gone since we looked.
    return code === '28P01' ? { outcome: 'wrong-password' } : { outcome: 'not-ready', problem: message }
  }
}

/** The password is set in single-user mode, so the server that we started just now must make room. */
async function regainAccess(cluster: Cluster, password: string, launched: Launched): Promise<void> {
  await shutDown(cluster, launched.server!)
  await launched.ended()
  await resetPassword(cluster, password).catch((error: Error) => {
    if (!PASSING.test(error.message)) throw error // else another start has the same idea
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

/** Holds on to the server until it is stopped: whenever the lock is lost, takes it again. */
function keep(
  cluster: Cluster,
  first: Owned,
  takeAgain: (mayLaunch: () => boolean, canceled: AbortSignal) => Promise<Owned | undefined>,
  log: (line: string) => void,
): Pick<EmbeddedPostgres, 'stop' | 'stopNow'> {
  const stopping = new AbortController()
  const stoppingNow = new AbortController()
  let { server } = first
  let owned: Owned | undefined
  let recovery: Promise<void> | undefined
  let pauseMs = 0

  function hold(taken: Owned): void {
    const since = Date.now()
    owned = taken
    server = taken.server
    taken.socket.unref() // must not keep the process running
    void taken.lost.then(() => {
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
        const taken = await takeAgain(() => !stopping.signal.aborted, stoppingNow.signal)
        if (taken) return hold(taken)
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
    if (!owned) return // it is down, or someone else's by now
    // The lock is held to the end: whoever starts meanwhile waits for the shutdown instead of adopting a dying server.
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
      stoppingNow.abort() // ends a server that is being started again
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
