/**
 * `posthorn restore FILE`: fills an empty installation from a backup, all or nothing, in the schema of the backup; the
 * next start migrates it. `posthorn restore --continue` resumes its workflows.
 */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { makePartitions } from '../features/operations/retention/partition-queries.ts'
import { countOf } from '../kernel/errors.ts'
import { type BackupLine, BackupProblem, type BackupSchema, readBackupFile } from '../platform/backup-file.ts'
import { openDatabase } from '../platform/database/connection/connect.ts'
import { listTables, setTextFormat, setTriggers, tableWriter } from '../platform/database/schema/copy-tables.ts'
import { migrate, migrationNames } from '../platform/database/schema/migrate.ts'
import { openLog } from '../platform/log.ts'
import {
  JOB_NAMES_MIGRATION,
  publishCatalogue,
  publishFormerName,
  QUEUE_MIGRATION,
  writeJobs,
} from '../platform/queue/job-table.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import type { Settings } from '../settings/config.ts'
import { readEnvironment, readSettings } from '../settings/read-settings.ts'
import { withDatabaseUrl } from './open-database.ts'
import {
  deleteRestoreReport,
  describeRestore,
  isSkipped,
  pauseEverything,
  type RestoreReport,
  resumeWorkflows,
  saveRestoreReport,
} from './restore-pauses.ts'

type Header = Extract<BackupLine, { kind: 'posthorn-backup' }>

export async function restore(settings: Settings, file: string): Promise<RestoreReport> {
  await requireWhole(file)
  const lines = readBackupFile(file)
  const header = await headerOf(lines, file)
  await mkdir(settings.DATA_DIR, { recursive: true, mode: 0o700 })
  return withDatabaseUrl(settings, async (url) => {
    await refuseNonEmpty(url)
    await createTables(url, header)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      await setTextFormat(client)
      await client.query('begin')
      const tables = await listTables(client)
      await setTriggers(client, tables, 'disable')
      await load(client, settings, lines, new Set(tables.map(({ table }) => table)))
      await setTriggers(client, tables, 'enable')
      const report = await pauseEverything(client, header.madeAt, new Date())
      await saveRestoreReport(settings.DATA_DIR, report)
      await client.query('commit')
      return report
    } finally {
      await client.end()
    }
  })
}

/** Reads every line before anything is written. */
async function requireWhole(file: string): Promise<void> {
  let columns: number | undefined
  for await (const line of readBackupFile(file)) {
    if (line.kind === 'table') columns = line.columns.length
    else if (line.kind !== 'row') columns = undefined
    else if (line.row.length !== columns) throw new BackupProblem(`${file} is damaged: a row doesn't match its table.`)
  }
}

async function headerOf(lines: AsyncGenerator<BackupLine>, file: string): Promise<Header> {
  const header: BackupLine | undefined = (await lines.next()).value
  if (header?.kind !== 'posthorn-backup') throw new BackupProblem(`${file} is not a Posthorn backup.`)
  const known = await migrationNames()
  if (header.form !== 1 || header.migrations.some((name) => !known.includes(name))) {
    throw new BackupProblem(
      `${file} was created by a newer version of Posthorn (${header.version}). Update Posthorn, then restore.`,
    )
  }
  return header
}

/** Existing data is never overwritten. */
async function refuseNonEmpty(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query("select to_regclass('public.migrations') as migrations")
    if (!rows[0].migrations) return
    const filled = await client.query(
      "select to_regclass('public.users') is not null and exists (select from users) as filled",
    )
    if (filled.rows[0].filled) {
      throw new BackupProblem('This installation is in use. Restore into an empty DATA_DIR, or an empty database.')
    }
  } finally {
    await client.end()
  }
}

/** In an empty database. The jobs table is required even if the backup is older than it. */
export async function createTables(url: string, schema: BackupSchema): Promise<void> {
  await migrate(url, [...schema.migrations, QUEUE_MIGRATION])
  const database = openDatabase({ url, poolSize: 2, log: openLog({ level: 'silent', format: 'json' }) })
  try {
    await publishCatalogue(database.pool)
    if (!schema.migrations.includes(JOB_NAMES_MIGRATION)) {
      await publishFormerName(database.pool)
    }
    for (const month of schema.months) await makePartitions(database.db, new Date(`${month}-01T00:00:00Z`))
  } finally {
    await database.close()
  }
}

async function load(
  client: pg.Client,
  settings: Settings,
  lines: AsyncGenerator<BackupLine>,
  tables: Set<string>,
): Promise<void> {
  const storage = openStorage(settings)
  let writer: Awaited<ReturnType<typeof tableWriter>> | undefined
  for await (const line of lines) {
    if (line.kind === 'row') {
      await writer!.add(line.row)
      continue
    }
    await writer?.flush()
    if (line.kind === 'table' && !tables.has(line.table)) {
      throw new BackupProblem(`The backup has a table ${line.table}, which Posthorn does not have.`)
    }
    writer = line.kind === 'table' ? await tableWriter(client, line) : undefined
    if (line.kind === 'file') await restoreFile(settings, line)
    if (line.kind === 'job' && !isSkipped(line.job)) await writeJobs(client, [line.job])
    if (line.kind === 'upload') await storage.put(line.key, Buffer.from(line.content, 'base64'), line.contentType)
  }
  await writer?.flush()
}

async function restoreFile(
  { SECRET, DATA_DIR }: Settings,
  { name, text }: Extract<BackupLine, { kind: 'file' }>,
): Promise<void> {
  if (name === 'secret' && SECRET) {
    if (SECRET !== text) {
      throw new BackupProblem("SECRET differs from the backup's. Set it to the same value, or leave it empty.")
    }
    return
  }
  const file = path.join(DATA_DIR, name)
  await writeFile(file, text, { mode: 0o600 })
  await chmod(file, 0o600)
}

/** Returns how many executions were resumed. */
export async function continueWorkflows(settings: Settings): Promise<number> {
  return withDatabaseUrl(settings, async (url) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      const resumed = await resumeWorkflows(client)
      await deleteRestoreReport(settings.DATA_DIR)
      return resumed
    } finally {
      await client.end()
    }
  })
}

export async function runRestore([argument]: string[]): Promise<void> {
  if (!argument) {
    throw new BackupProblem(
      'Usage: posthorn restore FILE, then posthorn restore --continue (in a checkout: npm run restore -- FILE)',
    )
  }
  const settings = readSettings(readEnvironment())
  const text =
    argument === '--continue'
      ? `Resumed ${countOf(await continueWorkflows(settings), 'workflow execution')}.`
      : describeRestore(await restore(settings, path.resolve(argument)))
  process.stdout.write(`${text}\n`)
}
