/** The installation page and captured system mail, which only the operator can read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { announceStart } from '../../commands/start-screen.ts'
import { isOperator, type UserRow } from '../../features/tenants/accounts/user.ts'
import type { Settings } from '../../settings/config.ts'
import { createProject, openTestApp, signUp, type TestApp } from '../harness.ts'

let app: TestApp
/** The first account of the installation. */
let operator: Awaited<ReturnType<typeof signUp>>

beforeAll(async () => {
  app = await openTestApp()
  operator = await signUp(app)
})
afterAll(() => app.close())

const get = (path: string, cookie = operator.cookie) => app.request('GET', path, { cookie })

describe('the operator', () => {
  it('is the first account', async () => {
    const second = await signUp(app)
    expect((await get('/users/@me')).body.operator).toBe(true)
    expect((await get('/users/@me', second.cookie)).body.operator).toBe(false)
  })

  it('is a listed account whose address is confirmed, if OPERATOR_EMAILS is set', () => {
    const user = (email: string, verified: boolean, operator = false) =>
      ({ email, email_verified_at: verified ? new Date() : null, operator }) as UserRow
    const listed = ['Ops@example.org']
    expect(isOperator(listed, user('ops@example.org', true))).toBe(true)
    expect(isOperator(listed, user('ops@example.org', false))).toBe(false)
    expect(isOperator(listed, user('first@example.org', true, true))).toBe(false)
    expect(isOperator([], user('first@example.org', false, true))).toBe(true)
  })
})

describe('system mail', () => {
  it('contains account emails with their links, and no email of a project', async () => {
    const project = await createProject(app)
    const email = { to: 'reader@example.org', from: 'a@example.com', subject: 'Hello', body: 'Hello' }
    await app.request('POST', '/v1/send', { key: project.secretKey, body: email })
    await app.request('POST', '/auth/request-password-reset', { body: { email: operator.email } })
    await app.drain()
    const { body: page } = await get('/installation/mail?limit=1')
    expect(page).toMatchObject({ data: [{ to: operator.email, subject: expect.stringMatching(/password/i) }] })
    const { body: message } = await get(`/installation/mail/${page.data[0].id}`)
    expect(message.text).toMatch(/\/app\/reset-password\?token=/)
    expect(message.html).toContain('<a href=')
    const { body: all } = await get('/installation/mail?limit=100')
    expect(all.data.filter(({ to }: { to: string }) => to === 'reader@example.org')).toEqual([])
    expect(all.total).toBe(all.data.length)
  })

  it('and the state of the installation are refused to everyone else, and to API keys', async () => {
    const project = await createProject(app)
    const { body: page } = await get('/installation/mail')
    for (const path of ['/installation', '/installation/mail', `/installation/mail/${page.data[0].id}`]) {
      expect((await get(path)).status).toBe(200)
      expect((await get(path, project.owner.cookie)).status).toBe(403)
      expect((await app.request('GET', path)).status).toBe(401)
      expect((await app.request('GET', path, { key: project.secretKey })).status).toBe(401)
    }
  })

  it("is a 404 if it doesn't exist, even if an email of a project was captured under that ID", async () => {
    const { rows } = await app.pool.query('select id from captured_messages where not system limit 1')
    expect((await get(`/installation/mail/${rows[0].id}`)).status).toBe(404)
    expect((await get('/installation/mail/nothing')).status).toBe(404)
  })
})

it('GET /installation shows the version, the queue, the database and the mail transport', async () => {
  const { body } = await get('/installation')
  expect(body).toMatchObject({
    queue: { failed: 0 },
    degraded: [],
    database: { version: expect.stringMatching(/^\d+/), bytes: expect.any(Number) },
    mail: { transport: 'capture', pause: null },
  })
  expect(body.database.accounts).toBeGreaterThan(1)
})

it('SES without SNS_TOPIC_ARNS is a warning in GET /installation and in the log of the start', async () => {
  expect((await get('/installation')).body.warnings).toEqual([])
  const { mail } = app.ctx
  app.ctx.mail = { ...mail, capabilities: { ...mail.capabilities, receivesReports: true } }
  try {
    const warning = expect.stringMatching(/SNS_TOPIC_ARNS is empty.*Set it to the ARN of your SNS topic/)
    expect((await get('/installation')).body.warnings).toEqual([warning])
    const logged: string[] = []
    const log = Object.create(app.ctx.log, { warn: { value: (message: string) => logged.push(message) } })
    const withSettings = (settings: Partial<Settings>) =>
      announceStart({ ...app.ctx, log, settings: { ...app.ctx.settings, LOG_FORMAT: 'json', ...settings } })
    await withSettings({})
    expect(logged).toEqual([warning])
    await withSettings({ ROLE: 'worker' })
    await withSettings({ SNS_TOPIC_ARNS: ['arn:aws:sns:eu-west-1:1:mail'] })
    expect(logged).toHaveLength(1)
  } finally {
    app.ctx.mail = mail
  }
})

it('GET /installation returns the retention settings, pending months with reasons, and the last archive without its location', async () => {
  const env = {
    EVENT_RETENTION_DAYS: '30',
    EMAIL_RETENTION_DAYS: '60',
    ARCHIVE: 's3://key:password@old?endpoint=http://127.0.0.1:9',
  }
  const own = await openTestApp(env)
  try {
    const { cookie } = await signUp(own)
    own.clock.forward(-100 * 86_400_000)
    const project = await createProject(own)
    const email = { to: 'reader@example.org', from: 'a@example.com', subject: 'Hello', body: 'Hello' }
    await own.request('POST', '/v1/send', { key: project.secretKey, body: email })
    own.clock.forward(100 * 86_400_000)
    await own.pool.query(`insert into retired_tables (name, parent, retired_at, archive, rows, dropped_at, error) values
      ('events_2026_01', 'events', '2026-03-01Z', 'events_2026_01', 7, '2026-03-02Z', null),
      ('events_2026_02', 'events', '2026-04-01Z', null, null, null, 'The store can''t be reached.')`)
    const reply = await own.request('GET', '/installation', { cookie })
    expect(reply.body.retention).toEqual({
      rules: [
        { data: 'bodies', days: 90, oldestMonth: expect.stringMatching(/^20\d\d-\d\d$/) },
        { data: 'events', days: 30, oldestMonth: expect.any(String) },
        { data: 'emails', days: 60, oldestMonth: expect.any(String) },
      ],
      archive: 's3',
      waiting: [{ name: 'events_2026_02', since: '2026-04-01T00:00:00.000Z', error: "The store can't be reached." }],
      unsent: { emails: 1, since: expect.any(String) },
      lastArchive: { name: 'events_2026_01', rows: 7, at: '2026-03-02T00:00:00.000Z' },
    })
    expect(JSON.stringify(reply.body)).not.toContain('password@')
  } finally {
    await own.close()
  }
})
