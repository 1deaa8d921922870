/** Which email gets the next slot under a sending rate: by priority, in order, and for projects in turn. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { buildServices } from '../../app.ts'
import { PRIORITY } from '../../platform/queue/catalogue.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let app: TestApp
let counter = 0
const closing: Array<() => Promise<unknown>> = []

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(env: Record<string, string>): Promise<void> {
  app = await openTestApp(env)
  closing.push(() => app.close())
  app.clock.forward(24 * 3_600_000) // far ahead of the real clock, which may not catch up
}

async function addProject(): Promise<Project> {
  const project = await createProject(app)
  await app.pool.query(`delete from posthorn_queue.jobs where payload->>'emailId' is null`)
  return project
}

async function send(project: Project, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const body = { to: `reader-${++counter}@example.org`, from: 'us@example.com', subject: 'Hello', body: '<p>Hi</p>' }
    app.clock.forward(1) // so that IDs are in order
    const reply = await app.request('POST', '/v1/send', { key: project.secretKey, body })
    expect(reply.status, JSON.stringify(reply.body)).toBe(200)
    ids.push(reply.body.data.emails[0].email)
  }
  return ids
}

const sentOf = async (ids: string[]): Promise<string[]> =>
  (
    await app.pool.query('select id from emails where id = any($1) and sent_at is not null order by sent_at, id', [ids])
  ).rows.map(({ id }) => id)

it('while a transactional email waits for a slot, no process sends the campaign', async () => {
  await start({ SEND_RATE_PER_SECOND: '5' })
  const project = await addProject()
  const campaign = await send(project, 20)
  await app.pool.query('delete from posthorn_queue.jobs')
  const elsewhere = buildServices(app.ctx).delivery
  const slice = (ids: string[]) =>
    elsewhere.deliverEmails(
      ids.map((emailId) => ({ projectId: project.id, emailId })),
      { priority: PRIORITY.campaign, takeOver: false },
    )
  const { waiting } = await slice(campaign)
  expect(waiting?.emailIds).toEqual(campaign.slice(5))
  const urgent = await send(project, 2)
  await app.drain()
  expect(await sentOf(urgent)).toEqual([])

  app.clock.forward(250) // a slot is free, and the campaign requests it first
  expect((await slice(waiting!.emailIds)).waiting?.emailIds).toEqual(waiting!.emailIds)
  await app.drain()
  expect(await sentOf(urgent)).toEqual(urgent.slice(0, 1))
  app.clock.forward(200)
  await slice(waiting!.emailIds)
  await app.drain()
  expect(await sentOf(urgent)).toEqual(urgent)

  app.clock.forward(1_500)
  expect((await slice(waiting!.emailIds)).waiting?.emailIds).toEqual(campaign.slice(10))
})

it('emails of the same priority are sent in the order in which they were accepted', async () => {
  await start({ SEND_RATE_PER_SECOND: '5' })
  const ids = await send(await addProject(), 14)
  await app.pool.query('update posthorn_queue.jobs set priority = $1', [PRIORITY.workflow])
  for (let turn = 0; turn < 30; turn++) {
    await app.drain()
    app.clock.forward(100)
  }
  expect(await sentOf(ids)).toEqual(ids)
})

it("under the provider's rate, a project does not wait until all earlier emails of another project are sent", async () => {
  const SendQuota = { MaxSendRate: 2, Max24HourSend: 1_000, SentLast24Hours: 0 }
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
  const [one, other] = [await addProject(), await addProject()]
  await app.pool.query(`update domains set status = 'VERIFIED'`)
  const many = await send(one, 30)
  await app.drain()
  expect(await sentOf(many)).toHaveLength(2)
  const few = await send(other, 2)
  await app.drain()
  for (let turn = 0; turn < 20; turn++) {
    app.clock.forward(100)
    await app.drain()
  }
  // Four slots have become free: the projects take turns.
  expect(await sentOf(few)).toHaveLength(2)
  expect((await sentOf(many)).length).toBeGreaterThanOrEqual(3)
})
