/**
 * Workers, the API and PostgreSQL are killed at random moments while campaigns, an experiment, single emails, an import
 * and workflows are in progress. Afterwards every accepted request has taken effect, and at most the documented number of emails was
 * received twice. All processes are real. `npm run soak` kills a hundred times.
 */
import fs from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../platform/database/embedded/embedded-postgres.ts'
import { type MailSink, openMailSink } from '../delivery/mail-sink.ts'
import { seededRandom } from '../seeded-random.ts'
import { call, eventually, type Reply, type ServiceProcess, startService } from '../service-process.ts'

const KILLS = Number(process.env.SOAK_KILLS ?? 5)
const SEED = Number(process.env.SOAK_SEED ?? 1)
const IS_LONG = KILLS > 50
const READERS = IS_LONG ? 400 : 300
const IMPORTED = IS_LONG ? 3_000 : 1_500
const SEND_EVERY_MS = IS_LONG ? 20 : 50
const SENDERS = 3
const TRACKERS = 2
const GIVE_UP_MS = 60_000
/** In a long run, the wait is long enough to depend on the periodic job that ends waits. */
const DELAY_MINUTES = IS_LONG ? 2 : 0.05
const FINISHES_WITHIN_MS = 90_000 + DELAY_MINUTES * 60_000
const WINNER = 'What is new'
/** The connections of each worker to the mail server. */
const CONNECTIONS_MAX = 10

const home = fs.mkdtempSync(path.join(tmpdir(), 'posthorn-crashes-'))
const serverDir = path.join(home, 'server')
const random = seededRandom(SEED)
const webhooks = new Map<string, number>()
const receiver = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', () => {
    const address = /visitor-\d+-\d+@example\.org/.exec(text)?.[0] ?? 'none'
    webhooks.set(address, (webhooks.get(address) ?? 0) + 1)
    response.end('ok')
  })
})

let postgres: EmbeddedPostgres
let sink: MailSink
let key: string
let publicKey: string
let apiPort: number
let isOver = false
const units = new Map<string, ServiceProcess>()

const settings = (name: string) => ({
  DATA_DIR: path.join(home, 'data'),
  DATABASE_URL: postgres.url,
  RATE_LIMIT_PER_MINUTE: '0',
  WEBHOOK_ALLOW_PRIVATE: 'true',
  ...(name === 'api'
    ? { ROLE: 'api', PORT: String(apiPort) }
    : { ROLE: 'worker', PORT: '0', MAIL_URL: `${sink.url}&pool=${CONNECTIONS_MAX}` }),
})

async function start(name: string): Promise<void> {
  units.set(name, await startService(settings(name)))
}

async function freePort(): Promise<number> {
  const server = createTcpServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  sink = await openMailSink()
  postgres = await startEmbeddedPostgres({ dataDir: serverDir })
  apiPort = await freePort()
  await start('api')
  const first = JSON.parse(fs.readFileSync(path.join(home, 'data/first-run.json'), 'utf8'))
  key = first.secretKey
  publicKey = first.publicKey
  const readers = Array.from({ length: READERS }, (_, i) => `reader-${i}@example.org`)
  for (let i = 0; i < READERS; i += 50) {
    await Promise.all(
      readers.slice(i, i + 50).map((email) => untilDone('POST', '/contacts', { email, subscribed: true })),
    )
  }
  await Promise.all(['worker 1', 'worker 2'].map(start))
})

afterAll(async () => {
  isOver = true
  await Promise.all([...units.values()].map((unit) => unit.isRunning() && unit.kill()))
  receiver.close()
  sink?.close()
  await postgres?.stop()
  fs.rmSync(home, { recursive: true, force: true })
})

/** Retries like a careful client: after a lost connection, a 5xx or a key that another request is using. */
async function untilDone(
  method: string,
  url: string,
  body?: unknown,
  { idempotencyKey, as = key }: { idempotencyKey?: string; as?: string } = {},
): Promise<Reply> {
  const headers: Record<string, string> = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {}
  const deadline = performance.now() + GIVE_UP_MS
  for (;;) {
    const reply = await call({ baseUrl: `http://127.0.0.1:${apiPort}` }, method, url, { key: as, body, headers }).catch(
      () => undefined,
    )
    if (reply && isFinal(reply)) return reply
    if (performance.now() > deadline)
      throw new Error(`${method} ${url} did not succeed: ${reply?.status} ${JSON.stringify(reply?.body)}`)
    await sleep(50)
  }
}

function isFinal({ status, body }: Reply): boolean {
  if (status === 409 && body.error?.code === 'IDEMPOTENCY_KEY_REUSED')
    return body.error.details.originalStatusCode === 200
  return status < 500 && status !== 429
}

const succeeded = ({ status }: Reply) => (status >= 200 && status < 300) || status === 409

async function query<Row extends pg.QueryResultRow>(statement: string, values: unknown[] = []): Promise<Row[]> {
  const client = new pg.Client({ connectionString: postgres.url, application_name: 'test' })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<Row>(statement, values)).rows
  } finally {
    await client.end().catch(() => undefined)
  }
}

const count = async (statement: string, values: unknown[] = []): Promise<number> =>
  Number((await query<{ count: string }>(statement, values))[0]!.count)

/** Kills one process and starts it again. Returns how many SMTP transactions could have been interrupted. */
async function killOne(): Promise<number> {
  const name = ['worker 1', 'worker 2', 'worker 1', 'worker 2', 'api', 'postgres'][Math.floor(random() * 6)]!
  if (name === 'postgres') {
    const pid = Number(fs.readFileSync(path.join(serverDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(pid, random() < 0.5 ? 'SIGQUIT' : 'SIGKILL')
    await eventually('PostgreSQL serves again', 120_000, () => query('select').then(Boolean, () => false))
    return 0
  }
  await units.get(name)!.kill()
  await start(name)
  return name === 'api' ? 0 : CONNECTIONS_MAX
}

it(
  `nothing is lost when processes are killed ${KILLS} times while everything is in progress`,
  async () => {
    const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    const workflow = (await untilDone('POST', '/workflows', { name: 'Visit', eventName: 'visit', allowReentry: true }))
      .body
    await untilDone('POST', `/workflows/${workflow.id}/steps`, {
      type: 'WEBHOOK',
      config: { url: hook, body: { email: '{{email}}' } },
    })
    expect((await untilDone('PATCH', `/workflows/${workflow.id}`, { enabled: true })).status).toBe(200)
    const template = { name: 'Later', subject: 'Welcome', body: '<p>Hi</p>', from: 'us@example.com' }
    const { id: templateId } = (await untilDone('POST', '/templates', { ...template, type: 'TRANSACTIONAL' })).body
    const delayed = (await untilDone('POST', '/workflows', { name: 'Later', eventName: 'visit', allowReentry: true }))
      .body
    const steps = [
      { type: 'DELAY', config: { amount: DELAY_MINUTES, unit: 'minutes' } },
      { type: 'SEND_EMAIL', config: { templateId } },
    ]
    const ids: string[] = []
    for (const step of steps) ids.push((await untilDone('POST', `/workflows/${delayed.id}/steps`, step)).body.id)
    const transition = { fromStepId: ids[0], toStepId: ids[1] }
    expect((await untilDone('POST', `/workflows/${delayed.id}/transitions`, transition)).status).toBe(201)
    expect((await untilDone('PATCH', `/workflows/${delayed.id}`, { enabled: true })).status).toBe(200)
    const news = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', from: 'us@example.com', audienceType: 'ALL' }
    const campaign = (await untilDone('POST', '/campaigns', news)).body
    const tested = (await untilDone('POST', '/campaigns', { ...news, name: 'Which subject' })).body
    const variants = [{ name: 'A' }, { name: 'B', subject: WINNER }]
    const experiment = { variants, share: 50, metric: 'opens', waitMinutes: 15, winner: 'manual' }
    expect(succeeded(await untilDone('PUT', `/campaigns/${tested.id}/experiment`, experiment))).toBe(true)
    const audience = await count('select count(*) from contacts where subscribed')
    for (const { id } of [campaign, tested])
      expect(succeeded(await untilDone('POST', `/campaigns/${id}/send`))).toBe(true)

    const sent: string[] = []
    const visited: string[] = []
    const letters = Array.from({ length: SENDERS }, async (_, sender) => {
      for (let i = 0; !isOver; i++) {
        const to = `customer-${sender}-${i}@example.org`
        const email = { to, from: 'us@example.com', subject: 'Receipt', body: '<p>Thanks</p>' }
        if (succeeded(await untilDone('POST', '/v1/send', email, { idempotencyKey: to }))) sent.push(to)
        await sleep(SEND_EVERY_MS)
      }
    })
    const visits = Array.from({ length: TRACKERS }, async (_, tracker) => {
      for (let i = 0; !isOver; i++) {
        const email = `visitor-${tracker}-${i}@example.org`
        const options = { idempotencyKey: email, as: publicKey }
        if (succeeded(await untilDone('POST', '/v1/track', { email, event: 'visit' }, options))) visited.push(email)
        await sleep(100)
      }
    })
    const rows = Array.from({ length: IMPORTED }, (_, i) => `imported-${i}@example.org,Name ${i}`)
    const job = uploadUntilAccepted(['email,name', ...rows].join('\n'))

    let interrupted = 0
    let decided: Promise<Reply> | undefined
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(200 + random() * 1_000)
      if (kill === Math.floor(KILLS / 2))
        decided = untilDone('POST', `/campaigns/${tested.id}/experiment/winner`, { variant: 'B' })
      interrupted += await killOne()
    }
    expect(succeeded((await decided)!)).toBe(true)
    isOver = true
    await Promise.all([...letters, ...visits])
    const jobId = await job

    await eventually('nothing is waiting or being sent', FINISHES_WITHIN_MS, async () => {
      return (await count("select count(*) from emails where status::text in ('PENDING', 'SENDING')")) === 0
    })
    for (const { id, name } of [campaign, tested]) {
      await eventually(`the campaign "${name}" is sent`, FINISHES_WITHIN_MS, async () => {
        return (await untilDone('GET', `/campaigns/${id}`)).body.status === 'SENT'
      })
    }
    await eventually('the import is done', FINISHES_WITHIN_MS, async () => {
      return (await untilDone('GET', `/contacts/import/${jobId}`)).body.status === 'COMPLETED'
    })
    await eventually('every execution is done', FINISHES_WITHIN_MS, async () => {
      return (
        (await count("select count(*) from workflow_executions where status in ('COMPLETED', 'FAILED')")) ===
        2 * visited.length
      )
    })
    await eventually('the delayed emails are sent', FINISHES_WITHIN_MS, async () => {
      return (await count("select count(*) from emails where status::text in ('PENDING', 'SENDING')")) === 0
    })

    const emails = await query<{ id: string; to_email: string; status: string }>(
      'select id, to_email, status from emails',
    )
    const timesSent = new Map([...sink.accepted].map(([messageId, times]) => [messageId.split('@')[0]!, times]))
    expect(
      emails.filter(({ id }) => !timesSent.has(id)),
      'emails that never arrived',
    ).toEqual([])
    expect(
      emails.filter(({ status }) => !['SENT', 'DELIVERED'].includes(status)),
      'emails without an outcome',
    ).toEqual([])
    const copies = [...timesSent.values()].reduce((sum, times) => sum + times - 1, 0)
    expect(copies, 'emails that arrived twice').toBeLessThanOrEqual(interrupted)

    expect(
      emails
        .filter(({ to_email }) => to_email.startsWith('customer-'))
        .map(({ to_email }) => to_email)
        .sort(),
    ).toEqual([...sent].sort())
    for (const { id } of [campaign, tested]) {
      const sentTo = await query<{ to_email: string; subject: string }>(
        'select to_email, subject from emails where campaign_id = $1',
        [id],
      )
      expect(new Set(sentTo.map(({ to_email }) => to_email)).size).toBe(sentTo.length)
      expect(sentTo.length).toBeGreaterThanOrEqual(audience)
      const { sentCount, totalRecipients } = (await untilDone('GET', `/campaigns/${id}/stats`)).body
      expect([sentCount, totalRecipients]).toEqual([sentTo.length, sentTo.length])
      const inTestOfA = Math.ceil(Math.floor(sentTo.length / 2) / 2)
      const ofB = id === tested.id ? sentTo.length - inTestOfA : 0
      expect(sentTo.filter(({ subject }) => subject === WINNER)).toHaveLength(ofB)
    }

    expect(await count("select count(*) from contacts where email like 'imported-%'")).toBe(IMPORTED)
    // A request to another server is never repeated: if it was interrupted, the execution fails with that reason.
    const executions = await query<{ email: string; status: string; error: string | null }>(
      `select email, status, error from workflow_executions e
     join contacts c on c.project_id = e.project_id and c.id = e.contact_id where e.workflow_id = $1`,
      [workflow.id],
    )
    expect(executions.map(({ email }) => email).sort()).toEqual([...visited].sort())
    expect([...webhooks].filter(([, times]) => times > 1)).toEqual([])
    for (const { email, status, error } of executions) {
      if (status === 'COMPLETED') expect(webhooks.get(email), `webhooks for ${email}`).toBe(1)
      else expect(error).toMatch(/^The service stopped while the request was in progress/)
    }
    expect(await count("select count(*) from events where name = 'visit'")).toBe(visited.length)
    const later = await query<{ to_email: string }>(
      `select to_email from emails where workflow_execution_id in (
         select id from workflow_executions where workflow_id = $1 and status = 'COMPLETED')`,
      [delayed.id],
    )
    expect(later.map(({ to_email }) => to_email).sort(), 'contacts with a delayed email').toEqual([...visited].sort())
    console.log(
      `${KILLS} kills: ${emails.length} emails, ${copies} twice (at most ${interrupted}), ${visited.length} executions, ${webhooks.size} webhooks, seed ${SEED}`,
    )
  },
  300_000 + KILLS * 10_000,
)

async function uploadUntilAccepted(file: string): Promise<string> {
  const deadline = performance.now() + GIVE_UP_MS
  for (;;) {
    const form = new FormData()
    form.append('file', new Blob([file], { type: 'text/csv' }), 'contacts.csv')
    const headers = { authorization: `Bearer ${key}` }
    const url = `http://127.0.0.1:${apiPort}/contacts/import`
    const reply = await fetch(url, { method: 'POST', headers, body: form }).catch(() => undefined)
    if (reply?.status === 202) return ((await reply.json()) as { jobId: string }).jobId
    if (performance.now() > deadline) throw new Error(`The import was not accepted: ${reply?.status}`)
    await sleep(100)
  }
}
