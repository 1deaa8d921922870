/**
 * How many of our files the longest paths pass, so that they don't grow unnoticed: see decision 34. A file counts if one
 * of its functions runs, in a service that is one process; code of worker threads is left out. The limits are a few files
 * above the usual number.
 */
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type MailSink, openMailSink } from '../delivery/mail-sink.ts'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'
import { createTestDatabase } from '../test-databases.ts'

/** As `Profiler.takePreciseCoverage` returns it. */
interface Script {
  url: string
  functions: { ranges: { startOffset: number; count: number }[] }[]
}

const RECIPIENTS = 20
const ROUNDS = 3
const MESSAGE = {
  from: 'us@sender.example',
  subject: 'Hello {{name}}',
  body: '<p>Hello, <a href="https://example.com">read this</a></p>',
}

const home = mkdtempSync(path.join(tmpdir(), 'posthorn-paths-'))
const coverageFile = path.join(home, 'coverage.json')
let webhooks = 0
const receiver = createServer((_request, response) => {
  webhooks++
  response.end()
})
let database: Awaited<ReturnType<typeof createTestDatabase>>
let client: pg.Client
let sink: MailSink
let service: ServiceProcess
let keys: { secretKey: string; publicKey: string }

const start = (env: Record<string, string>) =>
  startService({
    DATA_DIR: path.join(home, 'data'),
    DATABASE_URL: database.url,
    PORT: '0',
    WORKERS: '0',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...env,
  })

async function request(method: string, url: string, body?: unknown, key = keys.secretKey) {
  const reply = await call(service, method, url, { key, body })
  expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
  return reply.body
}

beforeAll(async () => {
  database = await createTestDatabase(inject('postgresUrl'))
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  sink = await openMailSink()
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  service = await start({}) // captures email, so that domains are verified without DNS
  keys = JSON.parse(readFileSync(path.join(home, 'data', 'first-run.json'), 'utf8'))
  const { id } = await request('POST', '/domains', { domain: 'sender.example' })
  await request('GET', `/domains/${id}/verify`)
  await service.stop()
  const recorder = new URL('../fixtures/record-coverage.mjs', import.meta.url).href
  service = await start({ MAIL_URL: sink.url, NODE_OPTIONS: `--import ${recorder}`, COVERAGE_FILE: coverageFile })
}, 180_000)

afterAll(async () => {
  if (service?.isRunning()) await service.stop()
  sink?.close()
  receiver.close()
  await client?.end()
  await database?.drop()
  rmSync(home, { recursive: true, force: true })
}, 60_000)

/** Starts recording, or ends it and returns what was recorded. */
async function toggleRecording(): Promise<Script[]> {
  rmSync(coverageFile, { force: true })
  process.kill(service.pid, 'SIGUSR2')
  await eventually('the service has written its coverage', 30_000, () => existsSync(coverageFile))
  return JSON.parse(readFileSync(coverageFile, 'utf8'))
}

/** In the built code, each source file begins with a comment that has its name. */
function filesOf(scripts: Script[]): string[] {
  const files = new Set<string>()
  for (const { url, functions } of scripts) {
    if (!url.includes('/server/dist/')) continue
    const names = [...readFileSync(fileURLToPath(url), 'utf8').matchAll(/^\/\/ (\S+)$/gm)]
    for (const { ranges } of functions) {
      const { startOffset, count } = ranges[0]!
      const isWholeScript = startOffset === 0
      if (count === 0 || isWholeScript) continue
      const name = names.findLast(({ index }) => index < startOffset)?.[1]
      if (name?.startsWith('server/')) files.add(name)
    }
  }
  return [...files].sort()
}

/**
 * The fewest files of three rounds: the first one also opens connections and loads code, and every minute periodic jobs
 * run. A round ends when its jobs are done.
 */
async function filesOn(round: () => Promise<void>): Promise<string[]> {
  const recorded: string[][] = []
  for (let i = 0; i < ROUNDS; i++) {
    await untilQueueIsEmpty()
    await toggleRecording()
    await round()
    await untilQueueIsEmpty()
    recorded.push(filesOf(await toggleRecording()))
  }
  return recorded.reduce((fewest, files) => (files.length < fewest.length ? files : fewest))
}

const untilQueueIsEmpty = () =>
  eventually('no job is due', 30_000, async () => {
    const { rows } = await client.query('select from posthorn_queue.jobs where run_at <= now() limit 1')
    return rows.length === 0
  })

async function untilSent(emails: number, act: () => Promise<unknown>): Promise<void> {
  const before = sink.accepted.size
  await act()
  await sink.untilAccepted(before + emails)
}

it('an email runs code of few files from POST /v1/send to the mail server', async () => {
  const files = await filesOn(() =>
    untilSent(1, () => request('POST', '/v1/send', { ...MESSAGE, to: 'reader@example.org' })),
  )
  expect(files).toContain('server/platform/mail/smtp-connection.ts')
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(62)
}, 60_000)

it('an event runs code of few files from POST /v1/track to the webhook of a workflow', async () => {
  const { id } = await request('POST', '/workflows', { name: 'Call', eventName: 'signed-up', allowReentry: true })
  const config = { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/` }
  await request('POST', `/workflows/${id}/steps`, { type: 'WEBHOOK', config })
  await request('PATCH', `/workflows/${id}`, { enabled: true })
  const files = await filesOn(async () => {
    const before = webhooks
    await request('POST', '/v1/track', { event: 'signed-up', email: 'reader@example.org' }, keys.publicKey)
    await eventually('the webhook is called', 30_000, () => webhooks > before)
  })
  expect(files).toContain('server/features/steps/step-webhook.ts')
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(50)
}, 60_000)

it('a campaign runs code of few files until its last email is sent', async () => {
  for (let i = 0; i < RECIPIENTS; i++) await request('POST', '/contacts', { email: `reader-${i}@example.org` })
  const filter = { field: 'email', operator: 'contains', value: 'reader-' }
  const audienceCondition = { logic: 'AND', groups: [{ filters: [filter] }] }
  const news = { ...MESSAGE, name: 'News', audienceType: 'FILTERED', audienceCondition }
  const campaigns: Array<{ id: string }> = []
  for (let i = 0; i < ROUNDS; i++) campaigns.push(await request('POST', '/campaigns', news))
  const files = await filesOn(() =>
    untilSent(RECIPIENTS, () => request('POST', `/campaigns/${campaigns.pop()!.id}/send`)),
  )
  expect(files).toContain('server/features/campaigns/sending.ts')
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(70)
}, 60_000)
