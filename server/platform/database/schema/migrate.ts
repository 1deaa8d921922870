/**
 * Migrates a database to the newest schema: first the numbered migrations, forward only, each in its own transaction;
 * then the changed SQL files that declare functions and triggers, in one transaction. An advisory lock lets many
 * processes start at once; only one of them does the work. Processes of the previous version can keep running.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { pause } from '../../../kernel/clock.ts'
import { OperatorProblem } from '../../../kernel/errors.ts'
import { SERVER_FOLDER } from '../../root.ts'
import { DETECT_UNREACHABLE } from '../connection/connect.ts'

const MIGRATION_LOCK = 7_067_741
const OLDEST_SERVER = 150000
/** Shorter than PostgreSQL's deadlock_timeout, so that in a deadlock the migration gives way and not a request. */
const LOCK_TIMEOUT_MS = 500
const LOCK_PAUSE_MS = 200
const LOCK_GIVE_UP_MS = 300_000
/** lock_not_available, deadlock_detected */
const LOCK_CODES = ['55P03', '40P01']

/**
 * A new database has more than a hundred commits, each of which would wait for the disk. After a power loss, those that are
 * missing are the last ones, and the next start applies them again. The first commit of another connection writes them all.
 */
const COMMIT_WITHOUT_WAITING = 'set synchronous_commit = off'

class UnusableDatabase extends OperatorProblem {}

/**
 * All migrations, or only the given ones: a backup is loaded into the schema it was made from. SQL files require the
 * newest tables, so an older schema keeps the functions and triggers that its migrations created.
 */
export async function migrate(url: string, only?: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await client.query(`${DETECT_UNREACHABLE}; ${COMMIT_WITHOUT_WAITING}`)
    await refuseOldServer(client)
    await requirePrivileges(client)
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    const { rows } = await client.query("select to_regclass('sql_files') is not null as exists")
    const { isNewest, hasChanged } = await applyMissing(client, only)
    if (isNewest) await applySqlFiles(client, { all: hasChanged, keepsFunctions: rows[0].exists })
  } finally {
    await client.end()
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query(
    "select current_setting('server_version_num')::int as number, current_setting('server_version') as name",
  )
  if (rows[0].number < OLDEST_SERVER) {
    throw new UnusableDatabase(
      `DATABASE_URL points to PostgreSQL ${rows[0].name}; Posthorn requires version 15 or newer.`,
    )
  }
}

interface Privileges {
  role: string
  database: string
  /** Where tables are created; null if the role can't use any schema of its search_path. */
  schema: string | null
  hasTables: boolean
  createsTables: boolean
  createsSchemas: boolean
}

/** Schemas and extensions are created only by the first start. */
async function requirePrivileges(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Privileges>(`
    select current_user as role, current_database() as database, current_schema() as schema,
      to_regclass('migrations') is not null as "hasTables",
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as "createsTables",
      has_database_privilege(current_database(), 'create') as "createsSchemas"`)
  const { role, database, schema, hasTables, createsTables, createsSchemas } = rows[0]!
  const [to, place] = [pg.escapeIdentifier(role), pg.escapeIdentifier(schema ?? 'public')]
  const missing = [
    ...(createsSchemas || hasTables
      ? []
      : [{ what: 'schemas', grant: `GRANT CREATE ON DATABASE ${pg.escapeIdentifier(database)} TO ${to};` }]),
    ...(createsTables ? [] : [{ what: 'tables', grant: `GRANT USAGE, CREATE ON SCHEMA ${place} TO ${to};` }]),
  ]
  if (missing.length === 0) return
  throw new UnusableDatabase(
    `The role ${role} can't create ${missing.map(({ what }) => what).join(' or ')} in the database ${database}. ` +
      `As a superuser, run this in that database, then start again: ${missing.map(({ grant }) => grant).join(' ')}`,
  )
}

async function applyMissing(client: pg.Client, only: string[] | undefined) {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const applied = new Set(rows.map((row) => row.name))
  const known = await migrationNames()

  const unknown = [...applied].filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    throw new UnusableDatabase(
      `The database was created by a newer version of Posthorn (it contains ${unknown.join(', ')}). Update Posthorn, then start again.`,
    )
  }
  const missing = known.filter((name) => !applied.has(name))
  const wanted = missing.filter((name) => only?.includes(name) ?? true)
  for (const name of wanted) await apply(client, name)
  return { isNewest: wanted.length === missing.length, hasChanged: wanted.length > 0 }
}

async function apply(client: pg.Client, name: string): Promise<void> {
  const text = await readFile(path.join(migrationsFolder, name), 'utf8')
  await inTransaction(client, `Migration ${name}`, async () => {
    await client.query(text)
    await client.query('insert into migrations (name) values ($1)', [name])
  })
}

/** Requests of running processes hold locks too, so the work is retried until it gets its locks. */
async function inTransaction(client: pg.Client, what: string, work: () => Promise<void>): Promise<void> {
  const giveUpAt = performance.now() + LOCK_GIVE_UP_MS
  for (;;) {
    await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`)
    try {
      await work()
      await client.query('commit')
      return
    } catch (error) {
      await client.query('rollback')
      if (!isLockProblem(error) || performance.now() > giveUpAt)
        throw new UnusableDatabase(`${what} failed: ${(error as Error).message}`, { cause: error })
    }
    await pause(LOCK_PAUSE_MS)
  }
}

const isLockProblem = (error: unknown): boolean =>
  error instanceof Error && (LOCK_CODES.includes((error as pg.DatabaseError).code ?? '') || isLockProblem(error.cause))

const migrationsFolder = path.join(SERVER_FOLDER, 'migrations')

export async function migrationNames(): Promise<string[]> {
  const files = await readdir(migrationsFolder)
  return files.filter((file) => file.endsWith('.sql')).sort()
}

interface SqlFile {
  /** Its path in the server's folder, with `/` on every system. */
  name: string
  text: string
  hash: string
}

/**
 * In the order in which they are applied: triggers can call any function, and features can call those of the platform.
 */
export async function readSqlFiles(): Promise<SqlFile[]> {
  const files: Array<Promise<SqlFile | undefined>> = []
  for (const file of ['functions.sql', 'triggers.sql']) {
    const folders = await foldersIn('platform')
    for (const group of await foldersIn('features')) folders.push(...(await foldersIn(group)))
    files.push(...folders.map((folder) => readSqlFile(`${folder}/${file}`)))
  }
  return (await Promise.all(files)).filter((file) => file !== undefined)
}

async function foldersIn(parent: string): Promise<string[]> {
  const entries = await readdir(path.join(SERVER_FOLDER, parent), { withFileTypes: true })
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  return names.sort().map((name) => `${parent}/${name}`)
}

async function readSqlFile(name: string): Promise<SqlFile | undefined> {
  try {
    const text = await readFile(path.join(SERVER_FOLDER, name), 'utf8')
    return { name, text, hash: createHash('sha256').update(text).digest('hex') }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
}

/** The row of `sql_files` with the functions that only the previous version calls. */
const RETIRED = 'retired'

interface ApplyOptions {
  /** After a migration, because it may have replaced what the files declare. */
  all: boolean
  /** Not in a new database, nor in one of version 0.1.0, which can't run alongside this one. */
  keepsFunctions: boolean
}

/** A function or a trigger in the database. */
interface SqlObject {
  /** Identifies it. The printed identity doesn't: versions of PostgreSQL print the same types differently. */
  key: string
  kind: 'function' | 'trigger'
  identity: string
}

interface Declared extends Pick<SqlObject, 'kind' | 'identity'> {
  file: string
  /** Null if it doesn't exist. */
  key: string | null
}

/**
 * A file is applied again if it has changed or something that it declares is missing. A trigger that no file declares any
 * longer is dropped. A function is kept until the next change, because processes of the previous version may still call it,
 * unless its name is declared with other parameters: two functions with one name can make calls ambiguous.
 */
async function applySqlFiles(client: pg.Client, { all, keepsFunctions }: ApplyOptions): Promise<void> {
  const files = await readSqlFiles()
  const { rows: applied } = await client.query<{ name: string; hash: string }>(
    'select name, hash from sql_files where name <> $1',
    [RETIRED],
  )
  const incomplete = new Set((await findDeclared(client)).filter(({ key }) => key === null).map(({ file }) => file))
  const isApplied = ({ name, hash }: SqlFile) =>
    !incomplete.has(name) && applied.some((row) => row.name === name && row.hash === hash)
  const changed = files.filter((file) => all || !isApplied(file))
  if (changed.length === 0 && applied.length === files.length) return

  await inTransaction(client, 'Applying the SQL files', async () => {
    const before = (await findDeclared(client)).filter(exists)
    await client.query('delete from sql_files where name <> all($1)', [files.map(({ name }) => name)])
    for (const file of changed) await applySqlFile(client, file)
    const after = (await findDeclared(client)).filter(exists)
    const names = new Set(after.map(withoutParameters))
    const declared = new Set(after.map(({ key }) => key))
    const gone = before.filter(({ key }) => !declared.has(key))
    const isKept = (object: Declared) =>
      keepsFunctions && object.file !== RETIRED && object.kind === 'function' && !names.has(withoutParameters(object))
    await dropObjects(
      client,
      gone.filter((object) => !isKept(object)),
    )
    const kept = gone.filter(isKept)
    if (kept.length > 0) await recordDeclared(client, RETIRED, '', kept)
  })
}

const exists = (object: Declared): object is Declared & SqlObject => object.key !== null

const withoutParameters = ({ identity }: Declared) => identity.split('(')[0]!

async function applySqlFile(client: pg.Client, { name, text, hash }: SqlFile): Promise<void> {
  const before = await writtenKeys(client)
  try {
    await client.query(text)
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error })
  }
  await recordDeclared(client, name, hash, await writtenObjects(client, before))
}

async function recordDeclared(
  client: pg.Client,
  name: string,
  hash: string,
  objects: Array<Pick<SqlObject, 'kind' | 'identity'>>,
): Promise<void> {
  await client.query(
    `insert into sql_files (name, hash, declares) values ($1, $2, $3)
     on conflict (name) do update set hash = excluded.hash, declares = excluded.declares`,
    [name, hash, objects.map(({ kind, identity }) => `${kind} ${identity}`)],
  )
}

/**
 * What the applied files declare, found in the catalogs. PostgreSQL 15 refuses to look up a function with a type that doesn't
 * exist, so the types are looked up first.
 */
async function findDeclared(client: pg.Client): Promise<Declared[]> {
  const { rows } = await client.query<Declared>(`
    select file, kind, identity, kind || case kind
      when 'function' then (
        select case when bool_and(to_regtype(type) is not null) is not false then to_regprocedure(identity)::oid end
        from unnest(string_to_array(rtrim(split_part(identity, '(', 2), ')'), ',')) as type
      )
      else (
        select oid from pg_trigger
        where tgrelid = to_regclass(split_part(identity, ' on ', 2))
          and tgname = (parse_ident(split_part(identity, ' on ', 1)))[1]
      )
    end as key
    from (
      select name as file, split_part(object, ' ', 1) as kind, substr(object, strpos(object, ' ') + 1) as identity
      from sql_files, unnest(declares) as object
    ) as declared`)
  return rows
}

/** Functions and triggers that the current transaction has created or replaced, found by their catalog rows. */
const WRITTEN = `(
  select 'function' || oid as key, 'pg_proc'::regclass as catalogue, oid from pg_proc where xmin = pg_current_xact_id()::xid
  union all
  select 'trigger' || oid, 'pg_trigger'::regclass, oid from pg_trigger
  where xmin = pg_current_xact_id()::xid and not tgisinternal
) as written`

async function writtenKeys(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ key: string }>(`select key from ${WRITTEN}`)
  return rows.map(({ key }) => key)
}

async function writtenObjects(client: pg.Client, before: string[]): Promise<SqlObject[]> {
  const { rows } = await client.query<SqlObject>(
    `select key, object.type as kind, object.identity
     from ${WRITTEN}, pg_identify_object(catalogue, oid, 0) as object
     where key <> all($1) order by 2, 3`,
    [before],
  )
  return rows
}

/** Unless a file has replaced an object with one that has the same identity. */
async function dropObjects(client: pg.Client, objects: SqlObject[]): Promise<void> {
  // Triggers first: functions that triggers call can't be dropped.
  for (const kind of ['trigger', 'function'] as const) {
    for (const { key, identity } of objects.filter((object) => object.kind === kind)) {
      const catalog = kind === 'function' ? 'pg_proc' : 'pg_trigger'
      const { rowCount } = await client.query(`select from ${catalog} where oid = $1`, [key.slice(kind.length)])
      if (rowCount) await client.query(`drop ${kind} ${identity}`)
    }
  }
}
