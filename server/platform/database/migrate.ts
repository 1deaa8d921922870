/**
 * Brings a database to the newest schema: numbered SQL files, forward only, each in its own transaction.
 * An advisory lock lets many processes start at once; all but one find the work done.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { OperatorProblem } from '../../kernel/errors.ts'
import { SERVER_FOLDER } from '../root.ts'

const MIGRATION_LOCK = 7_067_741
const OLDEST_SERVER = 150000

class UnusableDatabase extends OperatorProblem {}

/** All migrations, or only those named: a backup is loaded into the schema it was made from. */
export async function migrate(url: string, only?: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await refuseOldServer(client)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await applyMissing(client, only)
  } finally {
    await client.end()
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as name",
  )
  if (rows[0].number < OLDEST_SERVER) {
    throw new UnusableDatabase(`DATABASE_URL leads to PostgreSQL ${rows[0].name}; Posthorn needs version 15 or newer.`)
  }
}

async function applyMissing(client: pg.Client, only: string[] | undefined): Promise<void> {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const applied = new Set(rows.map((row) => row.name))
  const known = await migrationNames()

  const unknown = [...applied].filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new UnusableDatabase(
      `The database was made by a newer Posthorn (it has ${unknown.join(', ')}). Update Posthorn, then start again.`,
    )
  }
  for (const name of known) {
    if (!applied.has(name) && (only?.includes(name) ?? true)) await apply(client, name)
  }
}

async function apply(client: pg.Client, name: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query(await readFile(path.join(migrationsFolder, name), 'utf8'))
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new UnusableDatabase(`Migration ${name} failed: ${(error as Error).message}`, { cause: error })
  }
}

const migrationsFolder = path.join(SERVER_FOLDER, 'migrations')

export async function migrationNames(): Promise<string[]> {
  const files = await readdir(migrationsFolder)
  return files.filter((file) => file.endsWith('.sql')).sort()
}
