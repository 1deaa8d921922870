/** Webhook endpoints: which events they get, the request, retries, the log, replays and tests. */
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { verifyWebhook } from '../../../sdk/events.ts'
import { createProject } from '../harness.ts'
import { isSigned, openWebhooks } from './webhook-fixture.ts'

let hooks: Awaited<ReturnType<typeof openWebhooks>>
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

beforeAll(async () => {
  hooks = await openWebhooks()
})
afterAll(() => hooks.close())
afterEach(async () => {
  hooks.respondWith((reply) => reply.end('ok'))
  const { body } = await hooks.ask('GET', '/webhook-endpoints?limit=100')
  for (const { id } of body.data) await hooks.ask('DELETE', `/webhook-endpoints/${id}`)
  hooks.received.length = 0
})

const typesReceived = () => hooks.received.map(({ body }) => body.type).sort()

describe('a webhook endpoint', () => {
  it('gets a signed request with the event, its contact and its data', async () => {
    const endpoint = await hooks.createEndpoint(['signup'])
    const { body } = await hooks.track('ada@example.org', 'signup', { plan: 'pro' })
    await hooks.app.drain()
    expect(hooks.received).toHaveLength(1)
    const [request] = hooks.received
    expect(request!.body).toEqual({
      type: 'signup',
      timestamp: hooks.app.clock.now().toISOString(),
      data: {
        id: body.data.event,
        project: hooks.project.id,
        contact: { id: body.data.contact, email: 'ada@example.org', subscribed: true },
        email: null,
        data: { plan: 'pro' },
      },
    })
    expect(Object.keys(request!.body)).toEqual(['type', 'timestamp', 'data'])
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Posthorn\//),
      'webhook-id': body.data.event,
    })
    expect(isSigned(request!, endpoint.secret)).toBe(true)
    expect(await verifyWebhook(request!.text, request!.headers, endpoint.secret)).toEqual(request!.body)
    const headers = request!.headers as Record<string, string>
    expect(new Webhook(endpoint.secret).verify(request!.text, headers)).toEqual(request!.body)
    expect(() => new Webhook(endpoint.secret).verify(`${request!.text} `, headers)).toThrow('signature')
    await expect(verifyWebhook(`${request!.text} `, request!.headers, endpoint.secret)).rejects.toThrow('signature')
    const late = { ...request!.headers, 'webhook-timestamp': '1000' }
    await expect(verifyWebhook(request!.text, late, endpoint.secret)).rejects.toThrow('old')
  })

  it.each([
    [['*'], ['contact.created', 'order.paid']],
    [['order.*'], ['order.paid']],
    [['contact.*'], ['contact.created']],
    [['order'], []],
    [['order.paid', 'order.*', 'order.paid'], ['order.paid']],
  ])('gets what it wants of a new contact with an event: for %j it gets %j', async (wanted, expected) => {
    await hooks.createEndpoint(wanted)
    await hooks.track(`${wanted.join('-').replaceAll('*', 'x')}@example.org`, 'order.paid')
    await hooks.app.drain()
    expect(typesReceived()).toEqual(expected)
  })

  it('collects nothing while it is disabled, and keeps what was waiting when it was disabled', async () => {
    const endpoint = await hooks.createEndpoint(['signup'], { enabled: false })
    await hooks.track('a@example.org', 'signup')
    await hooks.ask('PATCH', endpoint.path, { enabled: true })
    await hooks.track('b@example.org', 'signup')
    await hooks.ask('PATCH', endpoint.path, { enabled: false })
    await hooks.app.drain()
    expect(hooks.received).toEqual([])
    await hooks.ask('PATCH', endpoint.path, { enabled: true })
    await hooks.app.drain()
    expect(hooks.received.map(({ body }) => body.data.contact.email)).toEqual(['b@example.org'])
  })

  it('gets what waited for its next attempt as soon as it is enabled again', async () => {
    const endpoint = await hooks.createEndpoint(['signup'])
    hooks.respondWith((reply) => reply.writeHead(503).end())
    await hooks.track('a@example.org', 'signup')
    await hooks.app.drain()
    await hooks.ask('PATCH', endpoint.path, { enabled: false })
    hooks.respondWith((reply) => reply.end())
    await hooks.ask('PATCH', endpoint.path, { description: 'Repaired' })
    await hooks.app.drain()
    expect(hooks.received).toHaveLength(1)
    await hooks.ask('PATCH', endpoint.path, { enabled: true })
    await hooks.app.drain()
    expect(hooks.received).toHaveLength(2)
    const { data } = (await hooks.ask('GET', `${endpoint.path}/deliveries`)).body
    expect(data).toMatchObject([{ status: 'succeeded', attempts: 2 }])
  })

  it('gets no events of another project, whose keys get 404 for it in every call', async () => {
    const other = await createProject(hooks.app)
    const endpoint = await hooks.createEndpoint(['*'])
    await hooks.app.request('POST', '/v1/track', {
      key: other.publicKey,
      body: { email: 'x@example.org', event: 'signup' },
    })
    await hooks.app.drain()
    expect(hooks.received).toEqual([])
    for (const [method, path] of [
      ['GET', ''],
      ['PATCH', ''],
      ['DELETE', ''],
      ['GET', '/secret'],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['GET', '/deliveries'],
    ] as const) {
      const { status } = await hooks.ask(
        method,
        endpoint.path + path,
        method === 'GET' ? undefined : {},
        other.secretKey,
      )
      expect([method, path, status]).toEqual([method, path, 404])
    }
  })

  it('gets the changes that are no events, and nothing else does', async () => {
    await hooks.createEndpoint(['*'])
    const { body: contact } = await hooks.ask('POST', '/contacts', { email: 'grace@example.org', data: { a: 1 } })
    await hooks.ask('PATCH', `/contacts/${contact.id}`, { data: { a: 2 } })
    await hooks.ask('POST', '/suppressions', { email: 'grace@example.org' })
    await hooks.ask('DELETE', '/suppressions/grace@example.org')
    await hooks.ask('DELETE', `/contacts/${contact.id}`)
    await hooks.app.drain()
    expect(typesReceived()).toEqual(
      expect.arrayContaining([
        'contact.created',
        'contact.deleted',
        'contact.updated',
        'suppression.added',
        'suppression.removed',
      ]),
    )
    const deleted = hooks.received.find(({ body }) => body.type === 'contact.deleted')
    expect(deleted!.body.data.contact).toEqual({ id: contact.id, email: 'grace@example.org', subscribed: true })
    const { body: events } = await hooks.ask('GET', '/events?limit=100')
    expect(
      events.data.filter(({ name }: { name: string }) =>
        /^(contact\.(created|updated|deleted)|suppression)/.test(name),
      ),
    ).toEqual([])
  })

  it('gets no change of a contact that changed nothing', async () => {
    const { body: contact } = await hooks.ask('POST', '/contacts', { email: 'mary@example.org', data: { a: 1 } })
    await hooks.createEndpoint(['contact.*'])
    for (const change of [{}, { data: { a: 1, b: null } }, { email: ' Mary@example.org' }, { subscribed: true }])
      await hooks.ask('PATCH', `/contacts/${contact.id}`, change)
    await hooks.ask('POST', '/contacts', { email: contact.email, data: { a: 1 } })
    await hooks.app.drain()
    expect(typesReceived()).toEqual([])
    await hooks.ask('PATCH', `/contacts/${contact.id}`, { subscribed: false })
    await hooks.app.drain()
    expect(typesReceived().sort()).toEqual(['contact.unsubscribed', 'contact.updated'])
  })
})

describe('a delivery', () => {
  it('is retried with the same webhook-id after each pause, and failed after the last', async () => {
    const endpoint = await hooks.createEndpoint(['signup'])
    hooks.respondWith((reply) => reply.writeHead(500).end('broken'))
    await hooks.track('a@example.org', 'signup')
    const backlog = async () => (await hooks.ask('GET', endpoint.path)).body.backlog
    expect(await backlog()).toMatchObject({ waiting: 1, dueSince: expect.any(String), failed: 0 })
    const pauses = hooks.app.ctx.settings.WEBHOOK_RETRY_SECONDS
    for (const seconds of [0, ...pauses]) {
      hooks.app.clock.forward(seconds * 1000 * 1.1 + 1000)
      await hooks.app.drain()
    }
    expect(hooks.received).toHaveLength(pauses.length + 1)
    expect(new Set(hooks.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    const { body } = await hooks.ask('GET', `${endpoint.path}/deliveries`)
    expect(body).toMatchObject({ total: 1, hasMore: false })
    expect(body.data[0]).toMatchObject({
      status: 'failed',
      attempts: 8,
      nextAttemptAt: null,
      test: false,
      lastAttempt: { status: 500, response: 'broken', error: null },
    })
    const one = await hooks.ask('GET', `${endpoint.path}/deliveries/${body.data[0].id}`)
    expect(one.body.payload).toEqual(hooks.received[0]!.body)
    expect(one.body.attemptLog).toHaveLength(8)
    expect((await hooks.ask('GET', endpoint.path)).body.failingSince).not.toBeNull()
    expect(await backlog()).toEqual({ waiting: 0, dueSince: null, failed: 1 })

    hooks.respondWith((reply) => reply.end('ok'))
    const replayed = await hooks.ask('POST', `${endpoint.path}/deliveries/${body.data[0].id}/replay`)
    expect(replayed.status).toBe(202)
    await hooks.app.drain()
    expect(hooks.received.at(-1)!.headers['webhook-id']).toBe(body.data[0].webhookId)
    expect((await hooks.ask('GET', `${endpoint.path}/deliveries/${replayed.body.id}`)).body.status).toBe('succeeded')
    expect((await hooks.ask('GET', endpoint.path)).body.failingSince).toBeNull()
    const since = new Date(hooks.app.clock.now().getTime() - 5 * DAY).toISOString()
    expect((await hooks.ask('POST', `${endpoint.path}/replay`, { since })).body).toEqual({ count: 1 })
    expect((await hooks.ask('POST', `${endpoint.path}/replay`, { since, eventType: 'other' })).body).toEqual({
      count: 0,
    })
    expect((await hooks.ask('POST', `${endpoint.path}/replay`, { since, until: since, status: 'all' })).body).toEqual({
      count: 0,
    })
    const future = new Date(hooks.app.clock.now().getTime() + DAY).toISOString()
    const refused = await hooks.ask('POST', `${endpoint.path}/replay`, { since: future })
    expect(refused.body.error.errors).toMatchObject([{ field: 'since', message: expect.stringContaining('future') }])
  })

  it('says nothing about a contact who was deleted while it waited, except that it was deleted', async () => {
    const endpoint = await hooks.createEndpoint(['contact.*'])
    hooks.respondWith((reply) => reply.writeHead(503).end())
    const { body } = await hooks.ask('POST', '/contacts', { email: 'gone@example.org', data: { plan: 'pro' } })
    await hooks.app.drain()
    await hooks.ask('DELETE', `/contacts/${body.id}`)
    await hooks.app.drain()
    hooks.respondWith((reply) => reply.end('ok'))
    hooks.received.length = 0
    hooks.app.clock.forward(3_600_000)
    await hooks.app.drain()
    const created = hooks.received.find(({ body }) => body.type === 'contact.created')
    expect(created?.text).not.toContain('gone@example.org')
    expect(created?.body.data.contact).toBeNull()
    expect(hooks.received.map(({ body }) => body.type)).toContain('contact.deleted')
    await hooks.ask('DELETE', endpoint.path)
  })

  it('waits while its project is disabled', async () => {
    const endpoint = await hooks.createEndpoint(['paid'])
    hooks.respondWith((reply) => reply.writeHead(503).end())
    await hooks.track('waits@example.org', 'paid')
    await hooks.app.drain()
    hooks.respondWith((reply) => reply.end('ok'))
    hooks.received.length = 0
    const disable = (at: Date | null) =>
      hooks.app.pool.query('update projects set disabled_at = $1 where id = $2', [at, hooks.project.id])
    await disable(hooks.app.clock.now())
    hooks.app.clock.forward(3_600_000)
    await hooks.app.drain()
    expect(hooks.received).toEqual([])
    await disable(null)
    hooks.app.clock.forward(3_600_000)
    await hooks.app.drain()
    expect(hooks.received).toHaveLength(1)
    await hooks.ask('DELETE', endpoint.path)
  })

  it('counts a redirect as a failure', async () => {
    const endpoint = await hooks.createEndpoint(['signup'])
    hooks.respondWith((reply) => reply.writeHead(302, { location: hooks.url }).end())
    await hooks.track('a@example.org', 'signup')
    await hooks.app.drain()
    expect(hooks.received).toHaveLength(1)
    const { body } = await hooks.ask('GET', `${endpoint.path}/deliveries?status=pending`)
    expect(body.data[0]).toMatchObject({ status: 'pending', attempts: 1, lastAttempt: { status: 302 } })
    for (const status of ['succeeded', 'failed'])
      expect((await hooks.ask('GET', `${endpoint.path}/deliveries?status=${status}`)).body.data).toEqual([])
  })

  it('is failed by a 410, which disables the endpoint at once', async () => {
    const endpoint = await hooks.createEndpoint(['signup'])
    hooks.respondWith((reply) => reply.writeHead(410).end())
    await hooks.track('a@example.org', 'signup')
    await hooks.app.drain()
    expect((await hooks.ask('GET', endpoint.path)).body).toMatchObject({ enabled: false, disabledReason: 'gone' })
    expect((await hooks.ask('GET', `${endpoint.path}/deliveries`)).body.data[0].status).toBe('failed')
  })

  it('disables an endpoint where nothing succeeds for five days, and owners get an email', async () => {
    const endpoint = await hooks.createEndpoint(['signup'])
    hooks.respondWith((reply) => reply.writeHead(503).end())
    for (let day = 0; day <= 5; day++) {
      await hooks.track(`day${day}@example.org`, 'signup')
      await hooks.app.drain()
      expect((await hooks.ask('GET', endpoint.path)).body.enabled).toBe(day < 5)
      hooks.app.clock.forward(DAY)
    }
    await hooks.app.drain()
    expect((await hooks.ask('GET', endpoint.path)).body.disabledReason).toBe('failing')
    const audit = await hooks.ask('GET', `/projects/${hooks.project.id}/audit-log?act=webhook-endpoint.disabled`)
    expect(audit.body.data[0]).toMatchObject({
      actor: { type: 'system' },
      details: { endpointId: endpoint.id, reason: 'failing' },
    })
    const notices = (await hooks.app.captured()).map(({ raw }) => raw.toString())
    expect(
      notices.filter((raw) => raw.includes(hooks.project.owner.email) && raw.includes('webhook endpoint')),
    ).toHaveLength(1)
    hooks.respondWith((reply) => reply.end())
    hooks.received.length = 0
    await hooks.ask('PATCH', endpoint.path, { enabled: true })
    await hooks.app.drain()
    expect(hooks.received.length).toBeGreaterThan(0)
    expect((await hooks.ask('GET', endpoint.path)).body).toMatchObject({ disabledReason: null, failingSince: null })
  })

  it('to a private address is refused unless it is allowed', async () => {
    const guarded = await openWebhooks({ WEBHOOK_ALLOW_PRIVATE: 'false' })
    const endpoint = await guarded.createEndpoint(['signup'])
    await guarded.track('a@example.org', 'signup')
    await guarded.app.drain()
    expect(guarded.received).toEqual([])
    const { body } = await guarded.ask('GET', `${endpoint.path}/deliveries`)
    expect(body.data[0].lastAttempt).toMatchObject({ status: null, error: '127.0.0.1 is not a public address.' })
    await guarded.close()
  })
})

describe('a test', () => {
  it('sends an example of the type, also while the endpoint is disabled, and is in the log', async () => {
    const endpoint = await hooks.createEndpoint(['email.*', 'my.event'], { enabled: false })
    const result = await hooks.ask('POST', `${endpoint.path}/test`, {})
    expect(result.body).toMatchObject({ status: 200, response: 'ok', error: null })
    expect(hooks.received[0]!.body.type).toBe('email.sent')
    expect(isSigned(hooks.received[0]!, endpoint.secret)).toBe(true)
    for (const eventType of ['my.event', 'email.bounce', 'contact.created'])
      expect((await hooks.ask('POST', `${endpoint.path}/test`, { eventType })).status).toBe(200)
    expect((await hooks.ask('POST', `${endpoint.path}/test`, { eventType: 'other' })).status).toBe(422)
    hooks.respondWith((reply) => reply.writeHead(500).end())
    expect((await hooks.ask('POST', `${endpoint.path}/test`, {})).body.status).toBe(500)
    const { body } = await hooks.ask('GET', `${endpoint.path}/deliveries`)
    expect(body.data.map(({ test }: { test: boolean }) => test)).toEqual([true, true, true, true, true])
    expect((await hooks.ask('GET', endpoint.path)).body.failingSince).toBeNull()
    const since = '0001-01-01T00:00:00Z'
    expect((await hooks.ask('POST', `${endpoint.path}/replay`, { since, status: 'all' })).body).toEqual({ count: 0 })
  })
})

describe('the secret', () => {
  it('is in no list, and after a rotation both secrets sign until the overlap ends', async () => {
    const endpoint = await hooks.createEndpoint(['signup'])
    expect(endpoint.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32,}=*$/)
    expect((await hooks.ask('GET', `${endpoint.path}/secret`)).body).toEqual({ secret: endpoint.secret })
    expect(JSON.stringify((await hooks.ask('GET', '/webhook-endpoints')).body)).not.toContain('secret')
    const { body } = await hooks.ask('POST', `${endpoint.path}/rotate-secret`, { overlapHours: 0.5 })
    await hooks.track('a@example.org', 'signup')
    await hooks.app.drain()
    expect([endpoint.secret, body.secret].map((secret) => isSigned(hooks.received[0]!, secret))).toEqual([true, true])
    hooks.app.clock.forward(31 * MINUTE)
    await hooks.track('a@example.org', 'signup')
    await hooks.app.drain()
    expect([endpoint.secret, body.secret].map((secret) => isSigned(hooks.received[1]!, secret))).toEqual([false, true])
  })
})

describe('GET /webhook-endpoints/event-types', () => {
  it('has a whole body for every type', async () => {
    const { body } = await hooks.ask('GET', '/webhook-endpoints/event-types')
    expect(body.data.length).toBeGreaterThan(20)
    for (const { type, example } of body.data) expect(example.type).toBe(type)
  })
})

describe('the log', () => {
  it('is deleted after 30 days, and with its endpoint', async () => {
    const kept = await hooks.createEndpoint(['signup'])
    const gone = await hooks.createEndpoint(['signup'])
    await hooks.track('a@example.org', 'signup')
    await hooks.app.drain()
    const rows = async () =>
      (await hooks.app.pool.query('select endpoint_id from webhook_log')).rows.map((row) => row.endpoint_id)
    const run = () => hooks.app.jobs['delete-expired']({}, { attempt: 1, at: hooks.app.clock.now() })
    await hooks.ask('DELETE', gone.path)
    await run()
    expect(await rows()).toEqual([kept.id])
    hooks.app.clock.forward(31 * DAY)
    await run()
    expect(await rows()).toEqual([])
  })
})
