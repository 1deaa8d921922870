/**
 * A worker that is suspended, as a paused virtual machine is, while it sends emails, waits for the response to a webhook and
 * imports contacts: others take over, and when it continues it neither sends nor records anything that they have done. All
 * processes are real.
 */
import fs from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.ts'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'
import { type MailSink, openMailSink } from './mail-sink.ts'

const EMAILS = 400
const SUSPEND_AT = 60
const IMPORTED = 3_000
/** The row at which the import waits when the worker is suspended, after its first batch. */
const WAITS_AT = 1_500

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-suspended-'))
let postgres: EmbeddedPostgres
let database: pg.Client
let api: ServiceProcess
let key: string
const workers: ServiceProcess[] = []
const sinks: MailSink[] = []
/** The responses that the requests of workflows wait for. */
const webhooks: ServerResponse[] = []
const receiver = createServer((_request, response) => webhooks.push(response))

const start = (env: Record<string, string>) =>
  startService({
    DATA_DIR: path.join(home, 'data'),
    DATABASE_URL: postgres.url,
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...env,
  })

async function startWorker(name: string): Promise<{ worker: ServiceProcess; sink: MailSink }> {
  const sink = await openMailSink()
  sinks.push(sink)
  const DATABASE_URL = `${postgres.url}?application_name=${name}`
  const worker = await start({ ROLE: 'worker', MAIL_URL: sink.url, DATABASE_URL })
  workers.push(worker)
  return { worker, sink }
}

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  postgres = await startEmbeddedPostgres({ dataDir: path.join(home, 'server') })
  database = new pg.Client({ connectionString: postgres.url })
  await database.connect()
  api = await start({ ROLE: 'api' })
  key = JSON.parse(fs.readFileSync(path.join(home, 'data/first-run.json'), 'utf8')).secretKey
})

afterAll(async () => {
  for (const worker of workers) if (worker.isRunning()) await worker.kill()
  if (api?.isRunning()) await api.stop()
  for (const sink of sinks) sink.close()
  receiver.closeAllConnections()
  receiver.close()
  await database?.end()
  await postgres?.stop()
  fs.rmSync(home, { recursive: true, force: true })
})

async function countOf(statuses: string[]): Promise<number> {
  const { rows } = await database.query('select count(*)::int as count from emails where status::text = any($1)', [
    statuses,
  ])
  return rows[0].count
}

const request = (method: string, url: string, body?: unknown) => call(api, method, url, { key, body })

/** Starts an execution that waits for the response to a webhook. Returns its path. */
async function startWebhook(): Promise<string> {
  const { id } = (await request('POST', '/workflows', { name: 'Call' })).body
  const config = { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` }
  expect((await request('POST', `/workflows/${id}/steps`, { type: 'WEBHOOK', config })).status).toBe(201)
  expect((await request('PATCH', `/workflows/${id}`, { triggerType: 'MANUAL', enabled: true })).status).toBe(200)
  const contact = (await request('POST', '/contacts', { email: 'called@example.org' })).body
  const execution = await request('POST', `/workflows/${id}/executions`, { contactId: contact.id })
  await eventually('the webhook is called', 120_000, () => webhooks.length === 1)
  return `/workflows/${id}/executions/${execution.body.id}`
}

const importedAddress = (row: number) => `imported-${row}@example.org`

/** Starts an import that waits after its first batch until the client rolls back. Returns its path. */
async function startImport(holder: pg.Client): Promise<string> {
  await holder.query('begin')
  await holder.query(
    `insert into contacts select (jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'email', $1::text))).*
     from contacts c limit 1`,
    [importedAddress(WAITS_AT)],
  )
  const rows = Array.from({ length: IMPORTED }, (_, i) => importedAddress(i))
  const form = new FormData()
  form.append('file', new Blob([['email', ...rows].join('\n')], { type: 'text/csv' }), 'contacts.csv')
  const headers = { authorization: `Bearer ${key}` }
  const reply = await fetch(`${api.baseUrl}/contacts/import`, { method: 'POST', headers, body: form })
  return `/contacts/import/${((await reply.json()) as { jobId: string }).jobId}`
}

it('a suspended worker, when it continues, does not send or record what another worker has taken over', async () => {
  const { worker, sink } = await startWorker('suspended')
  const execution = await startWebhook()
  const holder = new pg.Client({ connectionString: postgres.url })
  await holder.connect()
  const job = await startImport(holder)
  await eventually('the import has begun', 120_000, async () => (await request('GET', job)).body.progress > 0)
  const email = (i: number) => ({ to: `r${i}@example.org`, from: 'us@example.com', subject: 'Hi', body: '<p>Hi</p>' })
  const send = async (i: number) => (await request('POST', '/v1/send', email(i))).status
  const sent = Array.from({ length: EMAILS }, (_, i) => send(i))
  await sink.untilAccepted(SUSPEND_AT)
  process.kill(worker.pid, 'SIGSTOP')
  expect(new Set(await Promise.all(sent))).toEqual(new Set([200]))
  const claimed = await database.query("select id from emails where status = 'SENDING'")
  expect(claimed.rows.length, 'emails that were claimed by the suspended worker').toBeGreaterThan(0)
  expect((await request('GET', job)).body.status).toBe('PROCESSING')
  // What PostgreSQL does when it no longer reaches a machine.
  await database.query(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'suspended'`)
  await holder.end()
  const other = await startWorker('other')
  await eventually('the other worker has sent the rest', 120_000, async () => {
    return (await countOf(['PENDING', 'SENDING'])) === 0
  })
  await eventually('the other worker has completed the import', 120_000, async () => {
    return (await request('GET', job)).body.status === 'COMPLETED'
  })
  await eventually('the execution has failed', 120_000, async () => {
    return (await request('GET', execution)).body.status === 'FAILED'
  })
  const [imported, executed] = [(await request('GET', job)).body, (await request('GET', execution)).body]
  expect(imported.result).toMatchObject({ totalRows: IMPORTED, createdCount: IMPORTED })
  expect(executed.error).toMatch(/^The service stopped while the request was in progress/)

  const continuedAt = performance.now()
  process.kill(worker.pid, 'SIGCONT')
  for (const response of webhooks) response.end('ok')
  expect((await request('POST', '/v1/send', email(EMAILS))).status).toBe(200)
  await eventually('both workers are idle again', 120_000, async () => {
    return (await countOf(['PENDING', 'SENDING'])) === 0 && /the queue reconnected/.test(worker.stdout())
  })
  // It stops only when its handlers have returned, so whatever they would record is recorded.
  expect((await worker.stop()).code).toBe(0)
  const begunAgain = [...other.sink.accepted.keys()].filter((id) => (sink.begunAt.get(id) ?? 0) > continuedAt)
  expect(begunAgain).toEqual([])
  expect(await countOf(['SENT', 'DELIVERED'])).toBe(EMAILS + 1)
  expect((await request('GET', job)).body).toEqual(imported)
  expect((await request('GET', execution)).body).toEqual(executed)
  expect(webhooks).toHaveLength(1)
})
