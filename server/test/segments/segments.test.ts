/** Segments over HTTP: creating, reading, changing and deleting them, their contacts, and previews. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withStatementTimeout } from '../../features/audience/segments/queries.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })
const where = (...filters: object[]) => ({ logic: 'AND', groups: [{ filters }] })
const is = (field: string, value: unknown) => where({ field, operator: 'equals', value })
const PRO = is('data.plan', 'pro')
const upsert = async (email: string, data: object = {}) => (await call('POST', '/contacts', { email, data })).body.id
const create = async (body: object) => (await call('POST', '/segments', { name: 'A segment', ...body })).body
const contactsOf = async (id: string, query = '') => (await call('GET', `/segments/${id}/contacts${query}`)).body
const emailsOf = async (id: string) => (await contactsOf(id)).data.map(({ email }: { email: string }) => email).sort()
const memberRows = async (id: string) =>
  app.db.selectFrom('segment_members').selectAll().where('segment_id', '=', id).execute()

describe('a new segment', () => {
  it('is DYNAMIC and untracked by default, and returned with every field', async () => {
    await upsert('pro@example.org', { plan: 'pro' })
    const { status, body } = await call('POST', '/segments', { name: ' Pros ', condition: PRO, unknown: 1 })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Pros',
      description: null,
      type: 'DYNAMIC',
      condition: PRO,
      trackMembership: false,
      memberCount: 1,
      tags: [],
      projectId: project.id,
      createdAt: app.clock.now().toISOString(),
      updatedAt: app.clock.now().toISOString(),
    })
    expect((await call('GET', `/segments/${body.id}`)).body).toEqual(body)
    expect((await call('GET', '/segments')).body[0]).toEqual(body)
  })

  it.each([
    ['nothing', {}],
    ['null', { condition: null }],
    ['text', { condition: 'x' }],
    ['a list', { condition: [] }],
    ['nothing, of type DYNAMIC', { type: 'DYNAMIC' }],
    ['nothing, and a name that is too long', { name: 'x'.repeat(101) }],
  ])('gets a bare 400 if it is DYNAMIC and its condition is %s', async (_what, body) => {
    const { status, body: reply } = await call('POST', '/segments', { name: 'x', ...body })
    expect(status).toBe(400)
    expect(reply).toEqual({ error: expect.any(String) })
  })

  it.each([
    ['a name of 101', { name: 'x'.repeat(101), condition: PRO }, 'name', 'too_big'],
    ['an empty name', { name: ' ', condition: PRO }, 'name', 'too_small'],
    ['no name', { name: undefined, condition: PRO }, 'name', 'invalid_type'],
    ['a description of 501', { description: 'x'.repeat(501), condition: PRO }, 'description', 'too_big'],
    ['an unknown type', { type: 'FOO', condition: PRO }, 'type', 'invalid_enum_value'],
    ['a flag that is text', { trackMembership: 'yes', condition: PRO }, 'trackMembership', 'invalid_type'],
  ])('gets a 422 if it has %s', async (_what, body, field, code) => {
    const reply = await call('POST', '/segments', { name: 'x', ...body })
    expect(reply.status).toBe(422)
    expect(reply.body.error.errors).toMatchObject([{ field, code }])
  })

  it('can have a name of 100 characters and a description of 500', async () => {
    const reply = await call('POST', '/segments', {
      name: 'x'.repeat(100),
      description: 'y'.repeat(500),
      condition: PRO,
    })
    expect(reply.status).toBe(201)
  })

  it('has no condition if it is STATIC, whatever was sent', async () => {
    for (const condition of [PRO, 'nonsense', { logic: 'XOR' }, null]) {
      const { status, body } = await call('POST', '/segments', { name: 'List', type: 'STATIC', condition })
      expect({ status, condition: body.condition, memberCount: body.memberCount }).toEqual({
        status: 201,
        condition: null,
        memberCount: 0,
      })
    }
  })

  it('gets a 404 if it refers to a segment of another project or none', async () => {
    const other = await createProject(app)
    const theirs = await call('POST', '/segments', { name: 'x', condition: PRO }, other.secretKey)
    const replies = []
    for (const id of [theirs.body.id, '01a1dd1f-5566-7386-9343-5429898a495c']) {
      const condition = where({ field: `segment.${id}`, operator: 'memberOfSegment' })
      for (const path of ['/segments', '/segments/preview']) {
        const reply = await call('POST', path, { name: 'x', condition })
        replies.push({ status: reply.status, code: reply.body.error.code })
      }
    }
    expect(new Set(replies.map((reply) => JSON.stringify(reply)))).toEqual(
      new Set([JSON.stringify({ status: 404, code: 'SEGMENT_NOT_FOUND' })]),
    )
  })
})

describe('a segment', () => {
  it('is a 404 on every path if it is unknown or of another project', async () => {
    const other = await createProject(app)
    const { id } = await create({ type: 'STATIC' })
    const paths: Array<[string, string, unknown?]> = [
      ['GET', ''],
      ['PATCH', '', { name: 'mine' }],
      ['DELETE', ''],
      ['GET', '/contacts'],
      ['POST', '/members', { emails: ['a@example.org'] }],
      ['DELETE', '/members', { emails: ['a@example.org'] }],
      ['POST', '/compute'],
      ['POST', '/refresh'],
    ]
    for (const [method, path, body] of paths) {
      for (const [which, key] of [
        [id, other.secretKey],
        ['01a1dd1f-5566-7386-9343-5429898a495c', project.secretKey],
        ['nonsense', project.secretKey],
      ]) {
        const reply = await call(method, `/segments/${which}${path}`, body, key)
        expect({ method, path, status: reply.status, code: reply.body.error?.code }).toEqual({
          method,
          path,
          status: 404,
          code: 'SEGMENT_NOT_FOUND',
        })
      }
    }
    expect((await call('GET', `/segments/${id}`)).body.name).toBe('A segment')
  })

  it('changes only the fields that are sent', async () => {
    await upsert('free@example.org', { plan: 'free' })
    const segment = await create({ condition: PRO, description: 'x' })
    app.clock.forward(1_000)
    const renamed = (await call('PATCH', `/segments/${segment.id}`, { name: 'New', type: 'STATIC' })).body
    expect(renamed).toEqual({ ...segment, name: 'New', updatedAt: app.clock.now().toISOString() })
    const condition = is('data.plan', 'free')
    const changed = (await call('PATCH', `/segments/${segment.id}`, { condition, description: null })).body
    expect(changed).toEqual({ ...renamed, condition, description: null, memberCount: 1, updatedAt: changed.updatedAt })
    for (const body of [{ condition: null }, { condition: {} }, { name: '' }, { trackMembership: null }]) {
      expect((await call('PATCH', `/segments/${segment.id}`, body)).status).toBe(422)
    }
    expect((await call('GET', `/segments/${segment.id}`)).body).toEqual(changed)
  })

  it('ignores a condition in a change if it is STATIC', async () => {
    const { id } = await create({ type: 'STATIC' })
    const { status, body } = await call('PATCH', `/segments/${id}`, { condition: PRO, name: 'Still a list' })
    expect({ status, condition: body.condition, name: body.name }).toEqual({
      status: 200,
      condition: null,
      name: 'Still a list',
    })
  })

  it("can't depend on itself", async () => {
    const named = (id: string) => where({ field: `segment.${id}`, operator: 'memberOfSegment' })
    const a = await create({ condition: PRO })
    const b = await create({ condition: named(a.id) })
    const c = await create({ condition: { logic: 'OR', groups: [{ filters: [], conditions: named(b.id) }] } })
    for (const [id, to] of [
      [a.id, a.id],
      [a.id, b.id],
      [a.id, c.id],
    ]) {
      const reply = await call('PATCH', `/segments/${id}`, { condition: named(to) })
      expect(reply.status).toBe(422)
      expect(reply.body.error.errors[0].field).toBe('condition.groups.0.filters.0.field')
    }
    expect((await call('PATCH', `/segments/${c.id}`, { condition: named(a.id) })).status).toBe(200)
    const both = await Promise.all([
      call('PATCH', `/segments/${a.id}`, { condition: named(c.id) }),
      call('PATCH', `/segments/${c.id}`, { condition: named(b.id) }),
    ])
    expect(both.map((reply) => reply.status).sort()).toEqual([200, 422])
  })

  it('is limited in size including the segments it refers to', async () => {
    let inner = await create({ condition: PRO })
    let status = 201
    for (let level = 0; level < 12 && status === 201; level++) {
      const filter = { field: `segment.${inner.id}`, operator: 'memberOfSegment' }
      const reply = await call('POST', '/segments', { name: 'x', condition: where(filter, filter, filter) })
      status = reply.status
      inner = reply.body
    }
    expect(status).toBe(422)
  })

  it('is deleted with its members, but not while another segment refers to it', async () => {
    const list = await create({ name: 'List', type: 'STATIC' })
    await call('POST', `/segments/${list.id}/members`, { emails: ['pro@example.org'] })
    const user = await create({
      name: 'Not on the list',
      condition: where({ field: `segment.${list.id}`, operator: 'notMemberOfSegment' }),
    })
    const refused = await call('DELETE', `/segments/${list.id}`)
    expect(refused.status).toBe(409)
    expect(refused.body.error.message).toContain('"Not on the list"')
    expect(await memberRows(list.id)).toHaveLength(1)
    for (const id of [user.id, list.id]) {
      const { status, body } = await call('DELETE', `/segments/${id}`)
      expect({ status, body }).toEqual({ status: 204, body: '' })
      expect((await call('GET', `/segments/${id}`)).status).toBe(404)
    }
    expect(await memberRows(list.id)).toEqual([])
    expect((await call('DELETE', `/segments/${list.id}`)).status).toBe(404)
  })
})

describe('the contacts of a segment', () => {
  it('are current for a DYNAMIC one, while its count is refreshed later', async () => {
    const segment = await create({ condition: is('data.live', true) })
    expect(segment.memberCount).toBe(0)
    const id = await upsert('live@example.org', { live: true })
    expect((await call('GET', `/segments/${segment.id}`)).body.memberCount).toBe(0)
    expect((await call('POST', `/segments/${segment.id}/refresh`)).body).toEqual({ memberCount: 1 })
    expect((await call('GET', `/segments/${segment.id}`)).body.memberCount).toBe(1)
    expect(await emailsOf(segment.id)).toEqual(['live@example.org'])
    await call('PATCH', `/contacts/${id}`, { data: { live: null } })
    const { data, total } = await contactsOf(segment.id)
    expect({ data, total }).toEqual({ data: [], total: 0 })
    expect((await call('GET', `/segments/${segment.id}`)).body).toMatchObject({
      memberCount: 0,
      updatedAt: segment.updatedAt,
    })
    expect(await memberRows(segment.id)).toEqual([])
  })

  it('are listed newest first, in pages of at most a hundred', async () => {
    const segment = await create({ condition: is('data.paged', true) })
    for (let i = 0; i < 5; i++) await upsert(`page${i}@example.org`, { paged: true })
    const names = async (query: string) => {
      const { data, ...rest } = await contactsOf(segment.id, query)
      return { ...rest, who: data.map(({ email }: { email: string }) => email[4]).join('') }
    }
    expect(await names('')).toEqual({ page: 1, pageSize: 20, total: 5, totalPages: 1, who: '43210' })
    expect(await names('?pageSize=2&page=2')).toEqual({ page: 2, pageSize: 2, total: 5, totalPages: 3, who: '21' })
    expect(await names('?pageSize=101&page=9')).toEqual({ page: 9, pageSize: 100, total: 5, totalPages: 1, who: '' })
    expect(await names('?pageSize=x&page=-1')).toMatchObject({ page: 1, pageSize: 20 })
  })

  it('are the same page with the same total, whatever was counted last time', async () => {
    const segment = await create({ condition: is('data.many', true) })
    const emails = Array.from({ length: 120 }, (_, i) => `many${i}@example.org`)
    await Promise.all(emails.map((email) => upsert(email, { many: true })))
    const first = await contactsOf(segment.id, '?pageSize=100')
    const second = await contactsOf(segment.id, '?pageSize=100&page=2')
    const newest = [...first.data, ...second.data].map(({ email }: { email: string }) => email)
    expect([...newest].sort()).toEqual([...emails].sort())
    for (const counted of [0, 3, 60, 120, 5_000]) {
      await sql`update segments set member_count = ${counted} where id = ${segment.id}`.execute(app.db)
      const { data, total } = await contactsOf(segment.id, '?pageSize=1&page=2')
      expect([counted, total, data.map(({ email }: { email: string }) => email)]).toEqual([counted, 120, [newest[1]]])
      expect((await call('GET', `/segments/${segment.id}`)).body.memberCount).toBe(120)
      await sql`update segments set member_count = ${counted} where id = ${segment.id}`.execute(app.db)
      expect(await contactsOf(segment.id, '?pageSize=100&page=3')).toMatchObject({ total: 120, data: [] })
    }
  })

  it('include those of nested segments, stored and evaluated', async () => {
    const list = await create({ type: 'STATIC' })
    const members = { emails: ['in@example.org', 'both@example.org'], createMissing: true }
    await call('POST', `/segments/${list.id}/members`, members)
    await upsert('both@example.org', { tier: 1 })
    await upsert('out@example.org', { tier: 1 })
    const tier = await create({ condition: is('data.tier', 1) })
    const member = (id: string, operator = 'memberOfSegment') => ({ field: `segment.${id.toUpperCase()}`, operator })
    const both = await create({ condition: where(member(list.id), member(tier.id)) })
    const rest = await create({ condition: where(member(tier.id), member(both.id, 'notMemberOfSegment')) })
    expect(await emailsOf(both.id)).toEqual(['both@example.org'])
    expect(await emailsOf(rest.id)).toEqual(['out@example.org'])
  })

  it('no longer match on a field that was deleted', async () => {
    await upsert('gone@example.org', { fading: 'x' })
    const segment = await create({ condition: is('data.fading', 'x') })
    const usage = async (field: string) => (await call('GET', `/contacts/fields/${field}/usage`)).body.usedInSegments
    expect(await usage('fading')).toEqual([{ id: segment.id, name: segment.name }])
    expect(await usage('data.fading')).toHaveLength(1)
    expect(await usage('faded')).toEqual([])
    expect(await emailsOf(segment.id)).toEqual(['gone@example.org'])
    expect((await call('DELETE', '/contacts/fields/data.fading')).body).toEqual({ deletedFrom: 1 })
    expect(await emailsOf(segment.id)).toEqual([])
    expect((await call('GET', `/segments/${segment.id}`)).body.condition).toEqual(segment.condition)
  })
})

describe('a segment preview', () => {
  it('counts the matching contacts and shows up to ten, and stores nothing', async () => {
    for (let i = 0; i < 12; i++) await upsert(`sample${i}@example.org`, { sampled: i })
    const before = (await call('GET', '/segments')).body.length
    const condition = where({ field: 'data.sampled', operator: 'greaterThanOrEqual', value: 1 })
    const { status, body } = await call('POST', '/segments/preview', { condition })
    expect(status).toBe(200)
    expect(body.count).toBe(11)
    expect(body.sample).toHaveLength(10)
    expect(body.sample[0]).toMatchObject({ email: 'sample11@example.org', data: { sampled: 11 } })
    expect((await call('GET', '/segments')).body).toHaveLength(before)
  })

  it('has pages', async () => {
    const condition = where({ field: 'data.sampled', operator: 'greaterThanOrEqual', value: 1 })
    const page = async (more: object) => (await call('POST', '/segments/preview', { condition, ...more })).body
    const second = await page({ page: 2, pageSize: 5 })
    expect(second.count).toBe(11)
    expect(second.sample.map(({ data }: { data: { sampled: number } }) => data.sampled)).toEqual([6, 5, 4, 3, 2])
    expect((await page({ page: 3, pageSize: 5 })).sample).toHaveLength(1)
    expect((await page({ page: 4, pageSize: 5 })).sample).toEqual([])
    expect((await page({ page: 'x', pageSize: -1 })).sample).toHaveLength(10)
  })

  it('without a condition is a 422', async () => {
    for (const body of [{}, { condition: null }, { condition: [] }, { condition: 5 }]) {
      const reply = await call('POST', '/segments/preview', body)
      expect(reply.status).toBe(422)
      expect(reply.body.error.errors).toMatchObject([{ field: 'condition', code: 'invalid_type' }])
    }
  })

  it('is canceled, with a message about the condition, if it takes too long', async () => {
    const asked = withStatementTimeout(app.db, (tx) => sql`select pg_sleep(20)`.execute(tx), 50)
    await expect(asked).rejects.toMatchObject({ kind: 'bad-request', message: expect.stringContaining('too long') })
    const others = withStatementTimeout(app.db, (tx) => sql`select 1 / 0`.execute(tx))
    await expect(others).rejects.toMatchObject({ code: '22012' })
  })
})

describe('a segment sent back as it was read', () => {
  it.each(['STATIC', 'DYNAMIC'])('is unchanged: %s', async (type) => {
    const segment = await create({ name: 'As it was', type, condition: PRO })
    const { status, body } = await call('PATCH', `/segments/${segment.id}`, segment)
    expect(status).toBe(200)
    expect(body).toEqual({ ...segment, updatedAt: body.updatedAt })
  })

  it('must have its condition if it is DYNAMIC', async () => {
    const segment = await create({ name: 'Needs it', condition: PRO })
    const { status, body } = await call('PATCH', `/segments/${segment.id}`, { condition: null })
    expect(status).toBe(422)
    expect(body.error.errors[0]).toMatchObject({ field: 'condition', code: 'invalid_type' })
  })
})

it('a condition with more than 1,000 filters, including those of its segments, is refused everywhere', async () => {
  const filters = Array.from({ length: 190 }, (_, i) => ({ field: `data.f${i}`, operator: 'exists' }))
  const large = await create({ name: 'Large', condition: where(...filters) })
  const names = (times: number) =>
    where(...Array.from({ length: times }, () => ({ field: `segment.${large.id}`, operator: 'memberOfSegment' })))
  const { id: workflowId } = (await call('POST', '/workflows', { name: 'W', eventName: 'x' })).body
  const condition = names(6)
  const campaign = { name: 'C', subject: 's', body: 'b', from: 'a@example.com', audienceType: 'FILTERED' }
  const requests: [string, string, object][] = [
    ['POST', '/segments/preview', { condition }],
    ['POST', '/segments', { name: 'Larger', condition }],
    ['POST', '/campaigns', { ...campaign, audienceCondition: condition }],
    ['POST', `/workflows/${workflowId}/steps`, { type: 'CONDITION', name: 'Check', config: condition }],
  ]
  for (const [method, path, body] of requests) {
    const reply = await call(method, path, body)
    expect(reply, path).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } })
    expect(JSON.stringify(reply.body), path).toContain('1000 filters')
  }
  expect((await call('POST', '/segments/preview', { condition: names(4) })).status).toBe(200)
})

it('too many concurrent computations of one project get 429, and connections are left for others', async () => {
  const other = await createProject(app)
  const tracked = await create({ name: 'Tracked', condition: PRO, trackMembership: true })
  const blocker = await app.pool.connect()
  try {
    await blocker.query('begin')
    await blocker.query('lock table contacts in access exclusive mode')
    const computing = Array.from({ length: 24 }, () => call('POST', `/segments/${tracked.id}/compute`))
    const refused = await Promise.race(computing)
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } })
    expect(refused.headers['retry-after']).toBe('1')
    expect((await app.request('GET', '/segments', { key: other.secretKey })).status).toBe(200)
    await blocker.query('rollback')
    const statuses = (await Promise.all(computing)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(app.ctx.settings.DATABASE_POOL_SIZE / 5)
    expect((await call('POST', `/segments/${tracked.id}/compute`)).status).toBe(200)
  } finally {
    blocker.release()
  }
})
