/** The segments of one contact, conditions on any text of a contact, and the order of previews. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const call = (method: string, path: string, body: unknown, key: string) => app.request(method, path, { key, body })
const where = (...filters: object[]) => ({ logic: 'AND', groups: [{ filters }] })
const is = (field: string, value: unknown) => where({ field, operator: 'equals', value })
const PRO = is('data.plan', 'pro')

describe('the segments of a contact', () => {
  it('are the dynamic ones that it matches and the static ones that it belongs to, by name', async () => {
    const own = await createProject(app)
    const other = await createProject(app)
    const ask = (method: string, path: string, body?: unknown) => call(method, path, body, own.secretKey)
    const { id } = (await ask('POST', '/contacts', { email: 'a@example.org', data: { plan: 'pro' } })).body
    const panel = (await ask('POST', '/segments', { name: 'Panel', type: 'STATIC' })).body
    await ask('POST', `/segments/${panel.id}/members`, { emails: ['a@example.org'] })
    await ask('POST', '/segments', { name: 'Empty', type: 'STATIC' })
    await ask('POST', '/segments', { name: 'Free', condition: is('data.plan', 'free') })
    const pros = (await ask('POST', '/segments', { name: 'Customers', condition: PRO, trackMembership: true })).body
    expect((await ask('GET', `/contacts/${id}/segments`)).body).toEqual([
      { id: pros.id, name: 'Customers', type: 'DYNAMIC' },
      { id: panel.id, name: 'Panel', type: 'STATIC' },
    ])
    expect((await call('GET', `/contacts/${id}/segments`, undefined, other.secretKey)).status).toBe(404)
  })
})

it('the segments of a contact are found among more segments than one statement evaluates', async () => {
  const { secretKey } = await createProject(app)
  const { id } = (await call('POST', '/contacts', { email: 'n@example.org', data: { n: 7 } }, secretKey)).body
  for (let n = 0; n < 120; n++) {
    const segment = { name: `s${n}`, condition: is('data.n', n % 60 === 0 ? 7 : n + 1_000) }
    expect((await call('POST', '/segments', segment, secretKey)).status).toBe(201)
  }
  const { body } = await call('GET', `/contacts/${id}/segments`, undefined, secretKey)
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['s0', 's60'])
})

describe('the field `text`', () => {
  it.each([
    ['ADA', ['ada@text.example.org', 'b@text.example.org']],
    ['king', ['c@text.example.org']],
    ['say "hi"', ['c@text.example.org']],
    ['10%', []],
    ['7', ['b@text.example.org']],
    ['plan', []],
    ['sao TOME', ['b@text.example.org']],
    ['SÃO', ['b@text.example.org']],
    ['viki\u0301ng', ['c@text.example.org']],
    ['(viking', []],
  ])('finds %s in the address and in every value of the data', async (value, emails) => {
    const own = await createProject(app)
    const ask = (path: string, body: unknown) => call('POST', path, body, own.secretKey)
    await ask('/contacts', { email: 'ada@text.example.org', data: { plan: 'pro' } })
    await ask('/contacts', { email: 'b@text.example.org', data: { name: 'Ada', seats: 7, city: 'São Tome\u0301' } })
    await ask('/contacts', { email: 'c@text.example.org', data: { tags: ['viking', 'say'], note: 'Say "Hi"' } })
    const preview = (operator: string) =>
      ask('/segments/preview', { condition: where({ field: 'text', operator, value }), sort: 'email' })
    const found = (await preview('contains')).body
    expect(found.sample.map(({ email }: { email: string }) => email)).toEqual(emails)
    expect((await preview('notContains')).body.count).toBe(3 - found.count)
  })
})

it('a preview is sorted by creation or by address', async () => {
  const own = await createProject(app)
  for (const name of ['b', 'c', 'a']) {
    await call('POST', '/contacts', { email: `${name}@example.org` }, own.secretKey)
    app.clock.forward(1)
  }
  const order = async (sort?: string) => {
    const body = { condition: is('subscribed', true), sort, pageSize: 2 }
    const { sample } = (await call('POST', '/segments/preview', body, own.secretKey)).body
    return sample.map(({ email }: { email: string }) => email[0]).join('')
  }
  expect(await order()).toBe('ac')
  expect(await order('createdAt')).toBe('bc')
  expect(await order('email')).toBe('ab')
  expect(await order('-email')).toBe('cb')
})
