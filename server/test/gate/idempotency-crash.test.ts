/** A server that is killed while a request has an Idempotency-Key: the next request with the key is accepted, once. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { type OutboxView, openOutboxView } from '../outbox/outbox-view.ts'
import { call, eventually, type Reply, type ServiceProcess, startService } from '../service-process.ts'
import { dropDatabase } from '../test-databases.ts'

const home = mkdtempSync(path.join(tmpdir(), 'posthorn-idempotency-'))
const databaseName = `idempotency_${randomBytes(6).toString('hex')}`
const databaseUrl = inject('postgresUrl').replace(/\/[^/]*$/, `/${databaseName}`)
let steady: ServiceProcess
let killed: ServiceProcess
let outbox: OutboxView
let key: string

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  await client.query(statement)
  await client.end()
}

const start = (name: string) =>
  startService({
    DATA_DIR: path.join(home, 'data'),
    DATABASE_URL: `${databaseUrl}?application_name=${name}`,
    PORT: '0',
    ROLE: 'api',
  })

beforeAll(async () => {
  await onServer(`create database ${databaseName}`)
  steady = await start('steady')
  outbox = await openOutboxView(databaseUrl)
  const [, email, password] = /dashboard account\s+(\S+)\s+\/\s+(\S+)/.exec(steady.stdout())!
  const login = await call(steady, 'POST', '/auth/login', { body: { email, password } })
  const cookie = login.headers.get('set-cookie')!.split(';')[0]!
  const { body: project } = await call(steady, 'POST', '/users/@me/projects', { cookie, body: { name: 'Test' } })
  key = project.secretKey
  const { body: domain } = await call(steady, 'POST', '/domains', { key, body: { domain: 'example.com' } })
  await call(steady, 'GET', `/domains/${domain.id}/verify`, { key })
})

beforeEach(async () => {
  killed = await start('doomed')
})

afterEach(async () => {
  if (killed.isRunning()) await killed.stop()
})

afterAll(async () => {
  if (steady?.isRunning()) await steady.stop()
  await outbox?.close()
  await dropDatabase(inject('postgresUrl'), databaseName)
  rmSync(home, { recursive: true, force: true })
})

async function send(service: ServiceProcess, to: string, idempotencyKey: string): Promise<Reply> {
  const body = { to, from: 'hello@example.com', subject: 'Hello', body: '<p>Hello</p>', data: { plan: 'pro' } }
  return call(service, 'POST', '/v1/send', { key, body, headers: { 'idempotency-key': idempotencyKey } })
}

const emailsTo = async (to: string): Promise<number> =>
  (await outbox.query<{ id: string }>('select id from emails where to_email = $1', [to])).length

/** How many statements wait until the contact is released. */
const waiting = async (name: string): Promise<number> =>
  (
    await outbox.query(
      `select from pg_stat_activity where datname = current_database() and application_name = $1 and wait_event_type = 'Lock'`,
      [name],
    )
  ).length

/** Emails to this contact can't be accepted until the returned function is called. */
async function holdContact(email: string): Promise<() => Promise<void>> {
  await call(steady, 'POST', '/contacts', { key, body: { email } })
  const holder = new pg.Client({ connectionString: databaseUrl })
  holder.on('error', () => undefined) // if the test fails, it is released with the database
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from contacts where email = $1 for update', [email])
  return () => holder.end()
}

/** Stops the server between claiming the key and accepting the email. */
async function killWhileSending(to: string, idempotencyKey: string): Promise<() => Promise<void>> {
  const release = await holdContact(to)
  const lost = send(killed, to, idempotencyKey).catch(() => 'no response')
  await eventually('the first request waits', 120_000, async () => (await waiting('doomed')) > 0)
  const meanwhile = await send(steady, to, idempotencyKey)
  expect(meanwhile.status).toBe(409)
  expect(meanwhile.body.error.details).toMatchObject({ key: idempotencyKey, originalStatusCode: null })
  await killed.kill()
  expect(await lost).toBe('no response')
  return release
}

it('a request whose server was killed can be repeated with its key and is accepted once', async () => {
  const release = await killWhileSending('ada@example.org', 'order-1')
  await outbox.endSessionsOf(['doomed'])
  await release()
  expect((await send(steady, 'ada@example.org', 'order-1')).status).toBe(200)
  expect(await emailsTo('ada@example.org')).toBe(1)
  const again = await send(steady, 'ada@example.org', 'order-1')
  expect([again.status, again.body.error.details.originalStatusCode]).toEqual([409, 200])
})

it('only one of two repeated requests is accepted, even if the statement of the killed server continues', async () => {
  const release = await killWhileSending('bob@example.org', 'order-2')
  const repeated = [send(steady, 'bob@example.org', 'order-2'), send(steady, 'bob@example.org', 'order-2')]
  await eventually('one of them waits', 120_000, async () => (await waiting('steady')) > 0)
  expect(await waiting('doomed')).toBeGreaterThan(0)
  await release()
  const statuses = (await Promise.all(repeated)).map(({ status }) => status)
  expect(statuses.sort()).toEqual([200, 409])
  await eventually('the statement of the killed server ends', 120_000, async () => (await waiting('doomed')) === 0)
  expect(await emailsTo('bob@example.org')).toBe(1)
})
