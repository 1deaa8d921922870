/** Accounts and sessions: signing up, in and out. */
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createProject, databaseState, openTestApp, signUp, type TestApp } from '../harness.ts'

const PASSWORD = 'correct horse' // what signUp of the harness uses
const DAY_MS = 24 * 3600_000
let app: TestApp
let counter = 0

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const newAddress = () => `member-${++counter}@example.org`
const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  app.request('POST', path, { body, headers })
const logIn = (email: string, password = PASSWORD) => post('/auth/login', { email, password })
const me = (cookie: string) => app.request('GET', '/users/@me', { cookie })
const cookieOf = (reply: { headers: Record<string, unknown> }) => String(reply.headers['set-cookie'])
const usersCalled = async (email: string) =>
  (await app.pool.query('select id, password_hash from users where email = $1', [email])).rows

describe('POST /auth/signup', () => {
  it('creates an account and a session', async () => {
    const reply = await post('/auth/signup', { email: ' New@Example.org ', password: PASSWORD })
    expect(reply).toMatchObject({
      status: 201,
      body: { success: true, data: { email: 'new@example.org', emailVerified: false } },
    })
    expect(Object.keys(reply.body.data).sort()).toEqual(['email', 'emailVerified', 'id'])
    const session = await me(cookieOf(reply).split(';')[0]!)
    expect(session).toMatchObject({
      status: 200,
      body: { ...reply.body.data, createdAt: app.clock.now().toISOString() },
    })
  })

  it('stores the password only as an argon2id hash', async () => {
    const { email } = await signUp(app)
    expect((await usersCalled(email))[0].password_hash).toMatch(/^\$argon2id\$/)
  })

  it('returns 409 if the address already has an account, in any case', async () => {
    const { email } = await signUp(app)
    expect(await post('/auth/signup', { email: email.toUpperCase(), password: PASSWORD })).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT' } },
    })
  })

  it('creates one account for concurrent requests with one address', async () => {
    const email = newAddress()
    const replies = await Promise.all(
      Array.from({ length: 5 }, () => post('/auth/signup', { email, password: PASSWORD })),
    )
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409, 409, 409, 409])
    expect(await usersCalled(email)).toHaveLength(1)
  })

  it('makes one account the operator if the first two are created at the same time', async () => {
    const empty = await openTestApp()
    const first = await empty.pool.connect()
    try {
      await first.query('begin')
      await first.query(`insert into users (id, email, operator, created_at, updated_at)
        values (gen_random_uuid(), 'first@example.org', true, now(), now())`)
      let isDone = false
      const second = signUp(empty).finally(() => {
        isDone = true
      })
      const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
      const isWaiting = async () => (await empty.pool.query(waiting)).rowCount === 1
      await vi.waitUntil(async () => isDone || (await isWaiting()), { timeout: 90_000 })
      await first.query('commit')
      const { cookie } = await second
      expect((await empty.request('GET', '/users/@me', { cookie })).body.operator).toBe(false)
    } finally {
      first.release()
      await empty.close()
    }
  })

  it.each([
    ['email', { email: 'nope', password: PASSWORD }, 'invalid_string'],
    ['email', { password: PASSWORD }, 'invalid_type'],
    ['password', { email: 'short@example.org', password: '1234567' }, 'too_small'],
    ['password', { email: 'short@example.org', password: 'x'.repeat(201) }, 'too_big'],
    ['password', { email: 'short@example.org' }, 'invalid_type'],
    ['password', { email: 'short@example.org', password: 12345678 }, 'invalid_type'],
    ['password', { email: 'short@example.org', password: 'nul \0 inside' }, 'custom'],
  ])('refuses an invalid %s in %j with %s', async (field, body, code) => {
    const reply = await post('/auth/signup', body)
    expect(reply).toMatchObject({ status: 422, body: { error: { errors: [{ field, code }] } } })
    expect(await usersCalled('short@example.org')).toEqual([])
  })

  it('never returns a refused password', async () => {
    const reply = await post('/auth/signup', { email: newAddress(), password: 'hush!!' })
    expect(JSON.stringify(reply.body)).not.toContain('hush!!')
  })

  it('accepts passwords of 8 and of 200 characters', async () => {
    for (const password of ['12345678', 'ü'.repeat(200)]) {
      const email = newAddress()
      expect((await post('/auth/signup', { email, password })).status).toBe(201)
      expect((await logIn(email, password)).status).toBe(200)
    }
  })

  it('can be disabled', async () => {
    const closed = await openTestApp({ DISABLE_SIGNUPS: 'true' })
    const reply = await closed.request('POST', '/auth/signup', { body: { email: newAddress(), password: PASSWORD } })
    const { body: config } = await closed.request('GET', '/config')
    await closed.close()
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'SIGNUPS_DISABLED' } } })
    expect(config.features.signup).toBe(false)
  })
})

describe('POST /auth/login', () => {
  it('sets an HttpOnly cookie for this host and seven days', async () => {
    const { email, id } = await signUp(app)
    const reply = await logIn(` ${email.toUpperCase()}`)
    expect(reply).toMatchObject({ status: 200, body: { success: true, data: { id, email, emailVerified: false } } })
    const [token, ...attributes] = cookieOf(reply).split('; ')
    expect(token).toMatch(/^token=[\w-]+\.[\w-]+\.[\w-]+$/)
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=604800', 'Path=/', 'SameSite=Lax'])
    expect(JSON.parse(Buffer.from(token!.slice(6).split('.')[0]!, 'base64url').toString())).toEqual({ alg: 'HS256' })
  })

  it('sets the Secure attribute on https', async () => {
    const { email } = await signUp(app)
    app.ctx.baseUrl = 'https://posthorn.test'
    const reply = await logIn(email)
    app.ctx.baseUrl = 'http://posthorn.test'
    expect(cookieOf(reply)).toContain('; Secure')
  })

  it('gives the same response for a wrong password and an unknown account', async () => {
    const { email } = await signUp(app)
    const replies = [await logIn(email, 'wrong horse'), await logIn(newAddress(), 'wrong horse')]
    for (const { status, body, headers } of replies) {
      expect(status).toBe(401)
      expect(headers['set-cookie']).toBeUndefined()
      expect(body.error).toEqual({ ...replies[0]!.body.error, requestId: expect.any(String) })
      expect(body.error.code).toBe('INVALID_CREDENTIALS')
    }
  })

  it('is refused for 15 minutes after five failures, even with the right password', async () => {
    const { email } = await signUp(app)
    for (let i = 0; i < 5; i++) expect((await logIn(email, 'wrong horse')).status).toBe(401)
    const closed = await logIn(email)
    expect(closed).toMatchObject({
      status: 429,
      body: { error: { code: 'RATE_LIMIT_EXCEEDED', details: { retryAfter: 900 } } },
    })
    expect(closed.headers['retry-after']).toBe('900')
    expect((await logIn(newAddress(), 'wrong horse')).status, 'another address').toBe(401)
    app.clock.forward(15 * 60_000 + 1)
    expect((await logIn(email)).status).toBe(200)
  })

  it('clears failures when it succeeds', async () => {
    const { email } = await signUp(app)
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < 4; i++) expect((await logIn(email, 'wrong horse')).status).toBe(401)
      expect((await logIn(email)).status).toBe(200)
    }
  })

  it('counts concurrent failures', async () => {
    const { email } = await signUp(app)
    const replies = await Promise.all(Array.from({ length: 20 }, () => logIn(email, 'wrong horse')))
    expect(replies.filter((reply) => reply.status === 401).length).toBeLessThanOrEqual(5)
  })
})

describe('a session', () => {
  it('ends on the server at logout, and only this one', async () => {
    const { email, cookie } = await signUp(app)
    const elsewhere = cookieOf(await logIn(email)).split(';')[0]!
    const reply = await app.request('GET', '/auth/logout', { cookie })
    expect(reply).toMatchObject({ status: 200, body: { success: true } })
    expect(cookieOf(reply)).toMatch(/^token=; (?=.*Max-Age=0)(?=.*Path=\/)(?=.*HttpOnly)/)
    expect(await me(cookie)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    expect((await me(elsewhere)).status).toBe(200)
  })

  it.each(['image', 'iframe', 'script', 'style', 'object', 'embed', 'audio'])(
    'is not ended by %s in a page that the user opens',
    async (destination) => {
      const { cookie } = await signUp(app)
      const embedded = await app.request('GET', '/auth/logout', { cookie, headers: { 'sec-fetch-dest': destination } })
      expect(embedded).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
      expect(embedded.headers['set-cookie']).toBeUndefined()
      expect((await me(cookie)).status).toBe(200)
    },
  )

  it.each(['document', 'empty'])('is ended by opening or fetching the URL (%s)', async (destination) => {
    const { cookie } = await signUp(app)
    expect(
      (await app.request('GET', '/auth/logout', { cookie, headers: { 'sec-fetch-dest': destination } })).status,
    ).toBe(200)
    expect((await me(cookie)).status).toBe(401)
  })

  it('can be ended twice, and without a session', async () => {
    expect((await app.request('GET', '/auth/logout')).status).toBe(200)
    expect((await app.request('GET', '/auth/logout', { cookie: 'token=garbage' })).status).toBe(200)
  })

  it('is valid for seven days', async () => {
    const { cookie } = await signUp(app)
    app.clock.forward(7 * DAY_MS - 60_000)
    expect((await me(cookie)).status).toBe(200)
    app.clock.forward(120_000)
    expect(await me(cookie)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
  })

  it.each([
    ['nothing', '', 'MISSING_AUTH'],
    ['another cookie', 'theme=dark', 'MISSING_AUTH'],
    ['a cookie whose name only ends like ours', 'csrf_token=abc', 'MISSING_AUTH'],
    ['garbage', 'token=garbage', 'UNAUTHORIZED'],
    ['broken escapes', 'token=%E0%A4%A', 'UNAUTHORIZED'],
    ['three dots', 'token=a.b.c', 'UNAUTHORIZED'],
  ])('is not accepted from %s', async (_what, cookie, code) => {
    expect(await me(cookie)).toMatchObject({ status: 401, body: { error: { code } } })
  })

  it('is not accepted from a token with a foreign signature or none', async () => {
    const { cookie } = await signUp(app)
    const claims = JSON.parse(Buffer.from(cookie.split('.')[1]!, 'base64url').toString())
    const forged = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(new Uint8Array(32))
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${cookie.split('.')[1]}.`
    const truncated = cookie.slice(0, -3)
    for (const token of [`token=${forged}`, `token=${unsigned}`, truncated]) {
      expect(await me(token)).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHORIZED' } } })
    }
  })

  it('only gives access to the account', async () => {
    const { cookie } = await signUp(app)
    expect(Object.keys((await me(cookie)).body).sort()).toEqual([
      'createdAt',
      'email',
      'emailVerified',
      'id',
      'language',
      'operator',
    ])
  })

  it("can't be replaced by a key", async () => {
    const { secretKey, publicKey } = await createProject(app)
    for (const key of [secretKey, publicKey]) {
      for (const path of ['/users/@me', '/users/@me/projects']) {
        expect(await app.request('GET', path, { key })).toMatchObject({
          status: 401,
          body: { error: { code: 'INVALID_API_KEY' } },
        })
      }
    }
  })
})

describe('PATCH /users/@me', () => {
  const change = (cookie: string, body: unknown) => app.request('PATCH', '/users/@me', { cookie, body })
  const languageOf = async (cookie: string) => (await me(cookie)).body.language

  it('sets the language of the dashboard, and null removes it', async () => {
    const { cookie, email } = await signUp(app)
    expect(await languageOf(cookie)).toBeNull()
    for (const language of ['en', 'de', 'fr', 'es', 'pt', null]) {
      const reply = await change(cookie, { language })
      expect(reply).toMatchObject({ status: 200, body: { email, language } })
      expect((await me(cookie)).body).toEqual(reply.body)
    }
  })

  it('changes nothing without a language', async () => {
    const { cookie } = await signUp(app)
    await change(cookie, { language: 'fr' })
    expect(await change(cookie, {})).toMatchObject({ status: 200, body: { language: 'fr' } })
    expect(await languageOf(cookie)).toBe('fr')
  })

  it.each([
    ['an unknown language', { language: 'it' }, 'language', 'invalid_enum_value'],
    ['a region', { language: 'pt-BR' }, 'language', 'invalid_enum_value'],
    ['another type', { language: ['de'] }, 'language', 'invalid_type'],
    ['an unknown field', { language: 'de', operator: true }, 'operator', 'unknown_field'],
  ])('refuses %s and changes nothing', async (_what, body, field, code) => {
    const { cookie } = await signUp(app)
    await change(cookie, { language: 'es' })
    const before = await databaseState(app)
    const reply = await change(cookie, body)
    expect(reply).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', errors: [{ field, code }] } },
    })
    expect(await databaseState(app)).toBe(before)
  })

  it('names the languages if another is sent', async () => {
    const { cookie } = await signUp(app)
    const { body } = await change(cookie, { language: 'it' })
    for (const language of ['en', 'de', 'fr', 'es', 'pt']) expect(body.error.errors[0].message).toContain(language)
  })

  it('requires a session', async () => {
    const { secretKey, publicKey } = await createProject(app)
    const body = { language: 'de' }
    expect(await app.request('PATCH', '/users/@me', { body })).toMatchObject({
      status: 401,
      body: { error: { code: 'MISSING_AUTH' } },
    })
    for (const key of [secretKey, publicKey]) {
      expect(await app.request('PATCH', '/users/@me', { key, body })).toMatchObject({
        status: 401,
        body: { error: { code: 'INVALID_API_KEY' } },
      })
    }
  })

  it('changes only the account of the session', async () => {
    const [one, other] = [await signUp(app), await signUp(app)]
    await change(other.cookie, { language: 'pt' })
    await change(one.cookie, { language: 'de' })
    expect([await languageOf(one.cookie), await languageOf(other.cookie)]).toEqual(['de', 'pt'])
  })
})
