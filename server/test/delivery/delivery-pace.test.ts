/** When emails are sent: pauses during outages, sending rates, leases of running and exited workers, and slices. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { buildServices } from '../../app.ts'
import { PRIORITY } from '../../platform/queue/catalogue.ts'
import { holdLock, newLockNumber } from '../../platform/queue/process-lock.ts'
import { openTransport } from '../../platform/transports/open.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { openSmtpTestServer } from '../mail/smtp-test-server.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0
const closing: Array<() => Promise<unknown>> = []
const apps = new Map<string, TestApp>()

/** One app for all tests with the same settings, and a project for each test. */
async function start(env: Record<string, string> = {}): Promise<void> {
  const name = JSON.stringify(env)
  app = apps.get(name) ?? (await openTestApp(env))
  apps.set(name, app)
  project = await addProject()
  await app.pool.query('delete from posthorn_queue.jobs')
  app.clock.forward(24 * 3_600_000) // far ahead of the real clock, which may not catch up
}

/** The tests aren't about verifying domains or about the service's own emails. */
async function addProject() {
  const added = await createProject(app)
  await app.pool.query(`update domains set status = 'VERIFIED'`)
  await app.pool.query(`delete from posthorn_queue.jobs where payload->>'emailId' is null`)
  return added
}

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
afterAll(async () => {
  for (const opened of apps.values()) await opened.close()
})

async function send(from = project, to = `reader-${++counter}@example.org`): Promise<string> {
  const body = { to, from: 'hello@example.com', subject: 'Hello', body: '<p>Hi</p>' }
  const reply = await app.request('POST', '/v1/send', { key: from.secretKey, body })
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body.data.emails[0].email
}

async function sendMany(count: number, from = project): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.push(await send(from))
  return ids
}

interface Row {
  id: string
  status: string
  attempts: number
  error: string | null
}
const rows = async (ids: string[]): Promise<Row[]> =>
  (await app.pool.query('select id, status, attempts, error from emails where id = any($1) order by id', [ids])).rows

const countOf = async (status: string, ids: string[]) => (await rows(ids)).filter((row) => row.status === status).length

describe('an unavailable transport', () => {
  it('is paused without counting attempts, reports the pause, and continues once it is available', async () => {
    const first = await openSmtpTestServer()
    await first.close()
    await start({ MAIL_URL: `smtp://127.0.0.1:${first.port}?tls=off` })
    const ids = await sendMany(12)
    await app.drain()
    for (const row of await rows(ids)) expect(row).toMatchObject({ status: 'PENDING', attempts: 0 })
    expect((await rows(ids)).filter((row) => /ECONNREFUSED/.test(row.error ?? ''))).toHaveLength(5)

    const ready = await app.request('GET', '/ready')
    expect(ready).toMatchObject({ status: 200, body: { ready: true, degraded: [expect.stringMatching(/smtp/)] } })
    expect(ready.body.degraded[0]).not.toContain('ECONNREFUSED')

    // Long enough for five attempts each, if these counted.
    for (let i = 0; i < 8; i++) {
      app.clock.forward(400_000)
      await app.drain()
    }
    for (const row of await rows(ids)) expect(row).toMatchObject({ status: 'PENDING', attempts: 0 })

    const server = await openSmtpTestServer({ port: first.port })
    closing.push(server.close)
    for (let i = 0; i < 5; i++) {
      app.clock.forward(400_000)
      await app.drain()
    }
    for (const row of await rows(ids)) expect(row).toMatchObject({ status: 'DELIVERED', attempts: 1 })
    expect(server.taken).toHaveLength(12)
    expect((await app.request('GET', '/ready')).body.degraded).toEqual([])
  })

  it('pauses for longer each time, and in every process', async () => {
    const { port, close } = await openSmtpTestServer()
    await close()
    await start({ MAIL_URL: `smtp://127.0.0.1:${port}?tls=off` })
    const ids = await sendMany(8)
    await app.drain()
    const pauses: number[] = []
    for (let i = 0; i < 8; i++) {
      const { rows: found } = await app.pool.query('select paused_until from transport_pauses')
      pauses.push(Math.round((found[0].paused_until.getTime() - app.clock.now().getTime()) / 1000))
      app.clock.set(new Date(found[0].paused_until.getTime() + 2_500))
      await app.drain()
    }
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 300, 300])

    const mail = await openTransport(app.ctx.settings, app.ctx)
    const elsewhere = buildServices({ ...app.ctx, mail }).delivery
    const { rows: before } = await app.pool.query('select paused_until from transport_pauses')
    await elsewhere.deliverEmails([{ projectId: project.id, emailId: ids[0]! }], { priority: 0, takeOver: false })
    const { rows: jobs } = await app.pool.query(
      `select run_at from posthorn_queue.jobs where payload->>'emailId' = $1 order by id desc limit 1`,
      [ids[0]],
    )
    expect(jobs[0].run_at.getTime()).toBeGreaterThanOrEqual(before[0].paused_until.getTime())
  })

  it('is not paused while other emails are accepted, and the attempt counts', async () => {
    const server = await openSmtpTestServer({
      answerRecipient: (address) => (address.startsWith('odd') ? '421 4.7.0 Not this one' : undefined),
    })
    closing.push(server.close)
    await start({ MAIL_URL: `smtp://127.0.0.1:${server.port}?tls=off` })
    for (let i = 0; i < 10; i++) {
      await send(project, `even-${i}@example.org`)
      await send(project, `odd-${i}@example.org`)
    }
    await app.drain()
    expect(server.taken).toHaveLength(10)
    const { rows: refused } = await app.pool.query(`select attempts from emails where to_email like 'odd-%'`)
    expect(refused).toEqual(Array(10).fill({ attempts: 1 }))
    expect((await app.request('GET', '/ready')).body.degraded).toEqual([])
  })
})

it('if the mail server closes the connection before it confirms a message, the timeline shows that it may have been accepted', async () => {
  let message = ''
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.write('220 x\r\n')
    socket.on('data', (chunk) => {
      message += chunk
      if (message.endsWith('\r\n.\r\n')) return void socket.destroy()
      for (const line of String(chunk).trim().split('\r\n')) {
        if (/^(EHLO|MAIL|RCPT)/.test(line)) socket.write('250 ok\r\n')
        if (line === 'DATA') socket.write('354 go\r\n')
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(async () => void server.close())
  await start({ MAIL_URL: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?tls=off` })
  const [id] = await sendMany(1)
  await app.drain()
  const { body } = await app.request('GET', `/emails/${id}`, { key: project.secretKey })
  expect(message).toContain(`Message-ID: <${id}@`)
  expect(body).toMatchObject({ status: 'PENDING', attempts: 1 })
  expect(JSON.stringify(body.timeline)).toContain('The server may have accepted the message')
})

describe('SEND_RATE_PER_SECOND', () => {
  beforeEach(() => start({ SEND_RATE_PER_SECOND: '5' }))

  it('limits the emails of a project each second, and loses none', async () => {
    const ids = await sendMany(17)
    const sent: number[] = []
    for (let second = 0; second < 4; second++) {
      await app.drain()
      sent.push(await countOf('DELIVERED', ids))
      app.clock.forward(1_000)
    }
    expect(sent).toEqual([5, 10, 15, 17])
    for (const row of await rows(ids)) expect(row).toMatchObject({ attempts: 1, error: null })
  })

  it('applies across all processes, to each project separately', async () => {
    const other = await addProject()
    const [mine, theirs] = [await sendMany(20), await sendMany(3, other)]
    const elsewhere = buildServices(app.ctx).delivery
    const refs = mine.map((emailId) => ({ projectId: project.id, emailId }))
    await Promise.all([
      app.services.delivery.deliverEmails(refs.slice(0, 10), { priority: 0, takeOver: false }),
      elsewhere.deliverEmails(refs.slice(10), { priority: 0, takeOver: false }),
    ])
    expect(await countOf('DELIVERED', mine)).toBe(5)
    await app.drain()
    expect(await countOf('DELIVERED', mine)).toBe(5)
    expect(await countOf('DELIVERED', theirs)).toBe(3)
  })

  it('sends a password reset before a campaign that waits', async () => {
    const campaign = await sendMany(40)
    await app.pool.query('update posthorn_queue.jobs set priority = $1', [PRIORITY.campaign])
    await app.drain()
    expect(await countOf('DELIVERED', campaign)).toBe(5)
    const [urgent] = await sendMany(1)
    await app.drain()
    app.clock.forward(1_000)
    await app.drain()
    expect(await countOf('DELIVERED', [urgent!])).toBe(1)
    expect(await countOf('DELIVERED', campaign)).toBe(9)
  })

  it('is not used up by emails that are not sent', async () => {
    const ids = await sendMany(8)
    await app.pool.query(`update emails set status = 'CANCELLED' where id = any($1)`, [ids.slice(0, 4)])
    await app.drain()
    expect(await countOf('DELIVERED', ids)).toBe(4)
  })
})

describe("the provider's quota", () => {
  it.each([
    [{ MaxSendRate: 2, Max24HourSend: 1_000, SentLast24Hours: 0 }, [2, 4]],
    [{ MaxSendRate: 2, Max24HourSend: 1_000, SentLast24Hours: 1_000 }, [0, 0]],
  ])('%o limits the emails of all projects to %o', async (SendQuota, expected) => {
    const endpoint = createServer((request, reply) => {
      request.resume()
      reply.setHeader('content-type', 'application/json')
      reply.end(JSON.stringify(request.method === 'GET' ? { SendQuota } : { MessageId: `ses-${++counter}` }))
    }).listen(0, '127.0.0.1')
    await once(endpoint, 'listening')
    closing.push(async () => {
      endpoint.closeAllConnections()
      endpoint.close()
    })
    await start({
      MAIL_URL: 'ses://eu-west-1',
      AWS_ACCESS_KEY_ID: 'key',
      AWS_SECRET_ACCESS_KEY: 'secret',
      SES_ENDPOINT: `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`,
    })
    const other = await addProject()
    const ids = [...(await sendMany(4)), ...(await sendMany(4, other))]
    const sent: number[] = []
    for (const _second of expected) {
      await app.drain()
      sent.push(await countOf('SENT', ids))
      app.clock.forward(1_000)
    }
    expect(sent).toEqual(expected)
  })
})

it('the slot of an email that fails because it cannot be read is used by only one other email', async () => {
  await start({ SEND_RATE_PER_SECOND: '1', DATA_ENCRYPTION: 'on' })
  const damaged = await send()
  await app.pool.query(
    `update email_contents set encrypted = '\\x00' where id = (select content_id from emails where id = $1)`,
    [damaged],
  )
  await app.pool.query(`update emails set created_at = created_at - interval '6 days' where id = $1`, [damaged])
  await app.drain()
  expect(await rows([damaged])).toMatchObject([{ status: 'FAILED' }])
  const ids = [await send(), await send()]
  await app.drain()
  expect(await countOf('DELIVERED', ids)).toBe(1)
})

describe('a lease', () => {
  beforeEach(() => start())

  const lease = (id: string, holder: number | null) =>
    app.pool.query(
      `update emails set status = 'SENDING', attempts = 1, lease_holder = $2, lease_until = $3 where id = $1`,
      [id, holder, new Date(app.clock.now().getTime() + 60_000)],
    )

  it('is taken over immediately if its worker exited', async () => {
    const id = await send()
    await lease(id, newLockNumber())
    await app.drain()
    expect(await rows([id])).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
  })

  it('is respected until it expires or its running worker exits', async () => {
    const id = await send()
    const client = new pg.Client({ connectionString: app.url })
    await client.connect()
    const holder = newLockNumber()
    await holdLock(client, holder)
    await lease(id, holder)
    await app.drain()
    expect(await rows([id])).toMatchObject([{ status: 'SENDING', attempts: 1 }])
    await client.end()
    app.clock.forward(6_000)
    await app.drain()
    expect(await rows([id])).toMatchObject([{ status: 'DELIVERED', attempts: 2 }])
  })

  it('is respected until it expires if its worker is unknown', async () => {
    const id = await send()
    await lease(id, null)
    await app.drain()
    app.clock.forward(30_000)
    await app.drain()
    expect(await rows([id])).toMatchObject([{ status: 'SENDING' }])
    app.clock.forward(31_000)
    await app.drain()
    expect(await rows([id])).toMatchObject([{ status: 'DELIVERED' }])
  })
})

describe('a slice of emails', () => {
  beforeEach(() => start())

  it('is complete when each email has an outcome or its own job, and running it again changes nothing', async () => {
    const slow = await send(project, 'slow@simulator.posthorn.test')
    const rejected = await send(project, 'reject@simulator.posthorn.test')
    const ids = [slow, rejected, ...(await sendMany(70))]
    await app.pool.query('delete from posthorn_queue.jobs')
    const refs = ids.map((emailId) => ({ projectId: project.id, emailId }))
    const slice = () => app.services.delivery.deliverEmails(refs, { priority: PRIORITY.campaign, takeOver: false })
    await slice()
    expect(await countOf('DELIVERED', ids)).toBe(70)
    expect(await rows([slow, rejected])).toMatchObject([{ status: 'PENDING', attempts: 1 }, { status: 'FAILED' }])
    const { rows: jobs } = await app.pool.query('select payload, priority, run_at from posthorn_queue.jobs')
    expect(jobs).toMatchObject([{ payload: { emailId: slow }, priority: PRIORITY.campaign }])
    expect(jobs[0].run_at.getTime() - app.clock.now().getTime()).toBe(2_000)

    const sentOnce = (await app.captured()).length
    await app.services.delivery.deliverEmails(refs.slice(1), { priority: PRIORITY.campaign, takeOver: true })
    expect((await app.captured()).length).toBe(sentOnce)
  })

  it('is sent once if several jobs name it at the same time, even if the queue runs one of them again', async () => {
    const ids = await sendMany(30)
    await app.pool.query('delete from posthorn_queue.jobs')
    const refs = ids.map((emailId) => ({ projectId: project.id, emailId }))
    const before = (await app.captured()).length
    await Promise.all(
      [false, true, true].map((takeOver) =>
        app.services.delivery.deliverEmails(refs, { priority: PRIORITY.campaign, takeOver }),
      ),
    )
    await app.drain()
    expect((await app.captured()).length - before).toBe(30)
    expect(await countOf('DELIVERED', ids)).toBe(30)
  })

  it('delivers nothing of another project', async () => {
    const other = await addProject()
    const id = await send()
    await app.services.delivery.deliverEmails([{ projectId: other.id, emailId: id }], { priority: 0, takeOver: false })
    expect(await rows([id])).toMatchObject([{ status: 'PENDING', attempts: 0 }])
  })
})

describe('the simulator', () => {
  beforeEach(() => start())

  it.each([
    ['success', 'DELIVERED', ['email.sent', 'email.delivery'], true],
    ['bounce', 'BOUNCED', ['email.sent', 'email.bounce', 'contact.unsubscribed'], false],
    ['softbounce', 'SENT', ['email.sent', 'email.bounce'], true],
    ['complaint', 'COMPLAINED', ['email.sent', 'email.delivery', 'email.complaint', 'contact.unsubscribed'], false],
    ['reject', 'FAILED', ['email.failed'], true],
  ])('gives an email to %s@ the status %s and the events %o', async (part, status, events, subscribed) => {
    const to = `${part}@simulator.posthorn.test`
    await app.request('POST', '/contacts', { key: project.secretKey, body: { email: to, subscribed: true } })
    const id = await send(project, to)
    await app.drain()
    expect(await rows([id])).toMatchObject([{ status, attempts: 1 }])
    const { body } = await app.request('GET', '/events', { key: project.secretKey })
    const names = body.data
      .map((event: { name: string }) => event.name)
      .filter((name: string) => name !== 'contact.created')
    expect(names.toSorted()).toEqual(events.toSorted())
    const contact = await app.request('GET', `/contacts?email=${to}`, { key: project.secretKey })
    expect(contact.body.data[0].subscribed).toBe(subscribed)
  })
})
