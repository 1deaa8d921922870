/** Test keys: what they send is stored and shown, but never delivered or counted. The installation delivers email. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { openSmtpTestServer, type SmtpTestServer } from '../mail/smtp-test-server.ts'

const HOUR = 3_600_000
const EMAIL = { from: 'hello@example.com', subject: 'Hello', body: '<p>Hi</p>' }

let app: TestApp
let server: SmtpTestServer
let project: Awaited<ReturnType<typeof createProject>>
let key: string
let counter = 0

beforeAll(async () => {
  server = await openSmtpTestServer()
  app = await openTestApp({ MAIL_URL: `smtp://127.0.0.1:${server.port}?tls=off` })
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(async () => {
  project = await createProject(app)
  await app.pool.query(`update domains set status = 'VERIFIED'`)
  server.taken.length = 0
  key = (await call('POST', '/api-keys', { name: 'Staging', scopes: ['full'], test: true }, project.secretKey)).body.key
})

const call = (method: string, path: string, body?: unknown, by = key) => app.request(method, path, { key: by, body })
const record = async (id: string) => (await call('GET', `/emails/${id}`)).body

async function send(fields: object = {}): Promise<string> {
  const to = `reader-${++counter}@example.org`
  const { status, body } = await call('POST', '/v1/send', { ...EMAIL, to, ...fields })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.emails[0].email
}

describe('a test key', () => {
  it('is shown as one, and can neither become another nor manage others', async () => {
    const list = await call('GET', '/api-keys', undefined, project.secretKey)
    expect(list.body.data).toMatchObject([{ name: 'Staging', test: true }])
    const path = `/api-keys/${list.body.data[0].id}`
    expect((await call('PATCH', path, { test: false }, project.secretKey)).status).toBe(422)
    expect((await call('POST', '/api-keys', { name: 'Live', scopes: ['send'] })).status).toBe(403)
    expect((await call('POST', '/api-keys', { name: 'Test', scopes: ['send'], test: true })).status).toBe(201)
    expect((await call('POST', `/users/@me/projects/${project.id}/regenerate-keys`)).status).toBe(403)
    const live = await call('POST', '/api-keys', { name: 'Live', scopes: ['send'] }, project.secretKey)
    expect(live.body.test).toBe(false)
    expect((await call('PATCH', `/api-keys/${live.body.id}`, { name: 'x' })).status).toBe(403)
  })

  it('sends nothing, counts nothing and records no events', async () => {
    await app.request('PUT', `/users/@me/projects/${project.id}/billing-limits`, {
      cookie: project.owner.cookie,
      body: { transactional: 0 },
    })
    const batch = await call('POST', '/v1/send/batch', {
      messages: [{ ...EMAIL, to: 'batch@example.org', cc: ['copy@example.org'] }],
    })
    const ids = [await send(), batch.body.data.results[0].emails[0].email]
    const later = await send({ sendAt: new Date(app.clock.now().getTime() + HOUR).toISOString(), subscribed: true })
    await app.drain()
    expect(await record(later)).toMatchObject({ status: 'SCHEDULED', test: true })
    app.clock.forward(HOUR + 1)
    await app.drain()
    for (const id of [...ids, later]) expect(await record(id)).toMatchObject({ status: 'DELIVERED', test: true })
    await app.fold()
    expect(await app.rebuild()).toEqual({})
    expect(server.taken).toEqual([])
    expect(await app.captured()).toHaveLength(3)
    const { body: usage } = await call('GET', `/users/@me/projects/${project.id}/billing-consumption`)
    expect(usage.total).toBe(0)
    expect((await call('GET', `/projects/${project.id}/security`)).body.allTime.sent).toBe(0)
    expect((await call('GET', '/analytics/breakdown?by=domain')).body.data).toEqual([])
    expect((await call('GET', '/events')).body.data).toEqual([])
    expect((await call('POST', '/v1/send', { ...EMAIL, to: 'a@example.org' }, project.secretKey)).status).toBe(402)
  })

  it('simulates outcomes, which suppress and unsubscribe nobody', async () => {
    const [bounced, rejected, opened] = [
      await send({ to: 'bounce@simulator.posthorn.test' }),
      await send({ to: 'reject@simulator.posthorn.test' }),
      await send({ to: 'complaint@simulator.posthorn.test' }),
    ]
    await app.drain()
    expect(await record(bounced)).toMatchObject({ status: 'BOUNCED' })
    expect(await record(rejected)).toMatchObject({ status: 'FAILED' })
    expect(await record(opened)).toMatchObject({ status: 'COMPLAINED' })
    expect((await call('GET', '/suppressions')).body.data).toEqual([])
    expect((await call('GET', '/events')).body.data).toEqual([])
    const again = await send({ to: 'bounce@simulator.posthorn.test' })
    await app.drain()
    expect(await record(again)).toMatchObject({ status: 'BOUNCED' })
    const other = await send()
    await app.drain()
    app.clock.forward(HOUR) // earlier opens are those of scanners
    expect((await call('POST', `/emails/${other}/simulate`, { outcome: 'open' })).body).toMatchObject({ opens: 1 })
    expect((await call('GET', `/projects/${project.id}/security`)).body.allTime).toMatchObject({ sent: 0, bounces: 0 })
  })

  it('neither sends nor stops scheduled email of other keys, and changes its own', async () => {
    const sendAt = new Date(app.clock.now().getTime() + HOUR).toISOString()
    const schedule = async (by: string) =>
      (await call('POST', '/v1/send', { ...EMAIL, to: 'later@example.org', sendAt }, by)).body.data.emails[0].email
    const [real, own] = [await schedule(project.secretKey), await schedule(key)]
    for (const [method, path, body] of [
      ['PATCH', `/emails/${real}`, { sendAt: null }],
      ['POST', `/emails/${real}/cancel`, undefined],
      ['PATCH', `/compat/resend/emails/${real}`, { scheduled_at: sendAt }],
      ['POST', `/compat/resend/emails/${real}/cancel`, undefined],
      ['POST', `/projects/${project.id}/invitations`, { email: 'ada@example.org', role: 'MEMBER' }],
      ['POST', `/projects/${project.id}/members`, { email: 'ada@example.org', role: 'MEMBER' }],
    ] as const)
      expect([path, (await call(method, path, body)).status]).toEqual([path, path.startsWith('/compat') ? 401 : 403])
    await app.drain()
    expect(server.taken).toEqual([])
    expect((await call('GET', `/emails/${real}`)).body.status).toBe('SCHEDULED')
    expect((await call('POST', `/emails/${own}/cancel`)).body.status).toBe('CANCELLED')
  })

  it('doesn’t answer the same request of another key in its place', async () => {
    const headers = { 'idempotency-key': 'order-1', 'idempotency-replay': 'true' }
    const body = { ...EMAIL, to: 'buyer@example.org' }
    const send = (by: string) => app.request('POST', '/v1/send', { key: by, body, headers })
    expect((await send(key)).status).toBe(200)
    expect((await send(project.secretKey)).status).toBe(409)
    expect((await send(key)).status).toBe(200)
  })

  it('can not do what could send real email', async () => {
    const contact = { email: 'ada@example.org', subscribed: true }
    for (const [method, path, body] of [
      ['POST', '/contacts', contact],
      ['POST', '/v1/track', { ...contact, event: 'signup' }],
      ['POST', '/campaigns', {}],
      ['POST', '/workflows', {}],
      ['POST', '/templates/test', { ...EMAIL, email: 'ada@example.org' }],
    ] as const)
      expect(await call(method, path, body), path).toMatchObject({
        status: 403,
        body: { error: { code: 'FORBIDDEN' } },
      })
    expect((await call('GET', '/contacts')).status).toBe(200)
  })
})
