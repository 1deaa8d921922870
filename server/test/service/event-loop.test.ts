/**
 * No input of an attacker or a customer may block the service for others. The worst input of each kind is sent to a
 * real service while another thread calls /health and measures the longest wait.
 */
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../platform/database/embedded-postgres-postmaster.ts'
import { startDnsServer } from '../dns-server.ts'
import { call, type ServiceProcess, startService } from '../service-process.ts'

/** How much longer a call may wait for the service than for a server that does nothing at the same time. */
const LONGER_MS = 200
/** What blocks the service does so every time; what the machine does besides it doesn't. */
const ATTEMPTS = 4

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

interface Waits {
  service: number
  idle: number
}

/**
 * Calls /health all the time, from a thread of its own, and a server in another thread that is always idle: how long that
 * one takes shows how busy the machine is. Returns the longest waits.
 */
async function longestWaitsDuring(work: () => Promise<unknown>): Promise<Waits> {
  const idle = new Worker(IDLE_SERVER, { eval: true })
  const [idlePort] = (await once(idle, 'message')) as [number]
  const workerData = { service: `${service.baseUrl}/health`, idle: `http://127.0.0.1:${idlePort}/` }
  const pings = new Worker(PINGS, { eval: true, workerData })
  try {
    await once(pings, 'message') // the first calls are done
    await work()
    const longest = once(pings, 'message')
    pings.postMessage('stop')
    return ((await longest) as [Waits])[0]
  } finally {
    await Promise.all([pings.terminate(), idle.terminate()])
  }
}

async function expectNotBlocked(work: () => Promise<unknown>): Promise<void> {
  const tries: Waits[] = []
  do tries.push(await longestWaitsDuring(work))
  while (longerBy(tries.at(-1)!) > LONGER_MS && tries.length < ATTEMPTS)
  if (process.env.TEST_LOG) console.log('longest waits in ms', tries)
  expect(longerBy(tries.at(-1)!), JSON.stringify(tries)).toBeLessThanOrEqual(LONGER_MS)
}

const longerBy = ({ service, idle }: Waits) => service - idle

const IDLE_SERVER = `
  const server = require('node:http').createServer((request, response) => response.end('ok'))
  server.listen(0, '127.0.0.1', () => require('node:worker_threads').parentPort.postMessage(server.address().port))`

const PINGS = `
  const { parentPort, workerData } = require('node:worker_threads')
  let stopped = false
  parentPort.once('message', () => { stopped = true })
  const ping = async (url) => {
    const from = performance.now()
    await (await fetch(url)).text()
    return performance.now() - from
  }
  async function pingAll(url) {
    let longest = 0
    while (!stopped) {
      longest = Math.max(longest, await ping(url))
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    return longest
  }
  ;(async () => {
    await Promise.all(Object.values(workerData).map(ping))
    parentPort.postMessage('started')
    const [service, idle] = await Promise.all([workerData.service, workerData.idle].map(pingAll))
    parentPort.postMessage({ service, idle })
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

const ATTACHED: [string, () => string, RegExp] = [
  'an attachment of 18 MB',
  () =>
    `${MULTIPART}--b\r\nContent-Type: text/plain\r\n\r\nHi\r\n--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${repeat(`${'QUJD'.repeat(19)}\r\n`, 18_000_000)}--b--\r\n`,
  /^250/,
]

it.each([...MESSAGES, ATTACHED])(
  'received email with %s does not block the service',
  { timeout: 120_000 },
  async (_name, raw, reply) => {
    const message = raw()
    let response = ''
    await expectNotBlocked(async () => {
      response = await deliver(inboundPort, message)
    })
    expect(response).toMatch(reply)
  },
)

it.each(MESSAGES.slice(1))(
  'submitted email with %s does not block the service',
  { timeout: 120_000 },
  async (_name, raw) => {
    const message = raw()
    let response = ''
    await expectNotBlocked(async () => {
      response = await deliver(submissionPort, message, true)
    })
    expect(response).toMatch(/^\d{3}/)
  },
)

it('a template of 780 KB does not block the service when it is previewed', { timeout: 120_000 }, async () => {
  const body = `{% liquid\n${repeat('echo a\n', 130_000)}%}<!--${repeat('x', 600_000)}-->`
  await expectNotBlocked(async () => {
    const reply = await call(service, 'POST', '/templates/preview', { key, body: { subject: 'Hi', body } })
    expect([200, 422]).toContain(reply.status)
  })
})

it('/metrics reports how long the event loop was blocked', async () => {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text()
  expect(text).toMatch(/^posthorn_event_loop_delay_seconds\{quantile="1"[^}]*\} [\d.e-]+$/m)
})
