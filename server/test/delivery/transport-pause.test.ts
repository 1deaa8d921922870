/** A pause after sending failed: refused credentials, changed settings, and an operator who resumes sending. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { buildServices } from '../../app.ts'
import { endPausesOfOtherSettings } from '../../features/mail/delivery/breaker.ts'
import { createProject, openTestApp, openTestDatabase, signUp, type TestApp } from '../harness.ts'
import { openSmtpTestServer, type SmtpTestServer } from '../mail/smtp-test-server.ts'

const PASSWORD = 'the-right-password'
const WRONG = 'the-wrong-password'
let database: Awaited<ReturnType<typeof openTestDatabase>>
let server: SmtpTestServer
/** Two versions of the settings on one database, as before and after a restart. */
let wrong: TestApp
let right: TestApp
let operator: Awaited<ReturnType<typeof signUp>>
let project: Awaited<ReturnType<typeof createProject>>

const mailUrl = (password: string) => `smtp://mailer:${password}@127.0.0.1:${server.port}?tls=off`

beforeAll(async () => {
  database = await openTestDatabase()
  server = await openSmtpTestServer({ users: { mailer: PASSWORD } })
  const shared = { ...database, close: async () => undefined }
  wrong = await openTestApp({ MAIL_URL: mailUrl(WRONG) }, shared)
  right = await openTestApp({ MAIL_URL: mailUrl(PASSWORD) }, shared)
  operator = await signUp(wrong)
  project = await createProject(wrong)
  await database.pool.query(`update domains set status = 'VERIFIED'`)
})
afterEach(async () => {
  await database.pool.query('delete from transport_pauses; delete from posthorn_queue.jobs')
  server.taken.splice(0)
  server.options.users!.mailer = PASSWORD
  server.disconnect()
  for (const app of [wrong, right]) app.clock.forward(10 * 60_000) // what a process has seen no longer matters
})
afterAll(async () => {
  await wrong.close()
  await right.close()
  await server.close()
  await database.close()
})

async function send(count: number): Promise<void> {
  const body = { from: 'hello@example.com', subject: 'Hello', body: '<p>Hi</p>' }
  for (let i = 0; i < count; i++) {
    await wrong.request('POST', '/v1/send', {
      key: project.secretKey,
      body: { ...body, to: `reader-${i}@example.org` },
    })
  }
  await database.pool.query(`delete from posthorn_queue.jobs where name <> 'deliver-email'`)
}

/** Sending is paused for minutes. */
async function pauseForLong(count: number): Promise<void> {
  await send(count)
  await wrong.drain()
  for (let i = 0; i < 6; i++) {
    const { rows } = await database.pool.query('select paused_until from transport_pauses')
    wrong.clock.set(new Date(rows[0].paused_until.getTime() + 2_500))
    await wrong.drain()
  }
  right.clock.set(wrong.clock.now())
  expect(server.taken).toEqual([])
}

/** What is due within two seconds, by the database's clock and the test's. */
async function drainSoon(app: TestApp): Promise<void> {
  app.clock.forward(2_000)
  await app.drain()
}

it('refused credentials are reported by /ready, the installation page and the log after the first email', async () => {
  const warn = vi.spyOn(wrong.ctx.log, 'warn')
  await send(1)
  await wrong.drain()
  const { body } = await wrong.request('GET', '/ready')
  expect(body.degraded).toEqual([expect.stringMatching(/refuses the credentials.*the user and password in MAIL_URL/)])
  expect(body.degraded[0]).not.toMatch(/535|127\.0\.0\.1|mailer/)
  const { body: installation } = await wrong.request('GET', '/installation', { cookie: operator.cookie })
  expect(installation.degraded).toEqual([])
  expect(installation.mail.pause).toMatchObject({ credentialsRefused: true, reason: expect.stringMatching(/^535/) })
  expect(warn.mock.calls).toContainEqual([
    { transport: 'smtp', reason: expect.stringMatching(/^535/) },
    expect.stringMatching(/refused the credentials.*MAIL_URL/),
  ])
  warn.mockRestore()
})

it('an account email whose credentials are refused is reported too', async () => {
  await wrong.request('POST', '/auth/request-password-reset', { body: { email: operator.email } })
  await wrong.drain()
  expect((await wrong.request('GET', '/ready')).body.degraded).toEqual([
    expect.stringMatching(/refuses the credentials/),
  ])
})

it('a pause does not outlast the settings that caused it: after a restart with others, waiting emails are sent at once', async () => {
  await pauseForLong(3)
  expect((await wrong.request('GET', '/ready')).body.degraded).toHaveLength(1)
  await endPausesOfOtherSettings(wrong.ctx) // a restart without a change
  await drainSoon(wrong)
  expect((await wrong.request('GET', '/ready')).body.degraded).toHaveLength(1)

  expect((await right.request('GET', '/ready')).body.degraded).toEqual([])
  await endPausesOfOtherSettings(right.ctx)
  await drainSoon(right)
  expect(server.taken).toHaveLength(3)
})

it('the stored key of a pause is a hash of the settings', async () => {
  await send(1)
  await wrong.drain()
  const { rows } = await database.pool.query('select transport from transport_pauses')
  expect(rows[0].transport).toMatch(/^smtp [\w-]{22}$/)
})

it('POST /installation/transport/resume lets every process send the waiting emails at once', async () => {
  await pauseForLong(3)
  const elsewhere = buildServices(wrong.ctx) // another process, which knows of the pause
  expect(await elsewhere.breaker.pausedUntil('another')).toBeDefined()
  server.options.users!.mailer = WRONG
  const resume = () => wrong.request('POST', '/installation/transport/resume', { cookie: operator.cookie })
  expect((await resume()).body).toEqual({ resumed: true })
  wrong.clock.forward(1_000)
  const waits = await Promise.all(['a', 'b', 'c'].map((email) => elsewhere.breaker.pausedUntil(email)))
  expect(waits).toEqual([undefined, undefined, undefined])
  await drainSoon(wrong)
  expect(server.taken).toHaveLength(3)
  expect((await resume()).body).toEqual({ resumed: false })
})

it('emails that wait are sent at once if one that was sent meanwhile shows that sending works', async () => {
  await pauseForLong(3)
  server.options.users!.mailer = WRONG
  await wrong.services.breaker.record({ outcome: 'accepted', providerId: '1', delivered: true })
  await drainSoon(wrong)
  expect(server.taken).toHaveLength(3)
})

it('POST /installation/transport/resume is refused to everyone but the operator', async () => {
  const resume = async (caller: object) =>
    (await wrong.request('POST', '/installation/transport/resume', caller)).status
  expect(await resume({ cookie: project.owner.cookie })).toBe(403)
  expect(await resume({ key: project.secretKey })).toBe(401)
  expect(await resume({})).toBe(401)
})
