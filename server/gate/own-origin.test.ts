import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../test/harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const contacts = async () => (await app.pool.query('select count(*)::int as n from contacts')).rows[0].n

const withCookie = (headers: Record<string, string>, email = 'browser@example.org') =>
  app.request('POST', '/contacts', {
    cookie: project.owner.cookie,
    projectId: project.id,
    headers,
    body: { email },
  })

describe('a request with a session that changes something', () => {
  it.each([
    ['another site', { origin: 'https://evil.test' }],
    ['another port of our host', { origin: 'http://posthorn.test:81' }],
    ['a subdomain', { origin: 'http://evil.posthorn.test' }],
    ['a host that begins like ours', { origin: 'http://posthorn.test.evil.test' }],
    ['a sandboxed page', { origin: 'null' }],
    ['garbage', { origin: 'not an origin' }],
    ['another site, as the browser says without an origin', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour, as the browser says without an origin', { 'sec-fetch-site': 'same-site' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a form that sends text', { 'content-type': 'text/plain' }],
    ['a form that pretends', { 'content-type': 'text/plain; application/json' }],
  ])('is refused from %s', async (_where, headers) => {
    const before = await contacts()
    expect(await withCookie(headers)).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
    expect(await contacts()).toBe(before)
  })

  it.each([
    ['our own pages', { origin: 'http://posthorn.test' }],
    ['our own pages under another name', { origin: 'http://[::1]:3000', host: '[::1]:3000' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['our own pages, as the browser says', { 'sec-fetch-site': 'same-origin' }],
    ['a script without a browser', {}],
    ['a page that names the charset', { 'content-type': 'application/json; charset=utf-8' }],
  ])('is accepted from %s', async (_where, headers) => {
    expect([200, 201]).toContain((await withCookie(headers)).status)
  })
})

describe('other requests', () => {
  it('are accepted from any origin and with any content type if they have a key', async () => {
    const strange: Record<string, string>[] = [{ origin: 'https://evil.test' }, { 'content-type': 'text/plain' }]
    for (const headers of strange) {
      const options = { key: project.secretKey, headers, body: { email: 'key@example.org' } }
      expect([200, 201]).toContain((await app.request('POST', '/contacts', options)).status)
    }
  })

  it("are accepted from any origin if they only read, but the other site can't read the response", async () => {
    const headers = { origin: 'https://evil.test' }
    const reply = await app.request('GET', '/contacts', {
      cookie: project.owner.cookie,
      projectId: project.id,
      headers,
    })
    expect(reply.status).toBe(200)
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  })

  it.each(['/auth/login', '/auth/signup'])(
    'to %s from another site are refused, so that nobody is signed in by another site',
    async (path) => {
      const body = { email: 'unasked@example.org', password: 'correct horse' }
      const reply = await app.request('POST', path, { headers: { origin: 'https://evil.test' }, body })
      expect(reply).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
      expect(reply.headers['set-cookie']).toBeUndefined()
    },
  )
})
