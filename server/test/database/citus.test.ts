/** The schema can be distributed by project: what Citus requires of keys, read from the catalog. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../harness.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
let distributed: string[]
let references: string[]

beforeAll(async () => {
  database = await openTestDatabase()
  const plan = await readFile(new URL('../../citus.sql', import.meta.url), 'utf8')
  const tablesOf = (name: string) =>
    [...plan.matchAll(new RegExp(`${name}\\('(\\w+)'`, 'g'))].map(([, table]) => table!)
  distributed = tablesOf('create_distributed_table')
  references = tablesOf('create_reference_table')
})
afterAll(() => database.close())

const IS_TABLE = `relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`

it('every table with a project is in the plan, once', async () => {
  const { rows } = await database.pool.query(`
    select relname as table from pg_class join pg_attribute on attrelid = pg_class.oid
    where ${IS_TABLE} and attname = 'project_id' and attnotnull order by relname`)
  const planned = [...distributed, ...references]
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
