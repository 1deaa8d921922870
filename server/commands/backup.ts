/**
 * `posthorn backup FILE`: writes the whole installation to one file: a consistent snapshot of the database,
 * the queue, uploaded images, and the secret that decrypts stored values. The service can keep running.
 */
import { access, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { countOf } from '../kernel/errors.ts'
import { type BackupLine, BackupProblem, type BackupSchema, writeBackupFile } from '../platform/backup-file.ts'
import { listMonths, listTables, readRows, setTextFormat } from '../platform/database/schema/copy-tables.ts'
import { QUEUE_MIGRATION, readJobs } from '../platform/queue/job-table.ts'
import { loadSecret } from '../platform/secrets.ts'
import { openStorage } from '../platform/storage/open-storage.ts'
import { VERSION } from '../platform/version.ts'
import type { Settings } from '../settings/config.ts'
import { readEnvironment, readSettings } from '../settings/read-settings.ts'
import { withDatabaseUrl } from './open-database.ts'

type Put = (line: BackupLine) => Promise<void>

export interface BackupCount {
  tables: number
  rows: number
  jobs: number
  uploads: number
  /** Images that are listed in the database but missing from storage. */
  missingUploads: number
}

export async function backup(settings: Settings, file: string): Promise<BackupCount> {
  await requireInstallation(settings)
  return withDatabaseUrl(settings, async (url) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      const count: BackupCount = { tables: 0, rows: 0, jobs: 0, uploads: 0, missingUploads: 0 }
      await setTextFormat(client)
      await client.query('begin isolation level repeatable read, read only')
      await writeBackupFile(file, async (put) => {
        await putHeader(client, put)
        await putFiles(settings, put)
        await putTables(client, put, count)
        await putUploads(client, settings, put, count)
      })
      return count
    } finally {
      await client.end()
    }
  })
}

/** A typo in DATA_DIR must not create a new, empty installation and a backup of it. */
async function requireInstallation({ DATABASE_URL, DATA_DIR }: Settings): Promise<void> {
  if (DATABASE_URL) return
  await access(path.join(DATA_DIR, 'postgres')).catch(() => {
    throw new BackupProblem(`There is no database in DATA_DIR (${DATA_DIR}), so there is nothing to back up.`)
  })
}

/** Which migrations were applied, and the months into which tables are split; undefined if the database is empty. */
export async function readSchema(client: pg.Client): Promise<BackupSchema | undefined> {
  const { rows: found } = await client.query("select to_regclass('public.migrations') as migrations")
  if (!found[0].migrations) return undefined
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name')
  return { migrations: rows.map((row) => row.name), months: await listMonths(client) }
}

async function putHeader(client: pg.Client, put: Put): Promise<void> {
  const schema = await readSchema(client)
  if (!schema) throw new BackupProblem('The database is empty, so there is nothing to back up.')
  if (!schema.migrations.includes(QUEUE_MIGRATION)) {
    throw new BackupProblem(
      'The database was created by an older version of Posthorn. Back it up with that version, or start this version once to upgrade it.',
    )
  }
  await put({ kind: 'posthorn-backup', form: 1, version: VERSION, madeAt: new Date().toISOString(), ...schema })
}

async function putFiles(settings: Settings, put: Put): Promise<void> {
  await put({ kind: 'file', name: 'secret', text: await loadSecret(settings.SECRET, settings.DATA_DIR) })
  const firstRun = await readFile(path.join(settings.DATA_DIR, 'first-run.json'), 'utf8').catch(() => undefined)
  if (firstRun !== undefined) await put({ kind: 'file', name: 'first-run.json', text: firstRun })
}

async function putTables(client: pg.Client, put: Put, count: BackupCount): Promise<void> {
  for (const table of await listTables(client)) {
    await put({ kind: 'table', ...table })
    count.tables++
    for await (const rows of readRows(client, table)) {
      for (const row of rows) await put({ kind: 'row', row })
      count.rows += rows.length
    }
  }
  for await (const job of readJobs(client)) {
    await put({ kind: 'job', job })
    count.jobs++
  }
}

async function putUploads(client: pg.Client, settings: Settings, put: Put, count: BackupCount): Promise<void> {
  const storage = openStorage(settings)
  const { rows } = await client.query<{ key: string; type: string }>(
    'select storage_key as key, content_type as type from uploads order by project_id, id',
  )
  for (const { key, type } of rows) {
    const stored = await storage.get(key)
    if (!stored) {
      count.missingUploads++
      continue
    }
    const content = Buffer.concat(await stored.content.toArray()).toString('base64')
    await put({ kind: 'upload', key, contentType: type, content })
    count.uploads++
  }
}

export async function runBackup([file]: string[]): Promise<void> {
  if (!file) throw new BackupProblem('Usage: posthorn backup FILE (in a checkout: npm run backup -- FILE)')
  const settings = readSettings(readEnvironment())
  const { rows, jobs, uploads, missingUploads } = await backup(settings, path.resolve(file))
  const missing =
    missingUploads > 0
      ? ` Not included, because the image store no longer has them: ${countOf(missingUploads, 'image')}.`
      : ''
  process.stdout.write(
    `Wrote ${file}: ${countOf(rows, 'row')}, ${countOf(jobs, 'pending job')}, ${countOf(uploads, 'image')}.${missing} The file contains secrets; store it securely.\n`,
  )
}
