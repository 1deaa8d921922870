/**
 * Upgrades lose no data. The fixture is a database of version 0.1.0, filled through its API, with jobs in its queue;
 * fixtures/upgrade-0.1.0/make.mjs describes how it was made.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { restore } from '../../commands/restore.ts'
import { startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.ts'
import { listTables, readRows, setTextFormat, type TableColumns } from '../../platform/database/schema/copy-tables.ts'
import { describeSchema } from '../../platform/database/schema/describe-schema.ts'
import { readSettings } from '../../settings/read-settings.ts'
import { codeAt } from '../accounts/authenticator.ts'
import {
  answers,
  BACKUP,
  createDatabase,
  DUMP,
  dropDatabases,
  facts,
  openUpgraded,
  query,
  restoreFixture,
  type UpgradedApp,
  upgrade,
  withClient,
} from '../fixtures/upgrade-0.1.0/upgraded.ts'
import { openTestDatabase, testClock } from '../harness.ts'
import { call, eventually, runService, startService } from '../service-process.ts'

const KEY: string = facts.project.secretKey
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

/** Renamed by later migrations: `table` or `table.column` of 0.1.0, and its current name. */
const MOVED: Record<string, string> = { 'workflow_executions.turn': 'version' }

/** Tables in which a restore pauses what would otherwise be sent. */
const HELD = ['campaigns', 'campaign_count_changes', 'emails', 'workflow_executions']

const home = mkdtempSync(path.join(tmpdir(), 'posthorn-upgrade-'))

afterAll(async () => {
  await dropDatabases()
  rmSync(home, { recursive: true, force: true })
})

/** The rows of each of these tables, as PostgreSQL writes them. */
async function rowsOf(url: string, tables: TableColumns[]): Promise<string[][]> {
  return withClient(url, async (client) => {
    await setTextFormat(client)
    await client.query('begin')
    const contents: string[][] = []
    for (const table of tables) {
      const rows: string[] = []
      for await (const batch of readRows(client, table)) rows.push(...batch.map((row) => JSON.stringify(row)))
      contents.push(rows.sort())
    }
    return contents
  })
}

describe('upgrading a database of version 0.1.0', () => {
  const now = new Date(facts.madeAt)
  let url: string
  let tables: TableColumns[]
  let before: string[][]

  beforeAll(async () => {
    url = await restoreFixture()
    tables = await withClient(url, listTables)
    before = await rowsOf(url, tables)
    await upgrade(url, now)
  })

  const moved = () =>
    tables.map(({ table, columns }) => ({
      table: MOVED[table] ?? table,
      columns: columns.map((column) => MOVED[`${table}.${column}`] ?? column),
    }))

  it('keeps every row of every table with all its values', async () => {
    const after = await rowsOf(url, moved())
    for (const [i, { table }] of tables.entries()) expect(after[i], table).toEqual(before[i])
    expect(before.filter((rows) => rows.length > 0).length).toBeGreaterThan(50)
  })

  it('restores every row of a backup that version 0.1.0 made', async () => {
    const restored = await createDatabase()
    const settings = readSettings({
      DATA_DIR: path.join(home, 'restored'),
      DATABASE_URL: restored,
      SECRET: facts.secret,
    })
    expect(await restore(settings, BACKUP)).toMatchObject({ campaigns: 3, emails: 25, executions: 3 })
    await upgrade(restored, now)
    const after = await rowsOf(restored, moved())
    for (const [i, { table }] of tables.entries()) {
      if (!HELD.includes(table)) expect(after[i], table).toEqual(before[i])
      else if (table !== 'campaign_count_changes') expect(after[i], table).toHaveLength(before[i]!.length)
    }
  })

  it('results in the schema of a new installation', async () => {
    const fresh = await openTestDatabase()
    const [upgraded, installed] = [await describeSchema(url), await describeSchema(fresh.url)]
    await fresh.close()
    expect(upgraded).toBe(installed)
  })

  it('changes nothing when the service is started again', async () => {
    const schema = await describeSchema(url)
    const contents = await rowsOf(url, await withClient(url, listTables))
    await upgrade(url, now)
    expect(await describeSchema(url)).toEqual(schema)
    expect(await rowsOf(url, await withClient(url, listTables))).toEqual(contents)
  })
})

const tokenIn = ({ text }: { text?: string }) => /token=([\w.-]+)/.exec(text ?? '')?.[1]

/**
 * 0.1.0 suggested a record for bounces even if email wasn't received, and the types of actors in the audit log were in
 * capitals.
 */
const asToday = (answer: object): object =>
  JSON.parse(JSON.stringify(answer), (key, value) => {
    if (key === 'records') return value.filter(({ purpose }: { purpose: string }) => purpose !== 'return-path')
    return key === 'actor' ? { ...value, type: value.type.toLowerCase() } : value
  })

describe('an upgraded installation', () => {
  let app: UpgradedApp

  beforeAll(async () => {
    app = await openUpgraded(home, testClock(new Date(Date.parse(facts.madeAt) + MINUTE_MS)))
  })
  afterAll(() => app.close())

  it.each(Object.entries(answers))('responds to GET %s as version 0.1.0 did', async (url, answer) => {
    expect(await app.get(url)).toMatchObject(asToday(answer))
  })

  it('accepts the keys, sessions and passwords that were valid before', async () => {
    const { owner, ada, second, project } = facts
    expect(await app.get('/contacts', second.secretKey)).toMatchObject({ total: 1 })
    const tracked = { email: facts.contact.email, event: 'seen' }
    expect(await app.request('POST', '/v1/track', { key: project.publicKey, body: tracked })).toMatchObject({
      status: 200,
    })
    expect(await app.request('GET', '/users/@me', { headers: { cookie: ada.session } })).toMatchObject({
      status: 200,
      body: { email: ada.email },
    })
    const login = (body: object) => app.request('POST', '/auth/login', { body })
    expect(await login({ email: owner.email, password: owner.password })).toMatchObject({ status: 200 })
    expect(await login({ email: ada.email, password: facts.password })).toMatchObject({ status: 200 })
    expect(await login({ email: ada.email, password: 'another password' })).toMatchObject({ status: 401 })
  })

  it('requires the second factor and accepts codes of the same authenticator app and recovery codes', async () => {
    const { email, twoFactorSecret, recoveryCode } = facts.grace
    const login = async (code?: string) =>
      (await app.request('POST', '/auth/login', { body: { email, password: facts.password, code } })).status
    expect(await login()).toBe(401)
    expect(await login(codeAt(twoFactorSecret, app.clock.now()))).toBe(200)
    expect(await login(recoveryCode)).toBe(200)
  })

  it('signs with the DKIM keys and webhook secrets that were stored encrypted', async () => {
    const raw = await app.get(`/emails/${facts.emails.clicked.id}/raw`)
    expect(raw).toMatch(/^DKIM-Signature: .*d=example\.com/m)
    expect((await app.get('/workflows/webhook-secret')).secret).toBe(facts.workflows.webhookSecret)
  })

  it('serves the links in emails that were sent before', async () => {
    const { link, pixel } = facts.emails.clicked
    expect(await app.request('GET', link)).toMatchObject({
      status: 302,
      headers: { location: 'https://shop.example/go?a=1&b=2' },
    })
    expect(await app.request('GET', pixel)).toMatchObject({ status: 200 })
    const { data: recipients } = await app.get(`/campaigns/${facts.campaigns.sent}/recipients`)
    const { html } = await app.get(`/emails/${recipients[0].id}`)
    const unsubscribe = /\/unsubscribe\/[\w-]+/.exec(html)![0]
    expect(await app.request('POST', unsubscribe)).toMatchObject({ status: 200 })
    expect(await app.get(`/contacts/${recipients[0].contactId}`)).toMatchObject({ subscribed: false })
    const invitation = tokenIn(await app.messageTo('invited@people.example'))
    expect(await app.request('POST', '/invitations/preview', { body: { token: invitation } })).toMatchObject({
      status: 200,
    })
  })

  it('recognizes an Idempotency-Key that was used before', async () => {
    const { body, reply } = facts.emails.once
    const again = await app.request('POST', '/v1/send', { body, headers: { 'idempotency-key': 'order-1' } })
    expect(again).toMatchObject({ status: 409, body: { error: { details: { originalResponse: reply.data } } } })
  })
})

describe('after an upgrade from version 0.1.0, the worker', () => {
  const { contact, campaigns, workflows } = facts
  let app: UpgradedApp
  let capturedBefore: Map<string, number>

  beforeAll(async () => {
    app = await openUpgraded(home)
    capturedBefore = await app.captures()
    await app.work()
  })
  afterAll(() => app.close())

  const executionOf = async (workflow: string, email: string) => {
    const [{ id }] = (await app.get(`/contacts?search=${email}`)).data
    const { data } = await app.get(`/workflows/${workflow}/executions`)
    return data.find((execution: { contactId: string }) => execution.contactId === id)
  }
  const statusOf = async (campaign: string) => (await app.get(`/campaigns/${campaign}`)).status

  /** The campaign is complete, and every recipient got one email. */
  async function expectSent(campaign: string, recipients: number): Promise<void> {
    expect(await app.get(`/campaigns/${campaign}`)).toMatchObject({ status: 'SENT', sentCount: recipients })
    const captured = await app.captures()
    const { data } = await app.get(`/campaigns/${campaign}/recipients?limit=100&status=DELIVERED`)
    expect(data.map(({ id }: { id: string }) => captured.get(id))).toEqual(Array(recipients).fill(1))
  }

  it('delivers emails that were pending, each once', async () => {
    const captured = await app.captures()
    const pending = [
      ...facts.emails.pending.map((id: string) => [id, KEY]),
      [facts.second.pendingEmail, facts.second.secretKey],
    ]
    expect(pending).toHaveLength(4)
    for (const [id, key] of pending) {
      expect(capturedBefore.get(id)).toBeUndefined()
      expect(captured.get(id)).toBe(1)
      expect(await app.get(`/emails/${id}`, key)).toMatchObject({ status: 'DELIVERED' })
    }
    for (const [id, times] of capturedBefore) expect(captured.get(id), id).toBe(times)
  })

  it('sends a campaign that had been started', () => expectSent(campaigns.started, 8))

  it('completes an import that was queued', async () => {
    expect(await app.get(`/contacts/import/${facts.pendingImport}`)).toMatchObject({ status: 'COMPLETED' })
    expect(await app.get('/contacts?search=late@readers.example')).toMatchObject({ total: 1 })
  })

  it('sends account email and invitations that were queued', async () => {
    const reset = { token: tokenIn(await app.messageTo(facts.ada.email)), password: 'a new password' }
    expect(await app.request('POST', '/auth/reset-password', { body: reset })).toMatchObject({ status: 200 })
    expect(tokenIn(await app.messageTo('late@people.example'))).toBeDefined()
  })

  it('erases the personal data of a contact that had been deleted', async () => {
    const addresses = (await app.get('/emails?limit=100')).data.map(({ to }: { to: string }) => to)
    expect(addresses).toContain('reader21@readers.example')
    expect(addresses).not.toContain('reader22@readers.example')
  })

  it('continues executions whose event had been tracked', async () => {
    expect(await executionOf(workflows.awaiting, 'reader0@readers.example')).toMatchObject({ status: 'COMPLETED' })
    expect(await executionOf(workflows.delaying, 'reader2@readers.example')).toMatchObject({ status: 'WAITING' })
  })

  it('continues an execution that waits for an event when the event is tracked', async () => {
    expect(await executionOf(workflows.awaiting, contact.email)).toMatchObject({ status: 'WAITING' })
    await app.request('POST', '/events/track', { body: { email: contact.email, event: 'order.paid' } })
    await app.work()
    expect(await executionOf(workflows.awaiting, contact.email)).toMatchObject({ status: 'COMPLETED' })
  })

  it('sends the rest of a paused campaign once it is resumed', async () => {
    expect(await app.get(`/campaigns/${campaigns.paused}`)).toMatchObject({ status: 'SENDING', sentCount: 4 })
    await app.request('POST', `/campaigns/${campaigns.paused}/resume`)
    await app.work()
    await expectSent(campaigns.paused, 24)
  })

  it('continues an execution that waits for a year when the year is over', async () => {
    app.clock.set(new Date(Math.max(Date.now(), Date.parse(facts.madeAt) + 366 * DAY_MS)))
    await app.work()
    expect(await executionOf(workflows.delaying, contact.email)).toMatchObject({ status: 'COMPLETED' })
  })

  it('starts a scheduled campaign at its scheduled time', async () => {
    app.clock.set(new Date(Date.parse(campaigns.scheduledFor) - MINUTE_MS))
    await app.work()
    expect(await statusOf(campaigns.scheduled)).toBe('SCHEDULED')
    app.clock.forward(MINUTE_MS)
    await app.work()
    await expectSent(campaigns.scheduled, 8)
  })
})

describe('the service started on a DATA_DIR of version 0.1.0', () => {
  const env = { DATA_DIR: path.join(home, 'data'), SECRET: facts.secret, PORT: '0', DNS_SERVERS: '127.0.0.1:9' }

  it('delivers the email that a killed process was sending, and starts again on the upgraded data', async () => {
    const postgres = await startEmbeddedPostgres({ dataDir: env.DATA_DIR })
    await query(postgres.url, DUMP)
    await postgres.stop()
    const email = `/emails/${facts.emails.interrupted}`

    for (let starts = 1; starts <= 2; starts++) {
      const service = await startService(env)
      try {
        const status = async () => (await call(service, 'GET', email, { key: KEY })).body.status
        await eventually('the email is delivered', 120_000, async () => (await status()) === 'DELIVERED')
        expect((await call(service, 'GET', '/ready')).status).toBe(200)
        expect(service.stdout()).not.toContain('Welcome')
      } finally {
        expect(await service.stop()).toMatchObject({ code: 0 })
      }
    }
  })

  it('refuses to start, with one sentence, when the database was made by a newer version', async () => {
    const url = await restoreFixture()
    await query(url, "insert into migrations (name) values ('9999-of-the-future.sql')")
    const tables = await withClient(url, listTables)
    const before = await rowsOf(url, tables)
    const { code, stderr } = await runService({ ...env, DATA_DIR: path.join(home, 'newer'), DATABASE_URL: url })
    expect(code).toBe(1)
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/newer.*9999-of-the-future\.sql/)])
    expect(await rowsOf(url, tables)).toEqual(before)
  })
})
