/** GET /config: the public features of an installation. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { VERSION } from '../../platform/version.ts'
import { openTestApp, type TestApp } from '../harness.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ DISABLE_SIGNUPS: 'true' })
})
afterAll(() => app.close())

describe('GET /config', () => {
  it('needs no credentials and has exactly the fields of the contract', async () => {
    const { status, body } = await app.request('GET', '/config')
    expect(status).toBe(200)
    expect(body).toEqual({
      version: VERSION,
      features: {
        signup: false,
        billing: false,
        oauth: { github: expect.any(Boolean), google: expect.any(Boolean) },
        inbound: expect.any(Boolean),
        smtp: expect.any(Boolean),
        transport: 'capture',
      },
      urls: { api: 'http://posthorn.test', dashboard: 'http://posthorn.test' },
    })
  })

  it('gives the same response with an invalid key, and shows nothing secret', async () => {
    const { status, body } = await app.request('GET', '/config', { key: 'sk_wrong' })
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toMatch(/secret|password|postgres/i)
  })
})
