/** Signing in with a provider: which account is opened, and what an attacker could send instead. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { setMissingIssuers } from '../../features/tenants/oauth/actions.ts'
import { createProviders } from '../../features/tenants/oauth/providers.ts'
import { codeAt } from '../accounts/authenticator.ts'
import { newestEmailTo } from '../captured-mail.ts'
import { openTestApp, signUp, type TestApp, type TestReply } from '../harness.ts'
import {
  type Account,
  CLIENT,
  type GithubPerson,
  startGithub,
  startOidcProvider,
  walkThrough,
} from './sign-in-providers.ts'

const accounts: Record<string, Account> = {}
let app: TestApp
let oidc: Awaited<ReturnType<typeof startOidcProvider>>
let github: Awaited<ReturnType<typeof startGithub>>
let env: Record<string, string>
let counter = 0

beforeAll(async () => {
  oidc = await startOidcProvider('http://posthorn.test/auth/oauth/oidc/callback', accounts)
  github = await startGithub()
  env = {
    OIDC_ISSUER: oidc.url,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Acme login',
    GITHUB_CLIENT_ID: CLIENT.id,
    GITHUB_CLIENT_SECRET: CLIENT.secret,
    GITHUB_URL: github.url,
  }
  app = await openTestApp(env)
})
afterAll(async () => {
  await app.close()
  await oidc.close()
  await github.close()
})

const newAddress = () => `oauth-${++counter}@example.org`
const cookieNamed = (reply: TestReply, name: string) =>
  [reply.headers['set-cookie'] ?? []]
    .flat()
    .map((line) => String(line).split(';')[0]!)
    .find((pair) => pair.startsWith(`${name}=`) && pair !== `${name}=`)
const me = (cookie: string) => app.request('GET', '/users/@me', { cookie })

async function begin(provider: string, next?: string, on = app) {
  const reply = await on.request(
    'GET',
    `/auth/oauth/${provider}${next === undefined ? '' : `?next=${encodeURIComponent(next)}`}`,
  )
  expect(reply.status).toBe(302)
  return { url: String(reply.headers.location), cookie: cookieNamed(reply, 'oauth')!, reply }
}

const returnTo = (back: URL, cookie: string | undefined, on = app) =>
  on.request('GET', `${back.pathname}${back.search}`, cookie ? { cookie } : {})

/** The whole sign-in with the real provider, as a new person if no login is given. */
async function signInWithOidc(account: Account, login = `sub-${++counter}`, on = app, next?: string) {
  accounts[login] = account
  const { url, cookie } = await begin('oidc', next, on)
  return returnTo(await walkThrough(url, login), cookie, on)
}

async function signInWithGithub(person: GithubPerson, on = app) {
  const { url, cookie } = await begin('github', undefined, on)
  return returnTo(github.allow(url, person), cookie, on)
}

const githubPerson = (email: string, changes: Partial<GithubPerson['emails'][number]> = {}): GithubPerson => ({
  id: ++counter,
  emails: [
    { email: `other-${email}`, primary: false, verified: true },
    { email, primary: true, verified: true, ...changes },
  ],
})

async function verifiedPerson() {
  const person = await signUp(app)
  await app.request('POST', '/auth/request-verification', { body: { email: person.email } })
  const { token } = await newestEmailTo(app, person.email)
  await app.request('POST', '/auth/verify-email', { body: { token } })
  return person
}

describe('the list of sign-in providers', () => {
  it('is public, and empty without settings', async () => {
    expect((await app.request('GET', '/auth/oauth-config')).body).toEqual({
      github: true,
      google: false,
      oidc: { name: 'Acme login' },
    })
    const bare = await openTestApp({ GOOGLE_CLIENT_ID: 'an id without its secret' })
    const { body } = await bare.request('GET', '/auth/oauth-config')
    const start = await bare.request('GET', '/auth/oauth/google')
    await bare.close()
    expect(body).toEqual({ github: false, google: false })
    expect(start).toMatchObject({ status: 404, body: { error: { code: 'RESOURCE_NOT_FOUND' } } })
  })

  it.each(['gitlab', 'code', '__proto__', 'constructor', '%2e%2e'])('does not include %s', async (name) => {
    expect((await app.request('GET', `/auth/oauth/${name}`)).status).toBe(404)
    expect((await app.request('GET', `/auth/oauth/${name}/callback?code=x`)).status).toBe(404)
  })
})

describe('signing in with OpenID Connect', () => {
  it('uses PKCE, state and nonce, and stores them in an HttpOnly cookie', async () => {
    const { url, reply } = await begin('oidc')
    const asked = new URL(url).searchParams
    expect(url.startsWith(oidc.url)).toBe(true)
    expect(Object.fromEntries(asked)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT.id,
      redirect_uri: 'http://posthorn.test/auth/oauth/oidc/callback',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
    const cookie = String(reply.headers['set-cookie'])
    expect(cookie).toMatch(/; HttpOnly/)
    expect(cookie).toMatch(/; SameSite=Lax/)
    expect(cookie).toMatch(/Max-Age=600/)
    expect(cookie).not.toContain(asked.get('state'))
  })

  it('creates a verified account for a new user, with an ordinary session', async () => {
    const email = newAddress()
    const reply = await signInWithOidc({ email: email.toUpperCase(), email_verified: true })
    expect(reply).toMatchObject({ status: 302, headers: { location: 'http://posthorn.test/app' } })
    expect(String(reply.headers['set-cookie'])).toMatch(/token=[^;]+; (?=.*HttpOnly)(?=.*SameSite=Lax)/)
    expect((await me(cookieNamed(reply, 'token')!)).body).toMatchObject({ email, emailVerified: true })
  })

  it('finds the same account by the provider’s id, even if the address changed', async () => {
    const email = newAddress()
    const login = `sub-${++counter}`
    const first = await me(cookieNamed(await signInWithOidc({ email, email_verified: true }, login), 'token')!)
    const again = () => signInWithOidc({ email: newAddress(), email_verified: false }, login)
    expect((await me(cookieNamed(await again(), 'token')!)).body).toEqual(first.body)
    await app.pool.query('update identities set issuer = null where subject = $1', [login]) // as before issuers were stored
    await setMissingIssuers(app.ctx, createProviders(app.ctx.settings))
    expect((await me(cookieNamed(await again(), 'token')!)).body).toEqual(first.body)
  })

  it('does not find the account of the same id at another issuer', async () => {
    const other = await startOidcProvider('http://posthorn.test/auth/oauth/oidc/callback', accounts)
    const { db, pool, listen, url } = app
    const database = { db, pool, listen, url, close: async () => {} }
    const moved = await openTestApp({ ...env, OIDC_ISSUER: other.url }, database, app.clock)
    try {
      const login = `sub-${++counter}`
      const email = newAddress()
      const first = await me(cookieNamed(await signInWithOidc({ email, email_verified: true }, login), 'token')!)
      const stranger = { email: newAddress(), email_verified: true }
      const second = await me(cookieNamed(await signInWithOidc(stranger, login, moved), 'token')!)
      expect(second.body).toMatchObject({ email: stranger.email })
      expect(second.body.id).not.toBe(first.body.id)
    } finally {
      await moved.close()
      await other.close()
    }
  })

  it('opens an existing account if both sides have verified the address', async () => {
    const person = await verifiedPerson()
    const reply = await signInWithOidc({ email: person.email, email_verified: true })
    expect((await me(cookieNamed(reply, 'token')!)).body.id).toBe(person.id)
    const body = { email: person.email, password: 'correct horse' }
    expect((await app.request('POST', '/auth/login', { body })).status, 'the password still works').toBe(200)
  })

  it('does not open an account whose address was never verified, because someone else may have created it', async () => {
    const person = await signUp(app)
    const info = vi.spyOn(app.ctx.log, 'info')
    const reply = await signInWithOidc({ email: person.email, email_verified: true })
    expect(reply.status).toBe(403)
    expect(reply.body).toContain('not confirmed')
    expect(cookieNamed(reply, 'token')).toBeUndefined()
    expect(JSON.stringify(info.mock.calls)).toContain('signing in with a provider failed')
    expect(JSON.stringify(info.mock.calls), 'the log has no addresses').not.toContain(person.email)
  })

  it.each([
    ['is not verified', { email_verified: false }],
    ['is not said to be verified', {}],
    ['is none', { email: 'nope', email_verified: true }],
  ])('does not open anything if the address %s', async (_what, claims) => {
    const person = await verifiedPerson()
    const reply = await signInWithOidc({ email: person.email, ...claims })
    expect(reply.status).toBe(403)
    expect(cookieNamed(reply, 'token')).toBeUndefined()
  })

  it('creates no account if sign-up is disabled', async () => {
    const closed = await openTestApp({ ...env, DISABLE_SIGNUPS: 'true' })
    const email = newAddress()
    const reply = await signInWithOidc({ email, email_verified: true }, undefined, closed)
    const { rowCount } = await closed.pool.query('select from users')
    await closed.close()
    expect(reply.status).toBe(403)
    expect(reply.body).toContain('Sign-up is disabled')
    expect(rowCount).toBe(0)
  })

  it.each([
    ['/app/contacts?search=a#top', '/app/contacts?search=a#top'],
    ['//evil.example/', '/app'],
    ['https://evil.example/', '/app'],
    ['/\\evil.example', '/app'],
    ['/\t/evil.example', '/app'],
    ['javascript:alert(1)', '/app'],
    ['', '/app'],
  ])('follows the redirect %j to %s', async (next, path) => {
    const reply = await signInWithOidc({ email: newAddress(), email_verified: true }, undefined, app, next)
    expect(reply.headers.location).toBe(`http://posthorn.test${path}`)
  })

  it('shows a page if the provider is unavailable, and retries the next time', async () => {
    const unreachable = await openTestApp({ ...env, OIDC_ISSUER: 'http://127.0.0.1:9/' })
    const reply = await unreachable.request('GET', '/auth/oauth/oidc')
    await unreachable.close()
    expect(reply.status).toBe(503)
    expect(reply.headers['content-type']).toContain('text/html')
    expect(reply.body).toContain('Acme login could not be reached')
  })
})

describe('an unexpected response of a provider', () => {
  const refused = async (reply: TestReply) => {
    expect(reply.status).toBe(400)
    expect(reply.headers['content-type']).toContain('text/html')
    expect(cookieNamed(reply, 'token')).toBeUndefined()
  }

  async function goodAnswer() {
    const login = `sub-${++counter}`
    accounts[login] = { email: newAddress(), email_verified: true }
    const { url, cookie } = await begin('oidc')
    return { back: await walkThrough(url, login), cookie }
  }

  it('in another browser is refused', async () => {
    const { back } = await goodAnswer()
    await refused(await returnTo(back, undefined))
    await refused(await returnTo(back, (await begin('oidc')).cookie))
    await refused(await returnTo(back, (await begin('github')).cookie))
    await refused(await returnTo(back, 'oauth=garbage'))
  })

  it('is refused if its state, code or issuer is another', async () => {
    for (const [name, value] of [
      ['state', 'x'],
      ['code', 'x'],
      ['iss', 'https://evil.example'],
    ]) {
      const { back, cookie } = await goodAnswer()
      back.searchParams.set(name!, value!)
      await refused(await returnTo(back, cookie))
    }
  })

  it('is accepted only once', async () => {
    const { back, cookie } = await goodAnswer()
    expect((await returnTo(back, cookie)).status).toBe(302)
    await refused(await returnTo(back, cookie))
  })

  it('after ten minutes is refused', async () => {
    const { back, cookie } = await goodAnswer()
    app.clock.forward(600_001)
    await refused(await returnTo(back, cookie))
  })

  it('is shown as such if it declines, without its text in the page', async () => {
    for (const provider of ['oidc', 'github']) {
      const { url, cookie } = await begin(provider)
      const state = new URL(url).searchParams.get('state')!
      const query = new URLSearchParams({ error: '<script>alert(1)</script>', state })
      const reply = await app.request('GET', `/auth/oauth/${provider}/callback?${query}`, { cookie })
      await refused(reply)
      expect(reply.body).not.toContain('alert(1)')
      expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
    }
  })
})

describe('signing in with GitHub', () => {
  it('creates an account with the primary address', async () => {
    const email = newAddress()
    const reply = await signInWithGithub(githubPerson(email))
    expect(reply.status).toBe(302)
    expect((await me(cookieNamed(reply, 'token')!)).body).toMatchObject({ email, emailVerified: true })
  })

  it('accepts neither an address that GitHub has not verified nor another one instead', async () => {
    expect((await signInWithGithub(githubPerson(newAddress(), { verified: false }))).status).toBe(403)
    expect((await signInWithGithub(githubPerson(newAddress(), { primary: false }))).status).toBe(403)
  })

  it('uses PKCE and state', async () => {
    const { url, cookie } = await begin('github')
    const other = await begin('github')
    const back = github.allow(url, githubPerson(newAddress()))
    expect((await returnTo(back, other.cookie)).status).toBe(400)
    const swapped = github.allow(other.url, githubPerson(newAddress()))
    swapped.searchParams.set('state', new URL(url).searchParams.get('state')!)
    expect((await returnTo(swapped, cookie)).status).toBe(400)
  })

  it('is separate from the same id at another provider', async () => {
    const person = githubPerson(newAddress())
    const one = await me(cookieNamed(await signInWithGithub(person), 'token')!)
    const reply = await signInWithOidc({ email: newAddress(), email_verified: true }, String(person.id))
    expect((await me(cookieNamed(reply, 'token')!)).body.id).not.toBe(one.body.id)
  })
})

describe('an account with two-factor sign-in and a provider', () => {
  async function withTwoFactor() {
    const person = await verifiedPerson()
    const post = (path: string, body: object) => app.request('POST', path, { cookie: person.cookie, body })
    const { body } = await post('/auth/two-factor', { password: 'correct horse' })
    app.clock.forward(30_000)
    await post('/auth/two-factor/confirm', { code: codeAt(body.secret, app.clock.now()) })
    return { ...person, secret: body.secret as string }
  }

  const sendCode = (code: string, cookie: string | undefined) =>
    app.request('POST', '/auth/oauth/code', {
      text: new URLSearchParams({ code }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      ...(cookie && { cookie }),
    })

  it('requires the code after the provider, too', async () => {
    const person = await withTwoFactor()
    const page = await signInWithOidc({ email: person.email, email_verified: true }, undefined, app, '/app/emails')
    expect(page.status).toBe(200)
    expect(page.body).toContain('action="http://posthorn.test/auth/oauth/code"')
    expect(cookieNamed(page, 'token')).toBeUndefined()
    const pending = cookieNamed(page, 'oauth')
    expect((await me(`token=${pending!.slice(6)}`)).status).toBe(401)

    const wrong = await sendCode('000000', pending)
    expect(wrong.status).toBe(401)
    expect(wrong.body).toContain('incorrect or has already been used')
    app.clock.forward(30_000)
    const code = codeAt(person.secret, app.clock.now())
    const reply = await sendCode(code, pending)
    expect(reply).toMatchObject({ status: 303, headers: { location: 'http://posthorn.test/app/emails' } })
    expect((await me(cookieNamed(reply, 'token')!)).body.id).toBe(person.id)
    expect((await sendCode(code, pending)).status).toBe(401)
  })

  it('is not opened by a code alone', async () => {
    const person = await withTwoFactor()
    app.clock.forward(30_000)
    const code = codeAt(person.secret, app.clock.now())
    expect((await sendCode(code, undefined)).status).toBe(400)
    expect((await sendCode(code, (await begin('oidc')).cookie)).status).toBe(400)
  })

  it('is locked after five wrong codes', async () => {
    const person = await withTwoFactor()
    const page = await signInWithOidc({ email: person.email, email_verified: true })
    const pending = cookieNamed(page, 'oauth')
    for (let i = 0; i < 5; i++) expect((await sendCode('nonsense', pending)).status).toBe(401)
    app.clock.forward(30_000)
    expect((await sendCode(codeAt(person.secret, app.clock.now()), pending)).status).toBe(429)
  })
})

describe('an account without a password', () => {
  it("can't be used with a password until one is set by a reset", async () => {
    const email = newAddress()
    const reply = await signInWithOidc({ email, email_verified: true })
    const cookie = cookieNamed(reply, 'token')!
    const logIn = (password: string) => app.request('POST', '/auth/login', { body: { email, password } })
    for (const password of ['', 'null', 'correct horse']) {
      expect(await logIn(password)).toMatchObject({ status: 401, body: { error: { code: 'INVALID_CREDENTIALS' } } })
    }
    const begun = await app.request('POST', '/auth/two-factor', { cookie, body: { password: '' } })
    expect(begun).toMatchObject({ status: 403 })
    expect(begun.body.error.suggestion).toContain('password reset')
    await app.request('POST', '/auth/request-password-reset', { body: { email } })
    const { token } = await newestEmailTo(app, email)
    await app.request('POST', '/auth/reset-password', { body: { token, password: 'correct horse' } })
    expect((await logIn('correct horse')).status).toBe(200)
  })
})
