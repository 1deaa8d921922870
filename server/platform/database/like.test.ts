import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase } from '../../test/harness.ts'
import { resembling } from './like.ts'

let database: Awaited<ReturnType<typeof openTestDatabase>>
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const isFound = async (text: string, sought: string): Promise<boolean> => {
  const { rows } = await database.pool.query('select $1::text ~ $2::text as found', [text, resembling(sought)])
  return rows[0].found
}

it.each([
  ['João Silva', 'joao', true],
  ['joao silva', 'JOÃO', true],
  ['Joa\u0303o', 'joao', true],
  ['Łódź', 'lodz', true],
  ['Joan', 'joao', false],
  ['50% (a.b) [c] \\d ***=x', '% (A.B) [C] \\D ***=', true],
  ['axb', 'a.b', false],
])('in "%s", "%s" is found: %s', async (text, sought, found) => {
  expect(await isFound(text, sought)).toBe(found)
})

it('a long text is found in upper and lower case, and an even longer one as it is', async () => {
  const [long, longer] = ['ö(.'.repeat(200), 'ö(.'.repeat(5_000)]
  expect(await isFound(`x${long}`, long.toUpperCase())).toBe(true)
  expect(await isFound(long.replaceAll('ö', 'o'), long)).toBe(false)
  expect(await isFound(`x${longer}`, longer)).toBe(true)
  expect(await isFound(`x${longer}`, longer.toUpperCase())).toBe(false)
})
