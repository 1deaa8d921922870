/**
 * The server process of a cluster: finds, starts and stops it. It is started in a separate session, so that Ctrl-C in a
 * terminal reaches only this process, which decides when the server stops; the server keeps running if this process is
 * killed.
 */
import { execFile, spawn } from 'node:child_process'
import { open, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { OperatorProblem } from '../../../kernel/errors.ts'
import { type Cluster, onCluster } from './cluster.ts'

const run = promisify(execFile)

const LOG_MAX_BYTES = 10 * 1024 * 1024
const FAST_SHUTDOWN_MS = 30_000
const IMMEDIATE_SHUTDOWN_MS = 1_000
const KILL_MS = 500

/** A process and the mark on its command line, which names the cluster that it serves. */
export interface ServerProcess {
  pid: number
  mark: string
}

/** The content of `postmaster.pid`, and whether that process is the server of this cluster. */
export interface Postmaster extends ServerProcess {
  port: number
  alive: boolean
}

export async function findPostmaster(folder: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Math.abs(Number(lines[0])) // negative: a single-user session
  const port = Number(lines[3])
  const mark = await markOf(folder).catch(() => undefined) // the folder was deleted
  if (!pid || !port || !mark) return undefined
  return { pid, port, mark, alive: await isServing({ pid, mark }) }
}

/**
 * After a crash or a reboot the pid may belong to any program, or to a zombie process. Our servers have the identity of
 * their folder on the command line, which root can read in a container without further capabilities (unlike
 * /proc/<pid>/cwd), and which a process that exited no longer has. It is read once, when the server is started or
 * found, so it identifies the server even after its folder was deleted.
 */
async function isServing({ pid, mark }: ServerProcess): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  if (process.platform === 'win32') return true // PostgreSQL checks only its own processes there
  const commandLine =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]).then(
          ({ stdout }) => stdout,
          () => '',
        )
  return commandLine.split(/[\0\s]/).includes(mark)
}

async function markOf(folder: string): Promise<string> {
  const { dev, ino } = await stat(folder, { bigint: true })
  return `posthorn.cluster=${dev}-${ino}`
}

export interface ServerSettings {
  fsync: boolean
  settings: Record<string, string>
}

/** For a small machine with many connections; the caller's settings take precedence. */
function settingsFor(port: number, { fsync, settings }: ServerSettings): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    cluster_name: 'posthorn',
    max_connections: '100',
    shared_buffers: '128MB',
    effective_cache_size: '512MB',
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    max_wal_size: '1GB',
    max_locks_per_transaction: '128', // a statement over a table partitioned by month locks every partition and index
    random_page_cost: '1.1',
    jit: 'off', // our statements are short: compiling them costs more than it saves
    timezone: 'UTC',
    log_timezone: 'UTC',
    lc_messages: 'C',
    log_checkpoints: 'off',
    // Ends queries of an owner that was killed, which would otherwise block the next start.
    ...(process.platform === 'linux' && { client_connection_check_interval: '5s' }),
    ...(!fsync && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...settings,
  }
}

export interface Launched {
  /** Absent if it could not be started at all. */
  server: ServerProcess | undefined
  hasExited(): boolean
  /** Ended by a signal or a shutdown instead of an error. */
  wasEnded(): boolean
  ended(): Promise<void>
  /** The part of its log since it was started that explains why it ended. */
  complaint(): Promise<string>
}

/** Starts the server; `stale` is the content of a pid file that names no server of this cluster. */
export async function launch(
  cluster: Cluster,
  port: number,
  options: ServerSettings,
  stale?: Postmaster,
): Promise<Launched> {
  const { dataArguments, spawnOptions } = onCluster(cluster, cluster.folder)
  const settings = Object.entries(settingsFor(port, options)).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const mark = await markOf(cluster.folder)
  // PostgreSQL won't start while postmaster.pid names a running process, unless that process is one of its ancestors.
  // This marks it as such, and leaves the other checks (orphaned backends) and the removal of the file to PostgreSQL.
  const env = { ...spawnOptions.env, ...(stale && { PG_GRANDPARENT_PID: String(stale.pid) }) }

  const log = await open(cluster.logFile, 'a', 0o600)
  if ((await log.stat()).size > LOG_MAX_BYTES) await log.truncate()
  const logStart = (await log.stat()).size
  const child = spawn(cluster.binaries.postgres, [...dataArguments, '-c', mark, ...settings], {
    ...spawnOptions,
    env,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  })
  child.unref()
  let exited = false
  let failure = ''
  const exit = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', (error) => {
      failure = error.message
      resolve()
    })
  }).then(() => {
    exited = true
  })
  await log.close()
  return {
    server: child.pid === undefined ? undefined : { pid: child.pid, mark },
    hasExited: () => exited,
    wasEnded: () => child.signalCode !== null || child.exitCode === 0,
    ended: () => {
      child.ref() // keeps the process running while something waits for the end of the server
      return exit
    },
    complaint: async () => failure || (await readComplaints(cluster.logFile, logStart)),
  }
}

async function readComplaints(logFile: string, from: number): Promise<string> {
  const log = await readFile(logFile)
  const lines = log.subarray(from).toString('utf8').split('\n')
  return lines.flatMap((line) => /\b(?:FATAL|PANIC|DETAIL|HINT): +(.*)/.exec(line)?.[1] ?? []).join(' ')
}

/** Fast shutdown: open transactions are rolled back, everything is written. If that hangs, the next start recovers. */
export async function shutDown(cluster: Cluster, server: ServerProcess): Promise<void> {
  if (!(await requestShutdown(cluster, server, 'fast', FAST_SHUTDOWN_MS))) await shutDownNow(cluster, server)
}

/** Immediate shutdown, and kill -9 for a server that ignores it. */
export async function shutDownNow(cluster: Cluster, server: ServerProcess): Promise<void> {
  if (await requestShutdown(cluster, server, 'immediate', IMMEDIATE_SHUTDOWN_MS)) return
  sendSignal(server.pid, 'SIGKILL')
  if (await isGoneWithin(KILL_MS, server)) return
  throw new OperatorProblem(`PostgreSQL (process ${server.pid}) did not stop. See ${cluster.logFile}.`)
}

async function requestShutdown(
  cluster: Cluster,
  server: ServerProcess,
  mode: 'fast' | 'immediate',
  withinMs: number,
): Promise<boolean> {
  if (!(await isServing(server))) return true // by now the pid may belong to another program
  if (process.platform === 'win32') {
    // Windows has no signals; pg_ctl uses the server's pipe.
    await run(cluster.binaries.pgCtl, ['stop', '-D', cluster.folder, '-m', mode, '-W']).catch(() => undefined)
  } else {
    sendSignal(server.pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
  }
  return isGoneWithin(withinMs, server)
}

async function isGoneWithin(ms: number, server: ServerProcess): Promise<boolean> {
  for (const deadline = Date.now() + ms; Date.now() < deadline; await sleep(10)) {
    if (!(await isServing(server))) return true
  }
  return false
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // otherwise it has already exited
  }
}

/** The preferred port if it is free, otherwise one that the system assigns. */
export async function freePort(preferred?: number): Promise<number> {
  return (preferred && (await tryPort(preferred))) || (await tryPort(0)) || Promise.reject(noPort())
}

const noPort = () => new OperatorProblem('No TCP port is free on 127.0.0.1 for the embedded PostgreSQL.')

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(address && typeof address === 'object' ? address.port : undefined))
    })
  })
}
