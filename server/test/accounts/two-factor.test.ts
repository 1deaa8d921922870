/** Two-factor sign-in: a code in addition to the password, each valid once, and recovery codes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestEmailTo } from '../captured-mail.ts'
import { createProject, openTestApp, signUp, type TestApp } from '../harness.ts'
import { codeAt } from './authenticator.ts'

const PASSWORD = 'correct horse'
const STEP_MS = 30_000
let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const post = (path: string, body: unknown, cookie?: string) =>
  app.request('POST', path, { body, ...(cookie && { cookie }) })
const logIn = (email: string, code?: string) => post('/auth/login', { email, password: PASSWORD, code })
const state = async (cookie: string) => (await app.request('GET', '/auth/two-factor', { cookie })).body
const needed = { status: 401, body: { error: { code: 'TWO_FACTOR_REQUIRED' } } }

/** The next code that hasn't been used. */
function nextCode(secret: string): string {
  app.clock.forward(STEP_MS)
  return codeAt(secret, app.clock.now())
}

async function withTwoFactor() {
  const person = await signUp(app)
  const { body } = await post('/auth/two-factor', { password: PASSWORD }, person.cookie)
  const secret = body.secret as string
  const reply = await post('/auth/two-factor/confirm', { code: nextCode(secret) }, person.cookie)
  return { ...person, secret, recoveryCodes: reply.body.recoveryCodes as string[] }
}

describe('enabling two-factor sign-in', () => {
  it('requires the password, then a code made with the secret', async () => {
    const { email, cookie } = await signUp(app)
    expect(await state(cookie)).toEqual({ enabled: false, recoveryCodesLeft: 0 })
    const { status, body } = await post('/auth/two-factor', { password: PASSWORD }, cookie)
    expect(status).toBe(200)
    expect(body.secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(new URL(body.otpauthUrl).searchParams.get('secret')).toBe(body.secret)
    expect(decodeURIComponent(body.otpauthUrl)).toContain(email)
    expect((await logIn(email)).status, 'not on before it is confirmed').toBe(200)
    const confirmed = await post('/auth/two-factor/confirm', { code: nextCode(body.secret) }, cookie)
    expect(confirmed.status).toBe(200)
    expect(confirmed.body.recoveryCodes).toHaveLength(10)
    expect(await state(cookie)).toEqual({ enabled: true, recoveryCodesLeft: 10 })
    expect(await logIn(email)).toMatchObject(needed)
    expect((await newestEmailTo(app, email)).subject).toBe('Two-factor authentication was turned on')
  })

  it('ends all other sessions', async () => {
    const { email, cookie } = await signUp(app)
    const elsewhere = String((await logIn(email)).headers['set-cookie']).split(';')[0]!
    const me = async (one: string) => (await app.request('GET', '/users/@me', { cookie: one })).status
    const { body } = await post('/auth/two-factor', { password: PASSWORD }, cookie)
    expect(await me(elsewhere)).toBe(200)
    await post('/auth/two-factor/confirm', { code: nextCode(body.secret) }, cookie)
    expect([await me(elsewhere), await me(cookie)]).toEqual([401, 200])
  })

  it('is refused with a wrong password or a wrong code', async () => {
    const { cookie } = await signUp(app)
    expect(await post('/auth/two-factor/confirm', { code: '123456' }, cookie)).toMatchObject({ status: 409 })
    expect(await post('/auth/two-factor', { password: 'wrong horse' }, cookie)).toMatchObject({
      status: 401,
      body: { error: { code: 'INVALID_CREDENTIALS' } },
    })
    const { body } = await post('/auth/two-factor', { password: PASSWORD }, cookie)
    const wrong = String((Number(codeAt(body.secret, app.clock.now())) + 1) % 1_000_000).padStart(6, '0')
    for (const code of [wrong, '', 'abcdef', '999 9999']) {
      expect((await post('/auth/two-factor/confirm', { code }, cookie)).status).toBe(422)
    }
    expect((await state(cookie)).enabled).toBe(false)
  })

  it('twice is a conflict, and the first secret is kept', async () => {
    const { email, cookie, secret } = await withTwoFactor()
    expect((await post('/auth/two-factor', { password: PASSWORD }, cookie)).status).toBe(409)
    expect((await post('/auth/two-factor/confirm', { code: nextCode(secret) }, cookie)).status).toBe(409)
    expect((await logIn(email, nextCode(secret))).status).toBe(200)
  })

  it('stores neither the secret nor recovery codes in readable form', async () => {
    const { secret, recoveryCodes } = await withTwoFactor()
    const { rows } = await app.pool.query('select u::text from users u union all select r::text from recovery_codes r')
    const everything = JSON.stringify(rows)
    expect(everything).not.toContain(secret)
    expect(everything).not.toContain(Buffer.from(secret).toString('hex'))
    expect(everything).not.toContain(Buffer.from(recoveryCodes[0]!).toString('hex'))
  })
})

describe('signing in with two factors', () => {
  it('requires the code as well', async () => {
    const { email, secret } = await withTwoFactor()
    const without = await logIn(email)
    expect(without).toMatchObject(needed)
    expect(without.headers['set-cookie']).toBeUndefined()
    expect(await logIn(email, '000000')).toMatchObject(needed)
    const reply = await logIn(email, nextCode(secret).replace(/^(...)/, '$1 '))
    expect(reply).toMatchObject({ status: 200, body: { success: true, data: { email } } })
  })

  it('does not reveal that a code is required without the password', async () => {
    const { email, secret } = await withTwoFactor()
    for (const code of [undefined, nextCode(secret)]) {
      const reply = await post('/auth/login', { email, password: 'wrong horse', code })
      expect(reply).toMatchObject({ status: 401, body: { error: { code: 'INVALID_CREDENTIALS' } } })
    }
  })

  it('accepts each code once, even in concurrent requests', async () => {
    const { email, secret } = await withTwoFactor()
    const code = nextCode(secret)
    const replies = await Promise.all(Array.from({ length: 4 }, () => logIn(email, code)))
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 401, 401, 401])
    expect(await logIn(email, code)).toMatchObject(needed)
    expect(await logIn(email, codeAt(secret, new Date(app.clock.now().getTime() - STEP_MS)))).toMatchObject(needed)
  })

  it('accepts a recovery code instead of a code, once', async () => {
    const { email, cookie, recoveryCodes } = await withTwoFactor()
    const [one, two] = recoveryCodes
    const replies = await Promise.all(Array.from({ length: 3 }, () => logIn(email, one)))
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 401, 401])
    expect((await logIn(email, two!.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    expect((await state(cookie)).recoveryCodesLeft).toBe(8)
  })

  it('is refused after five wrong codes, even with the right one', async () => {
    const { email, secret } = await withTwoFactor()
    for (let i = 0; i < 5; i++) expect(await logIn(email, 'nonsense')).toMatchObject(needed)
    expect((await logIn(email, nextCode(secret))).status).toBe(429)
  })

  it('is refused with the recovery code of another user', async () => {
    const [mine, theirs] = [await withTwoFactor(), await withTwoFactor()]
    expect(await logIn(mine.email, theirs.recoveryCodes[0])).toMatchObject(needed)
    expect((await state(theirs.cookie)).recoveryCodesLeft).toBe(10)
  })

  it('is still required after a password reset', async () => {
    const { email } = await withTwoFactor()
    await post('/auth/request-password-reset', { email })
    const { token } = await newestEmailTo(app, email)
    expect((await post('/auth/reset-password', { token, password: PASSWORD })).status).toBe(200)
    expect(await logIn(email)).toMatchObject(needed)
  })
})

describe('new recovery codes', () => {
  it('replace the old ones', async () => {
    const { email, cookie, secret, recoveryCodes } = await withTwoFactor()
    const both = { password: PASSWORD, code: nextCode(secret) }
    const { body } = await post('/auth/two-factor/recovery-codes', both, cookie)
    expect(body.recoveryCodes).toHaveLength(10)
    expect(await logIn(email, recoveryCodes[0])).toMatchObject(needed)
    expect((await logIn(email, body.recoveryCodes[0])).status).toBe(200)
  })
})

describe('disabling two-factor sign-in', () => {
  const off = (cookie: string, body: object) => post('/auth/two-factor/disable', body, cookie)

  it('requires both factors', async () => {
    const { email, cookie, secret } = await withTwoFactor()
    expect(await off(cookie, { password: PASSWORD, code: 'nonsense' })).toMatchObject(needed)
    expect((await off(cookie, { password: 'wrong horse', code: nextCode(secret) })).status).toBe(401)
    expect((await off(cookie, { password: PASSWORD })).status).toBe(422)
    expect((await state(cookie)).enabled).toBe(true)
    expect((await off(cookie, { password: PASSWORD, code: nextCode(secret) })).status).toBe(204)
    expect(await state(cookie)).toEqual({ enabled: false, recoveryCodesLeft: 0 })
    expect((await logIn(email)).status).toBe(200)
    expect((await newestEmailTo(app, email)).subject).toBe('Two-factor authentication was turned off')
  })

  it('returns a conflict if it is not enabled', async () => {
    const { cookie } = await signUp(app)
    expect((await off(cookie, { password: PASSWORD, code: '123456' })).status).toBe(409)
  })

  it('is recorded in the audit log of every project of the user, and so is enabling it', async () => {
    const project = await createProject(app)
    const { cookie } = project.owner
    const { body } = await post('/auth/two-factor', { password: PASSWORD }, cookie)
    await post('/auth/two-factor/confirm', { code: nextCode(body.secret) }, cookie)
    await off(cookie, { password: PASSWORD, code: nextCode(body.secret) })
    const log = await app.request('GET', `/projects/${project.id}/audit-log?limit=2`, { cookie })
    expect(log.body.data).toMatchObject([
      { act: 'two-factor.disabled', actor: { type: 'user', userId: project.owner.id, email: project.owner.email } },
      { act: 'two-factor.enabled' },
    ])
  })
})
