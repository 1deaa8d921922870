/** The clock of the machine is set an hour back or ahead: nothing stops for an hour, and nothing is sent twice. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { enqueueDue } from '../../platform/queue/timetable.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { openSmtpTestServer, type SmtpTestServer } from '../mail/smtp-test-server.ts'

const HOUR_MS = 3_600_000
const RATE_LIMIT = 20
let app: TestApp
let server: SmtpTestServer
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  server = await openSmtpTestServer()
  app = await openTestApp({
    MAIL_URL: `smtp://127.0.0.1:${server.port}?tls=off`,
    SEND_RATE_PER_SECOND: '2',
    RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT),
  })
  app.clock.forward(24 * HOUR_MS) // far ahead of the real clock, which may not catch up
  project = await createProject(app)
  await app.pool.query(`update domains set status = 'VERIFIED'`)
  await app.pool.query('delete from posthorn_queue.jobs')
})
afterAll(async () => {
  await app.close()
  await server.close()
})

async function send(to: string): Promise<string> {
  const body = { to, from: 'hello@example.com', subject: 'Hello', body: '<p>Hi</p>' }
  const reply = await app.request('POST', '/v1/send', { key: project.secretKey, body })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body.data.emails[0].email
}

const recipients = () => server.taken.flatMap((message) => message.recipients).sort()

/** A few seconds pass. */
async function deliver(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) {
    await app.drain()
    app.clock.forward(1_000)
  }
}

it.each([
  ['back', -HOUR_MS],
  ['ahead', HOUR_MS],
])('emails are sent once, and within the sending rate, when the clock is set an hour %s', async (direction, ms) => {
  const before = [1, 2, 3].map((n) => `before-${n}-${direction}@example.org`)
  const after = [1, 2, 3].map((n) => `after-${n}-${direction}@example.org`)
  for (const to of before) await send(to)
  await deliver()
  app.clock.forward(ms)
  for (const to of after) await send(to)
  await app.drain()
  expect(recipients().filter((to) => to.startsWith('after') && to.includes(direction)).length).toBeLessThanOrEqual(2)
  await deliver()
  expect(recipients().filter((to) => to.includes(direction))).toEqual([...after, ...before].sort())
})

it('requests are counted in a new minute after the clock was set back', async () => {
  const list = async () => (await app.request('GET', '/templates', { key: project.secretKey })).status
  app.clock.forward(61_000)
  for (let i = 0; i < RATE_LIMIT; i++) expect(await list()).toBe(200)
  expect(await list()).toBe(429)
  app.clock.forward(-HOUR_MS)
  for (let i = 0; i < RATE_LIMIT; i++) expect(await list()).toBe(200)
  expect(await list()).toBe(429)
  app.clock.forward(61_000)
})

it('the rate limit holds for machines whose clocks differ by two minutes', async () => {
  const answers: number[] = []
  app.clock.forward(61_000)
  for (let i = 0; i < 2 * RATE_LIMIT; i++) {
    app.clock.forward(i % 2 === 0 ? 120_000 : -120_000)
    answers.push((await app.request('GET', '/templates', { key: project.secretKey })).status)
  }
  expect(answers.filter((status) => status === 200)).toHaveLength(RATE_LIMIT)
  app.clock.forward(181_000)
})

it('a paused transport is tested again after the clock was set back', async () => {
  const { port } = server
  await server.close()
  for (let i = 0; i < 5; i++) await send(`paused-${i}@example.org`)
  await deliver()
  expect((await app.request('GET', '/ready')).body.degraded).toHaveLength(1)
  server = await openSmtpTestServer({ port })
  app.clock.forward(-HOUR_MS)
  await send('resumed@example.org')
  await deliver()
  expect(recipients()).toContain('resumed@example.org')
  expect((await app.request('GET', '/ready')).body.degraded).toEqual([])
})

it('periodic jobs continue with their next period after the clock was set back', async () => {
  const timetable = [{ job: 'delete-expired', every: '1 minute' }] as const
  const now = new Date('2031-05-01T10:00:00Z')
  const earlier = new Date(now.getTime() - HOUR_MS)
  const dueAt = async () =>
    (await app.pool.query("select run_at from posthorn_queue.jobs where name = 'delete-expired'")).rows[0]?.run_at
  await enqueueDue(app.pool, timetable, new Date(now.getTime() - 1), now)
  expect(await dueAt()).toEqual(now)
  await enqueueDue(app.pool, timetable, new Date(earlier.getTime() - 1), earlier)
  expect(await dueAt()).toEqual(earlier)
})
