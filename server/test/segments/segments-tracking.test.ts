/**
 * Entry and exit events: exactly one per change, by a computation on request, by changed members, and automatically.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recomputeSegments } from '../../features/audience/segments/actions.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const MINUTE = 60_000

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  project = await createProject(app)
})

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })
const where = (...filters: object[]) => ({ logic: 'AND', groups: [{ filters }] })
const PRO = where({ field: 'data.plan', operator: 'equals', value: 'pro' })
const upsert = async (email: string, data: object = {}): Promise<string> =>
  (await call('POST', '/contacts', { email, data })).body.id
const create = async (body: object) =>
  (await call('POST', '/segments', { name: 'Pro users!', condition: PRO, trackMembership: true, ...body })).body
const compute = async (id: string) => (await call('POST', `/segments/${id}/compute`)).body
const events = async () =>
  (await call('GET', '/events?limit=100')).body.data
    .filter(({ name }: { name: string }) => name.startsWith('segment.'))
    .map(({ name, contact, data }: { name: string; contact: { email: string } | null; data: object }) => ({
      name,
      email: contact?.email,
      data,
    }))
    .reverse()
const names = async () => (await events()).map(({ name, email }: { name: string; email: string }) => `${name} ${email}`)
const memberRows = async (id: string) =>
  app.db.selectFrom('segment_members').select('contact_id').where('segment_id', '=', id).execute()

describe('computing a tracked segment', () => {
  it('records one event for every contact that entered or left', async () => {
    await upsert('a@example.org', { plan: 'pro' })
    const { id, memberCount } = await create({})
    expect(memberCount).toBe(1)
    expect(await events()).toEqual([])
    expect(await compute(id)).toEqual({ added: 1, removed: 0, total: 1 })
    expect(await compute(id)).toEqual({ added: 0, removed: 0, total: 1 })
    const data = { segmentId: id, segmentName: 'Pro users!' }
    expect(await events()).toEqual([{ name: 'segment.pro-users.entry', email: 'a@example.org', data }])

    app.clock.forward(10)
    const b = await upsert('b@example.org', { plan: 'pro' })
    await upsert('a@example.org', { plan: 'free' })
    expect(await compute(id)).toEqual({ added: 1, removed: 1, total: 1 })
    expect((await events()).slice(1)).toEqual(
      expect.arrayContaining([
        { name: 'segment.pro-users.entry', email: 'b@example.org', data },
        { name: 'segment.pro-users.exit', email: 'a@example.org', data },
      ]),
    )
    expect(await memberRows(id)).toEqual([{ contact_id: b }])
    expect((await call('GET', `/segments/${id}`)).body.memberCount).toBe(1)
  })

  it('concurrently records each event once', async () => {
    for (let i = 0; i < 20; i++) await upsert(`p${i}@example.org`, { plan: 'pro' })
    const { id } = await create({})
    app.clock.forward(2 * MINUTE)
    const results = await Promise.all([
      ...Array.from({ length: 4 }, () => compute(id)),
      ...Array.from({ length: 3 }, () => recomputeSegments(app.ctx).then(() => ({ added: 0 }))),
    ])
    expect(await events()).toHaveLength(20)
    expect(results.reduce((sum, { added }) => sum + added, 0)).toBeLessThanOrEqual(20)
    expect(await memberRows(id)).toHaveLength(20)
  })

  it('returns 400 if the segment is not tracked', async () => {
    const untracked = await create({ trackMembership: false })
    const list = await create({ type: 'STATIC' })
    for (const { id } of [untracked, list]) {
      const { status, body } = await call('POST', `/segments/${id}/compute`)
      expect({ status, code: body.error.code }).toEqual({ status: 400, code: 'BAD_REQUEST' })
    }
    expect(await events()).toEqual([])
  })

  it('is not affected by refreshing the count, which records no events and no members', async () => {
    await upsert('a@example.org', { plan: 'pro' })
    const { id } = await create({})
    await upsert('b@example.org', { plan: 'pro' })
    expect((await call('POST', `/segments/${id}/refresh`)).body).toEqual({ memberCount: 2 })
    expect((await call('GET', `/segments/${id}`)).body.memberCount).toBe(2)
    expect(await memberRows(id)).toEqual([])
    expect(await events()).toEqual([])
  })

  it('records no events for deleted contacts', async () => {
    const id = await upsert('a@example.org', { plan: 'pro' })
    const segment = await create({})
    await compute(segment.id)
    await call('DELETE', `/contacts/${id}`)
    expect((await call('GET', `/segments/${segment.id}`)).body.memberCount).toBe(0)
    // A member that was left by a computation that overlapped with the deletion.
    await app.pool.query(
      'insert into segment_members (project_id, segment_id, contact_id, created_at) values ($1, $2, $3, now())',
      [project.id, segment.id, id],
    )
    expect(await compute(segment.id)).toEqual({ added: 0, removed: 1, total: 0 })
    expect((await events()).map(({ name }: { name: string }) => name)).toEqual(['segment.pro-users.entry'])
  })

  it("uses the segment's ID if its name has no letters", async () => {
    await upsert('a@example.org', { plan: 'pro' })
    const { id } = await create({ name: '!!!' })
    await compute(id)
    expect(await names()).toEqual([`segment.${id}.entry a@example.org`])
  })
})

describe('changing a tracked segment', () => {
  it('to untracked removes its members without events, and tracking it again lets them enter', async () => {
    await upsert('a@example.org', { plan: 'pro' })
    const { id } = await create({})
    await compute(id)
    const off = (await call('PATCH', `/segments/${id}`, { trackMembership: false })).body
    expect(off).toMatchObject({ trackMembership: false, memberCount: 1 })
    expect(await memberRows(id)).toEqual([])
    expect(await events()).toHaveLength(1)
    await call('PATCH', `/segments/${id}`, { trackMembership: true })
    expect(await compute(id)).toEqual({ added: 1, removed: 0, total: 1 })
    expect(await events()).toHaveLength(2)
  })

  it('by its condition updates all members at the next computation', async () => {
    await upsert('a@example.org', { plan: 'pro' })
    await upsert('b@example.org', { plan: 'free' })
    const { id } = await create({})
    await compute(id)
    await call('PATCH', `/segments/${id}`, {
      condition: where({ field: 'data.plan', operator: 'equals', value: 'free' }),
    })
    expect(await compute(id)).toEqual({ added: 1, removed: 1, total: 1 })
    expect(await names()).toEqual(
      expect.arrayContaining(['segment.pro-users.exit a@example.org', 'segment.pro-users.entry b@example.org']),
    )
  })
})

describe('a STATIC segment', () => {
  it('records events for every change of its members if it is tracked', async () => {
    const { id } = await create({ type: 'STATIC', name: 'VIP  Liste – Köln' })
    const emails = ['a@example.org', 'A@example.org', 'b@example.org']
    await call('POST', `/segments/${id}/members`, { emails, createMissing: true })
    await call('POST', `/segments/${id}/members`, { emails, createMissing: true })
    app.clock.forward(10)
    await call('DELETE', `/segments/${id}/members`, { emails: ['a@example.org', 'x@example.org'] })
    await call('DELETE', `/segments/${id}/members`, { emails: ['a@example.org'] })
    const all = await names()
    expect(all.slice(0, 2).sort()).toEqual([
      'segment.vip-liste-köln.entry a@example.org',
      'segment.vip-liste-köln.entry b@example.org',
    ])
    expect(all.slice(2)).toEqual(['segment.vip-liste-köln.exit a@example.org'])
  })

  it('records no events if it is not tracked', async () => {
    const { id } = await create({ type: 'STATIC', trackMembership: false })
    await call('POST', `/segments/${id}/members`, { emails: ['a@example.org'], createMissing: true })
    await call('DELETE', `/segments/${id}/members`, { emails: ['a@example.org'] })
    expect(await events()).toEqual([])
  })
})

describe('a tracked segment', () => {
  const round = () => recomputeSegments(app.ctx)
  const settle = async () => {
    app.clock.forward(2 * MINUTE)
    await round()
  }

  it('is updated about a minute after its contacts changed', async () => {
    const { id } = await create({})
    await settle()
    app.clock.forward(1_000)
    await upsert('a@example.org', { plan: 'pro' })
    await round()
    expect(await events()).toEqual([])
    app.clock.forward(MINUTE)
    await round()
    expect(await names()).toEqual(['segment.pro-users.entry a@example.org'])
    await round()
    const contact = (await call('GET', '/contacts')).body.data[0]
    await call('PATCH', `/contacts/${contact.id}`, { data: { plan: null } })
    await settle()
    expect(await names()).toEqual(['segment.pro-users.entry a@example.org', 'segment.pro-users.exit a@example.org'])
    expect((await call('GET', `/segments/${id}`)).body.memberCount).toBe(0)
  })

  it('is updated after events, which change no contact', async () => {
    await upsert('a@example.org')
    await create({ condition: where({ field: 'event.paid', operator: 'triggered' }) })
    await settle()
    app.clock.forward(30_000)
    const track = { email: 'a@example.org', event: 'paid' }
    await call('POST', '/v1/track', track, project.publicKey)
    app.clock.forward(40_000)
    await round()
    expect(await names()).toEqual(['segment.pro-users.entry a@example.org'])
  })

  it('is updated every five minutes without any change', async () => {
    await upsert('a@example.org')
    await create({ condition: where({ field: 'createdAt', operator: 'within', value: 10, unit: 'minutes' }) })
    await settle()
    expect(await names()).toEqual(['segment.pro-users.entry a@example.org'])
    app.clock.forward(4 * MINUTE)
    await round()
    app.clock.forward(4.5 * MINUTE)
    await round()
    app.clock.forward(MINUTE)
    await round()
    expect(await names()).toHaveLength(2)
  })

  it('is updated after the segments it refers to', async () => {
    const list = await create({ type: 'STATIC', trackMembership: false })
    const via = await create({
      name: 'via',
      trackMembership: false,
      condition: where({ field: `segment.${list.id}`, operator: 'memberOfSegment' }),
    })
    await create({ name: 'Outer', condition: where({ field: `segment.${via.id}`, operator: 'memberOfSegment' }) })
    await upsert('a@example.org')
    await settle()
    await call('POST', `/segments/${list.id}/members`, { emails: ['a@example.org'] })
    await settle()
    expect(await names()).toEqual(['segment.outer.entry a@example.org'])
  })

  it('is skipped if tracking is off or the project is disabled', async () => {
    await upsert('a@example.org', { plan: 'pro' })
    const untracked = await create({ trackMembership: false })
    await create({})
    await app.pool.query('update projects set disabled_at = now() where id = $1', [project.id])
    await settle()
    expect(await events()).toEqual([])
    expect(await memberRows(untracked.id)).toEqual([])
  })

  it('is computed by a periodic job that can run twice concurrently', async () => {
    for (let i = 0; i < 5; i++) await upsert(`j${i}@example.org`, { plan: 'pro' })
    await create({})
    await create({ name: 'Second' })
    app.clock.forward(2 * MINUTE)
    await Promise.all([round(), round(), round()])
    expect(await events()).toHaveLength(10)
  })
})
