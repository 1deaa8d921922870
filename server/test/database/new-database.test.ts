/** A new database is made from schema.sql, an older one by all migrations: nobody can tell which. */
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { describeSchema } from '../../platform/database/schema/describe-schema.ts'
import { migrate } from '../../platform/database/schema/migrate.ts'
import { migrationNames } from '../../platform/database/schema/migration-files.ts'
import { createTestDatabase } from '../test-databases.ts'

const SCHEMAS = `('public', 'posthorn_queue', 'posthorn_retired')`

/** What describeSchema leaves out. What the SQL files declare is printed differently by each version. The names of indexes of partitions depend on when the partition was created. */
const DETAILS: Record<string, string> = {
  schemas: `select nspname from pg_namespace where nspname !~ '^pg_' order by 1`,
  extensions: `select extname, extversion from pg_extension order by 1`,
  columns: `
    select attrelid::regclass::text as table, attname, attstorage, attstattarget, attcompression, attoptions, attcollation, attnotnull,
      row_number() over (partition by attrelid order by attnum) as position
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where relnamespace::regnamespace::text in ${SCHEMAS} and relkind in ('r', 'p') and attnum > 0 and not attisdropped order by 1, attnum`,
  options: `
    select c.oid::regclass::text as table, c.relkind, c.reloptions, t.reloptions as toast, c.relreplident, c.relpersistence, c.relacl
    from pg_class c left join pg_class t on t.oid = c.reltoastrelid
    where c.relnamespace::regnamespace::text in ${SCHEMAS} and c.relkind in ('r', 'p', 'S', 'v') order by 1`,
  indexes: `
    select indrelid::regclass::text as table, regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ', 'INDEX ') as definition, indisvalid,
      indisprimary, indisunique from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace::regnamespace::text in ${SCHEMAS} order by 1, 2`,
  constraints: `
    select conrelid::regclass::text as table, contype, replace(pg_get_constraintdef(oid), ' NOT VALID', '') as definition, condeferrable from pg_constraint
    where connamespace::regnamespace::text in ${SCHEMAS} order by 1, 2, 3`,
  sequences: `
    select seqrelid::regclass::text as sequence, seqtypid::regtype::text as type, seqstart, seqincrement, seqmax, seqcache, seqcycle
    from pg_sequence order by 1`,
  functions: `
    select oid::regprocedure::text as function, provolatile, proparallel, prosecdef, proisstrict, proconfig, procost, prorows, proacl from pg_proc
    where pronamespace::regnamespace::text in ${SCHEMAS} and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    order by 1`,
  others: `select oid::regtype::text from pg_type where typtype in ('e', 'd', 'r') and typnamespace::regnamespace::text in ${SCHEMAS}
    union all select stxname from pg_statistic_ext union all select description from pg_description where classoid = 'pg_class'::regclass and objoid > 16383`,
}

async function detailsOf(url: string): Promise<Record<string, unknown>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const details: Record<string, unknown> = { schema: await describeSchema(url) }
    for (const [name, text] of Object.entries(DETAILS)) details[name] = (await client.query(text)).rows
    const tables = (details.options as Array<{ table: string; relkind: string }>).filter(
      ({ relkind }) => relkind === 'r',
    )
    for (const { table } of tables) {
      const { rows } = await client.query(
        `select to_jsonb(t) - 'applied_at' - 'declares' as row from ${table} t order by 1`,
      )
      details[`rows of ${table}`] = rows
    }
    return details
  } finally {
    await client.end()
  }
}

const databases: Array<Awaited<ReturnType<typeof createTestDatabase>>> = []
beforeAll(async () => {
  for (let i = 0; i < 2; i++) databases.push(await createTestDatabase(inject('postgresUrl'), 'template1'))
})
afterAll(async () => {
  for (const database of databases) await database.drop()
})

it('schema.sql makes the same database as all migrations', async () => {
  const [made, migrated] = databases.map(({ url }) => url) as [string, string]
  await migrate(made)
  await migrate(migrated, await migrationNames())
  const details = await detailsOf(made)
  for (const [name, expected] of Object.entries(await detailsOf(migrated)))
    expect(details[name], name).toEqual(expected)
  expect(details['rows of migrations']).toHaveLength((await migrationNames()).length)
})
