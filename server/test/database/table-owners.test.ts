/**
 * Tables have owners: every insert, update and delete in server/ is read from the sources, and only the owner may
 * write.
 */
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TABLE_OWNERS } from '../../table-owners.ts'
import { openTestDatabase } from '../harness.ts'
import {
  ANY_TABLE,
  tablesNamedByCode,
  tablesNamedBySql,
  tablesWrittenByCode,
  tablesWrittenByFunctions,
  tablesWrittenBySql,
} from './written-tables.ts'

const SERVER = path.resolve(import.meta.dirname, '../..')
const QUEUE = 'posthorn_queue.'
const MIGRATION_TABLES = ['migrations', 'sql_files']

const owners = new Map(
  Object.entries(TABLE_OWNERS).flatMap(([owner, tables]) =>
    Object.keys(tables).map((table) => [table, owner] as const),
  ),
)

const ownerOf = (table: string): string | undefined => {
  if (table.startsWith(QUEUE)) return 'queue'
  return MIGRATION_TABLES.includes(table) ? 'database' : owners.get(table)
}

/** Retention moves and drops months of the partitioned tables. */
const MAY_WRITE_ANY = ['database', 'retention']

/** Features may not import from the gate, so this part of its SQL is in the platform. */
const PIECES: Record<string, string> = { 'platform/database/idempotency-sql.ts': 'gate' }

/** `features/audience/contacts/queries.ts` → contacts, `platform/transports/capture.ts` → transports, `gate/queries.ts` → gate. */
const folderOf = (file: string): string =>
  PIECES[file] ?? /^(?:features\/[^/]+|platform)\/([^/]+)\//.exec(file)?.[1] ?? file.split('/')[0]!

/** The violations of a file, one sentence each. */
function problemsIn(file: string, tables: string[]): string[] {
  const folder = folderOf(file)
  return [...new Set(tables)].flatMap((table) => {
    // Backups and partitions handle all tables in the same way.
    if (table === ANY_TABLE)
      return MAY_WRITE_ANY.includes(folder) ? [] : [`${file} writes a table that is not named in the text.`]
    const owner = ownerOf(table)
    if (!owner) return [`${file} writes ${table}, which has no owner in server/table-owners.ts.`]
    return owner === folder ? [] : [`${file} writes ${table}, which belongs to ${owner}: call a verb of ${owner}.`]
  })
}

async function sourcesIn(...endings: string[]): Promise<Array<{ file: string; text: string }>> {
  const entries = await readdir(SERVER, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) => path.relative(SERVER, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !file.startsWith('test/') && !file.endsWith('.test.ts'))
  return Promise.all(files.map(async (file) => ({ file, text: await readFile(path.join(SERVER, file), 'utf8') })))
}

describe('the parser of statements', () => {
  it.each([
    ['insert into contacts (id) values (1)', ['contacts']],
    ['with gone as (delete from only emails where id = 1) update segments s set a = 1', ['emails', 'segments']],
    ['insert into a (b) values (1) on conflict (b) do update set b = 2', ['a']],
    ['select from contacts for update of contacts', []],
    ['select 1 -- update contacts set a = 1', []],
    ['truncate table contacts', ['contacts']],
    ['merge into contacts using x on true when matched then delete', ['contacts']],
    ['update "contacts" as c\n set a = 1', ['contacts']],
    ['delete from ? where id = 1', [ANY_TABLE]],
    ['insert into posthorn_queue.jobs (name) values (1)', ['posthorn_queue.jobs']],
  ])('finds that %j writes %j', (text, tables) => {
    expect(tablesWrittenBySql(text).sort()).toEqual(tables)
  })

  it('finds statements in tagged and plain texts, query builder calls and tallies, but not in comments', () => {
    const text = `
      // delete from templates
      /** update uploads set a = 1 */
      sql\`with x as (update contacts set a = \${1}) select \${sql\`(delete from emails)\`}\`
      client.query('insert into events (id) values ($1)')
      db.insertInto('segments as s').values({}); tx.updateTable('members'); tx.deleteFrom(table)
      defineTally({ name: 'usage', kept: 'usage_counts', changes: 'usage_changes' }); defineTally(others)`
    const counts = ['usage_counts', 'usage_changes']
    const expected = ['contacts', 'emails', 'events', 'segments', 'members', ...counts, ANY_TABLE, ANY_TABLE]
    expect(tablesWrittenByCode(text).sort()).toEqual(expected.sort())
  })
})

describe('a database table', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>
  beforeAll(async () => {
    database = await openTestDatabase()
  })
  afterAll(() => database.close())

  it('has an owner, and every owner is a folder', async () => {
    const { rows } = await database.pool.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and not relname = any($1)`,
      [MIGRATION_TABLES],
    )
    expect([...owners.keys()].sort()).toEqual(rows.map((row) => row.relname).sort())
    const folders = [
      ...(await readdir(path.join(SERVER, 'features'), { recursive: true })).map((name) => path.basename(name)),
      ...(await readdir(path.join(SERVER, 'platform'))),
    ]
    expect(Object.keys(TABLE_OWNERS).filter((owner) => owner !== 'gate' && !folders.includes(owner))).toEqual([])
  })

  it("can't be written by a feature that does not own it, with the file, the table and the owner", () => {
    const text = 'sql`with x as (delete from workflow_executions) update contacts c set subscribed = true`'
    expect(problemsIn('features/audience/preferences/queries.ts', tablesWrittenByCode(text))).toEqual([
      'features/audience/preferences/queries.ts writes workflow_executions, which belongs to executions: call a verb of executions.',
      'features/audience/preferences/queries.ts writes contacts, which belongs to contacts: call a verb of contacts.',
    ])
    expect(problemsIn('features/audience/contacts/queries.ts', tablesWrittenByCode("tx.deleteFrom('emails')"))).toEqual(
      ['features/audience/contacts/queries.ts writes emails, which belongs to outbox: call a verb of outbox.'],
    )
    expect(problemsIn('features/audience/contacts/queries.ts', ['contacts'])).toEqual([])
    expect(problemsIn('app.ts', ['unheard_of', ANY_TABLE])).toEqual([
      'app.ts writes unheard_of, which has no owner in server/table-owners.ts.',
      'app.ts writes a table that is not named in the text.',
    ])
  })

  it('is written only by the code of its owner', async () => {
    const sources = await sourcesIn('.ts')
    const written = sources.map(({ file, text }) => ({ file, tables: tablesWrittenByCode(text) }))
    expect(written.flatMap(({ tables }) => tables).length).toBeGreaterThan(100)
    expect(written.flatMap(({ file, tables }) => problemsIn(file, tables))).toEqual([])
  })

  it('is written only by functions of its owner', async () => {
    const problems: string[] = []
    for (const { file, text } of await sourcesIn('.sql')) {
      if (file.startsWith('statements/') || file === 'schema.sql') continue // generated from the sources
      for (const [name, tables] of tablesWrittenByFunctions(text)) {
        if (!file.startsWith('migrations/')) problems.push(...problemsIn(file, tables))
        // A migration may change any table; a function in it belongs to the owner of the tables that it writes.
        else if (name !== '' && new Set(tables.map(ownerOf)).size > 1) {
          problems.push(`${file}: the function ${name} writes tables of several owners: ${tables.join(', ')}.`)
        }
      }
    }
    expect(problems).toEqual([])
  })

  it('is named in the platform only if the platform or the gate owns it', async () => {
    const folders = ['gate', ...(await readdir(path.join(SERVER, 'platform')))]
    const problemsOf = (file: string, tables: string[]) =>
      tables
        .filter((table) => owners.has(table) && !folders.includes(owners.get(table)!))
        .map((table) => `${file}: ${table}`)

    const code =
      "sql`delete from captured_messages m using emails e`; db.selectFrom('contacts as c'); 'One of the events'"
    expect(problemsOf('a', tablesNamedByCode(code))).toEqual(['a: emails', 'a: contacts'])

    const sources = await sourcesIn('.ts', '.sql')
    const named = sources
      .filter(({ file }) => file.startsWith('platform/'))
      .map(({ file, text }) => ({ file, tables: (file.endsWith('.sql') ? tablesNamedBySql : tablesNamedByCode)(text) }))
    expect(named.flatMap(({ tables }) => tables).length).toBeGreaterThan(30)
    expect(named.flatMap(({ file, tables }) => problemsOf(file, tables))).toEqual([])
  })

  it('is not written by a function that also writes tables of others', () => {
    const text = `create function f() returns trigger language plpgsql as $$
      begin insert into contacts default values; delete from emails; end $$;
      insert into events select 1;`
    expect([...tablesWrittenByFunctions(text)]).toEqual([
      ['f', ['contacts', 'emails']],
      ['', ['events']],
    ])
  })
})
