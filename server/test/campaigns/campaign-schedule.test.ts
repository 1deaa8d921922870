/** Scheduled campaigns: what happens when they are due, late, unverified or canceled. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recoverCampaigns } from '../../features/campaigns/sending.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })
const NEWS = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', from: 'us@example.com', audienceType: 'ALL' }
const upsert = async (email: string) => (await call('POST', '/contacts', { email })).body.id
const create = async () => (await call('POST', '/campaigns', NEWS)).body.id as string
const get = async (id: string) => (await call('GET', `/campaigns/${id}`)).body

async function sendNow(id: string) {
  expect((await call('POST', `/campaigns/${id}/send`)).status).toBe(200)
  await app.drain()
}

describe('a scheduled campaign', () => {
  const schedule = async (id: string, inMs: number) =>
    call('POST', `/campaigns/${id}/send`, { scheduledFor: new Date(app.clock.now().getTime() + inMs).toISOString() })

  it('that is due while no worker runs is sent once at the next start', async () => {
    await upsert('a@example.org')
    const id = await create()
    await schedule(id, 60_000)
    await app.pool.query('delete from posthorn_queue.jobs')
    app.clock.forward(3_600_000)
    await Promise.all([recoverCampaigns(app.ctx), recoverCampaigns(app.ctx)])
    await app.drain()
    expect(await get(id)).toMatchObject({ status: 'SENT', sentCount: 1, heldReason: null })
  })

  it('that is late by more than an hour is not started, the owner is told why, and it can still be sent', async () => {
    await upsert('a@example.org')
    const id = await create()
    await schedule(id, 60_000)
    app.clock.forward(62 * 60_000)
    await app.drain()
    expect(await get(id)).toMatchObject({
      status: 'SCHEDULED',
      heldReason: expect.stringContaining('more than an hour'),
      sentCount: 0,
    })
    const notice = (await app.captured()).find(({ recipients }) => recipients.includes(project.owner.email))
    expect(String(notice?.raw)).toContain('was not sent at its time')
    await sendNow(id)
    expect(await get(id)).toMatchObject({ status: 'SENT', heldReason: null, sentCount: 1 })
  })

  it('whose domain is no longer verified at its time is not started', async () => {
    await upsert('a@example.org')
    const id = await create()
    await schedule(id, 60_000)
    await app.pool.query("update domains set status = 'PENDING' where project_id = $1", [project.id])
    app.clock.forward(61_000)
    await app.drain()
    expect(await get(id)).toMatchObject({ status: 'SCHEDULED', heldReason: expect.stringContaining('not verified') })
  })

  it('that is canceled never starts', async () => {
    await upsert('a@example.org')
    const id = await create()
    await schedule(id, 60_000)
    await call('POST', `/campaigns/${id}/cancel`)
    app.clock.forward(120_000)
    await app.drain()
    expect(await get(id)).toMatchObject({ status: 'CANCELLED', sentCount: 0 })
  })
})
