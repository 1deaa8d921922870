/** The list of sessions, and ending one of them or all others. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, signUp, type TestApp } from '../harness.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

async function logIn(email: string, userAgent = 'Test browser') {
  const body = { email, password: 'correct horse' }
  const reply = await app.request('POST', '/auth/login', { body, headers: { 'user-agent': userAgent } })
  return String(reply.headers['set-cookie']).split(';')[0]!
}
const list = async (cookie: string) => (await app.request('GET', '/auth/sessions', { cookie })).body.data
const end = (cookie: string, id: string) => app.request('DELETE', `/auth/sessions/${id}`, { cookie })
const me = async (cookie: string) => (await app.request('GET', '/users/@me', { cookie })).status

describe('sessions', () => {
  it('are listed newest first, with their origin and the current one marked', async () => {
    const { email, cookie } = await signUp(app)
    app.clock.forward(1000)
    const second = await logIn(email, `Browser ${'x'.repeat(400)}`)
    const now = app.clock.now()
    const sessions = await list(second)
    expect(sessions).toMatchObject([
      { current: true, ip: '127.0.0.1', createdAt: now.toISOString(), lastSeenAt: now.toISOString() },
      { current: false, ip: '127.0.0.1' },
    ])
    expect(sessions[0].userAgent).toHaveLength(300)
    expect(new Date(sessions[0].expiresAt).getTime() - now.getTime()).toBe(7 * 24 * 3600_000)
    expect((await list(cookie)).map((one: { current: boolean }) => one.current)).toEqual([false, true])
    expect(JSON.stringify(sessions)).not.toContain(second.split('.')[2])
  })

  it('store when they were last used, to five minutes', async () => {
    const { cookie } = await signUp(app)
    const start = app.clock.now()
    app.clock.forward(4 * 60_000)
    expect((await list(cookie))[0].lastSeenAt).toBe(start.toISOString())
    app.clock.forward(2 * 60_000)
    expect((await list(cookie))[0].lastSeenAt).toBe(app.clock.now().toISOString())
  })

  it('end individually, with the next request', async () => {
    const { email, cookie } = await signUp(app)
    const other = await logIn(email)
    const [newest] = await list(cookie)
    expect((await end(cookie, newest.id)).status).toBe(204)
    expect([await me(cookie), await me(other)]).toEqual([200, 401])
    expect((await end(cookie, newest.id)).status).toBe(404)
    const [own] = await list(cookie)
    expect((await end(cookie, own.id)).status).toBe(204)
    expect(await me(cookie)).toBe(401)
  })

  it('can all be ended except the current one', async () => {
    const { email, cookie } = await signUp(app)
    const others = [await logIn(email), await logIn(email)]
    expect(await app.request('DELETE', '/auth/sessions', { cookie })).toMatchObject({ status: 200, body: { ended: 2 } })
    expect([await me(cookie), await me(others[0]!), await me(others[1]!)]).toEqual([200, 401, 401])
  })

  it('are not found by other users', async () => {
    const [mine, theirs] = [await signUp(app), await signUp(app)]
    const [session] = await list(theirs.cookie)
    const replies = [
      await end(mine.cookie, session.id),
      await end(mine.cookie, randomUUID()),
      await end(mine.cookie, 'x'),
    ]
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 404, body: { error: { code: 'RESOURCE_NOT_FOUND' } } })
    }
    expect(await me(theirs.cookie)).toBe(200)
  })

  it('are not listed after they expire, and are deleted later', async () => {
    const { email, cookie } = await signUp(app)
    app.clock.forward(6 * 24 * 3600_000)
    const fresh = await logIn(email)
    app.clock.forward(2 * 24 * 3600_000)
    expect(await me(cookie)).toBe(401)
    expect(await list(fresh)).toHaveLength(1)
  })

  it('can only be ended by our own pages', async () => {
    const { cookie } = await signUp(app)
    const headers = { origin: 'https://evil.example' }
    expect((await app.request('DELETE', '/auth/sessions', { cookie, headers })).status).toBe(403)
  })
})

describe('the IP address of a session', () => {
  const body = { password: 'correct horse' }
  const headers = { 'x-forwarded-for': '198.51.100.9, 203.0.113.7' }
  const originBehind = async (proxies: string) => {
    const behind = await openTestApp({ TRUSTED_PROXIES: proxies })
    try {
      const reply = await behind.request('POST', '/auth/signup', { body: { ...body, email: 'a@example.org' }, headers })
      const cookie = String(reply.headers['set-cookie']).split(';')[0]!
      return (await behind.request('GET', '/auth/sessions', { cookie })).body.data[0].ip
    } finally {
      await behind.close()
    }
  }

  it.each([
    ['', '127.0.0.1'],
    ['192.0.2.1', '127.0.0.1'],
    ['loopback', '203.0.113.7'],
    ['127.0.0.1,203.0.113.0/24', '198.51.100.9'],
  ])('behind the proxies "%s" is what they report, as far as they are trusted: %s', async (proxies, ip) => {
    expect(await originBehind(proxies)).toBe(ip)
  })
})
