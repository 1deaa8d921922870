/** Limits on guessing passwords and codes, by address and by client network. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, signUp, type TestApp } from '../harness.ts'
import { codeAt } from './authenticator.ts'

const PASSWORD = 'correct horse'
const WRONG = 'wrong horse'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1', RATE_LIMIT_PER_MINUTE: '100' })
})
afterAll(() => app.close())
beforeEach(() => app.clock.forward(16 * 60_000))

const post = (path: string, body: unknown, { ip = '203.0.113.1', cookie }: { ip?: string; cookie?: string } = {}) =>
  app.request('POST', path, { body, headers: { 'x-forwarded-for': ip }, ...(cookie && { cookie }) })
const logIn = (email: string, password: string, ip?: string) => post('/auth/login', { email, password }, { ip: ip! })
const statuses = async (count: number, call: (i: number) => Promise<{ status: number }>) => {
  const seen: number[] = []
  for (let i = 0; i < count; i++) seen.push((await call(i)).status)
  return seen
}

describe('failed sign-ins', () => {
  it('from one network do not lock out the owner of the account on another network', async () => {
    const { email } = await signUp(app)
    expect(await statuses(6, () => logIn(email, WRONG, '203.0.113.7'))).toEqual([401, 401, 401, 401, 401, 429])
    expect((await logIn(email, PASSWORD, '203.0.113.7')).status).toBe(429)
    expect((await logIn(email, PASSWORD, '198.51.100.9')).status).toBe(200)
    expect((await logIn(email, PASSWORD, '203.0.113.7')).status, 'forgiven only for the network that succeeded').toBe(
      429,
    )
  })

  it('from an IPv6 network count together', async () => {
    const { email } = await signUp(app)
    await statuses(5, (i) => logIn(email, WRONG, `2001:db8:1:2::${i + 1}`))
    expect((await logIn(email, WRONG, '2001:db8:1:2:ffff::1')).status).toBe(429)
    expect((await logIn(email, WRONG, '2001:db8:1:3::1')).status).toBe(401)
  })

  it('from many networks lock the address after fifty', async () => {
    const { email } = await signUp(app)
    const seen = await statuses(51, (i) => logIn(email, WRONG, `203.0.113.${20 + i}`))
    expect(seen.filter((status) => status === 401)).toHaveLength(50)
    expect(seen.at(-1)).toBe(429)
  })

  it('do not stop the owner from confirming a change inside their session', async () => {
    const { email, cookie } = await signUp(app)
    await statuses(6, () => logIn(email, WRONG))
    const change = await post('/auth/change-password', { password: PASSWORD, newPassword: 'another one' }, { cookie })
    expect(change.status).toBe(200)
  })
})

it('one network can make RATE_LIMIT_PER_MINUTE requests to public /auth routes in 15 minutes, and other networks are not affected', async () => {
  const routes = [
    ['/auth/login', () => ({ email: `${Math.random()}@example.org`, password: WRONG }), 401],
    ['/auth/request-password-reset', () => ({ email: `${Math.random()}@example.org` }), 200],
    ['/auth/request-verification', () => ({ email: `${Math.random()}@example.org` }), 200],
    ['/auth/verify-email', () => ({ token: 'x' }), 400],
    ['/auth/reset-password', () => ({ token: 'x', password: PASSWORD }), 400],
  ] as const
  const call = (i: number, ip: string) => post(routes[i % 5]![0], routes[i % 5]![1](), { ip })
  const seen = await statuses(100, (i) => call(i, '203.0.113.2'))
  expect(seen).toEqual(Array.from({ length: 100 }, (_, i) => routes[i % 5]![2]))
  for (let i = 0; i < 5; i++) {
    const refused = await call(i, '203.0.113.2')
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } })
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await call(i, '203.0.113.3')).status).toBe(routes[i]![2])
  }
  expect(
    (await post('/auth/signup', { email: 'new@example.org', password: PASSWORD }, { ip: '203.0.113.2' })).status,
  ).toBe(429)
})

describe('wrong two-factor codes', () => {
  async function withTwoFactor() {
    const person = await signUp(app)
    const { body } = await post('/auth/two-factor', { password: PASSWORD }, person)
    await post('/auth/two-factor/confirm', { code: codeAt(body.secret, app.clock.now()) }, person)
    return { ...person, secret: body.secret as string }
  }
  const disable = (cookie: string, code: string) =>
    post('/auth/two-factor/disable', { password: PASSWORD, code }, { cookie })

  it('still count after a correct password', async () => {
    const { email, cookie, secret } = await withTwoFactor()
    for (let i = 0; i < 4; i++) expect((await disable(cookie, '000000')).status).toBe(401)
    const again = await post('/auth/two-factor', { password: PASSWORD }, { cookie })
    expect(again.status).toBe(409)
    expect((await disable(cookie, '000000')).status).toBe(401)
    expect((await disable(cookie, '000000')).status).toBe(429)
    const change = await post('/auth/change-password', { password: PASSWORD, newPassword: PASSWORD }, { cookie })
    app.clock.forward(30_000)
    const code = codeAt(secret, app.clock.now())
    expect(change.status, 'the attempts at a password are used up too').toBe(429)
    expect((await post('/auth/login', { email, password: PASSWORD, code })).status).toBe(429)
  })
})

describe('an account whose address is not confirmed, where email is really sent', () => {
  it('cannot have a second factor, and a password reset removes its second factor and memberships', async () => {
    const real = await openTestApp({ MAIL_URL: 'smtp://127.0.0.1:9' })
    try {
      const unconfirmed = await signUp(real, 'colleague@example.org')
      const begin = () =>
        real.request('POST', '/auth/two-factor', { cookie: unconfirmed.cookie, body: { password: PASSWORD } })
      expect(await begin()).toMatchObject({
        status: 403,
        body: { error: { suggestion: expect.stringContaining('confirm') } },
      })

      // As an earlier version allowed it.
      await real.pool.query(
        "update users set two_factor_enabled_at = now(), two_factor_secret = '\\x00' where id = $1",
        [unconfirmed.id],
      )
      const owner = await signUp(real)
      const project = (
        await real.request('POST', '/users/@me/projects', { cookie: owner.cookie, body: { name: 'Shop' } })
      ).body
      await real.pool.query(
        "insert into members (project_id, user_id, role, created_at) values ($1, $2, 'ADMIN', now())",
        [project.id, unconfirmed.id],
      )
      const own = await real.request('POST', '/users/@me/projects', {
        cookie: unconfirmed.cookie,
        body: { name: 'Own' },
      })

      const token = await resetToken(real, unconfirmed.id)
      const reset = await real.request('POST', '/auth/reset-password', { body: { token, password: 'a new password' } })
      expect(reset.status).toBe(200)
      const login = await real.request('POST', '/auth/login', {
        body: { email: unconfirmed.email, password: 'a new password' },
      })
      expect(login).toMatchObject({ status: 200, body: { data: { emailVerified: true } } })
      const cookie = String(login.headers['set-cookie']).split(';')[0]!
      expect((await real.request('GET', '/auth/two-factor', { cookie })).body.enabled).toBe(false)
      const projects = (await real.request('GET', '/users/@me/projects', { cookie })).body
      expect(projects.map(({ id }: { id: string }) => id)).toEqual([own.body.id])
      expect((await real.request('GET', '/users/@me', { cookie: unconfirmed.cookie })).status).toBe(401)
    } finally {
      await real.close()
    }
  })
})

/** The token of the email, which is not sent here: its hash is replaced by a known one. */
async function resetToken(real: TestApp, userId: string): Promise<string> {
  const { hashKey } = await import('../../platform/secrets.ts')
  await real.pool.query(
    `insert into account_tokens (hash, user_id, purpose, created_at, expires_at)
     values ($1, $2, 'RESET_PASSWORD', now(), now() + interval '1 hour')`,
    [hashKey('known'), userId],
  )
  return 'known'
}
