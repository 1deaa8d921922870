/**
 * Several workers on a separate PostgreSQL server, and what happens to a campaign when a process is killed while it is
 * sent. Every worker has its own mail server, so that the sender of each message is known. All processes are real.
 */
import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.ts'
import { listProcesses, postgresProcesses } from '../processes.ts'
import { call, eventually, type ServiceProcess, startService } from '../service-process.ts'
import { type MailSink, openMailSink } from './mail-sink.ts'

const RECIPIENTS = 400
const INTERRUPT_AT = 60
/** Half of a lease, which nothing may have to wait for. It takes a few seconds, on a busy machine longer. */
const RECOVERS_WITHIN_MS = 30_000
const MANY_WORKERS = 8
const BURST = 200

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-several-'))
const serverDir = path.join(home, 'server')
let postgres: EmbeddedPostgres
let api: ServiceProcess
const sinks: MailSink[] = []
let workers: ServiceProcess[] = []
let key: string
let total: number

const start = (env: Record<string, string>) =>
  startService({
    DATA_DIR: path.join(home, 'data'),
    DATABASE_URL: postgres.url,
    PORT: '0',
    RATE_LIMIT_PER_MINUTE: '0',
    ...env,
  })

const request = async (method: string, url: string, body?: unknown) => call(api, method, url, { key, body })

async function query<Row extends pg.QueryResultRow>(statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: postgres.url, application_name: 'test' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

beforeAll(async () => {
  postgres = await startEmbeddedPostgres({ dataDir: serverDir })
  api = await start({ ROLE: 'api' })
  key = JSON.parse(fs.readFileSync(path.join(home, 'data/first-run.json'), 'utf8')).secretKey
  const create = (i: number) => request('POST', '/contacts', { email: `reader-${i}@example.org`, subscribed: true })
  for (let i = 0; i < RECIPIENTS; i += 50) {
    const replies = await Promise.all(Array.from({ length: 50 }, (_, j) => create(i + j)))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 201))
  }
  total = (await request('GET', '/contacts')).body.total
})

/** Two workers that run, those of the test before if possible. */
beforeEach(async () => {
  for (let i = 0; i < 2; i++) {
    sinks[i] ??= await openMailSink()
    sinks[i]!.forget()
  }
  const startAt = (sink: MailSink) => start({ ROLE: 'worker', MAIL_URL: sink.url })
  workers = await Promise.all(sinks.map((sink, i) => (workers[i]?.isRunning() ? workers[i]! : startAt(sink))))
})

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.isRunning() && worker.stop()))
  for (const sink of sinks) sink.close()
  if (api?.isRunning()) await api.stop()
  await postgres?.stop()
  fs.rmSync(home, { recursive: true, force: true })
})

async function startCampaign(): Promise<string> {
  const news = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', from: 'us@example.com', audienceType: 'ALL' }
  const { id } = (await request('POST', '/campaigns', news)).body
  expect((await request('POST', `/campaigns/${id}/send`)).status).toBe(200)
  return id
}

/** Resolves in the middle of the campaign. One worker may send all of it, depending on which one is first. */
async function sendCampaign(): Promise<string> {
  const id = await startCampaign()
  await Promise.race(sinks.map((sink) => sink.untilAccepted(INTERRUPT_AT)))
  return id
}

const statusesOf = (campaignId: string) =>
  query<{ id: string; status: string }>(`select id, status from emails where campaign_id = '${campaignId}'`)

const isSent = async (campaignId: string) => {
  const rows = await statusesOf(campaignId)
  return rows.length === total && rows.every(({ status }) => status === 'SENT' || status === 'DELIVERED')
}

/** Message-ID → how often it was accepted, by any of the mail servers. */
function acceptedByAny(): Map<string, number> {
  const all = new Map<string, number>()
  for (const { accepted } of sinks) for (const [id, times] of accepted) all.set(id, (all.get(id) ?? 0) + times)
  return all
}

async function expectSentOnce(campaignId: string): Promise<void> {
  await eventually('every email is sent and recorded', 120_000, () => isSent(campaignId))
  expect([...acceptedByAny()].filter(([, times]) => times !== 1)).toEqual([])
  expect(acceptedByAny().size).toBe(total)
}

/** Undefined while no server runs. */
function serverPid(): number | undefined {
  const file = path.join(serverDir, 'postgres/postmaster.pid')
  return fs.existsSync(file) ? Number(fs.readFileSync(file, 'utf8').split('\n')[0]) : undefined
}

async function untilServing(): Promise<void> {
  await eventually('PostgreSQL serves again', 120_000, () => query('select').then(Boolean, () => false))
}

/** Nothing is claimed by a process that no longer sends it. */
async function expectNothingStuck(campaignId: string): Promise<void> {
  const sending = async () => (await statusesOf(campaignId)).filter(({ status }) => status === 'SENDING')
  const first = new Set((await sending()).map(({ id }) => id))
  await eventually('nothing is claimed for longer', RECOVERS_WITHIN_MS, async () => {
    return !(await sending()).some(({ id }) => first.has(id))
  })
}

it('a campaign is sent exactly once when the PostgreSQL server restarts', async () => {
  const campaignId = await sendCampaign()
  const before = serverPid()!
  process.kill(before, 'SIGQUIT') // an immediate shutdown; the next start recovers
  await eventually(
    'another server runs',
    120_000,
    () => postgresProcesses(serverDir).length > 0 && ![before, undefined].includes(serverPid()),
  )
  await untilServing()
  await expectNothingStuck(campaignId)
  await expectSentOnce(campaignId)
})

it('a campaign is sent exactly once when one session of PostgreSQL crashes and ends all others', async () => {
  const campaignId = await sendCampaign()
  const server = serverPid()
  const sessions = () =>
    listProcesses().filter(({ ppid, command }) => ppid === server && /posthorn posthorn .*127\.0\.0\.1/.test(command))
  const before = sessions().map(({ pid }) => pid)
  process.kill(before[0]!, 'SIGKILL')
  await eventually('the other sessions end', 120_000, async () => !sessions().some(({ pid }) => before.includes(pid)))
  await untilServing()
  const [row] = await query<{ running: boolean }>('select posthorn_queue.is_running(1) as running')
  expect(row!.running, 'whether processes count as running until they had time to reconnect').toBe(true)
  await expectNothingStuck(campaignId)
  await expectSentOnce(campaignId)
  expect(serverPid()).toBe(server)
})

it('after a worker is killed, at most as many emails are sent twice as it had open SMTP transactions, and nothing stays claimed until its lease expires', async () => {
  const campaignId = await sendCampaign()
  const sender = sinks.findIndex(({ accepted }) => accepted.size >= INTERRUPT_AT)
  const [killed, running] = [sinks[sender]!, sinks[1 - sender]!]
  const open = killed.connections()
  await workers[sender]!.kill()
  const killedAt = performance.now()
  const claimed = new Set(
    (await statusesOf(campaignId)).filter(({ status }) => status === 'SENDING').map(({ id }) => id),
  )
  const byKilled = new Set(killed.accepted.keys())
  const ofKilled = await query<{ id: string }>(
    `select id from emails where campaign_id = '${campaignId}' and status = 'SENDING'
      and not posthorn_queue.holds_lock(lease_holder)`,
  )
  await eventually(
    'nothing of the killed worker is claimed',
    RECOVERS_WITHIN_MS - (performance.now() - killedAt),
    async () => {
      const rows = await statusesOf(campaignId)
      return !rows.some(({ id, status }) => status === 'SENDING' && ofKilled.some((email) => email.id === id))
    },
  )
  await eventually('every email is sent and recorded', 120_000, () => isSent(campaignId))
  const copies = [...acceptedByAny()].filter(([, times]) => times !== 1)
  expect(copies.length).toBeLessThanOrEqual(open)
  expect(acceptedByAny().size).toBe(total)
  for (const [messageId, times] of copies) {
    expect(times).toBe(2)
    expect(byKilled.has(messageId) && running.accepted.has(messageId), 'whether both workers sent it').toBe(true)
    expect(claimed.has(messageId.split('@')[0]!), 'whether it had not been recorded').toBe(true)
  }
})

it('eight workers that start at once during a campaign and a burst of requests send each email exactly once', async () => {
  const campaignId = await startCampaign()
  const more = await Promise.all(Array.from({ length: MANY_WORKERS - sinks.length }, () => openMailSink()))
  const starting = Promise.all(more.map(({ url }) => start({ ROLE: 'worker', MAIL_URL: url })))
  sinks.push(...more)
  const email = (i: number) => ({
    to: `burst-${i}@example.org`,
    from: 'us@example.com',
    subject: 'Hi',
    body: '<p>Hi</p>',
  })
  const burst = (from: number) =>
    Promise.all(Array.from({ length: BURST }, (_, i) => request('POST', '/v1/send', email(from + i))))
  const replies = await burst(0)
  workers.push(...(await starting))
  replies.push(...(await burst(BURST)))
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  await eventually('every email of the campaign is sent and recorded', 120_000, () => isSent(campaignId))
  await eventually('every other email is sent and recorded', 120_000, async () => {
    const left = await query("select from emails where status::text in ('PENDING', 'SENDING')")
    return left.length === 0
  })
  expect([...acceptedByAny()].filter(([, times]) => times !== 1)).toEqual([])
  expect(acceptedByAny().size).toBe(total + replies.length)
})
