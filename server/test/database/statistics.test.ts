/** Statistics of a growing table are refreshed before plans that were made for an empty table become slow. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '../../kernel/ids.ts'
import { analyzeGrownTables } from '../../platform/database/statistics.ts'
import { openTestDatabase } from '../harness.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>

beforeAll(async () => {
  database = await openTestDatabase()
  // Autovacuum runs once a minute and must not run in between.
  await database.pool.query(`
    create table growing (project int, id int, note text, primary key (project, id)) with (autovacuum_enabled = false)`)
})
afterAll(() => database.close())

/** PostgreSQL reports counts when a connection is idle, or on request. */
async function grow(from: number, to: number): Promise<void> {
  const client = await database.pool.connect()
  try {
    await client.query('insert into growing select 1, n, md5(n::text) from generate_series($1::int, $2::int) n', [
      from,
      to,
    ])
    await client.query('select pg_stat_force_next_flush()')
  } finally {
    client.release()
  }
}

async function known() {
  const { rows } = await database.pool.query(`
    select reltuples as rows, array(select attname::text from pg_stats where tablename = 'growing' order by 1) as columns
    from pg_class where oid = 'growing'::regclass`)
  return rows[0]
}

it('tables that have doubled are analyzed, with their indexed columns only', async () => {
  await grow(1, 50)
  await analyzeGrownTables(database.db)
  expect(await known(), 'too few to matter').toEqual({ rows: -1, columns: [] })

  await grow(51, 200)
  await analyzeGrownTables(database.db)
  expect(await known()).toEqual({ rows: 200, columns: ['id', 'project'] })

  await grow(201, 400)
  await analyzeGrownTables(database.db)
  expect(await known(), 'not yet more than twice as many').toMatchObject({ rows: 200 })

  await grow(401, 500)
  await analyzeGrownTables(database.db)
  expect(await known()).toMatchObject({ rows: 500 })
})

it('the plan of a prepared statement is replaced after its table has grown', async () => {
  await database.pool.query(`
    create table filling (project int, id int, primary key (project, id)) with (autovacuum_enabled = false);
    insert into filling values (1, 0);
    analyze filling`)
  const client = await database.pool.connect()
  try {
    await client.query('set plan_cache_mode = force_generic_plan')
    await client.query('prepare look as select id from filling where project = $1 and id = any($2::int[])')
    const plan = async () => {
      const { rows } = await client.query(`explain execute look(1, '{1,2}')`)
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    }
    expect(await plan()).toContain('Seq Scan')
    await client.query('insert into filling select 1, n from generate_series(1, 20000) n')
    await client.query('select pg_stat_force_next_flush()')
    await analyzeGrownTables(database.db)
    expect(await plan()).toContain('filling_pkey')
  } finally {
    client.release()
  }
})

it('executions that wait for an event are found in an index without the others, even before there are statistics', async () => {
  const project = newId(new Date())
  const client = await database.pool.connect()
  try {
    await client.query('begin')
    await client.query('alter table workflow_executions drop constraint workflow_executions_project_id_fkey')
    await client.query(
      `insert into workflow_executions (project_id, id, workflow_id, contact_id, status, only_once, seen_up_to, started_at, created_at, updated_at)
       select $1, gen_random_uuid(), $1, gen_random_uuid(), 'RUNNING', false, $1, now(), now(), now() from generate_series(1, 2000)`,
      [project],
    )
    const { rows } = await client.query(
      `explain select x.id from unnest($1::uuid[]) as event(contact_id)
       join workflow_executions x on x.project_id = $2 and x.contact_id = event.contact_id
         and x.status = 'WAITING' and x.awaited_event = 'paid'`,
      [[project], project],
    )
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('workflow_executions_awaiting')
  } finally {
    await client.query('rollback')
    client.release()
  }
})
