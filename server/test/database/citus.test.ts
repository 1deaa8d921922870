/**
 * The schema can be distributed by project: what Citus requires of keys, read from the catalog, and of joins, read from the
 * SQL of every named statement.
 */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../harness.ts'
import { readStatements } from '../statements.ts'
import { type Catalog, joinsAcrossProjects } from './project-joins.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
let distributed: string[]
let references: string[]
/** On the coordinator only. */
let local: string[]

beforeAll(async () => {
  database = await openTestDatabase()
  const plan = await readFile(new URL('../../citus.sql', import.meta.url), 'utf8')
  const tablesOf = (name: string) =>
    [...plan.matchAll(new RegExp(`${name}\\('(\\w+)'`, 'g'))].map(([, table]) => table!)
  distributed = tablesOf('create_distributed_table')
  references = tablesOf('create_reference_table')
  local = tablesOf('citus_add_local_table_to_metadata')
})
afterAll(() => database.close())

const IS_TABLE = `relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`

it('every table with a project is in the plan, once', async () => {
  const { rows } = await database.pool.query(`
    select relname as table from pg_class join pg_attribute on attrelid = pg_class.oid
    where ${IS_TABLE} and attname = 'project_id' and attnotnull order by relname`)
  const planned = [...distributed, ...references, ...local]
  expect(new Set(planned).size).toBe(planned.length)
  expect(rows.map(({ table }) => table).filter((table) => !planned.includes(table))).toEqual([])
  expect(distributed.filter((table) => !rows.some((row) => row.table === table))).toEqual([])
})

it('every primary key and unique index of a distributed table contains project_id', async () => {
  const { rows } = await database.pool.query(
    `select indrelid::regclass::text as table, indexrelid::regclass::text as index from pg_index
     where indisunique and indrelid = any($1::regclass[]) and not exists (
       select from pg_attribute where attrelid = indrelid and attname = 'project_id' and attnum = any(indkey))`,
    [distributed],
  )
  expect(distributed.length).toBeGreaterThan(30)
  expect(rows).toEqual([])
})

it('every foreign key between distributed tables contains project_id on both sides, and others refer to reference tables', async () => {
  const { rows } = await database.pool.query(
    `select conrelid::regclass::text as from, confrelid::regclass::text as to, exists (
        select from unnest(conkey, confkey) as pair(own, other)
        join pg_attribute a on a.attrelid = conrelid and a.attnum = own and a.attname = 'project_id'
        join pg_attribute b on b.attrelid = confrelid and b.attnum = other and b.attname = 'project_id'
      ) as by_project
     from pg_constraint where contype = 'f' and conparentid = 0 and conrelid = any($1::regclass[])`,
    [distributed],
  )
  expect(rows.length).toBeGreaterThan(10)
  const refused = rows.filter(
    ({ to, by_project }) => !references.includes(to) && !(distributed.includes(to) && by_project),
  )
  expect(refused).toEqual([])
  const { rows: others } = await database.pool.query(
    `select conname from pg_constraint where contype = 'f' and conrelid = any($1::regclass[]) and confrelid = any($2::regclass[])`,
    [references, distributed],
  )
  expect(others).toEqual([])
})

async function readCatalog(): Promise<Catalog> {
  const { rows } = await database.pool.query<{ table: string; columns: string[] }>(`
    select relname as table, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where ${IS_TABLE} group by relname`)
  return { columns: new Map(rows.map(({ table, columns }) => [table, columns])), distributed: new Set(distributed) }
}

/** Statements that join tables of projects by something else. Each needs a reason. */
const JOINED_OTHERWISE: Record<string, string> = {
  'insert-emails': 'It serves several requests at once and joins by the number of the request, which has one project.',
  'insert-emails-traced': 'The same statement.',
  'insert-received': 'It serves several recipients at once and joins by their number, which has one project.',
}

it('every named statement joins distributed tables by project_id, except those with a reason', async () => {
  const catalog = await readCatalog()
  const found: Record<string, string[]> = {}
  for (const [name, text] of readStatements()) {
    const problems = await joinsAcrossProjects(text, catalog)
    if (problems.length > 0) found[name] = problems
  }
  expect(readStatements().size).toBeGreaterThan(150)
  const unexpected = Object.fromEntries(Object.entries(found).filter(([name]) => !(name in JOINED_OTHERWISE)))
  expect(unexpected, 'Join on project_id, or add a reason to JOINED_OTHERWISE.').toEqual({})
  expect(Object.keys(JOINED_OTHERWISE).filter((name) => !(name in found))).toEqual([])
})

it.each([
  ['select from emails e join contacts c on c.project_id = e.project_id and c.id = e.contact_id', []],
  ['select from emails e join contacts c using (project_id)', []],
  ['select from emails e, contacts c where e.project_id = $1 and c.project_id = $2 and c.id = e.contact_id', []],
  ['select from emails e join projects p on p.id = e.project_id join contacts c on c.project_id = p.id', []],
  ['select from emails e join contacts c on c.id = e.contact_id', ['emails and contacts']],
  ['select from emails e, contacts c where e.project_id = $1 or c.project_id = $1', ['emails and contacts']],
  ['select from emails e, contacts c where e.project_id = any($1) and c.project_id = any($1)', ['emails and contacts']],
  ['select from emails e where e.id in (select email_id from events where name = $1)', ['emails and events']],
  ['select from emails e where (e.project_id, e.id) in (select project_id, email_id from events)', []],
  ['select (select count(*) from events where contact_id = c.id) from contacts c', ['contacts and events']],
  [
    'select from emails e, contacts c where not exists (select from events v where v.project_id = e.project_id and v.project_id = c.project_id)',
    ['emails and contacts'],
  ],
  [
    'with c as (select project_id, id from contacts) select from c one join c other on one.id = other.id',
    ['contacts and contacts'],
  ],
  [
    'with c as (select id from contacts where project_id = $1) delete from emails e using c where e.project_id = $2 and e.contact_id = c.id',
    [],
  ],
  [
    'with c as (select id from contacts) delete from emails e using c where e.project_id = $2 and e.contact_id = c.id',
    ['emails and contacts'],
  ],
  ['insert into events (project_id, id) select e.project_id, e.id from emails e', []],
  ['insert into events (project_id, id) select e.id, e.project_id from emails e', ['events and emails']],
  [
    'update emails e set subject = null from unnest($1::uuid[], $2::uuid[]) as u(project_id, id), contacts c where e.project_id = u.project_id and c.project_id = u.project_id',
    [],
  ],
  [
    'select from contacts c left join lateral (select * from emails where emails.contact_id = c.id) e on true',
    ['contacts and emails'],
  ],
  [
    'select from contacts c join (select project_id from emails union all select project_id from events) u on u.project_id = c.project_id',
    [],
  ],
  [
    'select from contacts c join (select contact_id from emails union all select contact_id from events) u on u.contact_id = c.id',
    ['contacts and emails', 'contacts and events', 'emails and events'],
  ],
])('the check of joins finds what %j joins without project_id', async (statement, problems) => {
  expect(await joinsAcrossProjects(statement, await readCatalog())).toEqual(problems)
})
