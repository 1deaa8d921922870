/**
 * No input of an attacker or a customer may block the service for others. The worst input of each kind is sent to a
 * real service while another thread calls /health and measures the longest wait.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../platform/database/embedded-postgres-postmaster.ts'
import { startDnsServer } from '../dns-server.ts'
import { call, type ServiceProcess, startService } from '../service-process.ts'

/**
 * Each took seconds before its work moved to threads. On a busy test machine, part of this limit is used up by other
 * work.
 */
const LONGEST_MS = 500

let folder: string
let service: ServiceProcess
let dns: Awaited<ReturnType<typeof startDnsServer>>
let key: string
let inboundPort: number
let submissionPort: number

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-event-loop-'))
  dns = await startDnsServer()
  inboundPort = await freePort()
  submissionPort = await freePort()
  const dataDir = path.join(folder, 'data')
  service = await startService({
    DATA_DIR: dataDir,
    PORT: '0',
    INBOUND_SMTP_PORT: String(inboundPort),
    SUBMISSION_SMTP_PORT: String(submissionPort),
    DNS_SERVERS: dns.address,
  })
  key = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')).secretKey
}, 100_000)

afterAll(async () => {
  await service?.stop()
  await dns?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Calls /health continuously from a separate thread, and returns the longest wait. */
async function longestWaitDuring(work: () => Promise<unknown>): Promise<number> {
  const worker = new Worker(PINGS, { eval: true, workerData: service.baseUrl })
  try {
    await new Promise((resolve) => worker.once('message', resolve)) // the first call is complete
    await work()
    const longest = new Promise<number>((resolve) => worker.once('message', resolve))
    worker.postMessage('stop')
    return await longest
  } finally {
    await worker.terminate()
  }
}

const PINGS = `
  const { parentPort, workerData } = require('node:worker_threads')
  let stopped = false
  parentPort.once('message', () => { stopped = true })
  const ping = async () => {
    const from = performance.now()
    await (await fetch(workerData + '/health')).text()
    return performance.now() - from
  }
  ;(async () => {
    await ping()
    parentPort.postMessage('started')
    let longest = 0
    while (!stopped) {
      longest = Math.max(longest, await ping())
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    parentPort.postMessage(longest)
  })()`

const HEAD = 'From: ada@example.org\r\nSubject: Hi\r\n'
const MULTIPART = `${HEAD}Content-Type: multipart/mixed; boundary=b\r\n\r\n`
const repeat = (unit: string, bytes: number) => unit.repeat(Math.ceil(bytes / unit.length))

function deliver(port: number, raw: string, login = false): Promise<string> {
  const client = createTransport({
    host: '127.0.0.1',
    port,
    secure: false,
    tls: { rejectUnauthorized: false },
    ...(login ? { auth: { user: 'posthorn', pass: key } } : {}),
  })
  const envelope = { from: login ? 'hello@example.com' : 'ada@example.org', to: ['hello@example.com'] }
  return client.sendMail({ envelope, raw: Buffer.from(raw) }).then(
    ({ response }) => response,
    (error: { response?: string }) => error.response ?? String(error),
  )
}

const MESSAGES: Array<[string, () => string, RegExp]> = [
  [
    '20 MB of HTML without a text part',
    () => `${HEAD}Content-Type: text/html\r\n\r\n${repeat('<p>one <b>two</b> three\r\n', 20_000_000)}`,
    /^250|could not be parsed/,
  ],
  [
    '200,000 MIME parts',
    () => `${MULTIPART}${repeat('--b\r\n\r\nx\r\n', 2_200_000)}--b--\r\n`,
    /more than 1000 MIME parts/,
  ],
  ['2 MB of headers', () => `${HEAD}${repeat('X-Header: value\r\n', 2_000_000)}\r\nHi\r\n`, /header size/],
  [
    'a To header of 240 KB',
    () => `${HEAD}To: ${repeat('a@example.org,\r\n ', 240_000)}b@example.org\r\n\r\nHi\r\n`,
    /^\d{3}/,
  ],
  ['a To header of 1.9 MB', () => `${HEAD}To: ${repeat('<', 1_900_000)}\r\n\r\nHi\r\n`, /header size/],
]

it.each(MESSAGES)(
  'received email with %s does not block the service',
  { timeout: 120_000 },
  async (_name, raw, reply) => {
    const message = raw()
    let response = ''
    const longest = await longestWaitDuring(async () => {
      response = await deliver(inboundPort, message)
    })
    expect(response).toMatch(reply)
    expect(longest).toBeLessThan(LONGEST_MS)
  },
)

it.each(MESSAGES.slice(1))(
  'submitted email with %s does not block the service',
  { timeout: 120_000 },
  async (_name, raw) => {
    const message = raw()
    let response = ''
    const longest = await longestWaitDuring(async () => {
      response = await deliver(submissionPort, message, true)
    })
    expect(response).toMatch(/^\d{3}/)
    expect(longest).toBeLessThan(LONGEST_MS)
  },
)

it('a template of 780 KB does not block the service when it is previewed', { timeout: 120_000 }, async () => {
  const body = `{% liquid\n${repeat('echo a\n', 130_000)}%}<!--${repeat('x', 600_000)}-->`
  const longest = await longestWaitDuring(async () => {
    const reply = await call(service, 'POST', '/templates/preview', { key, body: { subject: 'Hi', body } })
    expect([200, 422]).toContain(reply.status)
  })
  expect(longest).toBeLessThan(LONGEST_MS)
})

it('/metrics reports how long the event loop was blocked', async () => {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text()
  expect(text).toMatch(/^posthorn_event_loop_delay_seconds\{quantile="1"[^}]*\} [\d.e-]+$/m)
})
