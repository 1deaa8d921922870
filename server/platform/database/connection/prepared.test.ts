import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely'
import { expect, it } from 'vitest'
import type { Database } from './connect.ts'
import { prepareStatement } from './prepared.ts'

const sent: Array<{ text: string; values: readonly unknown[] }> = []

const db = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  log: ({ query }) => void sent.push({ text: query.sql, values: query.parameters }),
}) as unknown as Database

it('builds a statement once, and sends it with the values of each call', async () => {
  let built = 0
  const find = prepareStatement(({ ids, at }: { ids: string[]; at: Date }) => {
    built++
    return sql`select ${at}::timestamptz, ${'the same'}::text where id = any(${ids}) or at = ${at}`
  })
  const [first, second] = [new Date(1), new Date(2)]
  await find(db, { ids: ['a'], at: first })
  await find(db, { ids: ['b', 'c'], at: second })
  const text = 'select $1::timestamptz, $2::text where id = any($3) or at = $4'
  expect(sent).toEqual([
    { text, values: [first, 'the same', ['a'], first] },
    { text, values: [second, 'the same', ['b', 'c'], second] },
  ])
  expect(built).toBe(1)
})
