/**
 * Links in account emails: confirming an address and setting a new password. Responses don't reveal whether an account
 * exists.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emailsTo, newestEmailTo } from '../captured-mail.ts'
import { openTestApp, signUp, type TestApp } from '../harness.ts'

const PASSWORD = 'correct horse' // what signUp of the harness uses
const NEW_PASSWORD = 'battery staple'
const HOUR_MS = 3_600_000
let app: TestApp
let counter = 0

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const newAddress = () => `reader-${++counter}@example.org`
const post = (path: string, body?: unknown, cookie?: string) =>
  app.request('POST', path, { ...(body !== undefined && { body }), ...(cookie && { cookie }) })
const logIn = (email: string, password: string) => post('/auth/login', { email, password })
const me = (cookie: string) => app.request('GET', '/users/@me', { cookie })
const invalidLink = { status: 400, body: { error: { code: 'BAD_REQUEST' } } }

async function resetToken(email: string): Promise<string> {
  expect(await post('/auth/request-password-reset', { email })).toMatchObject({ status: 200, body: { success: true } })
  return (await newestEmailTo(app, email)).token!
}

describe('verifying an address', () => {
  it('starts with an email from the service at sign-up, with a link to our page', async () => {
    const email = newAddress()
    await post('/auth/signup', { email, password: PASSWORD })
    const emails = await emailsTo(app, email)
    expect(emails).toMatchObject([{ subject: 'Confirm your email address', from: 'posthorn@localhost' }])
    expect(emails[0]!.link).toMatch(/^http:\/\/posthorn\.test\/app\/verify-email\?token=[\w-]{43}$/)
    expect(await post('/auth/verify-email', { token: emails[0]!.token })).toMatchObject({
      status: 200,
      body: { success: true, data: { email, emailVerified: true } },
    })
    expect((await logIn(email, PASSWORD)).body.data.emailVerified).toBe(true)
  })

  it('can be requested again, by session or by address', async () => {
    const person = await signUp(app)
    expect(await post('/auth/request-verification', undefined, person.cookie)).toMatchObject({
      status: 200,
      body: { success: true },
    })
    expect(await emailsTo(app, person.email)).toHaveLength(1)
    expect((await post('/auth/request-verification', { email: ` ${person.email.toUpperCase()}` })).status).toBe(200)
    expect(await emailsTo(app, person.email)).toHaveLength(2)
  })

  it('without a session and an address returns 422 with an explanation', async () => {
    expect(await post('/auth/request-verification', {})).toMatchObject({
      status: 422,
      body: { error: { errors: [{ field: 'email' }] } },
    })
  })

  it('works once, within the hour, and invalidates the other links of its kind', async () => {
    const { email } = await signUp(app)
    await post('/auth/request-verification', { email })
    const first = (await newestEmailTo(app, email)).token
    await post('/auth/request-verification', { email })
    const second = (await newestEmailTo(app, email)).token
    expect((await post('/auth/verify-email', { token: second })).status).toBe(200)
    for (const token of [first, second]) expect(await post('/auth/verify-email', { token })).toMatchObject(invalidLink)

    const late = await signUp(app)
    await post('/auth/request-verification', { email: late.email })
    const { token } = await newestEmailTo(app, late.email)
    app.clock.forward(HOUR_MS)
    expect(await post('/auth/verify-email', { token })).toMatchObject(invalidLink)
  })

  it('sends nothing to a verified address', async () => {
    const { email } = await signUp(app)
    await post('/auth/request-verification', { email })
    await post('/auth/verify-email', { token: (await newestEmailTo(app, email)).token })
    expect((await post('/auth/request-verification', { email })).status).toBe(200)
    expect(await emailsTo(app, email)).toHaveLength(1)
  })

  it.each(['nonsense', '', 'x'.repeat(200), '\u202e'])('refuses the token %j', async (token) => {
    expect(await post('/auth/verify-email', { token })).toMatchObject(invalidLink)
  })
})

describe('resetting a password', () => {
  it('ends every session if the token of the email is used', async () => {
    const { email, cookie } = await signUp(app)
    const elsewhere = String((await logIn(email, PASSWORD)).headers['set-cookie']).split(';')[0]!
    const token = await resetToken(email)
    const reply = await post('/auth/reset-password', { token, password: NEW_PASSWORD })
    expect(reply).toMatchObject({ status: 200, body: { success: true } })
    expect(reply.headers['set-cookie']).toBeUndefined()
    for (const old of [cookie, elsewhere]) expect((await me(old)).status).toBe(401)
    expect((await logIn(email, PASSWORD)).status).toBe(401)
    expect((await logIn(email, NEW_PASSWORD)).body.data).toMatchObject({ email, emailVerified: true })
    expect((await newestEmailTo(app, email)).subject).toBe('Your password was changed')
  })

  it('accepts the field newPassword', async () => {
    const { email } = await signUp(app)
    const token = await resetToken(email)
    expect((await post('/auth/reset-password', { token, newPassword: NEW_PASSWORD })).status).toBe(200)
    expect((await logIn(email, NEW_PASSWORD)).status).toBe(200)
  })

  it('leaves the token valid if the new password is refused', async () => {
    const { email } = await signUp(app)
    const token = await resetToken(email)
    for (const body of [{ token }, { token, password: 'short' }, { token, newPassword: 'x'.repeat(201) }]) {
      expect((await post('/auth/reset-password', body)).status).toBe(422)
    }
    expect((await logIn(email, PASSWORD)).status).toBe(200)
    expect((await post('/auth/reset-password', { token, password: NEW_PASSWORD })).status).toBe(200)
  })

  it('succeeds for exactly one of many concurrent requests with the token', async () => {
    const { email } = await signUp(app)
    const token = await resetToken(email)
    const passwords = Array.from({ length: 6 }, (_, i) => `${NEW_PASSWORD} ${i}`)
    const replies = await Promise.all(passwords.map((password) => post('/auth/reset-password', { token, password })))
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    const winner = passwords[replies.findIndex((reply) => reply.status === 200)]!
    expect((await logIn(email, winner)).status).toBe(200)
  })

  it('is refused with a token that is expired, used, or for another purpose', async () => {
    const { email } = await signUp(app)
    await post('/auth/request-verification', { email })
    const verification = (await newestEmailTo(app, email)).token
    const used = await resetToken(email)
    await post('/auth/reset-password', { token: used, password: NEW_PASSWORD })
    const old = await resetToken(email)
    app.clock.forward(HOUR_MS)
    for (const token of [verification, used, old, 'nonsense']) {
      expect(await post('/auth/reset-password', { token, password: PASSWORD })).toMatchObject(invalidLink)
    }
    expect((await logIn(email, NEW_PASSWORD)).status).toBe(200)
  })

  it('allows sign-in again after too many failures', async () => {
    const { email } = await signUp(app)
    for (let i = 0; i < 5; i++) await logIn(email, 'wrong horse')
    expect((await logIn(email, PASSWORD)).status).toBe(429)
    await post('/auth/reset-password', { token: await resetToken(email), password: NEW_PASSWORD })
    expect((await logIn(email, NEW_PASSWORD)).status).toBe(200)
  })

  it('stores no usable token in the database', async () => {
    const { email } = await signUp(app)
    const token = await resetToken(email)
    const { rows } = await app.pool.query('select t::text from account_tokens t')
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })
})

describe('requesting an account email', () => {
  it('gives the same response whether or not the account exists, and sends nothing to unknown addresses', async () => {
    const { email } = await signUp(app)
    const unknownAddress = newAddress()
    for (const path of ['/auth/request-password-reset', '/auth/request-verification']) {
      const replies = [await post(path, { email }), await post(path, { email: unknownAddress })]
      for (const { status, body, headers } of replies) {
        expect({ status, body }).toEqual({ status: 200, body: { success: true } })
        expect(Object.keys(headers).sort()).toEqual(Object.keys(replies[0]!.headers).sort())
      }
    }
    expect(await emailsTo(app, unknownAddress)).toEqual([])
    expect(await emailsTo(app, email)).toHaveLength(2)
  })

  it('does the same work either way: one job and no lookup', async () => {
    const { email } = await signUp(app)
    const work = async (address: string) => {
      const before = await app.pool.query('select hash from account_tokens')
      await post('/auth/request-password-reset', { email: address })
      const after = await app.pool.query('select id from posthorn_queue.jobs where key = $1', [
        `account-mail:RESET_PASSWORD:${address}`,
      ])
      const tokens = await app.pool.query('select hash from account_tokens')
      return { jobs: after.rowCount, tokens: tokens.rowCount! - before.rowCount! }
    }
    expect(await work(email)).toEqual({ jobs: 1, tokens: 0 })
    expect(await work(newAddress())).toEqual({ jobs: 1, tokens: 0 })
    await app.drain()
  })

  it('too often gives the same response, but sends at most five emails an hour', async () => {
    const { email } = await signUp(app)
    for (let i = 0; i < 8; i++) {
      expect((await post('/auth/request-password-reset', { email })).status).toBe(200)
      await app.drain()
    }
    expect(await emailsTo(app, email)).toHaveLength(5)
    app.clock.forward(HOUR_MS)
    await post('/auth/request-password-reset', { email })
    expect(await emailsTo(app, email)).toHaveLength(6)
  })

  it.each([[undefined], [{}], [{ email: 'nope' }], [{ email: ['a@example.org'] }]])(
    'is refused with the body %j',
    async (body) => {
      expect((await post('/auth/request-password-reset', body ?? {})).status).toBe(422)
    },
  )

  it('is accepted only from our own pages', async () => {
    const { email } = await signUp(app)
    const headers = { origin: 'https://evil.example' }
    const reply = await app.request('POST', '/auth/request-password-reset', { body: { email }, headers })
    expect(reply.status).toBe(403)
    expect(await emailsTo(app, email)).toEqual([])
  })
})

describe('changing the password', () => {
  const change = (cookie: string, password: string, newPassword = NEW_PASSWORD) =>
    post('/auth/change-password', { password, newPassword }, cookie)

  it('ends every session and opens a new one for the caller', async () => {
    const { email, cookie } = await signUp(app)
    const elsewhere = String((await logIn(email, PASSWORD)).headers['set-cookie']).split(';')[0]!
    const pending = await resetToken(email)
    const reply = await change(cookie, PASSWORD)
    expect(reply).toMatchObject({ status: 200, body: { success: true, data: { email } } })
    for (const old of [cookie, elsewhere]) expect((await me(old)).status).toBe(401)
    expect((await me(String(reply.headers['set-cookie']).split(';')[0]!)).status).toBe(200)
    expect((await logIn(email, NEW_PASSWORD)).status).toBe(200)
    expect(await post('/auth/reset-password', { token: pending, password: PASSWORD })).toMatchObject(invalidLink)
  })

  it('requires the old password, and counts failures', async () => {
    const { email, cookie } = await signUp(app)
    for (let i = 0; i < 5; i++) {
      expect(await change(cookie, 'wrong horse')).toMatchObject({
        status: 401,
        body: { error: { code: 'INVALID_CREDENTIALS' } },
      })
    }
    expect((await change(cookie, PASSWORD)).status).toBe(429)
    expect((await me(cookie)).status).toBe(200)
    app.clock.forward(15 * 60_000 + 1)
    expect((await logIn(email, PASSWORD)).status).toBe(200)
  })

  it('at the same time as a sign-in with the old password leaves no session of the old one', async () => {
    for (let round = 0; round < 3; round++) {
      const { email, cookie } = await signUp(app)
      const [reply, ...logins] = await Promise.all([
        change(cookie, PASSWORD),
        ...Array.from({ length: 3 }, () => logIn(email, PASSWORD)),
      ])
      expect(reply.status).toBe(200)
      for (const login of logins) {
        if (login.status !== 200) continue
        expect((await me(String(login.headers['set-cookie']).split(';')[0]!)).status).toBe(401)
      }
    }
  })
})
