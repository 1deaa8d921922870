import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../test/harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp({ MESSAGE_MAX_MB: '6' })
  project = await createProject(app)
})
afterAll(() => app.close())

const contacts = async () => (await app.pool.query('select count(*)::int as n from contacts')).rows[0].n

describe('every response', () => {
  it.each([
    ['GET', '/'],
    ['GET', '/docs'],
    ['GET', '/openapi.json'],
    ['GET', '/config'],
    ['GET', '/health'],
    ['GET', '/ready'],
    ['GET', '/metrics'],
    ['GET', '/contacts'],
    ['GET', '/nowhere'],
    ['GET', '/contacts/%E0%A4%A'],
    ['GET', '/contacts?search=%00'],
    ['POST', '/v1/track'],
    ['OPTIONS', '/v1/track'],
    ['OPTIONS', '/contacts'],
    ['PUT', '/contacts'],
  ])('to %s %s has its own request ID, which an error repeats', async (method, path) => {
    const replies = [await app.request(method, path), await app.request(method, path)]
    const ids = replies.map((reply) => reply.headers['x-request-id'])
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(ids[0]).not.toBe(ids[1])
    for (const { status, body, headers } of replies) {
      expect(status).toBeLessThan(500)
      if (status >= 400) expect(body.error).toMatchObject({ requestId: headers['x-request-id'], statusCode: status })
    }
  })

  it('ignores a request ID that the caller sends', async () => {
    const reply = await app.request('GET', '/nowhere', { headers: { 'x-request-id': 'mine', 'request-id': 'mine' } })
    expect(reply.headers['x-request-id']).not.toBe('mine')
  })
})

describe("a route that doesn't exist", () => {
  it.each([
    ['GET', '/nowhere'],
    ['GET', '/Contacts'],
    ['GET', '/contacts/a/b'],
    ['GET', '/v1/send'],
    ['PUT', '/contacts'],
    ['PATCH', '/contacts'],
    ['DELETE', '/v1/track'],
    ['POST', '/config'],
    ['OPTIONS', '/v1/send'],
    ['GET', '/v1'],
    ['GET', '/.env'],
    ['GET', '/docs/../../etc/passwd'],
    ['GET', `/${'x'.repeat(10_000)}`],
    ['GET', '//evil.test/contacts'],
  ])('%s %s is a 404 in the envelope', async (method, path) => {
    const reply = await app.request(method, path, { key: project.secretKey })
    expect(reply).toMatchObject({
      status: 404,
      body: { success: false, error: { code: 'RESOURCE_NOT_FOUND', statusCode: 404 } },
    })
  })

  it.each([
    ['a number', '7'],
    ['very long', 'x'.repeat(10_000)],
    ['a smile', '%F0%9F%98%80'],
    ['SQL', "'%20or%201=1"],
    ['a way up', '..%2f..'],
    ['nearly an id', '019a0000-0000-7000-8000-00000000000g'],
  ])('an ID that is %s is not found', async (_what, id) => {
    const reply = await app.request('GET', `/contacts/${id}`, { key: project.secretKey })
    expect(reply).toMatchObject({ status: 404, body: { error: { code: 'CONTACT_NOT_FOUND' } } })
  })

  it.each(['%', '%E0%A4%A', '%FF', '%zz'])('a URL with %s is refused', async (part) => {
    const reply = await app.request('GET', `/contacts/${part}`, { key: project.secretKey })
    expect(reply).toMatchObject({ status: 400, body: { success: false, error: { code: 'BAD_REQUEST' } } })
  })
})

describe('HEAD', () => {
  it('returns the headers of GET without a body', async () => {
    const headers = { authorization: `Bearer ${project.secretKey}` }
    const reply = await app.server.inject({ method: 'HEAD', url: '/contacts', headers })
    expect([reply.statusCode, reply.body]).toEqual([200, ''])
    expect(reply.headers['x-request-id']).toBeTypeOf('string')
    expect((await app.server.inject({ method: 'HEAD', url: '/contacts' })).statusCode).toBe(401)
  })
})

describe('requests from other origins', () => {
  const origin = { origin: 'https://shop.test' }
  const preflight = {
    ...origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,idempotency-key',
  }

  it('can track events: the preflight allows what a browser needs', async () => {
    const { status, headers } = await app.request('OPTIONS', '/v1/track', { headers: preflight })
    expect(status).toBe(204)
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-allow-methods']).toContain('POST')
    const allowed = String(headers['access-control-allow-headers']).toLowerCase().split(/, */)
    expect(allowed).toEqual(expect.arrayContaining(['authorization', 'content-type', 'idempotency-key']))
    expect(headers['access-control-allow-credentials']).toBeUndefined()
  })

  it.each([
    ['a success', 200, { key: 'public', body: { email: 'cors@example.org', event: 'x' } }],
    ['no key', 401, { body: {} }],
    ['the wrong key', 401, { key: 'secret', body: {} }],
    ['a bad body', 422, { key: 'public', body: {} }],
    ['malformed JSON', 400, { key: 'public', text: '{' }],
    ['a large body', 413, { key: 'public', text: ' '.repeat(6_000_000) }],
  ])(
    'can read the response to POST /v1/track: %s',
    async (_what, status, { key, ...rest }: { key?: string; body?: unknown; text?: string }) => {
      const real = { public: project.publicKey, secret: project.secretKey }[key ?? '']
      const reply = await app.request('POST', '/v1/track', { ...rest, headers: origin, ...(real && { key: real }) })
      expect(reply.status).toBe(status)
      expect(reply.headers['access-control-allow-origin']).toBe('*')
    },
  )

  it.each(['/v1/send', '/contacts', '/events/track', '/auth/login', '/users/@me', '/domains', '/config'])(
    "can't use %s",
    async (path) => {
      for (const method of ['OPTIONS', 'POST', 'GET']) {
        const { headers } = await app.request(method, path, { headers: preflight, key: project.secretKey })
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    },
  )
})

describe('a request body', () => {
  const post = (text: string, headers: Record<string, string> = {}) =>
    app.request('POST', '/contacts', { key: project.secretKey, text, headers })

  it.each([
    '{',
    '{"email"}',
    "{'email': 'a@example.org'}",
    'undefined',
    '{"a":1}{"b":2}',
    'email=a@example.org',
    '<xml/>',
    '\u0000',
    '[1,]',
    'NaN',
  ])('is malformed if it is %j', async (text) => {
    expect(await post(text)).toMatchObject({
      status: 400,
      body: { success: false, error: { code: 'INVALID_REQUEST_BODY' } },
    })
  })

  it.each(['', ' ', 'null', '[]', '7', '"text"', 'true', '[{"email":"a@example.org"}]'])(
    'is not an object if it is %j',
    async (text) => {
      const reply = await post(text)
      expect(reply).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } })
      expect(reply.body.error.errors[0]).toMatchObject({ field: expect.any(String), code: 'invalid_type' })
    },
  )

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/json; charset=utf-8',
    'application/vnd.api+json',
    'application/xml',
  ])('is parsed as JSON with any content type: %s', async (type) => {
    const reply = await post('{"email":"typed@example.org"}', { 'content-type': type })
    expect([200, 201]).toContain(reply.status)
  })

  it('over 5 MB is refused, and an email over its own limit', async () => {
    const before = await contacts()
    const padding = ' '.repeat(5.5 * 1024 * 1024)
    expect(await post(`{"email":"large@example.org"}${padding}`)).toMatchObject({
      status: 413,
      body: { success: false, error: { code: 'PAYLOAD_TOO_LARGE', statusCode: 413 } },
    })
    const email = '{"to":"large@example.org","from":"a@example.com","subject":"s","body":"b"}'
    const send = (text: string) => app.request('POST', '/v1/send', { key: project.secretKey, text })
    expect((await send(`${email}${padding}${padding}`)).status).toBe(413)
    expect(await contacts()).toBe(before)
    expect((await send(`${email}${padding}`)).status).toBe(200)
  })

  it('can be limited to a fraction of a megabyte if it is an email', async () => {
    const small = await openTestApp({ MESSAGE_MAX_MB: '0.3' })
    try {
      const { secretKey } = await createProject(small)
      const email = '{"to":"small@example.org","from":"a@example.com","subject":"s","body":"b"}'
      const limit = Math.floor(0.3 * 1024 * 1024)
      const send = (bytes: number) =>
        small.request('POST', '/v1/send', { key: secretKey, text: email.padEnd(bytes, ' ') })
      expect((await send(limit)).status).toBe(200)
      expect((await send(limit + 1)).status).toBe(413)
    } finally {
      await small.close()
    }
  })
})

describe('the public endpoints about the service', () => {
  it.each([
    ['/docs', 'text/html'],
    ['/openapi.json', 'application/json'],
    ['/config', 'application/json'],
    ['/health', 'application/json'],
    ['/ready', 'application/json'],
    ['/metrics', 'text/plain'],
  ])('%s needs no authentication', async (path, type) => {
    const reply = await app.request('GET', path)
    expect(reply.status).toBe(200)
    expect(reply.headers['content-type']).toMatch(type)
  })

  it('return correct values', async () => {
    const config = (await app.request('GET', '/config')).body
    expect(config).toEqual({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      features: {
        signup: true,
        billing: false,
        oauth: { github: false, google: false },
        inbound: false,
        smtp: false,
        transport: 'capture',
      },
      urls: { api: 'http://posthorn.test', dashboard: 'http://posthorn.test' },
    })
    expect((await app.request('GET', '/ready')).body).toMatchObject({ ready: true, database: true })
    expect((await app.request('GET', '/metrics')).body).toContain('posthorn_http_request_seconds')
    const document = (await app.request('GET', '/openapi.json')).body
    expect(document.paths['/v1/send'].post).toBeTypeOf('object')
  })

  it('contain no address and no key in the metrics', async () => {
    await app.request('GET', '/contacts?email=metrics@example.org', { key: project.secretKey })
    await app.request('GET', '/secret/metrics@example.org', { key: project.secretKey })
    expect((await app.request('GET', '/metrics')).body).not.toMatch(/metrics@example\.org|sk_|pk_/)
  })
})

describe('an internal error', () => {
  it('returns a 500 without SQL, stack or path, and the service continues', async () => {
    await app.pool.query('alter table contacts rename to contacts_away')
    const reply = await app.request('GET', '/contacts', { key: project.secretKey })
    await app.pool.query('alter table contacts_away rename to contacts')
    expect(reply).toMatchObject({
      status: 500,
      body: { success: false, error: { code: 'INTERNAL_SERVER_ERROR', statusCode: 500 } },
    })
    expect(JSON.stringify(reply.body)).not.toMatch(/relation|contacts|select|\.ts|node_modules|stack/i)
    expect((await app.request('GET', '/contacts', { key: project.secretKey })).status).toBe(200)
  })
})
