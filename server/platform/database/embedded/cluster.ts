/**
 * The files in DATA_DIR: `postgres/` (the cluster), `postgres.json` (port and password) and `postgres.log`. Each
 * appears completely or not at all, so a start that is killed at any time leaves nothing incomplete, and two concurrent
 * first starts agree on one cluster and one password.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  lchown,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { OperatorProblem } from '../../../kernel/errors.ts'
import { type Binaries, findBinaries, type ServerUser, serverUser } from './binaries.ts'

const run = promisify(execFile)

/** The service's role and database. The superuser `postgres` is used only by this code. */
export const SERVICE_NAME = 'posthorn'
export const SUPERUSER = 'postgres'

export interface Cluster {
  /** Stops programs that set up the cluster. */
  canceled?: AbortSignal | undefined
  dataDir: string
  folder: string
  logFile: string
  user: ServerUser
  binaries: Binaries
}

export interface Credentials {
  /** The port of the last start; the pid file of a running server takes precedence. */
  port?: number
  password: string
}

export interface ClusterOptions {
  canceled?: AbortSignal | undefined
  /** The folder with PostgreSQL's `bin`, `lib` and `share`, if not the one that comes with Posthorn. */
  native?: string | undefined
  /** The user that PostgreSQL runs as, if there is no cluster yet. */
  user?: ServerUser | undefined
}

export async function openCluster(dataDirOption: string, options: ClusterOptions = {}): Promise<Cluster> {
  const { canceled, native } = options
  const dataDir = resolve(dataDirOption)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const folder = join(dataDir, 'postgres')
  const user = options.user ?? serverUser(folder)
  const binaries = await findBinaries(dataDir, user, native)
  return { dataDir, folder, logFile: join(dataDir, 'postgres.log'), user, binaries, canceled }
}

/**
 * How to spawn a program that works on a cluster folder. The user it runs as may not be able to enter the parents of
 * DATA_DIR. But a working directory stays usable once it is entered: we enter it as root before the child changes its
 * uid, and Linux's `/proc/self/cwd` names it without checking the parents. PostgreSQL never leaves its folder, so the
 * name is valid for its backends too. Used whenever root starts it. PostgreSQL 15 leaves the working directory to find its
 * own programs and can't return, so its user must be able to enter the parents.
 */
export function onCluster(cluster: Cluster, folder: string) {
  const throughCwd = cluster.user.uid !== undefined && process.platform === 'linux' && cluster.binaries.major > 15
  return {
    dataArguments: ['-D', throughCwd ? '/proc/self/cwd' : folder],
    // A minimal environment, because ours contains secrets. We parse messages, so translations are disabled.
    spawnOptions: { ...cluster.user, cwd: folder, windowsHide: true, env: { LC_ALL: 'C', TZ: 'UTC' } },
  }
}

/** The stored password, or a new one. The first process that links the file decides, even if several start at once. */
export async function readCredentials(dataDir: string): Promise<Credentials> {
  const file = join(dataDir, 'postgres.json')
  const known = await parseCredentials(file)
  if (known === 'damaged') await rm(file, { force: true })
  else if (known) return known
  const made = await writeBeside(file, { password: randomBytes(24).toString('base64url') })
  await link(made, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(made)
  return readCredentials(dataDir)
}

export async function saveCredentials(dataDir: string, credentials: Credentials): Promise<void> {
  const file = join(dataDir, 'postgres.json')
  await rename(await writeBeside(file, credentials), file)
}

/** A damaged file counts as lost: a new password is created and set in the cluster before the server is used. */
async function parseCredentials(file: string): Promise<Credentials | 'damaged' | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    const { port, password } = JSON.parse(text) as { port?: unknown; password?: unknown }
    if (typeof password !== 'string' || !/^[\w-]{16,}$/.test(password)) return 'damaged'
    return { password, port: Number.isInteger(port) ? (port as number) : undefined }
  } catch {
    return 'damaged'
  }
}

async function writeBeside(file: string, credentials: Credentials): Promise<string> {
  const path = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(path, `${JSON.stringify(credentials)}\n`, { mode: 0o600, flag: 'wx' })
  return path
}

const STAGING = 'postgres.new-'

/**
 * Creates the cluster unless it exists: in a temporary folder that is renamed when it is complete. `onLaunch` is called when
 * initdb is running.
 */
export async function ensureCluster(
  cluster: Cluster,
  password: string,
  fsync: boolean,
  onLaunch?: () => void,
): Promise<void> {
  if (await isCluster(cluster.folder)) return adjustOwner(cluster)
  const staging = await mkdtemp(join(cluster.dataDir, STAGING))
  try {
    const { uid, gid } = cluster.user
    if (uid !== undefined && gid !== undefined) await chown(staging, uid, gid)
    const initialized = initdb(cluster, staging, fsync)
    onLaunch?.()
    await initialized
    await runSingleUser(cluster, staging, [
      `alter role ${SUPERUSER} password '${password}'`,
      `create role ${SERVICE_NAME} login createdb password '${password}'`,
      `create database ${SERVICE_NAME} owner ${SERVICE_NAME}`,
    ])
    await rename(staging, cluster.folder)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (await isCluster(cluster.folder)) return // another start was faster
    const { message, stderr } = error as Error & { stderr?: string }
    throw new OperatorProblem(`PostgreSQL could not set up ${cluster.folder}: ${(stderr || message).trim()}`, {
      cause: error,
    })
  }
}

/** Sets the password of a cluster whose `postgres.json` was lost. PostgreSQL ensures that no server runs on it. */
export function resetPassword(cluster: Cluster, password: string): Promise<void> {
  const statements = [SUPERUSER, SERVICE_NAME].map((role) => `alter role ${role} password '${password}'`)
  return runSingleUser(cluster, cluster.folder, statements)
}

/** Deletes what first starts left behind that were killed or were slower than another one. */
export async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    const left = name.startsWith(STAGING) || /^postgres\.json\.[0-9a-f]{12}$/.test(name)
    // An orphaned initdb may still be writing there; then the next start deletes it.
    if (left) await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => undefined)
  }
}

const isCluster = (folder: string) =>
  stat(join(folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  )

/** A DATA_DIR that root copied or restored belongs to root; the folder itself is changed last, to mark completion. */
async function adjustOwner({ folder, user: { uid, gid } }: Cluster): Promise<void> {
  await chmod(folder, 0o700)
  if (uid === undefined || gid === undefined || (await stat(folder)).uid === uid) return
  for (const path of await readdir(folder, { recursive: true })) await lchown(join(folder, path), uid, gid)
  await chown(folder, uid, gid)
}

/**
 * The builtin locale lower-cases all of Unicode and sorts by code point, the same on every machine and without the
 * system's libraries, whose upgrades silently change the order of an index. Before PostgreSQL 17, ICU comes closest: it
 * is part of the package too.
 */
const localeFor = (major: number) => [
  '--encoding=UTF8',
  '--locale=C',
  ...(major >= 17
    ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    : ['--locale-provider=icu', '--icu-locale=und']),
]

async function initdb(cluster: Cluster, folder: string, fsync: boolean): Promise<void> {
  const { dataArguments, spawnOptions } = onCluster(cluster, folder)
  const access = [`--username=${SUPERUSER}`, '--auth-host=scram-sha-256', '--auth-local=reject']
  // One system call for all files, of which there are a thousand.
  const sync = process.platform === 'linux' && cluster.binaries.major >= 17 ? ['--sync-method=syncfs'] : []
  const rest = ['--no-instructions', ...(fsync ? sync : ['--no-sync'])]
  await run(cluster.binaries.initdb, [...dataArguments, ...localeFor(cluster.binaries.major), ...access, ...rest], {
    ...spawnOptions,
    signal: cluster.canceled,
  })
}

/** One statement a line, read from standard input: the password is never in a file or on a command line. */
async function runSingleUser(cluster: Cluster, folder: string, statements: string[]): Promise<void> {
  const { dataArguments, spawnOptions } = onCluster(cluster, folder)
  const quiet = ['-c', 'exit_on_error=on', '-c', 'log_checkpoints=off', '-c', 'log_min_error_statement=panic']
  const running = run(cluster.binaries.postgres, ['--single', ...dataArguments, ...quiet, 'postgres'], {
    ...spawnOptions,
    signal: cluster.canceled,
  })
  running.child.stdin?.on('error', () => undefined) // it ended early; its exit code shows why
  running.child.stdin?.end(`${statements.join('\n')}\n`)
  await running
}
