/** Tracking events and reading them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const newAddress = () => `visitor-${++counter}@example.org`

type Endpoint = [path: string, kind: 'publicKey' | 'secretKey']

const ENDPOINTS: Endpoint[] = [
  ['/v1/track', 'publicKey'],
  ['/events/track', 'secretKey'],
]

const track = (body: object, [path, kind]: Endpoint = ENDPOINTS[0]!) =>
  app.request('POST', path, { key: project[kind], body })

const list = (query = '') => app.request('GET', `/events?${query}`, { key: project.secretKey })

const contact = async (email: string) =>
  (await app.request('GET', `/contacts?email=${encodeURIComponent(email)}`, { key: project.secretKey })).body.data[0]

const rowsOf = async (table: string) => (await app.pool.query(`select count(*)::int as n from ${table}`)).rows[0].n

describe.each(ENDPOINTS)('%s', (...endpoint) => {
  it('records the event with its contact, in one envelope', async () => {
    const email = newAddress()
    const reply = await track({ email: email.toUpperCase(), event: ' signup ', data: { plan: 'pro' } }, endpoint)
    expect(reply).toMatchObject({
      status: 200,
      body: { success: true, data: { timestamp: app.clock.now().toISOString() } },
    })
    const { contact: contactId, event: id } = reply.body.data
    expect((await list()).body.data[0]).toEqual({
      id,
      name: 'signup',
      contactId,
      emailId: null,
      data: { plan: 'pro' },
      createdAt: app.clock.now().toISOString(),
      contact: { id: contactId, email },
    })
    expect(await contact(email)).toMatchObject({ id: contactId, subscribed: true, data: { plan: 'pro' } })
  })

  it('unwraps transient values for the event and does not store them on the contact', async () => {
    const email = newAddress()
    const data = {
      coupon: { value: 'X', persistent: false },
      order: { value: { total: 5 }, persistent: false },
      plan: 'pro',
    }
    await track({ email, event: 'bought', data }, endpoint)
    expect((await list('name=bought')).body.data[0].data).toEqual({ coupon: 'X', order: { total: 5 }, plan: 'pro' })
    expect((await contact(email)).data).toEqual({ plan: 'pro' })
  })

  it('records a second event for a repeated request', async () => {
    const email = newAddress()
    const replies = [await track({ email, event: 'twice' }, endpoint), await track({ email, event: 'twice' }, endpoint)]
    expect(replies[0]!.body.data.event).not.toBe(replies[1]!.body.data.event)
    expect(replies[0]!.body.data.contact).toBe(replies[1]!.body.data.contact)
  })

  it.each([
    ['email.sent', 'reserved_event'],
    ['email.', 'reserved_event'],
    ['email.x.y', 'reserved_event'],
    ['  email.open  ', 'reserved_event'],
    ['email.a\nb', 'reserved_event'],
    ['contact.subscribed', 'reserved_event'],
    ['contact.unsubscribed', 'reserved_event'],
    ['segment.vip.entry', 'reserved_event'],
    ['segment.big-spenders.exit', 'reserved_event'],
    ['', 'too_small'],
    ['   ', 'too_small'],
    [undefined, 'invalid_type'],
    [7, 'invalid_type'],
    [['x'], 'invalid_type'],
  ])('refuses the name %j and stores nothing', async (event, code) => {
    const before = [await rowsOf('contacts'), await rowsOf('events'), await rowsOf('contact_fields')]
    const reply = await track({ email: newAddress(), event, data: { [`never-${counter}`]: 1 } }, endpoint)
    expect(reply).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', errors: [{ field: 'event', code }] } },
    })
    expect([await rowsOf('contacts'), await rowsOf('events'), await rowsOf('contact_fields')]).toEqual(before)
  })

  it.each(['emails.sent', 'email', 'contact.created', 'segment.vip', 'segment.vip.joined', 'Zoë 😀', 'a/b?c=d&e'])(
    'accepts the name %s',
    async (event) => {
      expect((await track({ email: newAddress(), event }, endpoint)).status).toBe(200)
      expect((await list(`name=${encodeURIComponent(event)}`)).body.data[0]).toMatchObject({ name: event })
    },
  )

  it('changes a subscription only if requested, with one event per change', async () => {
    const email = newAddress()
    for (const subscribed of [undefined, false, undefined, false, true])
      await track({ email, event: 'visit', subscribed }, endpoint)
    const { rows } = await app.pool.query(
      'select e.name, e.data from events e join contacts c on c.id = e.contact_id where c.email = $1 order by e.id',
      [email],
    )
    expect(rows.filter((row) => row.name !== 'visit')).toEqual([
      { name: 'contact.unsubscribed', data: {} },
      { name: 'contact.subscribed', data: {} },
    ])
    expect(rows).toHaveLength(7)
  })
})

describe('GET /events', () => {
  beforeAll(async () => {
    for (let i = 0; i < 25; i++) await track({ email: 'lister@example.org', event: 'listed', data: { i } })
  })

  it('lists the newest first, page by page', async () => {
    const seen: number[] = []
    let query: string | undefined = 'name=listed&limit=10'
    const totals: number[] = []
    while (query) {
      const page: { data: Array<{ data: { i: number } }>; cursor: string | null; hasMore: boolean; total: number } = (
        await list(query)
      ).body
      seen.push(...page.data.map((event) => event.data.i))
      totals.push(page.total)
      expect(page.hasMore).toBe(page.cursor !== null)
      query = page.cursor === null ? undefined : `name=listed&limit=10&cursor=${page.cursor}`
    }
    expect(seen).toEqual(Array.from({ length: 25 }, (_, i) => 24 - i))
    expect(totals).toEqual([25, 0, 0])
  })

  it.each([
    ['limit=0', 20],
    ['limit=banana', 20],
    ['limit=1000', 25],
    ['', 20],
  ])('?%s returns %d entries', async (query, size) => {
    expect((await list(`name=listed&${query}`)).body.data).toHaveLength(size)
  })

  it('is empty for an unused name, and refuses an invalid cursor', async () => {
    expect((await list('name=nobody')).body).toEqual({ data: [], cursor: null, hasMore: false, total: 0 })
    expect((await list('cursor=nonsense')).status).toBe(400)
  })

  it('shows only the events of its own project', async () => {
    const otherProject = await createProject(app)
    const reply = await app.request('GET', '/events', { key: otherProject.secretKey })
    expect(reply.body).toEqual({ data: [], cursor: null, hasMore: false, total: 0 })
  })

  it('is not treated as an ID', async () => {
    expect((await app.request('GET', '/events/track', { key: project.secretKey })).status).toBe(404)
  })
})

describe('concurrent requests to POST /v1/track', () => {
  it('create one contact and one event each', async () => {
    const email = newAddress()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        track({ email, event: 'rush', data: { [`rush${i % 3}`]: i } }, ENDPOINTS[i % 2]),
      ),
    )
    expect(replies.map((reply) => reply.status)).toEqual(Array(20).fill(200))
    expect(new Set(replies.map((reply) => reply.body.data.contact)).size).toBe(1)
    expect((await list('name=rush')).body.total).toBe(20)
  })

  it('do not block each other if they have new fields in different orders', async () => {
    const names = ['n1', 'n2', 'n3', 'n4', 'n5']
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, i) => {
        const order = i % 2 ? names : names.toReversed()
        const data = Object.fromEntries(order.map((name) => [`${name}-${i >> 2}`, i]))
        return track({ email: newAddress(), event: 'teach', data })
      }),
    )
    expect(replies.filter((reply) => reply.status !== 200)).toEqual([])
  })
})
