/** POST /v1/send/batch: many messages by the rules of POST /v1/send, stored in one transaction. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, databaseState, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const MAIL = { from: 'hello@example.com', subject: 'Hello {{name}}', body: '<p>Hello</p>' }
const to = (email: string, more: object = {}) => ({ ...MAIL, to: email, ...more })

const batch = (messages: unknown, more: object = {}, headers: Record<string, string> = {}) =>
  app.request('POST', '/v1/send/batch', { key: project.secretKey, body: { messages, ...more }, headers })

const get = async (path: string) => (await app.request('GET', path, { key: project.secretKey })).body

const setLimit = (limit: number | null) =>
  app.request('PUT', `/users/@me/projects/${project.id}/billing-limits`, {
    key: project.secretKey,
    body: { transactional: limit },
  })

describe('POST /v1/send/batch', () => {
  it('accepts messages with the fields of /v1/send, in order, and sends them', async () => {
    const file = { filename: 'a.txt', content: 'aGk=', contentType: 'text/plain' }
    const { status, body } = await batch([
      to('Ada <a1@example.org>', { data: { name: 'Ada' }, tags: { kind: 'batch' } }),
      { ...MAIL, to: ['a2@example.org', 'a3@example.org'], attachments: [file] },
      to('a4@example.org', { text: 'Plain' }),
    ])
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.data).toMatchObject({ accepted: 3, rejected: 0, timestamp: app.clock.now().toISOString() })
    expect(body.data.results).toMatchObject([
      { index: 0, success: true, emails: [{ contact: { email: 'a1@example.org' } }] },
      {
        index: 1,
        success: true,
        emails: [{ contact: { email: 'a2@example.org' } }, { contact: { email: 'a3@example.org' } }],
      },
      { index: 2, success: true },
    ])
    await app.drain()
    const first = await get(`/emails/${body.data.results[0].emails[0].email}`)
    expect(first).toMatchObject({ subject: 'Hello Ada', tags: { kind: 'batch' }, status: 'DELIVERED', toName: 'Ada' })
    expect((await get(`/emails/${body.data.results[1].emails[1].email}`)).attachments).toHaveLength(1)
  })

  it('refuses messages alone, with the codes of /v1/send and fields relative to the message', async () => {
    const { status, body } = await batch([
      to('b1@example.org'),
      to('nothing'),
      'text',
      to('b2@example.org', { from: 'x@unverified.example' }),
      to('b3@example.org', { template: '01890000-0000-7000-8000-000000000000' }),
      to('b4@example.org', { body: '{{ broken' }),
      to('b5@example.org'),
    ])
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ accepted: 2, rejected: 5 })
    expect(body.data.results).toMatchObject([
      { index: 0, success: true },
      {
        index: 1,
        success: false,
        error: { code: 'VALIDATION_ERROR', errors: [{ field: 'to', code: 'invalid_string' }] },
      },
      { index: 2, success: false, error: { code: 'VALIDATION_ERROR', errors: [{ field: '', code: 'invalid_type' }] } },
      {
        index: 3,
        success: false,
        error: { code: 'INTERNAL_SERVER_ERROR', details: { reason: 'DOMAIN_NOT_VERIFIED' } },
      },
      { index: 4, success: false, error: { code: 'TEMPLATE_NOT_FOUND' } },
      { index: 5, success: false, error: { code: 'VALIDATION_ERROR', errors: [{ field: 'body' }] } },
      { index: 6, success: true },
    ])
  })

  it.each([
    ['invalid', to('nothing'), 422, { errors: [{ field: 'messages.1.to' }] }],
    ['no object', null, 422, { errors: [{ field: 'messages.1' }] }],
    ['of an unknown template', to('c@example.org', { template: { name: 'None' } }), 404, { details: { index: 1 } }],
    ['of an unverified domain', to('c@example.org', { from: 'x@other.example' }), 403, { details: { index: 1 } }],
  ])('writes nothing with `atomic` if a message is %s', async (_case, message, status, error) => {
    const before = await databaseState(app)
    const reply = await batch([to('c1@example.org'), message, to('c2@example.org')], { atomic: true })
    expect(reply.status).toBe(status)
    expect(reply.body.error).toMatchObject(error)
    expect(await databaseState(app)).toEqual(before)
  })

  it('names every invalid field of an atomic batch', async () => {
    const { body } = await batch([to('x'), to('c@example.org'), to('d@example.org', { tags: 1 })], { atomic: true })
    expect(body.error.errors.map(({ field }: { field: string }) => field)).toEqual(['messages.0.to', 'messages.2.tags'])
  })

  it('refuses marketing email to contacts who opted out', async () => {
    const template = (
      await app.request('POST', '/templates', {
        key: project.secretKey,
        body: { ...MAIL, name: 'News', type: 'MARKETING' },
      })
    ).body.id
    await app.request('POST', '/contacts', {
      key: project.secretKey,
      body: { email: 'out@example.org', subscribed: true },
    })
    await app.request('POST', '/contacts', {
      key: project.secretKey,
      body: { email: 'out@example.org', subscribed: false },
    })
    const news = (email: string) => ({ to: email, template })
    const { body } = await batch([news('in@example.org'), news('out@example.org')])
    expect(body.data.results).toMatchObject([
      { success: true },
      { success: false, error: { errors: [{ field: 'to', code: 'unsubscribed' }] } },
    ])
    expect(
      (await batch([news('in@example.org'), news('out@example.org')], { atomic: true })).body.error.errors,
    ).toMatchObject([{ field: 'messages.1.to', code: 'unsubscribed' }])
  })

  it('applies the data of messages to the same contact in order', async () => {
    const { body } = await batch([
      to('d@example.org', { data: { name: 'First', plan: 'a' } }),
      to('d@example.org', { data: { name: 'Second' } }),
      to('d@example.org', { data: { name: 'Third' } }),
    ])
    await app.drain()
    const subjects = await Promise.all(
      body.data.results.map(
        async ({ emails }: { emails: Array<{ email: string }> }) => (await get(`/emails/${emails[0]!.email}`)).subject,
      ),
    )
    expect(subjects).toEqual(['Hello First', 'Hello Second', 'Hello Third'])
    const contact = await get(`/contacts/${body.data.results[0].emails[0].contact.id}`)
    expect(contact.data).toEqual({ name: 'Third', plan: 'a' })
  })

  it('accepts what the month’s limit allows, and with `atomic` nothing beyond it', async () => {
    await setLimit(0)
    const own = await createProject(app)
    await app.pool.query(
      `insert into billing_limits (project_id, source, max, month, used) values ($1, 'transactional', 2, date_trunc('month', $2::timestamptz), 0)`,
      [own.id, app.clock.now()],
    )
    const messages = [to('l1@example.org'), to('l2@example.org'), to('l3@example.org')]
    const send = (more: object) =>
      app.request('POST', '/v1/send/batch', { key: own.secretKey, body: { messages, ...more } })
    const atomic = await send({ atomic: true })
    expect(atomic.status).toBe(402)
    expect(atomic.body.error.details).toMatchObject({ index: 2 })
    const { body } = await send({})
    expect(body.data).toMatchObject({ accepted: 2, rejected: 1 })
    expect(body.data.results[2].error.code).toBe('BILLING_LIMIT_EXCEEDED')
    await setLimit(null)
  })

  it('has one idempotency key, whose response can be repeated', async () => {
    const headers = { 'idempotency-key': 'batch-1', 'idempotency-replay': 'true' }
    const messages = [to('e@example.org'), to('invalid')]
    const first = await batch(messages, {}, headers)
    const second = await batch(messages, {}, headers)
    expect(second.status).toBe(200)
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body))
    expect(second.headers['idempotency-replayed']).toBe('true')
    const reused = await batch(messages, {}, { 'idempotency-key': 'batch-1' })
    expect(reused.status).toBe(409)
    expect(reused.body.error.details).toMatchObject({
      originalRequest: 'POST /v1/send/batch',
      originalResponse: first.body.data,
    })
    expect((await batch([to('f@example.org')], {}, headers)).status).toBe(409)
    // A refused batch releases its key.
    const key = { 'idempotency-key': 'batch-2' }
    expect((await batch([to('x')], { atomic: true }, key)).status).toBe(422)
    expect((await batch([to('e@example.org')], { atomic: true }, key)).status).toBe(200)
  })

  it.each([
    ['no messages', []],
    ['501 messages', Array.from({ length: 501 }, () => to('a@example.org'))],
    ['no list', to('a@example.org')],
    ['10,001 recipients', Array.from({ length: 11 }, () => ({ ...MAIL, to: Array(910).fill('a@example.org') }))],
  ])('returns 422 for %s', async (_case, messages) => {
    const { status, body } = await batch(messages)
    expect(status).toBe(422)
    expect(body.error.errors[0].field).toBe('messages')
  })

  it('accepts 500 messages with a hundred values each', async () => {
    const data = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`field${i}`, i]))
    const messages = Array.from({ length: 500 }, (_, i) => to(`m${i}@example.org`, { data }))
    const { status, body } = await batch(messages)
    expect(status, JSON.stringify(body).slice(0, 300)).toBe(200)
    expect(body.data.accepted).toBe(500)
  })
})
