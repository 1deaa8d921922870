import {
  DummyDriver,
  Kysely,
  sql as kyselySql,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { describe, expect, it } from 'vitest'
import { sql } from './sql.ts'

const db = new Kysely<{ things: { id: number } }>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (kysely) => new PostgresIntrospector(kysely),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})

const NOW = new Date(0)
const BYTES = Buffer.from('bytes')

const statements: Record<string, (tag: typeof sql) => ReturnType<typeof sql>> = {
  'without values': (tag) => tag`select 1`,
  'with values': (tag) => tag`select ${1}, ${'text'}, ${null}, ${undefined}, ${true}, ${NOW}, ${BYTES}, ${['a', 'b']}`,
  'with the same value twice': (tag) => tag`select ${NOW} where at < ${NOW}`,
  'with parts of parts': (tag) => tag`select ${tag`(${tag`${1} + ${2}`}) * ${3}`}, ${4}`,
  'with names': (tag) =>
    tag`select ${tag.ref('id')}, ${tag.ref('e.id')}, ${tag.ref('s.e.id')}, ${tag.ref('a"b')} from ${tag.table('things')}`,
  'with a table of a schema': (tag) =>
    tag`select from ${tag.table('one.two')} join ${tag.id('one', 'two.three')} on true`,
  'with literals': (tag) => tag`select ${tag.lit("it's")}, ${tag.lit(-1.5)}, ${tag.lit(null)}, ${tag.lit(false)}`,
  'with text': (tag) => tag`${tag.raw('/* named */')} select ${1}`,
  'with a list': (tag) =>
    tag`select ${tag.join([1, tag`two`, tag.ref('three')])}, ${tag.join([])}, ${tag.join([tag`one`])}`,
  'with a list and a separator': (tag) => tag`select where ${tag.join([tag`a = ${1}`, tag`b = ${2}`], tag` and `)}`,
  'with a part of a query builder': (tag) =>
    tag`select ${1}, (${db.selectFrom('things').select('id').where('id', '=', 2)}), ${3}`,
}

describe('a statement', () => {
  it.each(Object.entries(statements))('%s has the text and the values of Kysely', (_, make) => {
    const ours = make(sql).compile(db)
    const expected = make(kyselySql).compile(db)
    expect([ours.sql, ours.parameters]).toEqual([expected.sql, expected.parameters])
  })
})

it('is a part of statements of Kysely and of its query builders', () => {
  expect(kyselySql`select ${1}, ${sql`${2} + ${sql.ref('e.n')}`}`.compile(db).sql).toBe('select $1, $2 + "e"."n"')
  const { sql: text, parameters } = db
    .selectFrom('things')
    .select(sql<number>`id + ${1}`.as('next'))
    .where(sql<boolean>`id > ${2}`)
    .compile()
  expect([text, parameters]).toEqual(['select id + $1 as "next" from "things" where id > $2', [1, 2]])
})

it('refuses a literal that is neither a text nor a number, a boolean or null', () => {
  expect(() => sql.lit({})).toThrow('Not a literal: {}')
})
