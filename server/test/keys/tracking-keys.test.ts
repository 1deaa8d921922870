/** API keys that track events: which endpoints accept them, and what a key that can do nothing else learns. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let keys: Record<'onlyTracks' | 'tracksAndSends' | 'full' | 'sends', string>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  const createKey = async (...scopes: string[]) =>
    (await app.request('POST', '/api-keys', { key: project.secretKey, body: { name: 'A key', scopes } })).body.key
  keys = {
    onlyTracks: await createKey('track'),
    tracksAndSends: await createKey('track', 'send'),
    full: await createKey('full'),
    sends: await createKey('send'),
  }
})
afterAll(() => app.close())

const track = (key: string, path = '/v1/track', headers: Record<string, string> = {}) =>
  app.request('POST', path, { key, headers, body: { email: 'ada@example.org', event: 'signup' } })

describe('POST /v1/track', () => {
  it('accepts API keys with the scope track, and no secret key', async () => {
    for (const key of [project.publicKey, keys.onlyTracks, keys.tracksAndSends, keys.full]) {
      expect((await track(key)).status).toBe(200)
    }
    const refused = await track(keys.sends)
    expect([refused.status, refused.body.error.details]).toEqual([403, { requiredScope: 'track' }])
    expect((await track(project.secretKey)).status).toBe(401)
  })
})

describe('POST /events/track', () => {
  it('accepts API keys with the scope track, and no public key', async () => {
    for (const key of [project.secretKey, keys.onlyTracks, keys.full]) {
      expect((await track(key, '/events/track')).status).toBe(200)
    }
    expect((await track(project.publicKey, '/events/track')).status).toBe(401)
  })
})

describe('a key that can only track', () => {
  it('learns no more about a used Idempotency-Key than the public key', async () => {
    const headers = { 'idempotency-key': 'order-1003' }
    const body = { to: 'ada@example.org', from: 'hello@example.com', subject: 'Your order', body: 'Thanks' }
    expect((await app.request('POST', '/v1/send', { key: project.secretKey, headers, body })).status).toBe(200)
    const detailsFor = async (key: string) => (await track(key, '/v1/track', headers)).body.error.details
    expect(await detailsFor(keys.onlyTracks)).toEqual(await detailsFor(project.publicKey))
    expect(await detailsFor(keys.onlyTracks)).toMatchObject({ originalRequest: null })
    expect(await detailsFor(keys.full)).toMatchObject({ originalRequest: 'POST /v1/send', originalResponse: {} })
  })

  it('gets the same response to an event as the public key', async () => {
    const shapeOf = async (key: string) => Object.keys((await track(key)).body.data).sort()
    expect(await shapeOf(keys.onlyTracks)).toEqual(await shapeOf(project.publicKey))
  })
})
