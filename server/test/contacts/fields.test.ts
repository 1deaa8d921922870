import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })
const upsert = (email: string, data: object, subscribed?: boolean) =>
  call('POST', '/contacts', { email, data, subscribed })
const fields = async () => {
  const { body } = await call('GET', '/contacts/fields')
  return Object.fromEntries(body.fields.map((f: { field: string }) => [f.field, f]))
}

describe('the type of a contact field', () => {
  beforeAll(async () => {
    project = await createProject(app)
  })

  it.each([
    ['number', 5],
    ['string', '5'],
    ['boolean', true],
    ['string', 'true'],
    ['date', '2026-01-02'],
    ['date', '2026-01-02T03:04:05Z'],
    ['date', '2026-01-02T03:04:05.123Z'],
    ['string', '2026-1-2'],
    ['string', '2026-01-02T03:04:05+01:00'],
    ['string', '2026-01-02 03:04'],
    ['string', '2026-13-45'],
    ['string', ['a', 'b']],
  ])('is %s for %j', async (type, value) => {
    const name = `t${JSON.stringify(value)}`
    await upsert('types@example.org', { [name]: value })
    expect((await fields())[`data.${name}`]).toMatchObject({ type, isCustom: true })
  })

  it("is that of the first value, from any source, and doesn't change", async () => {
    await app.request('POST', '/v1/track', {
      key: project.publicKey,
      body: { email: 'a@example.org', event: 'x', data: { age: 5 } },
    })
    await upsert('b@example.org', { age: 'five' })
    expect((await fields())['data.age']).toMatchObject({ type: 'number' })
    expect((await call('GET', '/contacts?email=b@example.org')).body.data[0].data.age).toBe('five')
  })

  it('is determined again if a field is set after it was deleted', async () => {
    await upsert('c@example.org', { again: 1 })
    await call('DELETE', '/contacts/fields/data.again')
    expect((await fields())['data.again']).toBeUndefined()
    await upsert('c@example.org', { again: 'text' })
    expect((await fields())['data.again']).toMatchObject({ type: 'string' })
  })
})

describe('GET /contacts/fields', () => {
  beforeAll(async () => {
    project = await createProject(app)
  })

  it('has the standard fields, with no coverage if there are no contacts', async () => {
    expect(await fields()).toEqual({
      email: { field: 'email', type: 'string', isCustom: false, coverage: 0 },
      subscribed: { field: 'subscribed', type: 'boolean', isCustom: false, coverage: 0 },
      createdAt: { field: 'createdAt', type: 'date', isCustom: false, coverage: 0 },
      updatedAt: { field: 'updatedAt', type: 'date', isCustom: false, coverage: 0 },
    })
  })

  it('has the exact coverage after every change, folded or not', async () => {
    const ids: string[] = []
    for (let i = 0; i < 4; i++)
      ids.push(
        (await upsert(`p${i}@example.org`, i < 3 ? { plan: 'pro', profile: { tier: i, none: null } } : {})).body.id,
      )
    const coverage = async () =>
      Object.fromEntries(
        Object.values(await fields()).map((f) => [
          (f as { field: string }).field,
          (f as { coverage: number }).coverage,
        ]),
      )
    expect(await coverage()).toMatchObject({ email: 1, 'data.plan': 0.75, 'data.profile.tier': 0.75 })
    expect(await coverage()).not.toHaveProperty('data.profile.none')

    await app.drain()
    await call('PATCH', `/contacts/${ids[0]}`, { data: { plan: null } })
    await call('PATCH', `/contacts/${ids[1]}`, { data: { profile: { level: 1 } } })
    await call('PATCH', `/contacts/${ids[2]}`, { data: { plan: 'free' } })
    expect(await coverage()).toMatchObject({ 'data.plan': 0.5, 'data.profile.tier': 0.5, 'data.profile.level': 0.25 })

    await app.fold()
    expect(await app.db.selectFrom('contact_count_changes').selectAll().execute()).toEqual([])
    expect(await coverage()).toMatchObject({ 'data.plan': 0.5, 'data.profile.tier': 0.5, 'data.profile.level': 0.25 })

    await call('DELETE', `/contacts/${ids[2]}`)
    expect(await coverage()).toMatchObject({ 'data.plan': 1 / 3, 'data.profile.tier': 1 / 3 })
  })

  it('has totals that follow creation, subscription changes and deletion', async () => {
    const total = async (query = '') => (await call('GET', `/contacts${query}`)).body.total
    const before = { all: await total(), on: await total('?subscribed=true'), off: await total('?subscribed=false') }
    const { body } = await upsert('flip@example.org', {}, false)
    expect([await total(), await total('?subscribed=true'), await total('?subscribed=false')]).toEqual([
      before.all + 1,
      before.on,
      before.off + 1,
    ])
    await call('PATCH', `/contacts/${body.id}`, { subscribed: true })
    expect([await total('?subscribed=true'), await total('?subscribed=false')]).toEqual([before.on + 1, before.off])
    await call('DELETE', `/contacts/${body.id}`)
    expect([await total(), await total('?subscribed=true')]).toEqual([before.all, before.on])
  })

  it('has exact counts with concurrent writes', async () => {
    const before = (await call('GET', '/contacts')).body.total
    await Promise.all(
      Array.from({ length: 60 }, (_, i) => upsert(`crowd${i % 20}@example.org`, { crowd: i, [`k${i % 3}`]: true })),
    )
    expect((await call('GET', '/contacts')).body.total).toBe(before + 20)
    const { count } = await app.db
      .selectFrom('contacts')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('project_id', '=', project.id)
      .executeTakeFirstOrThrow()
    expect((await fields())['data.crowd'].coverage).toBeCloseTo(20 / count, 12)
  })
})

describe('a contact field', () => {
  const NAMES = [
    'plan',
    'first name',
    'a.b',
    'it"s',
    "o'clock",
    'naïve ключ',
    '100%',
    'a/b',
    'x;drop table contacts',
    '{}',
    '\\',
    'data',
    'email.x',
  ]

  beforeAll(async () => {
    project = await createProject(app)
  })

  it.each(NAMES)('named %j can be listed, read and deleted', async (name) => {
    const { body } = await upsert('names@example.org', { [name]: 'value' })
    expect((await fields())[`data.${name}`]).toMatchObject({ coverage: 1 })
    for (const written of [`data.${name}`, name]) {
      const values = await call('GET', `/contacts/fields/${encodeURIComponent(written)}/values`)
      expect(values.body).toEqual({ field: `data.${name}`, values: ['value'], count: 1 })
    }
    const usage = await call('GET', `/contacts/fields/${encodeURIComponent(`data.${name}`)}/usage`)
    expect(usage.body).toEqual({ usedInSegments: [], usedInCampaigns: [], usedInWorkflows: [], contactCount: 1 })
    const removed = await call('DELETE', `/contacts/fields/${encodeURIComponent(`data.${name}`)}`)
    expect(removed.body).toEqual({ deletedFrom: 1 })
    expect((await call('GET', `/contacts/${body.id}`)).body.data).not.toHaveProperty([name])
  })

  it('can mean the nested value as well as the key with a dot', async () => {
    await upsert('nested@example.org', { 'c.d': 'flat' })
    await upsert('dotted@example.org', { c: { d: 'deep' } })
    const { body } = await call('GET', '/contacts/fields/data.c.d/values')
    expect(body.values.sort()).toEqual(['deep', 'flat'])
    expect((await call('DELETE', '/contacts/fields/c.d')).body).toEqual({ deletedFrom: 2 })
  })

  it('is deleted with everything in it if it is an object, and nothing else is', async () => {
    const { body: whole } = await upsert('whole@example.org', { o: { tier: 'gold', deep: { er: 1 } }, other: 1 })
    const { body: flat } = await upsert('flat@example.org', { o: 'flat', list: ['a', 'b'] })
    await upsert('none@example.org', { other: 2 })
    const keptOf = async (id: string) => (await call('GET', `/contacts/${id}`)).body.data
    expect((await call('DELETE', '/contacts/fields/data.o.deep.er')).body).toEqual({ deletedFrom: 1 })
    expect((await call('DELETE', '/contacts/fields/data.o.deep')).body).toEqual({ deletedFrom: 1 })
    expect(await keptOf(whole.id)).toEqual({ o: { tier: 'gold' }, other: 1 })
    expect((await call('DELETE', '/contacts/fields/o')).body).toEqual({ deletedFrom: 2 })
    expect(await keptOf(whole.id)).toEqual({ other: 1 })
    expect(Object.keys(await fields()).filter((name) => /^data\.o\b/.test(name))).toEqual([])
    expect((await call('DELETE', '/contacts/fields/list.0')).body).toEqual({ deletedFrom: 0 })
    expect(await keptOf(flat.id)).toEqual({ list: ['a', 'b'] })
  })

  it('counts a contact once that has it in both forms', async () => {
    await upsert('both@example.org', { 'x.y': 1, x: { y: 2 } })
    await upsert('deep@example.org', { x: { y: { z: 1 } }, 'x.y': { w: 1 } })
    const { body: listed } = await upsert('listed@example.org', { 'x.y': 1, x: [1, { y: 2 }] })
    expect((await call('DELETE', '/contacts/fields/x.y')).body).toEqual({ deletedFrom: 3 })
    expect((await call('GET', `/contacts/${listed.id}`)).body.data).toEqual({ x: [1, { y: 2 }] })
  })

  it('can have any name that an object can have', async () => {
    const { body } = await upsert('odd@example.org', { stats: { 2024: { a: 1 }, 2025: 2 }, 'd.o': { t: { s: 1 } } })
    expect((await call('DELETE', '/contacts/fields/stats.2024')).body).toEqual({ deletedFrom: 1 })
    expect((await call('DELETE', '/contacts/fields/d.o.t')).body).toEqual({ deletedFrom: 1 })
    expect((await call('DELETE', '/contacts/fields/stats.+0')).body).toEqual({ deletedFrom: 0 })
    expect((await call('GET', `/contacts/${body.id}`)).body.data).toEqual({ stats: { 2025: 2 }, 'd.o': {} })
  })

  it('lists values by frequency, with their types, up to the limit', async () => {
    for (const [i, v] of [1, 'x', 'x', true, 'x', 1].entries()) await upsert(`v${i}@example.org`, { v })
    expect((await call('GET', '/contacts/fields/v/values')).body).toEqual({
      field: 'data.v',
      values: ['x', 1, true],
      count: 3,
    })
    expect((await call('GET', '/contacts/fields/v/values?limit=1')).body).toEqual({
      field: 'data.v',
      values: ['x'],
      count: 3,
    })
  })

  it('is empty if no contact has it, and never shows another project', async () => {
    await upsert('mine@example.org', { secret: 'mine' })
    const other = await createProject(app)
    const values = await app.request('GET', '/contacts/fields/secret/values', { key: other.secretKey })
    expect(values.body).toEqual({ field: 'data.secret', values: [], count: 0 })
    expect((await app.request('DELETE', '/contacts/fields/secret', { key: other.secretKey })).body).toEqual({
      deletedFrom: 0,
    })
    expect((await call('GET', '/contacts/fields/secret/values')).body.count).toBe(1)
  })

  it('can be read but not deleted if it is a standard field', async () => {
    expect((await call('GET', '/contacts/fields/subscribed/values')).body.values).toEqual([true])
    expect((await call('DELETE', '/contacts/fields/email')).status).toBe(422)
  })
})

describe('POST /contacts/lookup', () => {
  it('returns the addresses as they were sent', async () => {
    await upsert('known@example.org', {})
    const { status, body } = await call('POST', '/contacts/lookup', {
      emails: [' Known@Example.ORG ', 'stranger@example.org', 'nonsense'],
    })
    expect(status).toBe(200)
    expect(body).toEqual({ found: [' Known@Example.ORG '], notFound: ['stranger@example.org', 'nonsense'] })
  })

  it.each([
    [500, 200],
    [501, 422],
    [0, 422],
  ])('responds to %d addresses with %d', async (count, status) => {
    const emails = Array.from({ length: count }, (_, i) => `l${i}@example.org`)
    expect((await call('POST', '/contacts/lookup', { emails })).status).toBe(status)
  })
})
