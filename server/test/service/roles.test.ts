/**
 * Two API processes and two workers on one database: they start together, share limits, deliver each email once and
 * recover.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { missingSeries } from '../ops-series.ts'
import { type OutboxView, openOutboxView } from '../outbox/outbox-view.ts'
import { type S3Server, startS3Server } from '../s3-server.ts'
import { call, eventually, type Reply, type ServiceProcess, startService } from '../service-process.ts'
import { dropDatabase } from '../test-databases.ts'
import { png } from '../uploads/images.ts'

const RATE_LIMIT = 50
const METRICS_TOKEN = 'a-token-for-scraping'
const home = mkdtempSync(path.join(tmpdir(), 'posthorn-roles-'))
const databaseName = `roles_${randomBytes(6).toString('hex')}`
const databaseUrl = inject('postgresUrl').replace(/\/[^/]*$/, `/${databaseName}`)
let apis: ServiceProcess[]
let workers: ServiceProcess[]
let outbox: OutboxView
let s3: S3Server
let uploadsUrl: string
let owner: { email: string; password: string }
let ownerCookie: string

async function onServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** The name of a process's database sessions identifies it. */
const start = (role: string, name: string, env: Record<string, string> = {}) =>
  startService({
    DATA_DIR: path.join(home, 'data'),
    UPLOADS_URL: uploadsUrl,
    DATABASE_URL: `${databaseUrl}?application_name=${name}`,
    PORT: '0',
    ROLE: role,
    WORKER_PORT: '0',
    METRICS_TOKEN,
    RATE_LIMIT_PER_MINUTE: String(RATE_LIMIT),
    ...env,
  })

beforeAll(async () => {
  s3 = await startS3Server('images')
  uploadsUrl = s3.urlOf('')
  await onServer(`create database ${databaseName}`) // empty: all four find that nothing has been set up
  const started = await Promise.all([
    start('api', 'api-1'),
    start('api', 'api-2'),
    start('worker', 'worker-1'),
    start('worker', 'worker-2', { WORKER_PORT: String(s3.port) }),
  ])
  apis = started.slice(0, 2)
  workers = started.slice(2)
  outbox = await openOutboxView(databaseUrl)

  owner = JSON.parse(readFileSync(path.join(home, 'data/first-run.json'), 'utf8'))
  const { email, password } = owner
  const login = await call(apis[0]!, 'POST', '/auth/login', { body: { email, password } })
  ownerCookie = login.headers.get('set-cookie')!.split(';')[0]!
})

afterAll(async () => {
  await Promise.all([...(apis ?? []), ...(workers ?? [])].map((one) => one.isRunning() && one.stop()))
  await outbox?.close()
  s3?.close()
  await dropDatabase(inject('postgresUrl'), databaseName)
  rmSync(home, { recursive: true, force: true })
})

/** Every test has its own project, and with it an unused rate limit. */
async function createProject(): Promise<{ id: string; key: string }> {
  const cookie = ownerCookie
  const { body: project } = await call(apis[0]!, 'POST', '/users/@me/projects', { cookie, body: { name: 'Test' } })
  return { id: project.id, key: project.secretKey }
}

async function verifyDomain(key: string): Promise<void> {
  const { body: domain } = await call(apis[0]!, 'POST', '/domains', { key, body: { domain: 'example.com' } })
  await call(apis[0]!, 'GET', `/domains/${domain.id}/verify`, { key })
}

/** Sends through both servers in turn, with twenty recipients per request. Resolves to the IDs of the emails. */
async function sendThroughBoth(key: string, requests: number, name: string): Promise<string[]> {
  const replies = await Promise.all(
    Array.from({ length: requests }, (_, i) => {
      const to = Array.from({ length: 20 }, (_, j) => `${name}-${i}-${j}@example.org`)
      const body = { to, from: 'hello@example.com', subject: 'Hello', body: '<p>Hello</p>' }
      return call(apis[i % 2]!, 'POST', '/v1/send', { key, body })
    }),
  )
  expect(replies.map((reply) => reply.status)).toEqual(replies.map(() => 200))
  return replies.flatMap((reply) => reply.body.data.emails.map(({ email }: { email: string }) => email))
}

async function areDelivered(ids: string[]): Promise<boolean> {
  const statuses = await outbox.statuses()
  return ids.every((id) => statuses.get(id) === 'DELIVERED')
}

describe('four processes that start at once on an empty database', () => {
  it('all start, and one of them creates the owner', async () => {
    expect([...apis, ...workers].every((one) => one.isRunning())).toBe(true)
    expect([...apis, ...workers].map((one) => one.stderr())).toEqual(['', '', '', ''])
    const creators = [...apis, ...workers].filter((one) => one.stdout().includes('Welcome to Posthorn'))
    expect(creators).toHaveLength(1)
    for (const api of apis) expect((await call(api, 'GET', '/ready')).status).toBe(200)
  })

  it('accept the same sessions, because they share one secret', async () => {
    const answers = await Promise.all(apis.map((api) => call(api, 'GET', '/users/@me', { cookie: ownerCookie })))
    expect(answers.map((answer) => answer.body.email)).toEqual(['owner@example.com', 'owner@example.com'])
  })
})

describe('a process with ROLE=worker', () => {
  it('serves /health, /ready and /metrics with METRICS_TOKEN, and nothing else', async () => {
    const [worker] = workers
    const statusOf = async (url: string, key?: string) => (await call(worker!, 'GET', url, key ? { key } : {})).status
    expect(await statusOf('/health')).toBe(200)
    expect((await call(worker!, 'GET', '/ready')).body).toMatchObject({ ready: true, database: true, degraded: [] })
    expect([await statusOf('/metrics'), await statusOf('/metrics', METRICS_TOKEN)]).toEqual([401, 200])
    for (const url of ['/', '/app', '/docs', '/config', '/emails', '/installation'])
      expect(await statusOf(url)).toBe(404)
  })

  it('runs jobs without them if its port is taken, and logs what to do', () => {
    expect(workers[1]!.baseUrl).toBe('')
    expect(workers[1]!.stdout()).toMatch(/EADDRINUSE.*check HOST and WORKER_PORT/)
  })
})

describe('processes that share a database', () => {
  it('deliver each email exactly once, whichever process accepted it', async () => {
    const { key } = await createProject()
    await verifyDomain(key)
    const ids = await sendThroughBoth(key, 20, 'once')
    expect(new Set(ids).size).toBe(400)
    await eventually('all are delivered', 120_000, () => areDelivered(ids))
    const [captures, sentEvents] = [await outbox.captures(), await outbox.sentEvents()]
    expect(ids.filter((id) => captures.get(id) !== 1 || sentEvents.get(id) !== 1)).toEqual([])
  })

  it('have every series that the alerts and the dashboard in ops/ use', async () => {
    const scrape = async () => {
      const texts = await Promise.all(
        [apis[0]!, workers[0]!].map((one) => call(one, 'GET', '/metrics', { key: METRICS_TOKEN })),
      )
      return texts.map(({ body }) => body as string)
    }
    // The first worker may not have got one of the emails, but every minute there are other jobs.
    await eventually('both workers run, and the first has run a job', 180_000, async () => {
      const text = (await scrape()).join('\n')
      return (
        missingSeries(text).length === 0 && text.match(/^posthorn_workers_running\{process="main"\} 2$/gm)?.length === 2
      )
    })
    const [api, worker] = await scrape()
    expect(worker).toContain('\nposthorn_emails_total{outcome="failed",process="main"} 0\n')
    expect(missingSeries(api!)).toContainEqual(expect.stringContaining('PosthornWorkerMetricsMissing'))
  })

  it('refuse an old key with the next request, wherever it was replaced', async () => {
    const { id, key } = await createProject()
    let current = key
    for (let round = 0; round < 6; round++) {
      const [here, there] = round % 2 === 0 ? [apis[0]!, apis[1]!] : [apis[1]!, apis[0]!]
      expect((await call(there, 'GET', '/emails', { key: current })).status).toBe(200)
      const rotated = await call(here, 'POST', `/users/@me/projects/${id}/regenerate-keys`, { key: current })
      const refused = await call(there, 'GET', '/emails', { key: current })
      expect([refused.status, refused.body.error.code]).toEqual([401, 'INVALID_API_KEY'])
      current = rotated.body.secretKey
      expect((await call(there, 'GET', '/emails', { key: current })).status).toBe(200)
    }
  })

  it('count requests together: of 80 in one minute exactly 50 are accepted', async () => {
    const { key } = await createProject()
    const replies: Reply[] = []
    // In rounds, because a slow machine can't handle 80 at once within the timeout of a request.
    for (let round = 0; round < 5; round++) {
      const requests = Array.from({ length: 16 }, (_, i) => call(apis[i % 2]!, 'GET', '/emails', { key }))
      replies.push(...(await Promise.all(requests)))
    }
    const admitted = replies.filter((reply) => reply.status === 200)
    const refused = replies.filter((reply) => reply.status === 429)
    expect([admitted.length, refused.length]).toEqual([RATE_LIMIT, 30])
    const remaining = admitted.map((reply) => Number(reply.headers.get('ratelimit-remaining')))
    expect(remaining.sort((a, b) => a - b)).toEqual(Array.from({ length: RATE_LIMIT }, (_, i) => i))
    for (const { body, headers } of refused) {
      expect(body.error.code).toBe('RATE_LIMIT_EXCEEDED')
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    }
  })
})

describe('what one API process changes', () => {
  /** The activity stream of a process. */
  async function openStream(api: ServiceProcess, key: string) {
    const reply = await fetch(`${api.baseUrl}/activity/stream`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.timeout(90_000),
    })
    expect(reply.status).toBe(200)
    let received = ''
    let ended = false
    const reading = (async () => {
      for await (const chunk of reply.body!.pipeThrough(new TextDecoderStream())) received += chunk
      ended = true
    })()
    return {
      contains: (text: string) => eventually(`the stream contains ${text}`, 120_000, () => received.includes(text)),
      ends: () => eventually('the stream ends', 120_000, () => ended).then(() => reading),
    }
  }

  it('is in the activity streams of both, and replacing a key ends the streams of both', async () => {
    const { id, key } = await createProject()
    await verifyDomain(key)
    const streams = await Promise.all(apis.map((api) => openStream(api, key)))
    for (const [i, api] of apis.entries()) {
      const body = { to: `live-${i}@example.org`, from: 'hello@example.com', subject: `Live ${i}`, body: '<p>Hi</p>' }
      const { data } = (await call(api, 'POST', '/v1/send', { key, body })).body
      for (const stream of streams) await stream.contains(data.emails[0].email)
    }
    expect((await call(apis[1]!, 'POST', `/users/@me/projects/${id}/regenerate-keys`, { key })).status).toBe(200)
    for (const stream of streams) await stream.ends()
  })

  it('is used by the next request to the other: templates, suppressions and images in S3', async () => {
    const { key } = await createProject()
    await verifyDomain(key)
    const template = { name: 'News', subject: 'Round 0', body: '<p>Hi</p>', from: 'hello@example.com' }
    const { id } = (await call(apis[0]!, 'POST', '/templates', { key, body: template })).body
    for (let round = 1; round <= 4; round++) {
      const [here, there] = round % 2 === 0 ? [apis[0]!, apis[1]!] : [apis[1]!, apis[0]!]
      await call(here, 'PATCH', `/templates/${id}`, { key, body: { subject: `Round ${round}` } })
      const sent = await call(there, 'POST', '/v1/send', { key, body: { to: 'news@example.org', template: id } })
      const email = await call(here, 'GET', `/emails/${sent.body.data.emails[0].email}`, { key })
      expect(email.body.subject).toBe(`Round ${round}`)

      const address = `no-${round}@example.org`
      await call(here, 'POST', '/suppressions', { key, body: { email: address } })
      const suppressed = await call(there, 'GET', `/suppressions?search=${address}`, { key })
      expect(suppressed.body.data.map((one: { email: string }) => one.email)).toEqual([address])
    }
    const form = new FormData()
    form.append('image', new Blob([png()], { type: 'image/png' }), 'dot.png')
    const headers = { authorization: `Bearer ${key}` }
    const uploaded = await fetch(`${apis[0]!.baseUrl}/uploads/image`, { method: 'POST', headers, body: form })
    expect(uploaded.status).toBe(201)
    const { url } = (await uploaded.json()) as { url: string }
    const images = await Promise.all(apis.map((api) => fetch(api.baseUrl + new URL(url).pathname)))
    const bytes = await Promise.all(images.map(async (image) => Buffer.from(await image.arrayBuffer()).toString('hex')))
    expect(bytes).toEqual([png().toString('hex'), png().toString('hex')])
    expect(existsSync(path.join(home, 'data/uploads'))).toBe(false)
  })

  it('applies to sessions: signing out of one process ends the session in the other', async () => {
    const { email, password } = owner
    const login = await call(apis[1]!, 'POST', '/auth/login', { body: { email, password } })
    const cookie = login.headers.get('set-cookie')!.split(';')[0]!
    expect((await call(apis[0]!, 'GET', '/users/@me', { cookie })).status).toBe(200)
    await call(apis[0]!, 'GET', '/auth/logout', { cookie })
    expect((await call(apis[1]!, 'GET', '/users/@me', { cookie })).status).toBe(401)
  })
})

describe('a worker that is killed while it sends', () => {
  it('is recovered by the other: all emails are delivered within about a minute', async () => {
    const { key } = await createProject()
    await verifyDomain(key)
    const release = await outbox.holdAt('DELIVERED')
    const ids = await sendThroughBoth(key, 20, 'crash')
    await eventually('both workers have mail in their hands', 120_000, async () => {
      return (await outbox.heldSessions()).sort().join() === 'worker-1,worker-2'
    })
    await workers[0]!.kill()
    await outbox.endSessionsOf(['worker-1'])
    const killedAt = Date.now()
    const sentBefore = await outbox.captures()
    const inHand = new Set((await outbox.idsIn('SENDING')).filter((id) => sentBefore.has(id)))
    await release()

    await eventually('all are delivered', 120_000, () => areDelivered(ids))
    expect(Date.now() - killedAt).toBeLessThan(90_000)
    const [captures, sentEvents] = [await outbox.captures(), await outbox.sentEvents()]
    expect(ids.filter((id) => sentEvents.get(id) !== 1)).toEqual([])
    const twice = ids.filter((id) => captures.get(id) !== 1)
    expect(twice.length).toBeGreaterThan(0)
    expect(twice.filter((id) => captures.get(id) !== 2 || !inHand.has(id))).toEqual([])
  })
})

it('an API process responds with 503 to a request that waits for a lock, and to other requests as usual', async () => {
  const { key } = await createProject()
  const holder = new pg.Client({ connectionString: databaseUrl })
  await holder.connect()
  try {
    await holder.query('begin; lock table contacts in access exclusive mode')
    const waiting = call(apis[0]!, 'GET', '/contacts', { key })
    expect((await call(apis[0]!, 'GET', '/templates', { key })).status).toBe(200)
    expect((await waiting).status).toBe(503)
  } finally {
    await holder.end()
  }
  expect((await call(apis[0]!, 'GET', '/contacts', { key })).status).toBe(200)
})
