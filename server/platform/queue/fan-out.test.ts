/** The steps that consumers add to a statement, as text. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { expect, it } from 'vitest'
import { createFanOut } from './fan-out.ts'

const db = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const consumer = (name: string) => ({
  name,
  wants: sql`r.name = 'a'`,
  job: (wanted: ReturnType<typeof sql>) => sql`select add_job(id) from ${wanted}`,
})

it('a fan-out adds a step for each consumer, and a condition that reads all of them', () => {
  const fanOut = createFanOut('events')
  fanOut.setConsumers([consumer('one'), consumer('two')])
  const statement = sql`with rows as (select 1)${fanOut.steps('rows')} select 1 where ${fanOut.isAdded('rows')}`
  expect(statement.compile(db).sql.replaceAll(/\s+/g, ' ')).toBe(
    [
      'with rows as (select 1)',
      ', "rows_for_one" as (select add_job(id) from (select r.* from "rows" r where r.name = \'a\') as wanted )',
      ', "rows_for_two" as (select add_job(id) from (select r.* from "rows" r where r.name = \'a\') as wanted )',
      ' select 1 where true and (select count(*) from "rows_for_one") >= 0 and (select count(*) from "rows_for_two") >= 0',
    ].join(''),
  )
})

it('a fan-out without consumers changes nothing, and one whose consumers were never set is an error', () => {
  const none = createFanOut('events')
  expect(() => none.steps('rows')).toThrow('the consumers of events are not set: import server/app.ts first')
  none.setConsumers([])
  const statement = sql`with rows as (select 1)${none.steps('rows')} select 1 where ${none.isAdded('rows')}`
  expect(statement.compile(db).sql).toBe('with rows as (select 1) select 1 where true')
})
