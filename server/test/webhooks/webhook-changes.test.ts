/** Which requests change webhook endpoints, and who may send them. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../harness.ts'
import { openWebhooks } from './webhook-fixture.ts'

let hooks: Awaited<ReturnType<typeof openWebhooks>>

beforeAll(async () => {
  hooks = await openWebhooks()
})
afterAll(() => hooks.close())
afterEach(async () => {
  const { body } = await hooks.ask('GET', '/webhook-endpoints?limit=100')
  for (const { id } of body.data) await hooks.ask('DELETE', `/webhook-endpoints/${id}`)
})

describe('a request to change endpoints', () => {
  it.each([
    [{ url: 'ftp://example.org', eventTypes: ['*'] }, 'url'],
    [{ url: 'https://user:pass@example.org', eventTypes: ['*'] }, 'url'],
    [{ url: `https://example.org/${'x'.repeat(2048)}`, eventTypes: ['*'] }, 'url'],
    [{ url: 'https://example.org', eventTypes: ['*'], events: ['*'] }, 'events'],
    [{ url: 'https://example.org', eventTypes: [] }, 'eventTypes'],
    [{ url: 'https://example.org', eventTypes: ['email*'] }, 'eventTypes.0'],
    [{ url: 'https://example.org', eventTypes: ['*.bounce'] }, 'eventTypes.0'],
    [{ url: 'https://example.org', eventTypes: ['*'], description: 'x'.repeat(501) }, 'description'],
  ])('is refused with the field: %j', async (body, field) => {
    const reply = await hooks.ask('POST', '/webhook-endpoints', body)
    expect(reply.status).toBe(422)
    expect(reply.body.error.errors[0].field).toBe(field)
  })

  it('may repeat event types, and name null for a field that has a default', async () => {
    const endpoint = await hooks.createEndpoint([...Array(150).fill('signup'), 'email.*'])
    expect(endpoint.eventTypes).toEqual(['signup', 'email.*'])
    const names = Array.from({ length: 101 }, (_, i) => `event-${i}`)
    expect((await hooks.ask('PATCH', endpoint.path, { eventTypes: names })).status).toBe(422)
    expect((await hooks.ask('POST', `${endpoint.path}/rotate-secret`, { overlapHours: null })).status).toBe(200)
    const replay = `${endpoint.path}/deliveries/${endpoint.id}/replay`
    expect((await hooks.ask('POST', replay, { now: true })).status).toBe(422)
  })

  it('changes nothing if it names nothing, and is not in the audit log', async () => {
    const { secret, ...endpoint } = (
      await hooks.ask('POST', '/webhook-endpoints', { url: hooks.url, eventTypes: ['*'] })
    ).body
    hooks.app.clock.forward(1000)
    const { status, body } = await hooks.ask('PATCH', `/webhook-endpoints/${endpoint.id}`, {})
    expect({ status, body }).toEqual({ status: 200, body: endpoint })
    const { body: audit } = await hooks.ask('GET', `/projects/${hooks.project.id}/audit-log?limit=1`)
    expect(audit.data[0].act).toBe('webhook-endpoint.created')
  })

  it('is refused with 409 for the 21st endpoint', async () => {
    for (let i = 0; i < 20; i++) await hooks.createEndpoint(['*'], { enabled: false })
    const reply = await hooks.ask('POST', '/webhook-endpoints', { url: hooks.url, eventTypes: ['*'] })
    expect(reply.status).toBe(409)
  })

  it('needs the role ADMIN, and members can read', async () => {
    const endpoint = await hooks.createEndpoint(['*'])
    const { email, cookie } = await signUp(hooks.app)
    await hooks.ask('POST', `/projects/${hooks.project.id}/members`, { email, role: 'MEMBER' })
    const as = (method: string, path: string, body?: unknown) =>
      hooks.app.request(method, path, { cookie, projectId: hooks.project.id, body })
    expect((await as('GET', '/webhook-endpoints')).status).toBe(200)
    expect((await as('GET', `${endpoint.path}/deliveries`)).status).toBe(200)
    expect((await as('GET', `${endpoint.path}/secret`)).status).toBe(403)
    expect((await as('POST', `${endpoint.path}/test`, {})).status).toBe(403)
    expect((await as('PATCH', endpoint.path, { enabled: false })).status).toBe(403)
  })
})
