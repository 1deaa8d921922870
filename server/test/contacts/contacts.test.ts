/** Contacts: the rules for their data through every endpoint, subscriptions, lists, and concurrent requests. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

type Data = Record<string, unknown>

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0
let address: string

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())
beforeEach(() => {
  address = `person-${++counter}@example.org`
})

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const upsert = (fields: object = {}, email = address) => call('POST', '/contacts', { email, ...fields })

const find = async (email = address) =>
  (await call('GET', `/contacts?email=${encodeURIComponent(email)}`)).body.data[0] as
    | { id: string; data: Data }
    | undefined

async function eventsOf(email = address): Promise<string[]> {
  const { rows } = await app.pool.query(
    'select e.name from events e join contacts c on c.id = e.contact_id where c.email = $1 order by e.id',
    [email],
  )
  return rows.map((row) => row.name)
}

/** Every request that can set a contact's data. */
const WAYS: Array<[string, (fields: { data?: unknown; subscribed?: unknown }) => Promise<{ status: number }>]> = [
  ['POST /contacts', (fields) => upsert(fields)],
  ['PATCH /contacts/{id}', async (fields) => call('PATCH', `/contacts/${(await find())!.id}`, fields)],
  [
    'POST /v1/send',
    (fields) => call('POST', '/v1/send', { to: address, from: 'a@example.com', subject: 's', body: 'b', ...fields }),
  ],
  ['POST /events/track', (fields) => call('POST', '/events/track', { email: address, event: 'x', ...fields })],
  [
    'POST /v1/track',
    (fields) =>
      app.request('POST', '/v1/track', { key: project.publicKey, body: { email: address, event: 'x', ...fields } }),
  ],
]

const ALL_RESERVED = Object.fromEntries(
  (
    'id email service_id service_email posthorn_id posthorn_email plunk_id plunk_email ' +
    'unsubscribeUrl subscribeUrl manageUrl viewInBrowserUrl'
  )
    .split(' ')
    .map((name) => [name, 'x']),
)

const RULES: Array<[rule: string, before: Data, sent: Data, after: Data]> = [
  ['changes only the keys sent', { a: 1, b: 2 }, { b: 3 }, { a: 1, b: 3 }],
  ['removes a key with null, whether it is there or not', { a: 1, b: 2 }, { a: null, c: null }, { b: 2 }],
  ['ignores an empty text', { a: 'kept' }, { a: '', b: '' }, { a: 'kept' }],
  ['keeps 0 and false', { a: 1, b: true }, { a: 0, b: false }, { a: 0, b: false }],
  ['does not store a passing value', { a: 'old' }, { a: one('X'), b: one('Y') }, { a: 'old' }],
  [
    'stores {value} and persistent: true as nested data',
    {},
    { a: { value: 1 }, b: { value: 1, persistent: true } },
    { a: { value: 1 }, b: { value: 1, persistent: true } },
  ],
  ['replaces nested data whole', { p: { tier: 'a', age: 1 } }, { p: { tier: 'b' } }, { p: { tier: 'b' } }],
  [
    'judges null, "" and reserved names at the top only',
    {},
    { p: { a: null, b: '', id: 1, email: 2 } },
    { p: { a: null, b: '', id: 1, email: 2 } },
  ],
  ['stores lists as sent', { l: [1] }, { l: [1, 'a', null, { x: '' }] }, { l: [1, 'a', null, { x: '' }] }],
  ['drops reserved names', { a: 1 }, { ...ALL_RESERVED, b: 2 }, { a: 1, b: 2 }],
  [
    'takes subscribed and locale for data',
    {},
    { subscribed: false, locale: 'fr' },
    { subscribed: false, locale: 'fr' },
  ],
  ['may leave nothing', { a: 1 }, { a: null }, {}],
  ['stores mixed types as sent', { a: 1 }, { a: 'one' }, { a: 'one' }],
  [
    'keeps any script and odd names',
    {},
    { 'first name': 'Zoë 😀', 'a.b': 1, '': 2, 'it\'s "\\': 3 },
    { 'first name': 'Zoë 😀', 'a.b': 1, '': 2, 'it\'s "\\': 3 },
  ],
]

function one(value: unknown) {
  return { value, persistent: false }
}

describe.each(WAYS)('contact data through %s', (_way, send) => {
  it.each(RULES)('%s', async (_rule, before, sent, after) => {
    await upsert({ data: before })
    expect((await send({ data: sent })).status).toBe(200)
    expect(await find()).toMatchObject({ email: address, subscribed: true, data: after })
    expect((await find())!.data).toEqual(after)
  })

  it('drops prototype names at any depth', async () => {
    await upsert()
    const data = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":1},"x":{"prototype":1,"__proto__":{"p":2},"y":3}}')
    expect((await send({ data })).status).toBe(200)
    expect((await find())!.data).toEqual({ x: { y: 3 } })
    expect(({} as Data).a).toBeUndefined()
  })

  it.each([[[1, 2]], ['text'], [7], [true]])('refuses data that is %j', async (data) => {
    await upsert({ data: { kept: 1 } })
    expect(await send({ data })).toMatchObject({
      status: 422,
      body: { error: { errors: [{ field: 'data', code: 'invalid_type' }] } },
    })
    expect((await find())!.data).toEqual({ kept: 1 })
  })

  it('changes the subscription by its own field, with one event per change', async () => {
    await upsert()
    for (const subscribed of [true, false, false, true]) expect((await send({ subscribed })).status).toBe(200)
    const flips = (await eventsOf()).filter((name) => name.startsWith('contact.'))
    expect(flips).toEqual(['contact.unsubscribed', 'contact.subscribed'])
  })
})

describe('a new contact', () => {
  it.each([
    ['POST /contacts', undefined, true],
    ['POST /v1/send', undefined, false],
    ['POST /v1/track', undefined, true],
    ['POST /contacts', false, false],
    ['POST /v1/send', true, true],
    ['POST /v1/track', false, false],
  ])('is created by %s, subscribed %s becomes %s, and no event is recorded', async (way, given, expected) => {
    const send = WAYS.find(([name]) => name === way)![1]
    await send({ subscribed: given, data: { a: '', b: null, c: 1 } })
    expect(await find()).toMatchObject({ subscribed: expected, data: { c: 1 } })
    expect((await find())!.data).toEqual({ c: 1 })
    expect((await eventsOf()).filter((name) => name !== 'x')).toEqual([])
  })

  it.each(["o'neil+tag@sub.example.org", 'a!b#c@example.org', '用户@例え.jp', '"quoted name"@example.org'])(
    'can be %s',
    async (email) => {
      expect((await upsert({}, email)).body).toMatchObject({ email, _meta: { isNew: true } })
    },
  )

  it('is the same contact in any case and with surrounding blanks', async () => {
    const { body } = await upsert()
    const upperCase = ` ${address.toUpperCase()}\n`
    expect((await upsert({}, upperCase)).body).toMatchObject({ id: body.id, email: address, _meta: { isNew: false } })
    const tracked = await call('POST', '/events/track', { email: upperCase, event: 'x' })
    const sent = await call('POST', '/v1/send', {
      to: [upperCase, { email: upperCase }],
      from: 'a@example.com',
      subject: 's',
      body: 'b',
    })
    expect(tracked.body.data.contact).toBe(body.id)
    expect(sent.body.data.emails.map((e: { contact: object }) => e.contact)).toEqual([
      { id: body.id, email: address },
      { id: body.id, email: address },
    ])
  })
})

describe('the type of a contact field', () => {
  const typeOf = async (...path: string[]) =>
    (await app.pool.query('select type from contact_fields where project_id = $1 and path = $2', [project.id, path]))
      .rows[0]?.type

  it.each([
    [5, 'number'],
    [-1.5, 'number'],
    [true, 'boolean'],
    ['5', 'string'],
    ['true', 'string'],
    ['2026-01-02', 'date'],
    ['2026-01-02T03:04:05Z', 'date'],
    ['2026-01-02T03:04:05.123Z', 'date'],
    ['2026-1-2', 'string'],
    ['2026-01-02T03:04:05+01:00', 'string'],
    ['2026-01-02 03:04', 'string'],
    ['2026-01-02T03:04:05.12Z', 'string'],
  ])('first set to %j is %s permanently, whatever is set later', async (value, type) => {
    const field = `field-${counter}`
    await upsert({ data: { [field]: value } })
    for (const later of ['five', 5, false, '2026-01-02', null]) {
      await call('POST', '/events/track', { email: address, event: 'x', data: { [field]: later } })
      expect(await typeOf(field)).toBe(type)
    }
  })

  it('is not determined by null, empty text or a transient value', async () => {
    await upsert({ data: { late: null } })
    await upsert({ data: { late: '' } })
    await upsert({ data: { late: one(5) } })
    expect(await typeOf('late')).toBeUndefined()
    await upsert({ data: { late: true } })
    expect(await typeOf('late')).toBe('boolean')
  })

  it('is that of its leaves for nested data, separately for each project', async () => {
    const otherProject = await createProject(app)
    const body = { email: address, data: { profile: { tier: 1 } } }
    await app.request('POST', '/contacts', { key: otherProject.secretKey, body })
    await upsert({ data: { profile: { tier: 'gold' } } })
    expect(await typeOf('profile', 'tier')).toBe('string')
  })
})

describe('GET /contacts', () => {
  const list = async (query: string) => (await call('GET', `/contacts?${query}`)).body

  beforeAll(async () => {
    const addresses = Array.from({ length: 105 }, (_, i) => `crowd-${String(i).padStart(3, '0')}@example.net`)
    await call('POST', '/v1/send', { to: addresses, from: 'a@example.com', subject: 's', body: 'b' })
    for (const email of ['under_score@example.net', 'back-slash@example.net']) await upsert({}, email)
  })

  it.each([
    ['', 20],
    ['limit=7', 7],
    ['limit=100', 100],
    ['limit=500', 100],
    ['limit=0', 20],
    ['limit=-3', 20],
    ['limit=abc', 20],
    ['limit=1.5', 20],
    ['limit=3&limit=5', 5],
  ])('?%s returns %d entries', async (query, size) => {
    const page = await list(`search=crowd-&${query}`)
    expect(page).toMatchObject({ total: 105, hasMore: true, cursor: expect.any(String) })
    expect(page.data).toHaveLength(size)
  })

  it('lists the newest first over all pages, and returns the total on the first only', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    for (let page = 0; cursor !== null; page++) {
      const body = await list(`search=crowd-&limit=50&cursor=${cursor}`)
      expect(body).toMatchObject({ total: page === 0 ? 105 : 0, hasMore: page < 2 })
      seen.push(...body.data.map((contact: { id: string }) => contact.id))
      cursor = body.cursor
    }
    expect(new Set(seen).size).toBe(105)
    expect(seen).toEqual([...seen].sort().reverse())
  })

  it('continues after the last contact of a page without a search', async () => {
    const first = await list('limit=2')
    const second = await list(`limit=2&cursor=${first.cursor}`)
    expect([...first.data, ...second.data]).toEqual((await list('limit=4')).data)
  })

  it.each([
    ['search=CROWD-104', 1],
    ['search=CR%C3%96WD-104', 1],
    ['search=%25', 0],
    ['search=crowd%25net', 0],
    ['search=_', 1],
    ['search=%5C', 0],
    ['search=EXAMPLE.NET', 107],
    ['search=', 'all'],
    ['email=%20CROWD-001%40example.net', 1],
    ['email=crowd-', 0],
  ])('?%s finds %s', async (query, count) => {
    const { rows } = await app.pool.query('select count(*)::int from contacts where project_id = $1', [project.id])
    expect((await list(query)).total).toBe(count === 'all' ? rows[0].count : count)
  })

  it('filters by subscription', async () => {
    expect((await list('search=example.net&subscribed=true')).total).toBe(2)
    expect((await list('search=example.net&subscribed=false')).total).toBe(105)
  })

  it('is the same for a key and for a session, and never shows another project', async () => {
    const [mine, other] = [await createProject(app), await createProject(app)]
    for (const { secretKey } of [mine, other]) {
      for (const name of ['one', 'two', 'three'])
        await app.request('POST', '/contacts', { key: secretKey, body: { email: `${name}@example.org` } })
    }
    const withKey = async (query: string) =>
      (await app.request('GET', `/contacts${query}`, { key: mine.secretKey })).body
    const first = await withKey('?limit=2')
    expect(first).toMatchObject({ total: 3, hasMore: true, data: [{}, {}] })
    for (const query of [
      '',
      '?limit=2',
      `?limit=2&cursor=${first.cursor}`,
      '?email=TWO@example.org',
      '?email=none@x.yz',
    ]) {
      const page = await withKey(query)
      const own = { cookie: mine.owner.cookie, projectId: mine.id }
      expect((await app.request('GET', `/contacts${query}`, own)).body).toEqual(page)
      const rows = await app.pool.query('select project_id from contacts where id = any($1::uuid[])', [
        page.data.map(({ id }: { id: string }) => id),
      ])
      expect(rows.rows.every((row) => row.project_id === mine.id)).toBe(true)
    }
    expect((await app.request('GET', '/contacts', { key: `${mine.secretKey}0` })).status).toBe(401)
    expect((await app.request('GET', '/contacts?cursor=!', { key: `${mine.secretKey}0` })).status).toBe(401)
  })

  it.each(['x', '!!!', 'AAAA', '0', '019a0000-0000-7000-8000-000000000000'])(
    'refuses the cursor %s',
    async (cursor) => {
      expect(await call('GET', `/contacts?cursor=${cursor}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'BAD_REQUEST' } },
      })
    },
  )

  it('returns contacts without _meta', async () => {
    const { body } = await upsert({ data: { a: 1 } })
    const fields = ['id', 'email', 'subscribed', 'confirmation', 'pausedUntil', 'data', 'createdAt', 'updatedAt'].sort()
    for (const contact of [
      (await list('limit=1')).data[0],
      (await call('GET', `/contacts/${body.id}`)).body,
      (await call('PATCH', `/contacts/${body.id}`, {})).body,
    ]) {
      expect(Object.keys(contact).sort()).toEqual(fields)
    }
  })
})

describe('a deleted contact', () => {
  it('leaves its events and emails readable, and can be created again as a new contact', async () => {
    const { body: contact } = await upsert()
    const sent = await call('POST', '/v1/send', { to: address, from: 'a@example.com', subject: 's', body: 'b' })
    await call('POST', '/events/track', { email: address, event: 'farewell' })
    expect(await call('DELETE', `/contacts/${contact.id}`)).toMatchObject({ status: 204, body: '' })
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      expect(await call(method, `/contacts/${contact.id}`, method === 'PATCH' ? {} : undefined)).toMatchObject({
        status: 404,
      })
    }
    await app.drain()
    expect((await call('GET', '/events?name=farewell')).body.data[0]).toMatchObject({ name: 'farewell', contact: null })
    expect((await call('GET', `/emails/${sent.body.data.emails[0].email}`)).status).toBe(200)
    expect((await upsert()).body).toMatchObject({ _meta: { isNew: true } })
  })
})

describe('concurrent requests', () => {
  const times = <T>(n: number, make: (i: number) => Promise<T>) =>
    Promise.all(Array.from({ length: n }, (_, i) => make(i)))

  it('create one contact without losing data if twenty of them upsert one address', async () => {
    const replies = await times(20, (i) => upsert({ data: { [`key${i}`]: i } }))
    expect(replies.filter((reply) => reply.status === 201)).toHaveLength(1)
    expect(new Set(replies.map((reply) => reply.body.id)).size).toBe(1)
    expect(Object.keys((await find())!.data)).toHaveLength(20)
  })

  it('create one contact if they send to, track and upsert one address', async () => {
    const ways = [WAYS[0]![1], WAYS[2]![1], WAYS[3]![1], WAYS[4]![1]]
    const replies = await times(20, (i) => ways[i % 4]!({ data: { [`key${i}`]: i } }))
    expect(replies.filter((reply) => reply.status > 201)).toEqual([])
    expect(Object.keys((await find())!.data)).toHaveLength(20)
  })

  it('record exactly the subscription changes that happened', async () => {
    const { body } = await upsert()
    await times(20, (i) => {
      const subscribed = i % 2 === 0
      return i % 4 < 2 ? call('PATCH', `/contacts/${body.id}`, { subscribed }) : upsert({ subscribed })
    })
    const events = await eventsOf()
    const [off, on] = ['contact.unsubscribed', 'contact.subscribed'].map((n) => events.filter((e) => e === n).length)
    expect(await find()).toMatchObject({ subscribed: off === on })
    expect(off! - on!).toBeOneOf([0, 1])
  })

  it('assign an address to one contact only', async () => {
    const people = await times(10, (i) => upsert({}, `rival-${i}-${address}`))
    const replies = await times(10, (i) => call('PATCH', `/contacts/${people[i]!.body.id}`, { email: address }))
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, ...Array(9).fill(409)])
  })
})
