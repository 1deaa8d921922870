/** Recorded events: counts, names, usage, and deleting all events with a name. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

const GONE = '01890000-0000-7000-8000-000000000000'

let app: TestApp
let project: Project
let other: Project

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  other = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })

const track = async (email: string, event: string, key = project.secretKey) =>
  (await call('POST', '/events/track', { email, event }, key)).body.data as { contact: string; event: string }

const stats = async (query = '', key = project.secretKey) =>
  (await call('GET', `/events/stats${query}`, undefined, key)).body
const tallyOf = async (name: string, query = '') =>
  (await stats(query)).data.find((row: { name: string }) => row.name === name)

const path = (name: string) => `/events/${encodeURIComponent(name)}`

/** Stored counts must be the same whether or not they are folded. */
async function beforeAndAfterFolding<T>(look: () => Promise<T>): Promise<T> {
  const before = await look()
  await app.fold()
  expect(await look()).toEqual(before)
  return before
}

describe('event counts by name', () => {
  it('return the events and contacts of each name, most frequent first, only of their own project', async () => {
    for (const [email, name] of [
      ['a@example.org', 'bought'],
      ['a@example.org', 'bought'],
      ['b@example.org', 'bought'],
      ['a@example.org', 'visited'],
    ] as const) {
      await track(email, name)
    }
    await track('a@example.org', 'bought', other.secretKey)
    const expected = {
      total: 4,
      data: [
        { name: 'bought', count: 3, contacts: 2 },
        { name: 'visited', count: 1, contacts: 1 },
      ],
    }
    expect(await beforeAndAfterFolding(() => stats())).toEqual(expected)
    await track('b@example.org', 'bought') // partly folded
    expect(await tallyOf('bought')).toEqual({ name: 'bought', count: 4, contacts: 2 })
    expect(await beforeAndAfterFolding(() => stats('', other.secretKey))).toEqual({
      total: 1,
      data: [{ name: 'bought', count: 1, contacts: 1 }],
    })
  })

  it('can be limited to an exact time range', async () => {
    const start = app.clock.now()
    await track('a@example.org', 'timed')
    app.clock.forward(3_600_000)
    await track('b@example.org', 'timed')
    const between = app.clock.now()
    app.clock.forward(3_600_000)
    await track('b@example.org', 'timed')
    const of = (from: Date, to?: Date) =>
      tallyOf('timed', `?from=${from.toISOString()}${to ? `&to=${to.toISOString()}` : ''}`)
    expect(await of(start)).toMatchObject({ count: 3, contacts: 2 })
    expect(await of(start, start)).toMatchObject({ count: 1, contacts: 1 })
    expect(await of(start, between)).toMatchObject({ count: 2, contacts: 2 })
    expect(await of(between)).toMatchObject({ count: 2, contacts: 1 })
    expect(await stats(`?from=${new Date(app.clock.now().getTime() + 60_000).toISOString()}`)).toEqual({
      total: 0,
      data: [],
    })
    expect(await tallyOf('timed', '?to=2000-01-01')).toBeUndefined()
  })

  it.each(['?from=yesterday', '?to=2026-02-30', '?from=2026-02-02&to=2026-02-01', '?from=5'])(
    'refuse %s',
    async (query) => {
      expect(await call('GET', `/events/stats${query}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_REQUEST' } },
      })
    },
  )

  it('lose an erased contact and keep its events', async () => {
    const { contact } = await track('leaver@example.org', 'left')
    await track('stayer@example.org', 'left')
    await app.fold()
    await call('DELETE', `/contacts/${contact}`)
    await app.drain()
    expect(await beforeAndAfterFolding(() => tallyOf('left'))).toEqual({ name: 'left', count: 2, contacts: 1 })
    expect(await app.rebuild()).toEqual({})
  })
})

describe('event names', () => {
  it('are listed once each, in order, in both fields', async () => {
    for (const name of ['zebra', 'apple', 'apple']) await track('a@example.org', name, other.secretKey)
    const reply = await beforeAndAfterFolding(() =>
      call('GET', '/events/names', undefined, other.secretKey).then((r) => r.body),
    )
    expect(reply).toEqual({ names: ['apple', 'bought', 'zebra'], eventNames: ['apple', 'bought', 'zebra'] })
  })
})

describe('the events of a contact', () => {
  it('are a cursor list like the list of all events', async () => {
    const email = 'one@example.org'
    const { contact } = await track(email, 'first')
    for (const name of ['second', 'third']) await track(email, name)
    await track('another@example.org', 'first')
    const first = await call('GET', `/events/contact/${contact}?limit=2`)
    expect(first.body).toMatchObject({ hasMore: true, total: 3 })
    expect(first.body.data[0]).toMatchObject({ name: 'third', contactId: contact, contact: { id: contact, email } })
    const second = await call('GET', `/events/contact/${contact}?limit=2&cursor=${first.body.cursor}`)
    expect(second.body).toMatchObject({ data: [{ name: 'first' }], hasMore: false, cursor: null, total: 0 })
    const named = await call('GET', `/events/contact/${contact}?name=first`)
    expect(named.body).toMatchObject({ data: [{ name: 'first', contactId: contact }], total: 1 })
  })

  it("are not found if the contact doesn't exist", async () => {
    const { contact } = await track('theirs@example.org', 'x', other.secretKey)
    for (const id of [GONE, 'nobody', contact]) {
      expect(await call('GET', `/events/contact/${id}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'CONTACT_NOT_FOUND' } },
      })
    }
  })
})

describe('the usage of an event name', () => {
  it('lists segments, campaigns and workflows that refer to it', async () => {
    const name = 'used/by all'
    const condition = { logic: 'AND', groups: [{ filters: [{ field: `event.${name}`, operator: 'triggered' }] }] }
    const segment = (await call('POST', '/segments', { name: 'Used', condition })).body
    const mail = { subject: 'S', body: '<p>B</p>', from: 'hello@example.com' }
    const campaign = (
      await call('POST', '/campaigns', {
        name: 'Used',
        ...mail,
        audienceType: 'FILTERED',
        audienceCondition: condition,
      })
    ).body
    const triggered = (await call('POST', '/workflows', { name: 'Triggered', eventName: name })).body
    const waiting = (await call('POST', '/workflows', { name: 'Waiting', eventName: 'something else' })).body
    await call('POST', `/workflows/${waiting.id}/steps`, { type: 'WAIT_FOR_EVENT', config: { eventName: name } })
    const asking = (await call('POST', '/workflows', { name: 'Asking', eventName: 'something else' })).body
    await call('POST', `/workflows/${asking.id}/steps`, { type: 'CONDITION', config: condition })
    await track('a@example.org', name)
    await track('a@example.org', name)
    expect((await call('GET', `${path(name)}/usage`)).body).toEqual({
      usedInSegments: [{ id: segment.id, name: 'Used' }],
      usedInCampaigns: [{ id: campaign.id, name: 'Used' }],
      usedInWorkflows: [triggered, waiting, asking].map(({ id, name }) => ({ id, name })),
      totalCount: 2,
      uniqueContacts: 1,
    })
    expect((await call('GET', `${path(name)}/usage`, undefined, other.secretKey)).body).toEqual({
      usedInSegments: [],
      usedInCampaigns: [],
      usedInWorkflows: [],
      totalCount: 0,
      uniqueContacts: 0,
    })
  })

  it('counts an email activity as the event that records it', async () => {
    const condition = { logic: 'AND', groups: [{ filters: [{ field: 'email.opened', operator: 'triggered' }] }] }
    const { body } = await call('POST', '/segments', { name: 'Readers', condition })
    expect((await call('GET', '/events/email.open/usage')).body.usedInSegments).toEqual([
      { id: body.id, name: 'Readers' },
    ])
  })
})

describe('deleting an event name', () => {
  it.each(['plain', 'a/b', 'with space', 'dots.in.it', 'Zoë 😀', 'a%2Fb', '100%', "it's; drop table events", 'usage'])(
    'deletes all events named %s and keeps every count exact',
    async (name) => {
      for (const email of ['a@example.org', 'b@example.org']) {
        await track(email, name)
        await track(email, name, other.secretKey)
      }
      await app.fold()
      await track('b@example.org', name)
      const before = await stats()
      expect((await call('GET', `${path(name)}/usage`)).body).toMatchObject({ totalCount: 3, uniqueContacts: 2 })
      expect(await call('DELETE', path(name))).toMatchObject({ status: 200, body: { deletedCount: 3 } })
      const after = await beforeAndAfterFolding(() => stats())
      expect(after.total).toBe(before.total - 3)
      expect(after.data.map((row: { name: string }) => row.name)).not.toContain(name)
      expect((await call('GET', '/events/names')).body.names).not.toContain(name)
      expect((await call('GET', `/events?name=${encodeURIComponent(name)}`)).body).toMatchObject({ data: [], total: 0 })
      expect((await call('GET', `${path(name)}/usage`, undefined, other.secretKey)).body.totalCount).toBe(2)
      expect(await call('DELETE', path(name))).toMatchObject({ status: 200, body: { deletedCount: 0 } })
    },
  )

  it.each(['email.sent', 'EMAIL.x', 'contact.subscribed', 'segment.vip.entry'])('refuses %s', async (name) => {
    const before = await stats()
    expect(await call('DELETE', path(name))).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', errors: [{ field: 'eventName', code: 'reserved_event' }] } },
    })
    expect(await stats()).toEqual(before)
  })

  it('returns an exact count over many batches', async () => {
    await app.pool.query(
      `insert into events (project_id, id, name, contact_id, created_at)
       select $1, id_at($2::timestamptz, i), 'many', null, $2 from generate_series(1, 25000) i`,
      [project.id, new Date(app.clock.now().getTime() - 60_000)],
    )
    expect((await call('GET', '/events?name=many&limit=1')).body.total).toBe(25_000)
    expect((await call('DELETE', '/events/many')).body).toEqual({ deletedCount: 25_000 })
    expect(await tallyOf('many')).toBeUndefined()
    expect(await app.rebuild()).toEqual({})
  })
})

describe('GET /events/{eventName}/fields', () => {
  const fields = async (name: string, key = project.secretKey) =>
    (await call('GET', `${path(name)}/fields`, undefined, key)).body
  const record = (data: object) => call('POST', '/events/track', { email: 'typed@example.org', event: 'typed', data })

  it('lists the properties in the data of events, with the type of the latest value and the share that has it', async () => {
    await record({ total: 'twenty', paid: true })
    await record({ total: 20, at: '2026-01-02', items: { 'a.b': ['x'], count: 1 }, nothing: null })
    expect(await fields('typed')).toEqual({
      fields: [
        { field: 'at', property: 'at', type: 'date', coverage: 0.5 },
        { field: 'items.a.b', property: 'items.a.b', type: 'string', coverage: 0.5 },
        { field: 'items.count', property: 'items.count', type: 'number', coverage: 0.5 },
        { field: 'paid', property: 'paid', type: 'boolean', coverage: 0.5 },
        { field: 'total', property: 'total', type: 'number', coverage: 1 },
      ],
      sampled: 2,
    })
  })

  it('returns nothing for a name without events, or of another project', async () => {
    const nothing = { fields: [], sampled: 0 }
    expect(await fields('never happened/100%')).toEqual(nothing)
    expect(await fields('typed', other.secretKey)).toEqual(nothing)
  })
})
