import { afterAll, beforeAll, expect, it } from 'vitest'
import { textArray } from '../../platform/database/connection/text-array.ts'
import { openTestDatabase } from '../harness.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const ODD = ['', null, 'null', '{"a"}', '\\', 'ä€😀\r\n', ' ']

it.each([
  ['short', ODD],
  ['long', [...ODD, '"\\'.repeat(500_000), 'é'.repeat(100_000)]],
  ['one long', ['"'.repeat(1_000_000)]],
])('textArray passes %s elements unchanged', async (_what, values) => {
  const { rows } = await database.pool.query('select $1::text[] as values', [textArray(values)])
  expect(rows[0].values).toEqual(values)
})

it('textArray passes long elements as bytes, which take no time to escape', () => {
  expect(textArray(['"'.repeat(1_000_000)])).toBeInstanceOf(Buffer)
})
