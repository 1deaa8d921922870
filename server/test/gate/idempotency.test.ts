import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const mail = { to: 'ada@example.org', from: 'hello@example.com', subject: 'Hi', body: '<p>Hi</p>' }

const send = (key: string, body: object = mail) =>
  app.request('POST', '/v1/send', { key: project.secretKey, body, headers: { 'idempotency-key': key } })

const track = (key: string, body: object = { email: 'ada@example.org', event: 'signup' }) =>
  app.request('POST', '/v1/track', { key: project.publicKey, body, headers: { 'idempotency-key': key } })

const count = async (table: 'emails' | 'events' | 'contacts') =>
  (
    await app.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .executeTakeFirstOrThrow()
  ).n

describe('an Idempotency-Key', () => {
  it('is accepted once, and the second request gets the response of the first', async () => {
    const first = await send('order-1')
    expect(first.status).toBe(200)
    const emails = await count('emails')
    const second = await send('order-1', { ...mail, to: 'someone.else@example.org' })
    expect(second.status).toBe(409)
    expect(second.body.error).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      details: {
        key: 'order-1',
        originalRequest: 'POST /v1/send',
        originalStatusCode: 200,
        originalResponse: first.body.data,
      },
    })
    expect(second.body.error.details.originalRequestAt).toMatch(/^\d{4}-.*Z$/)
    expect(await count('emails')).toBe(emails)
    const { body } = await app.request('GET', '/contacts?email=someone.else@example.org', { key: project.secretKey })
    expect(body.total).toBe(0)
  })

  it('belongs to the project, not to the endpoint', async () => {
    const first = await track('shared')
    expect(first.status).toBe(200)
    const second = await send('shared')
    expect(second.status).toBe(409)
    expect(second.body.error.details).toMatchObject({
      originalRequest: 'POST /v1/track',
      originalResponse: first.body.data,
    })
    const other = await createProject(app)
    const elsewhere = await app.request('POST', '/v1/track', {
      key: other.publicKey,
      body: { email: 'ada@example.org', event: 'signup' },
      headers: { 'idempotency-key': 'shared' },
    })
    expect(elsewhere.status).toBe(200)
  })

  it('tells the public key neither the first response nor the other endpoint', async () => {
    await send('order-1003')
    const guessed = await track('order-1003')
    expect(guessed.status).toBe(409)
    expect(guessed.body.error.details).toEqual({
      key: 'order-1003',
      originalRequest: null,
      originalRequestAt: expect.any(String),
      originalStatusCode: 200,
    })
    expect(JSON.stringify(guessed.body)).not.toContain('ada@example.org')
    await track('visit-1')
    expect((await track('visit-1')).body.error.details).toEqual({
      key: 'visit-1',
      originalRequest: 'POST /v1/track',
      originalRequestAt: expect.any(String),
      originalStatusCode: 200,
    })
  })

  it('is separate for the public key with IDEMPOTENCY_SCOPE=key, so that visitors use up no keys of the server', async () => {
    const separate = await openTestApp({ IDEMPOTENCY_SCOPE: 'key' })
    try {
      const { publicKey, secretKey } = await createProject(separate)
      const headers = { 'idempotency-key': 'order-1004' }
      const body = { email: 'ada@example.org', event: 'signup' }
      const visit = () => separate.request('POST', '/v1/track', { key: publicKey, body, headers })
      const sendOnce = () => separate.request('POST', '/v1/send', { key: secretKey, body: mail, headers })
      expect((await visit()).status).toBe(200)
      expect((await sendOnce()).status).toBe(200)
      expect((await visit()).body.error.details).toMatchObject({ key: 'order-1004', originalRequest: 'POST /v1/track' })
      expect((await sendOnce()).body.error.details).toMatchObject({ originalRequest: 'POST /v1/send' })
    } finally {
      await separate.close()
    }
  })

  it('has one winner among concurrent requests', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => track('race')))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.status === 409)).toHaveLength(19)
  })

  it.each([
    ['validation', () => send('again', { ...mail, to: 'nonsense' })],
    ['an unverified sender', () => send('again', { ...mail, from: 'hello@elsewhere.example' })],
    ['an unknown template', () => send('again', { ...mail, template: '01a1dd1f-5566-7386-9343-5429898a495c' })],
    ['a broken template', () => send('again', { ...mail, body: '{% if %}' })],
  ])('is released after %s', async (_why, refused) => {
    expect((await refused()).status).toBeGreaterThanOrEqual(400)
    const row = await app.db.selectFrom('idempotency_keys').selectAll().where('key', '=', 'again').executeTakeFirst()
    expect(row).toBeUndefined()
  })

  it('is released after malformed JSON', async () => {
    const options = { key: project.secretKey, text: '{', headers: { 'idempotency-key': 'malformed' } }
    expect((await app.request('POST', '/v1/send', options)).status).toBe(400)
    expect((await send('malformed')).status).toBe(200)
  })

  it.each(['', 'x'.repeat(256), 'ключ', 'tab\there'])('is refused if it is %j', async (key) => {
    const reply = await send(key)
    expect(reply.status).toBe(400)
    expect(reply.body.error.code).toBe('BAD_REQUEST')
  })

  it('can have 255 printable characters with spaces', async () => {
    expect((await send(`a ${'~'.repeat(252)}b`)).status).toBe(200)
  })

  it('can be used again after it expires, without any clean-up', async () => {
    expect((await track('daily')).status).toBe(200)
    app.clock.forward(23.9 * 3_600_000)
    expect((await track('daily')).status).toBe(409)
    app.clock.forward(0.2 * 3_600_000)
    expect((await track('daily')).status).toBe(200)
  })

  it('is ignored by other endpoints', async () => {
    for (let round = 0; round < 2; round++) {
      const reply = await app.request('POST', '/events/track', {
        key: project.secretKey,
        body: { email: 'ada@example.org', event: 'signup' },
        headers: { 'idempotency-key': 'dashboard' },
      })
      expect(reply.status).toBe(200)
    }
  })
})

describe('Idempotency-Replay', () => {
  const replay = (key: string, body: object = mail, value = 'true') => {
    const headers = { 'idempotency-key': key, 'idempotency-replay': value }
    return app.request('POST', '/v1/send', { key: project.secretKey, body, headers })
  }

  it('returns the first response to the same request again', async () => {
    const first = await replay('replay-1')
    expect(first.status).toBe(200)
    expect(first.headers['idempotency-replayed']).toBeUndefined()
    const emails = await count('emails')
    const { to, ...rest } = mail
    const second = await replay('replay-1', { ...rest, to })
    expect(second.status).toBe(200)
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body))
    expect(second.headers['idempotency-replayed']).toBe('true')
    expect(await count('emails')).toBe(emails)
  })

  it('does nothing for another request, another endpoint, or without the value true', async () => {
    await send('replay-2')
    expect((await replay('replay-2', { ...mail, subject: 'Other' })).status).toBe(409)
    expect((await replay('replay-2', mail, 'false')).status).toBe(409)
    expect((await send('replay-2')).status).toBe(409)
    await track('replay-3')
    expect((await replay('replay-3')).status).toBe(409)
  })

  it('is 409 while the first request runs', async () => {
    await app.pool.query(
      `insert into idempotency_keys (project_id, key, request, created_at, claim_id) values ($1, 'replay-4', 'POST /v1/send', $2, $1)`,
      [project.id, app.clock.now()],
    )
    const { status, body } = await replay('replay-4')
    expect(status).toBe(409)
    expect(body.error.details.originalStatusCode).toBeNull()
  })

  it('is ignored with the public key', async () => {
    const headers = { 'idempotency-key': 'replay-5', 'idempotency-replay': 'true' }
    const body = { email: 'ada@example.org', event: 'signup' }
    const request = () => app.request('POST', '/v1/track', { key: project.publicKey, body, headers })
    expect((await request()).status).toBe(200)
    expect((await request()).status).toBe(409)
  })
})

it('an event of a key with scopes is returned again if the request is repeated', async () => {
  const { body: created } = await app.request('POST', '/api-keys', {
    key: project.secretKey,
    body: { name: 'All', scopes: ['full'] },
  })
  const track = (event: string) =>
    app.request('POST', '/v1/track', {
      key: created.key,
      headers: { 'idempotency-key': 'replayed-event', 'idempotency-replay': 'true' },
      body: { event, email: 'replay@example.org' },
    })
  const first = await track('paid')
  const again = await track('paid')
  expect(again.status).toBe(first.status)
  expect(JSON.stringify(again.body)).toBe(JSON.stringify(first.body))
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect((await track('refunded')).status).toBe(409)
})
