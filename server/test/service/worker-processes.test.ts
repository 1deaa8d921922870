/**
 * `npm start` runs a worker process alongside the API: it is restarted, it finishes its jobs, and it never keeps
 * running alone. All processes are real.
 */
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MailSink, openMailSink } from '../delivery/mail-sink.ts'
import { openOutboxView } from '../outbox/outbox-view.ts'
import { livingOf, postgresProcesses, workersOf } from '../processes.ts'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'

/** Nothing may have to wait for it to expire. Usually, emails are recovered within ten seconds. */
const LEASE_MS = 60_000

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-workers-'))
const dataDir = path.join(home, 'data')
let service: ServiceProcess
let sink: MailSink
let key: string

async function start(env: Record<string, string> = {}): Promise<void> {
  service = await startService({
    DATA_DIR: dataDir,
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...env,
  })
}

beforeAll(async () => {
  sink = await openMailSink()
  await start() // the first start creates a project with a verified domain
  key = JSON.parse(fs.readFileSync(path.join(dataDir, 'first-run.json'), 'utf8')).secretKey
})

afterAll(async () => {
  if (service.isRunning()) await service.stop()
  const [left] = postgresProcesses(dataDir)
  if (left) process.kill(left, 'SIGQUIT')
  sink.close()
  fs.rmSync(home, { recursive: true, force: true })
})

function embeddedUrl(): string {
  const { port, password } = JSON.parse(fs.readFileSync(path.join(dataDir, 'postgres.json'), 'utf8'))
  return `postgres://posthorn:${password}@127.0.0.1:${port}/posthorn`
}

const request = (method: string, url: string, body?: unknown) => call(service, method, url, { key, body })
const totalIn = async (status: string) => (await request('GET', `/emails?status=${status}`)).body.total
const workers = () => workersOf(service.pid)
const logLines = () =>
  service
    .stdout()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
const workingLines = () => logLines().filter(({ msg }) => msg === 'working')

async function send(count: number, name: string): Promise<void> {
  for (let i = 0; i < count; i += 20) {
    const to = Array.from({ length: 20 }, (_, j) => `${name}-${i + j}@example.org`)
    const body = { to, from: 'hello@example.com', subject: 'Hello', body: '<p>Hello</p>' }
    expect((await request('POST', '/v1/send', body)).status).toBe(200)
  }
}

const allDelivered = (withinMs: number) =>
  eventually(
    'every email is delivered',
    withinMs,
    async () => (await totalIn('PENDING')) + (await totalIn('SENDING')) === 0,
  )

it('one worker runs alongside the API, and its log and metrics are part of those of the service', async () => {
  await eventually('the worker works', 120_000, () => workingLines().length === 1)
  expect(workers()).toHaveLength(1)
  expect(workingLines()).toMatchObject([{ process: 'worker' }])
  expect(logLines().find(({ msg }) => msg.startsWith('serving'))).not.toHaveProperty('process')
  await send(20, 'metrics')
  await allDelivered(30_000)
  const { body: text } = await call(service, 'GET', '/metrics')
  expect(text).toContain('\nposthorn_emails_total{outcome="sent",process="worker"} 20\n')
  expect(text).toMatch(/\nposthorn_job_seconds_count\{job="deliver-email",outcome="done",process="worker"\} 20\n/)
  for (const name of ['main', 'worker'])
    expect(text).toMatch(new RegExp(`\nprocess_start_time_seconds\\{process="${name}"\\} \\d`))
  expect(text.match(/^posthorn_queue_ready_jobs\{/gm)).toHaveLength(1)
})

describe('with a mail server', () => {
  beforeAll(async () => {
    await service.stop()
    await start({ MAIL_URL: sink.url })
    await eventually('the worker works', 120_000, () => workingLines().length === 1)
  })

  it('a worker that is killed is restarted, and the email it was sending is sent before its lease expires', async () => {
    const started = workingLines().length
    const before = sink.accepted.size
    await send(300, 'killed')
    await sink.untilAccepted(before + 50)
    const [killed] = workers()
    const open = sink.connections()
    process.kill(killed!, 'SIGKILL')
    await eventually('another worker works', 120_000, () => workingLines().length === started + 1)
    const sending = (await request('GET', '/emails?status=SENDING&limit=100')).body.data.map(
      ({ id }: { id: string }) => id,
    )
    await eventually('the email of the killed worker is sent', LEASE_MS / 2, async () => {
      const left = (await request('GET', '/emails?status=SENDING&limit=100')).body.data
      return !left.some(({ id }: { id: string }) => sending.includes(id))
    })
    expect(workers()).not.toContain(killed)
    await allDelivered(60_000)
    const copies = [...sink.accepted.values()].filter((times) => times > 1)
    expect(copies.every((times) => times === 2)).toBe(true)
    expect(copies.length).toBeLessThanOrEqual(open)
    expect(sink.accepted.size - before).toBe(300)
    expect(service.isRunning()).toBe(true)
    expect(logLines().filter(({ msg }) => msg.includes('worker process exited'))).toMatchObject([{ signal: 'SIGKILL' }])
  })

  it('a worker that gets SIGTERM sends no email twice and is restarted, even if mail server and database are slow', async () => {
    const started = workingLines().length
    const known = new Map(sink.accepted)
    sink.answerAfter(400)
    await send(300, 'stopped')
    const outbox = await openOutboxView(embeddedUrl())
    const release = await outbox.holdAt('DELIVERED')
    await sink.untilAccepted(known.size + 1)
    process.kill(workers()[0]!, 'SIGTERM')
    await eventually('the worker stops', 120_000, () =>
      logLines().some(({ msg }) => msg === 'SIGTERM received, stopping'),
    )
    await release()
    await outbox.close()
    await eventually('another worker works', 120_000, () => workingLines().length === started + 1)
    sink.answerAfter()
    await allDelivered(60_000)
    const sent = [...sink.accepted].filter(([id]) => !known.has(id))
    expect(sent).toHaveLength(300)
    expect(sent.filter(([, times]) => times !== 1)).toEqual([])
  })
})

it('if the main process is killed, its worker stops, and so does PostgreSQL unless another start uses it', async () => {
  if (!service.isRunning()) await start()
  await eventually('the worker works', 120_000, () => workingLines().length > 0)
  const first = workers()
  await service.kill()
  await start()
  await eventually('the first worker has exited', 120_000, () => livingOf(first).length === 0)
  expect((await request('GET', '/emails')).status).toBe(200)

  await eventually('the second worker works', 120_000, () => workingLines().length === 1)
  const left = [...workers(), ...postgresProcesses(dataDir)]
  await service.kill()
  await eventually('every process has exited', 120_000, () => livingOf(left).length === 0)
})

it('an execution whose webhook is interrupted by a stop fails and can be retried', async () => {
  if (!service.isRunning()) await start()
  const receiver = createServer(() => undefined).listen(0, '127.0.0.1') // never responds
  await once(receiver, 'listening')
  const called = once(receiver, 'request')
  const { id } = (await request('POST', '/workflows', { name: 'Orders', eventName: 'ordered' })).body
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await request('POST', `/workflows/${id}/steps`, { type: 'WEBHOOK', config: { url } })
  await request('PATCH', `/workflows/${id}`, { enabled: true })
  await request('POST', '/events/track', { email: 'ada@example.org', event: 'ordered' })
  await called
  expect((await service.stop()).code).toBe(0)
  receiver.closeAllConnections()
  receiver.close()

  await start()
  const execution = await eventually('the execution has failed', 120_000, async () => {
    const { data } = (await request('GET', `/workflows/${id}/executions`)).body
    return data.find(({ status }: { status: string }) => status === 'FAILED')
  })
  expect(execution.error).toContain('The service stopped while the request was in progress')
})

it('WORKERS sets the number of workers; with 0, the main process runs the jobs', async () => {
  if (service.isRunning()) await service.stop()
  await start({ WORKERS: '2' })
  await eventually('both work', 120_000, () => workingLines().length === 2)
  expect(
    workingLines()
      .map(({ process }) => process)
      .sort(),
  ).toEqual(['worker-1', 'worker-2'])
  const both = workers()
  await service.stop()
  expect(livingOf(both)).toEqual([])

  await start({ WORKERS: '0' })
  expect(workers()).toEqual([])
  await send(20, 'alone')
  await allDelivered(30_000)
})
