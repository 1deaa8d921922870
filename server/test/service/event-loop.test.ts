/**
 * No input of an attacker or a customer may block the service for others. The worst input of each kind is sent to a
 * real service, which measures the longest turn of its event loop.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../platform/database/embedded/postmaster.ts'
import { startDnsServer } from '../dns-server.ts'
import { startMigratedService } from '../migrated-service.ts'
import { call, eventually, type ServiceProcess } from '../service-process.ts'

/** Processor time of one turn. */
const TURN_MS_MAX = 50
/** What blocks the service does so every time; a garbage collection at the wrong moment doesn't. */
const ATTEMPTS = 4
const MEASURING = fileURLToPath(new URL('../fixtures/longest-turn.cjs', import.meta.url))

/** A processor that is slow at everything, or shared with others just now, may take longer. */
const isAllowed = (turnMs: number): boolean => turnMs <= TURN_MS_MAX || turnMs <= 5 * referenceMs()

/** What the processor takes now to parse a megabyte of JSON, at best. */
function referenceMs(): number {
  const rows = Array.from({ length: 20_000 }, (_, i) => ({ id: i, name: `name ${i}`, values: [i, i + 1] }))
  const text = JSON.stringify(rows)
  const once = () => {
    const before = process.cpuUsage()
    JSON.parse(text)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  }
  return Math.min(...Array.from({ length: 10 }, once))
}

let folder: string
let turns: string
let service: ServiceProcess
let dns: Awaited<ReturnType<typeof startDnsServer>>
let key: string
let inboundPort: number
let submissionPort: number

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-event-loop-'))
  turns = path.join(folder, 'turns')
  await mkdir(turns)
  dns = await startDnsServer()
  inboundPort = await freePort()
  submissionPort = await freePort()
  const dataDir = path.join(folder, 'data')
  service = await startMigratedService({
    DATA_DIR: dataDir,
    PORT: '0',
    INBOUND_SMTP_PORT: String(inboundPort),
    SUBMISSION_SMTP_PORT: String(submissionPort),
    DNS_SERVERS: dns.address,
    RATE_LIMIT_PER_MINUTE: '0',
    NODE_OPTIONS: `--require ${MEASURING}`,
    TURNS_DIR: turns,
  })
  key = JSON.parse(await readFile(path.join(dataDir, 'first-run.json'), 'utf8')).secretKey
})

afterAll(async () => {
  await service?.stop()
  await dns?.close()
  await rm(folder, { recursive: true, force: true })
})

/** Reads the longest turn since the last time, in milliseconds of processor time. */
async function longestTurn(): Promise<number> {
  const file = path.join(turns, String(service.pid))
  await rm(file, { force: true })
  process.kill(service.pid, 'SIGUSR2')
  return Number(await eventually('the longest turn is written', 120_000, () => readFile(file, 'utf8').catch(() => '')))
}

async function expectNotBlocked(work: () => Promise<unknown>): Promise<void> {
  const longest: number[] = []
  let isFine = false
  do {
    await longestTurn()
    await work()
    longest.push(Math.round(await longestTurn()))
    isFine = isAllowed(longest.at(-1)!)
  } while (!isFine && longest.length < ATTEMPTS)
  if (process.env.TEST_LOG) console.log('longest turn in ms', longest)
  expect(isFine, `longest turns in ms: ${longest}`).toBe(true)
}

const HEAD = 'From: hello@example.com\r\nSubject: Hi\r\n'
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
  const envelope = { from: 'hello@example.com', to: ['hello@example.com'] }
  return client.sendMail({ envelope, raw: Buffer.from(raw) }).then(
    ({ response }) => response,
    (error: { response?: string }) => error.response ?? String(error),
  )
}

const attached = (bytes: number) =>
  `${MULTIPART}--b\r\nContent-Type: text/plain\r\n\r\nHi\r\n--b\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${repeat(`${'QUJD'.repeat(19)}\r\n`, bytes)}--b--\r\n`

type Case = [name: string, raw: () => string, reply: RegExp]

/** Parsing is stopped after some seconds, which the longest of these need on a busy machine. */
const STORED = /^250|Parsing it takes too long/

const BOTH: Case[] = [
  [
    '200,000 MIME parts',
    () => `${MULTIPART}${repeat('--b\r\n\r\nx\r\n', 2_200_000)}--b--\r\n`,
    /more than 1000 MIME parts/,
  ],
  ['2 MB of headers', () => `${HEAD}${repeat('X-Header: value\r\n', 2_000_000)}\r\nHi\r\n`, /header size/],
  ['250 KB of headers', () => `${HEAD}${repeat('X-Header: value\r\n', 250_000)}\r\nHi\r\n`, /^250/],
  [
    'a To header of 240 KB',
    () => `${HEAD}To: ${repeat('a@example.org,\r\n ', 240_000)}b@example.org\r\n\r\nHi\r\n`,
    /^250/,
  ],
  ['a To header of 1.9 MB', () => `${HEAD}To: ${repeat('<', 1_900_000)}\r\n\r\nHi\r\n`, /header size/],
  ['4 MB of quotation marks', () => `${HEAD}\r\n${repeat(`${'"'.repeat(76)}\r\n`, 4_000_000)}`, /^250|552|too long/],
]

const RECEIVED: Case[] = [
  [
    '20 MB of HTML without a text part',
    () => `${HEAD}Content-Type: text/html\r\n\r\n${repeat('<p>one <b>two</b> three\r\n', 20_000_000)}`,
    STORED,
  ],
  ['an attachment of 18 MB', () => attached(18_000_000), STORED],
]

const SUBMITTED: Case[] = [
  [
    '4 MB of HTML',
    () => `${HEAD}Content-Type: text/html\r\n\r\n${repeat('<p class="a">one</p>\r\n', 4_000_000)}`,
    STORED,
  ],
  ['an attachment of 12 MB', () => attached(12_000_000), STORED],
]

const address = { from: 'hello@example.com', subject: 'Hi' }
const file = {
  filename: 'a.pdf',
  contentType: 'application/pdf',
  content: Buffer.alloc(6_500_000, 7).toString('base64'),
}
const numbered = (count: number, key: (i: number) => string) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [key(i), i]))

type Call = [name: string, path: string, body: () => string, statuses: number[]]

const CALLS: Call[] = [
  ['a template of 780 KB', '/templates/preview', () => templateOf(130_000, 600_000), [200, 422]],
  ['a template with 200,000 outputs', '/templates/preview', () => templateOf(10, 10, '{{a}}'.repeat(190_000)), [422]],
  [
    'an attachment of 9 MB',
    '/v1/send',
    () => JSON.stringify({ ...address, to: 'a@example.org', body: 'Hi', attachments: [file] }),
    [200],
  ],
  [
    '1,000 recipients',
    '/v1/send',
    () => JSON.stringify({ ...address, to: Array.from({ length: 1000 }, (_, i) => `a${i}@example.org`), body: 'Hi' }),
    [200],
  ],
  [
    '40,000 recipients',
    '/v1/send',
    () => JSON.stringify({ ...address, to: Array.from({ length: 40_000 }, (_, i) => `a${i}@example.org`), body: 'Hi' }),
    [422],
  ],
  ['20 MB of escapes', '/v1/send', () => `{"to":"a@example.org","body":"${repeat('\\u0041', 20_000_000)}"}`, [422]],
  ['4 million brackets', '/v1/send', () => `{"data":${'['.repeat(4_000_000)}${']'.repeat(4_000_000)}}`, [413]],
  ['300,000 keys', '/v1/send', () => JSON.stringify({ data: numbered(300_000, (i) => `key${i}`) }), [413]],
  ['20,000 keys', '/v1/send', () => JSON.stringify({ data: numbered(20_000, (i) => `key${i}`) }), [422]],
  ['2 million quotation marks', '/templates/preview', () => JSON.stringify({ body: '"'.repeat(2_000_000) }), [422]],
  [
    '15,000 different objects',
    '/segments/preview',
    () => JSON.stringify({ condition: Array.from({ length: 15_000 }, (_, i) => ({ [`key${i}`]: i })) }),
    [422],
  ],
  [
    'a URL of 40,000 braces',
    '/templates/preview',
    () => previewOf({ type: 'button', label: 'Go', url: '{'.repeat(40_000) }),
    [422],
  ],
  ['290 URLs of 2,000 braces', '/templates/preview', () => previewOf(...linksTo('{'.repeat(2_000), 290)), [422]],
  [
    'nested blocks of unknown types',
    '/templates/preview',
    () => previewOf(...nested(3, nested(90, nested(90)))),
    [422],
  ],
  ['5 MB of text in blocks', '/templates/preview', () => previewOf(...texts('&'.repeat(20_000), 240)), [422]],
  ['490 KB of text in blocks', '/templates/preview', () => previewOf(...texts('&'.repeat(19_900), 24)), [422]],
  ['490 KB of HTML in blocks', '/layouts', () => layoutOf(...htmls('<a href=x>'.repeat(9_900), 4)), [201]],
]

const texts = (text: string, count: number) =>
  Array.from({ length: count }, () => ({
    type: 'text',
    content: [{ type: 'paragraph', content: [{ type: 'text', text }] }],
  }))
const htmls = (code: string, count: number) => Array.from({ length: count }, () => ({ type: 'html', code }))
const withIds = (blocks: object[]) => blocks.map((block, i) => ({ id: `b${i}`, ...block }))
const layoutOf = (...blocks: object[]) => JSON.stringify({ name: 'Long', header: withIds(blocks), footer: [] })
const previewOf = (...blocks: object[]) =>
  JSON.stringify({ subject: 'Hi', document: { version: 1, blocks: withIds(blocks) } })
const linksTo = (url: string, count: number) =>
  Array.from({ length: count }, () => ({ type: 'image', src: url, alt: '' }))
const nested = (count: number, blocks?: object[]) => Array.from({ length: count }, () => ({ blocks }))

const templateOf = (liquid: number, html: number, more = '') =>
  JSON.stringify({
    subject: 'Hi',
    body: `{% liquid\n${repeat('echo a\n', liquid)}%}${more}<!--${repeat('x', html)}-->`,
  })

describe.skipIf(!existsSync('/proc/self/schedstat'))('the event loop is not blocked', () => {
  it.each([...RECEIVED, ...BOTH])('by received email with %s', async (_name, raw, reply) => {
    const message = raw()
    await expectNotBlocked(async () => expect(await deliver(inboundPort, message)).toMatch(reply))
  })

  it.each([...SUBMITTED, ...BOTH])('by submitted email with %s', async (_name, raw, reply) => {
    const message = raw()
    await expectNotBlocked(async () => expect(await deliver(submissionPort, message, true)).toMatch(reply))
  })

  it.each([
    ['', 1_000],
    ['/raw', 10_000_000],
    ['/attachments/0', 8_000_000],
  ])('by GET /emails/{id}%s of the emails above', async (rest, leastBytes) => {
    const headers = { authorization: `Bearer ${key}` }
    const { data } = (await call(service, 'GET', '/emails?limit=20', { key })).body
    const sizes: number[] = []
    for (const { id } of data) {
      await expectNotBlocked(async () => {
        const reply = await fetch(`${service.baseUrl}/emails/${id}${rest}`, { headers })
        sizes.push((await reply.arrayBuffer()).byteLength)
      })
    }
    expect(Math.max(...sizes)).toBeGreaterThan(leastBytes)
  })

  it.each(CALLS)('by a request with %s', async (_name, url, body, statuses) => {
    const text = body()
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    await expectNotBlocked(async () => {
      const reply = await fetch(service.baseUrl + url, { method: 'POST', headers, body: text })
      expect(statuses, await reply.text()).toContain(reply.status)
    })
  })
})

it('/metrics reports how long the event loop was blocked', async () => {
  const text = await (await fetch(`${service.baseUrl}/metrics`)).text()
  expect(text).toMatch(/^posthorn_event_loop_delay_seconds\{quantile="1"[^}]*\} [\d.e-]+$/m)
})
