/**
 * Transactional email during a campaign: it is sent first, with and without a sending rate, even if another worker
 * process sends the campaign. One API process, two worker processes and a mail server that records the order.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'
import { createTestDatabase } from '../test-databases.ts'

const CONTACTS = 800
const home = mkdtempSync(path.join(tmpdir(), 'posthorn-urgent-'))
let database: Awaited<ReturnType<typeof createTestDatabase>>
let sink: Server
let api: ServiceProcess
let workers: ServiceProcess[] = []
let cookie: string
let sender: Project
let other: Project
/** Recipients in the order in which the mail server received their messages. */
let arrivals: string[] = []
let responseMs = 0

interface Project {
  id: string
  key: string
  domain: string
}

async function query(statement: string, values: unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(statement, values)
  await client.end()
}

const start = (role: string, env: Record<string, string>) =>
  startService({
    DATA_DIR: path.join(home, 'data'),
    DATABASE_URL: database.url,
    PORT: '0',
    ROLE: role,
    RATE_LIMIT_PER_MINUTE: '0',
    ...env,
  })

beforeAll(async () => {
  sink = createServer(receive).listen(0, '127.0.0.1')
  await once(sink, 'listening')
  database = await createTestDatabase(inject('postgresUrl'))
  api = await start('api', {}) // captures email, so that domains are verified without DNS
  const [, email, password] = /dashboard account\s+(\S+)\s+\/\s+(\S+)/.exec(api.stdout())!
  const login = await call(api, 'POST', '/auth/login', { body: { email, password } })
  cookie = login.headers.get('set-cookie')!.split(';')[0]!
  sender = await createProject('sender.example')
  other = await createProject('other.example')
  await query(
    `insert into contacts (project_id, id, email, subscribed, subscribed_before, created_at, updated_at)
     select $1, gen_random_uuid(), 'reader-' || i || '@example.org', true, true, now(), now() from generate_series(1, $2::int) i`,
    [sender.id, CONTACTS],
  )
})

afterAll(async () => {
  await stopWorkers()
  if (api?.isRunning()) await api.stop()
  sink?.close()
  await database?.drop()
  rmSync(home, { recursive: true, force: true })
})

async function createProject(domain: string): Promise<Project> {
  const project = await createProjectWithoutDomain(domain)
  const { key } = project
  const { body: added } = await call(api, 'POST', '/domains', { key, body: { domain } })
  await call(api, 'GET', `/domains/${added.id}/verify`, { key })
  return project
}

async function createProjectWithoutDomain(domain: string): Promise<Project> {
  const created = await call(api, 'POST', '/users/@me/projects', { cookie, body: { name: domain } })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  return { id: created.body.id, key: created.body.secretKey, domain }
}

/** With a verified domain that has the key of another one, because generating twenty keys takes longer than the test. */
async function createSimilarProject(domain: string): Promise<Project> {
  const project = await createProjectWithoutDomain(domain)
  await query(
    `insert into domains
      select (jsonb_populate_record(one, jsonb_build_object('id', gen_random_uuid(), 'project_id', $2::text, 'domain', $3::text))).*
      from domains one where project_id = $1`,
    [sender.id, project.id, domain],
  )
  return project
}

function receive(socket: Socket): void {
  let text = ''
  let inMessage = false
  let to = ''
  const respond = (line: string) => socket.write(`${line}\r\n`)
  socket.setEncoding('latin1').on('error', () => socket.destroy())
  respond('220 sink.test ESMTP')
  socket.on('data', (chunk: string) => {
    text += chunk
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end)
      text = text.slice(end + 2)
      if (inMessage && line !== '.') continue
      if (inMessage) {
        inMessage = false
        arrivals.push(to)
        setTimeout(respond, responseMs, '250 accepted')
        continue
      }
      if (/^quit/i.test(line)) socket.end('221 bye\r\n')
      inMessage = /^data$/i.test(line)
      to = /^rcpt to:<([^>]+)>/i.exec(line)?.[1] ?? to
      respond(inMessage ? '354 continue' : '250 ok')
    }
  })
}

async function stopWorkers(): Promise<void> {
  await Promise.all(workers.map((worker) => worker.stop()))
  workers = []
}

/** Instead of those of the test before. */
async function startWorkers(options: string, env: Record<string, string> = {}): Promise<void> {
  await stopWorkers()
  const MAIL_URL = `smtp://127.0.0.1:${(sink.address() as AddressInfo).port}?tls=off${options}`
  workers = await Promise.all([1, 2].map(() => start('worker', { MAIL_URL, ...env })))
}

/** Starts a campaign and resolves when the mail server has received some of it; cancels it in the end. */
async function duringCampaign(before: number, check: () => Promise<void>): Promise<void> {
  arrivals = []
  const news = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', from: 'us@sender.example', audienceType: 'ALL' }
  const { key } = sender
  const { id } = (await call(api, 'POST', '/campaigns', { key, body: news })).body
  expect((await call(api, 'POST', `/campaigns/${id}/send`, { key })).status).toBe(200)
  await eventually('the campaign is being sent', 120_000, () => arrivals.length >= before)
  await check()
  await call(api, 'POST', `/campaigns/${id}/cancel`, { key })
}

/** Returns how many emails the mail server had received when the emails were accepted. */
async function sendTransactional({ key, domain }: Project, to: string | string[]): Promise<number> {
  const body = { to, from: `us@${domain}`, subject: 'Your code', body: '<p>1234</p>' }
  expect((await call(api, 'POST', '/v1/send', { key, body })).status).toBe(200)
  return arrivals.length
}

const arrived = (to: string) => eventually(`an email to ${to}`, 120_000, () => arrivals.indexOf(to) + 1)

it('a transactional email does not wait for campaign emails that a worker has already claimed', async () => {
  responseMs = 100
  await startWorkers('&pool=2') // so that at most 40 a second are sent
  await duringCampaign(60, async () => {
    for (const [i, project] of [other, sender, other].entries()) {
      const before = await sendTransactional(project, `urgent-${i}@example.org`)
      // At most a second of the campaign; a worker that ignores priorities would send the hundred emails that it has
      // claimed.
      expect((await arrived(`urgent-${i}@example.org`)) - before).toBeLessThan(40)
    }
  })
})

// With the same workers.
it('concurrent transactional emails of twenty projects do not wait for a campaign of another project', async () => {
  responseMs = 100
  const projects: Project[] = []
  for (let i = 0; i < 20; i++) projects.push(await createSimilarProject(`other-${i}.example`))
  await duringCampaign(60, async () => {
    const send = (project: Project, i: number) => sendTransactional(project, `twenty-${i}@example.org`)
    const before = Math.min(...(await Promise.all(projects.map(send))))
    const places = await Promise.all(projects.map((_, i) => arrived(`twenty-${i}@example.org`)))
    const ofCampaign = arrivals.slice(before, Math.max(...places)).filter((to) => to.startsWith('reader-'))
    // At most a second of the campaign for all of them together, however slow the machine is.
    expect(ofCampaign.length).toBeLessThan(40)
  })
})

it('under a sending rate, transactional email gets the next slots, and another project does not wait for them', async () => {
  responseMs = 0
  await startWorkers('', { SEND_RATE_PER_SECOND: '2' })
  await duringCampaign(4, async () => {
    const startedAt = Date.now()
    const codes = [1, 2, 3, 4, 5, 6].map((n) => `code-${n}@example.org`)
    // In one request: between several, the campaign would get slots if the machine is slow.
    const [before] = await Promise.all([
      sendTransactional(sender, codes),
      sendTransactional(other, ['other@example.org']),
    ])
    await Promise.all(codes.map(arrived))
    const seconds = (Date.now() - startedAt) / 1000

    const after = arrivals.slice(before).filter((to) => to !== 'other@example.org')
    const first = after.findIndex((to) => codes.includes(to))
    // The campaign may have used some slots while the jobs were being claimed, but hundreds of its emails are waiting.
    expect(first).toBeLessThanOrEqual(6)
    const order = after.filter((to) => codes.includes(to))
    const ofCampaign = after.slice(first, after.lastIndexOf(order.at(-1)!)).filter((to) => !codes.includes(to))
    expect(ofCampaign.length).toBeLessThan(2)
    // Not in which order they arrive: a worker can be slow to send what it has got a slot for. `throttle.test.ts` has it.
    expect(arrivals.slice(0, arrivals.indexOf(order.at(-1)!))).toContain('other@example.org')
    expect(after.length).toBeLessThanOrEqual(2 * seconds + 3)
  })
  const sent = arrivals.length
  await eventually('the rest of the campaign is cancelled', 120_000, async () => {
    const { total } = (await call(api, 'GET', '/emails?status=PENDING', { key: sender.key })).body
    return total === 0
  })
  expect(arrivals.length - sent).toBeLessThan(10)
})

it('a transactional email does not wait for the thousands of emails that another project has sent at once', async () => {
  responseMs = 100
  arrivals = []
  const to = Array.from({ length: 1_000 }, (_, i) => `many-${i}@example.org`)
  const body = { to, from: 'us@sender.example', subject: 'News', body: '<p>Hi</p>' }
  expect((await call(api, 'POST', '/v1/send', { key: sender.key, body })).status).toBe(200)
  await startWorkers('&pool=2')
  await eventually('they are being sent', 120_000, () => arrivals.length >= 40)
  const before = await sendTransactional(other, 'reset@example.org')
  expect((await arrived('reset@example.org')) - before).toBeLessThan(40)
})
