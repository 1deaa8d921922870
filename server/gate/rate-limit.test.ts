import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp, type TestRequest } from '../test/harness.ts'

const LIMIT = 10
let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: String(LIMIT) })
  project = await createProject(app)
})
afterAll(() => app.close())
beforeEach(() => app.clock.forward(60_000))

const get = (path = '/contacts', options: TestRequest = {}) =>
  app.request('GET', path, { key: project.secretKey, ...options })
const track = () =>
  app.request('POST', '/v1/track', { key: project.publicKey, body: { email: 'a@example.org', event: 'x' } })
const useUp = async () => {
  for (let i = 0; i < LIMIT; i++) expect((await get()).status).toBe(200)
}

describe('the rate limit of a project', () => {
  it('is in three headers of every response', async () => {
    expect((await get()).headers).toMatchObject({
      'ratelimit-limit': '10',
      'ratelimit-remaining': '9',
      'ratelimit-reset': '60',
    })
    app.clock.forward(19_500)
    expect((await get()).headers).toMatchObject({
      'ratelimit-limit': '10',
      'ratelimit-remaining': '8',
      'ratelimit-reset': '41',
    })
  })

  it.each([
    ['an unknown id', 404, () => get('/contacts/7')],
    ['a bad body', 422, () => app.request('POST', '/contacts', { key: project.secretKey, body: {} })],
    ['malformed JSON', 400, () => app.request('POST', '/contacts', { key: project.secretKey, text: '{' })],
    [
      'malformed JSON for a route that reads the body first',
      400,
      () => app.request('POST', '/domains', { key: project.secretKey, text: '{' }),
    ],
    [
      'an unverified sender',
      403,
      () =>
        app.request('POST', '/v1/send', {
          key: project.secretKey,
          body: { to: 'a@b.co', from: 'a@b.co', subject: 's', body: 'b' },
        }),
    ],
    [
      'a body that is too large',
      413,
      () => app.request('POST', '/contacts', { key: project.secretKey, text: ' '.repeat(6_000_000) }),
    ],
    ['the domains of another project', 404, () => get('/domains/project/019a0000-0000-7000-8000-000000000000')],
  ])('is also in the headers of a refusal: %s', async (_what, status, call) => {
    const reply = await call()
    expect(reply.status).toBe(status)
    expect(reply.headers).toMatchObject({
      'ratelimit-limit': '10',
      'ratelimit-remaining': '9',
      'ratelimit-reset': '60',
    })
  })

  it('is the most that the request log has of requests to unknown endpoints', async () => {
    for (let i = 0; i < 2 * LIMIT; i++) await app.request('POST', '/nowhere', { key: project.publicKey, body: {} })
    const logged = async () => {
      await app.services.requestLog.flush()
      const text = `select sum(cardinality(ids))::int as count from api_requests where project_id = $1 and paths[1] = '/nowhere'`
      return (await app.pool.query(text, [project.id])).rows[0].count
    }
    await expect.poll(logged).toBe(LIMIT)
  })

  it('is also in the headers while the project is disabled', async () => {
    await app.pool.query('update projects set disabled_at = now() where id = $1', [project.id])
    const reply = await track()
    await app.pool.query('update projects set disabled_at = null where id = $1', [project.id])
    expect(reply).toMatchObject({ status: 403, headers: { 'ratelimit-remaining': '9' } })
  })

  it('leads to a 429 with Retry-After, and nothing is changed', async () => {
    await useUp()
    app.clock.forward(15_000)
    const reply = await app.request('POST', '/contacts', {
      key: project.secretKey,
      body: { email: 'late@example.org' },
    })
    expect(reply).toMatchObject({
      status: 429,
      body: { success: false, error: { code: 'RATE_LIMIT_EXCEEDED', statusCode: 429, details: { retryAfter: 45 } } },
      headers: { 'retry-after': '45', 'ratelimit-limit': '10', 'ratelimit-remaining': '0', 'ratelimit-reset': '45' },
    })
    app.clock.forward(45_000)
    expect((await get('/contacts?email=late@example.org')).body.total).toBe(0)
  })

  it('is shared by all endpoints, and not by the public key, which has one of its own', async () => {
    for (let i = 0; i < LIMIT; i++) {
      expect((await track()).status).toBe(200)
      expect((await get(i % 2 ? '/events' : '/emails')).status).toBe(200)
    }
    expect([(await track()).status, (await get()).status]).toEqual([429, 429])
  })

  it('is not used up for the secret key by requests with the public key, not even invalid ones', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => app.request('POST', '/v1/track', { key: project.publicKey, body: {} })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([422, 429]))
    expect((await get()).headers['ratelimit-remaining']).toBe('9')
  })

  it('does not affect other projects or sessions', async () => {
    const other = await createProject(app)
    await useUp()
    const session = { cookie: project.owner.cookie, projectId: project.id }
    expect((await get('/contacts', { key: other.secretKey })).status).toBe(200)
    for (let i = 0; i < LIMIT; i++) expect((await app.request('GET', '/contacts', session)).status).toBe(200)
    expect((await app.request('GET', '/contacts', session)).status).toBe(429)
    expect((await app.request('GET', '/users/@me', session)).status).toBe(200)
  })

  it('is not affected by invalid keys', async () => {
    for (const key of [project.publicKey, 'sk_unknown', 'nonsense']) {
      const reply = await get('/contacts', { key })
      expect(reply.status).toBe(401)
      expect(reply.headers['ratelimit-limit']).toBeUndefined()
    }
    expect((await get()).headers['ratelimit-remaining']).toBe('9')
  })

  it('is not reset by new keys', async () => {
    const fresh = await createProject(app)
    app.clock.forward(60_000)
    const { body } = await app.request('POST', `/users/@me/projects/${fresh.id}/regenerate-keys`, {
      key: fresh.secretKey,
    })
    expect((await get('/contacts', { key: body.secret })).headers['ratelimit-remaining']).toBe('8')
  })

  it('is exact for concurrent requests', async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, (_, i) => get(i % 3 ? '/contacts' : '/events')))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(LIMIT)
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(20)
    const remaining = replies
      .filter((reply) => reply.status === 200)
      .map((reply) => Number(reply.headers['ratelimit-remaining']))
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: LIMIT }, (_, i) => i))
  })
})

describe('API keys', () => {
  const createKey = async (scopes: string[]) =>
    (await app.request('POST', '/api-keys', { key: project.secretKey, body: { name: 'A key', scopes } })).body.key
  const remaining = async (path: string, key: string) =>
    (await app.request('POST', path, { key, body: { email: 'a@example.org', event: 'x' } })).headers[
      'ratelimit-remaining'
    ]

  it('share the limit of the secret key, unless they can do nothing but track: then that of the public key', async () => {
    const [server, website] = [await createKey(['track', 'contacts:read']), await createKey(['track'])]
    app.clock.forward(60_000)
    const together = await Promise.all([get('/segments'), get('/segments', { key: server })])
    expect(together.map(({ headers }) => headers['ratelimit-remaining']).sort()).toEqual(['8', '9'])
    app.clock.forward(60_000)
    expect(await remaining('/v1/track', server)).toBe('9')
    expect((await get()).headers['ratelimit-remaining']).toBe('8')
    expect((await get('/contacts', { key: server })).headers['ratelimit-remaining']).toBe('7')
    expect((await track()).headers['ratelimit-remaining']).toBe('9')
    expect(await remaining('/events/track', website)).toBe('8')
    expect((await get('/contacts', { key: website })).headers['ratelimit-remaining']).toBe('7')
  })
})

describe('the public key', () => {
  it('is limited by client network and by contact, so one of them leaves room for others', async () => {
    const shop = await openTestApp({ RATE_LIMIT_PER_MINUTE: '100', TRUSTED_PROXIES: '127.0.0.1' })
    const { publicKey } = await createProject(shop)
    const call = (ip: string, email: string) =>
      shop.request('POST', '/v1/track', {
        key: publicKey,
        body: { email, event: 'x' },
        headers: { 'x-forwarded-for': ip },
      })
    try {
      const contact = await Promise.all(Array.from({ length: 11 }, (_, i) => call(`203.0.113.${i}`, 'a@example.org')))
      expect(contact.filter(({ status }) => status === 429)).toHaveLength(1)
      const refused = contact.find(({ status }) => status === 429)!
      expect(refused.headers['retry-after']).toBe('60')
      const network = await Promise.all(Array.from({ length: 51 }, (_, i) => call('2001:db8::1', `b${i}@example.org`)))
      expect(network.filter(({ status }) => status === 429)).toHaveLength(1)
      expect((await call('2001:db8::2', 'c@example.org')).status).toBe(429)
      expect((await call('2001:db8:0:1::2', 'c@example.org')).status).toBe(200)
    } finally {
      await shop.close()
    }
  })
})

describe('the default rate limit', () => {
  it('is 1000 a minute, so the 1001st request is refused', async () => {
    const usual = await openTestApp({ RATE_LIMIT_PER_MINUTE: '' })
    const { secretKey } = await createProject(usual)
    usual.clock.forward(60_000)
    const replies = await Promise.all(
      Array.from({ length: 1001 }, () => usual.request('GET', '/contacts/7', { key: secretKey })),
    )
    await usual.close()
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(1)
  })
})
