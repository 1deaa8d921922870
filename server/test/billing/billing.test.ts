/** Monthly usage and limits: no request exceeds a limit, however many are made at the same time. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, signUp, type TestApp, type TestRequest } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const pathOf = (project: Project, rest: string) => `/users/@me/projects/${project.id}/${rest}`
const limitsOf = async (project: Project) =>
  (await app.request('GET', pathOf(project, 'billing-limits'), { key: project.secretKey })).body
const consumptionOf = async (project: Project) =>
  (await app.request('GET', pathOf(project, 'billing-consumption'), { key: project.secretKey })).body
const put = (project: Project, body: object, who: TestRequest = { key: project.secretKey }) =>
  app.request('PUT', pathOf(project, 'billing-limits'), { ...who, body })

const send = (project: Project, to: string | string[], headers: Record<string, string> = {}) =>
  app.request('POST', '/v1/send', {
    key: project.secretKey,
    headers,
    body: { to, from: 'a@example.com', subject: 's', body: 'b' },
  })

const people = (count: number) => Array.from({ length: count }, (_, i) => `p${i}@example.org`)

const exceeded = (source: string, limit: number) => ({
  status: 402,
  body: {
    success: false,
    error: { code: 'BILLING_LIMIT_EXCEEDED', statusCode: 402, details: { source, limit } },
  },
})

const NOTHING = { limit: null, used: 0 }

describe('the limits of a project', () => {
  it('are not set at first', async () => {
    const project = await createProject(app)
    expect(await limitsOf(project)).toEqual({
      transactional: NOTHING,
      campaigns: NOTHING,
      workflows: NOTHING,
      inbound: NOTHING,
    })
  })

  it('are set individually, in either form, and removed with null', async () => {
    const project = await createProject(app)
    expect(await put(project, { transactional: 10, campaigns: 0 })).toMatchObject({
      status: 200,
      body: { transactional: { limit: 10, used: 0 }, campaigns: { limit: 0 }, workflows: NOTHING },
    })
    expect((await put(project, { campaigns: null, inbound: { limit: 7 } })).body).toEqual({
      transactional: { limit: 10, used: 0 },
      campaigns: NOTHING,
      workflows: NOTHING,
      inbound: { limit: 7, used: 0 },
    })
    const shown = await limitsOf(project)
    expect((await put(project, shown)).body).toEqual(shown)
    const { rows } = await app.pool.query(
      `select details from audit_log where project_id = $1 and act = 'billing-limits.changed' order by id limit 1`,
      [project.id],
    )
    const before = { transactional: null, campaigns: null }
    expect(rows[0].details).toEqual({ transactional: 10, campaigns: 0, before })
  })

  it.each([[-1], [1.5], ['10'], [true], [1e300], [{ limit: -1 }], [{}], [[]]])("can't be %j", async (limit) => {
    const project = await createProject(app)
    const reply = await put(project, { transactional: limit, campaigns: 5 })
    expect(reply).toMatchObject({ status: 422, body: { error: { code: 'VALIDATION_ERROR' } } })
    expect((await limitsOf(project)).campaigns).toEqual(NOTHING)
  })

  it('can be set by owners and admins, and read by members', async () => {
    const project = await createProject(app)
    const member = await signUp(app)
    await app.pool.query(`insert into members values ($1, $2, 'MEMBER', now())`, [project.id, member.id])
    expect((await put(project, { transactional: 1 }, { cookie: member.cookie })).status).toBe(403)
    expect((await put(project, { transactional: 1 }, { cookie: project.owner.cookie })).status).toBe(200)
    for (const rest of ['billing-limits', 'billing-consumption']) {
      expect((await app.request('GET', pathOf(project, rest), { cookie: member.cookie })).status).toBe(200)
    }
  })
})

describe('a send over the monthly limit', () => {
  it('is refused before any effect', async () => {
    const project = await createProject(app)
    await put(project, { transactional: 2 })
    expect((await send(project, 'a@example.org')).status).toBe(200)
    expect(await send(project, ['b@example.org', 'c@example.org'])).toMatchObject(exceeded('transactional', 2))
    const contacts = await app.request('GET', '/contacts', { key: project.secretKey })
    expect(contacts.body.data).toMatchObject([{ email: 'a@example.org' }])
    expect((await send(project, 'b@example.org')).status).toBe(200)
    expect(await send(project, 'c@example.org')).toMatchObject(exceeded('transactional', 2))
    expect((await limitsOf(project)).transactional).toEqual({ limit: 2, used: 2 })
    await put(project, { transactional: 3 })
    expect((await send(project, 'c@example.org')).status).toBe(200)
    await put(project, { transactional: null })
    expect((await send(project, people(30))).status).toBe(200)
  })

  it('releases its idempotency key', async () => {
    const project = await createProject(app)
    await put(project, { transactional: 0 })
    const headers = { 'idempotency-key': 'once' }
    expect(await send(project, 'a@example.org', headers)).toMatchObject(exceeded('transactional', 0))
    await put(project, { transactional: 1 })
    expect((await send(project, 'a@example.org', headers)).status).toBe(200)
    expect((await send(project, 'a@example.org', headers)).status).toBe(409)
  })

  it('includes what was sent before the limit was set', async () => {
    const project = await createProject(app)
    await send(project, people(3))
    await put(project, { transactional: 4 })
    expect((await limitsOf(project)).transactional).toEqual({ limit: 4, used: 3 })
    expect((await send(project, 'a@example.org')).status).toBe(200)
    expect((await send(project, 'b@example.org')).status).toBe(402)
  })

  it('is detected exactly for concurrent requests of any size in two projects', async () => {
    const projects = [await createProject(app), await createProject(app)]
    await put(projects[0]!, { transactional: 25 })
    await put(projects[1]!, { transactional: 10 })
    const sizes = Array.from({ length: 60 }, (_, i) => (i % 7 === 0 ? 12 : (i % 3) + 1))
    const replies = await Promise.all(
      sizes.map((size, i) =>
        send(
          projects[i % 2]!,
          people(size).map((to) => `${i}${to}`),
        ),
      ),
    )
    expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([200, 402]))
    for (const [p, max] of [25, 10].entries()) {
      const sizesWith = (status: number) => sizes.filter((_, i) => i % 2 === p && replies[i]!.status === status)
      const accepted = sizesWith(200).reduce((sum, size) => sum + size, 0)
      const { rows } = await app.pool.query('select count(*) from emails where project_id = $1', [projects[p]!.id])
      expect(rows[0].count).toBe(accepted)
      expect(accepted).toBeLessThanOrEqual(max)
      expect(max - accepted).toBeLessThan(Math.min(...sizesWith(402))) // the refused requests did not fit
      expect((await limitsOf(projects[p]!)).transactional).toEqual({ limit: max, used: accepted })
    }
  })

  it('only counts this month: the next one starts at zero', async () => {
    const project = await createProject(app)
    await put(project, { transactional: 1 })
    expect((await send(project, 'a@example.org')).status).toBe(200)
    expect((await send(project, 'b@example.org')).status).toBe(402)
    const now = app.clock.now()
    app.clock.set(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)))
    try {
      expect((await limitsOf(project)).transactional).toEqual({ limit: 1, used: 0 })
      expect((await send(project, 'b@example.org')).status).toBe(200)
      expect((await send(project, 'c@example.org')).status).toBe(402)
      const { history, total } = await consumptionOf(project)
      expect([total, history[0].total, history[1].total]).toEqual([1, 1, 1])
    } finally {
      app.clock.set(now)
    }
  })

  it('is still detected exactly after the counts are folded', async () => {
    const project = await createProject(app)
    await put(project, { transactional: 5 })
    await send(project, people(3))
    await app.fold()
    expect((await limitsOf(project)).transactional).toEqual({ limit: 5, used: 3 })
    await app.pool.query('update billing_limits set used = 0 where project_id = $1', [project.id])
    await send(project, 'x@example.org')
    await app.fold() // corrects a counter that is too low
    expect(await send(project, people(2))).toMatchObject(exceeded('transactional', 5))
    expect((await send(project, 'y@example.org')).status).toBe(200)
    expect((await send(project, 'z@example.org')).status).toBe(402)
  })
})

const CAMPAIGN = { name: 'C', subject: 's', body: 'b', from: 'a@example.com', audienceType: 'ALL' }

async function newCampaign(project: Project, recipients: number) {
  const key = project.secretKey
  for (const email of people(recipients)) await app.request('POST', '/contacts', { key, body: { email } })
  return (await app.request('POST', '/campaigns', { key, body: CAMPAIGN })).body.id as string
}

describe('a campaign over the monthly limit', () => {
  it('does not start', async () => {
    const project = await createProject(app)
    const id = await newCampaign(project, 3)
    await put(project, { campaigns: 2 })
    const start = () => app.request('POST', `/campaigns/${id}/send`, { key: project.secretKey, body: {} })
    expect(await start()).toMatchObject(exceeded('campaigns', 2))
    const campaign = await app.request('GET', `/campaigns/${id}`, { key: project.secretKey })
    expect(campaign.body.status).toBe('DRAFT')
    await put(project, { campaigns: 3, transactional: 0 })
    expect((await start()).status).toBe(200)
    await app.drain()
    expect(await limitsOf(project)).toMatchObject({ campaigns: { limit: 3, used: 3 }, transactional: { used: 0 } })
    const test = { key: project.secretKey, body: { email: 'me@example.org' } }
    expect(await app.request('POST', `/campaigns/${id}/test`, test)).toMatchObject(exceeded('campaigns', 3))
  })

  it('is paused with a reason, and continues once the limit is raised', async () => {
    const project = await createProject(app)
    const id = await newCampaign(project, 3)
    const key = project.secretKey
    await app.request('POST', `/campaigns/${id}/send`, { key, body: {} })
    await put(project, { campaigns: 1 })
    await app.drain()
    const get = async () => (await app.request('GET', `/campaigns/${id}`, { key })).body
    expect(await get()).toMatchObject({
      status: 'SENDING',
      heldReason: expect.stringContaining('limit of 1 campaign email per month'),
    })
    expect((await get()).pausedAt).not.toBeNull()
    expect((await limitsOf(project)).campaigns).toEqual({ limit: 1, used: 0 })
    await put(project, { campaigns: null })
    await app.request('POST', `/campaigns/${id}/resume`, { key })
    await app.drain()
    app.clock.forward(60_000)
    await app.drain()
    expect(await get()).toMatchObject({ status: 'SENT', heldReason: null, sentCount: 3 })
  })
})

describe('a workflow over the monthly limit', () => {
  it('fails at its step with a message, and writes no email', async () => {
    const project = await createProject(app)
    const key = project.secretKey
    const post = async (path: string, body: object) => (await app.request('POST', path, { key, body })).body
    const template = await post('/templates', {
      name: 'T',
      subject: 's',
      body: 'b',
      from: 'a@example.com',
      type: 'TRANSACTIONAL',
    })
    const workflow = await post('/workflows', { name: 'W', eventName: 'signup', allowReentry: true })
    await post(`/workflows/${workflow.id}/steps`, { type: 'SEND_EMAIL', config: {}, templateId: template.id })
    await app.request('PATCH', `/workflows/${workflow.id}`, { key, body: { enabled: true } })
    await put(project, { workflows: 1 })
    for (const email of ['a@example.org', 'b@example.org']) {
      await post('/events/track', { email, event: 'signup' })
      await app.drain()
    }
    const { body } = await app.request('GET', `/workflows/${workflow.id}/executions`, { key })
    const failed = body.data.find((execution: { status: string }) => execution.status === 'FAILED')
    expect(body.data.map((execution: { status: string }) => execution.status).sort()).toEqual(['COMPLETED', 'FAILED'])
    expect(failed.error).toContain('limit of 1 workflow email per month')
    expect((await limitsOf(project)).workflows).toEqual({ limit: 1, used: 1 })
  })
})

describe('the usage of a project', () => {
  it('counts every email once by its source, even after the contact and the email are deleted', async () => {
    const project = await createProject(app)
    await send(project, people(2))
    await send(project, 'a@example.org')
    await app.drain()
    const before = await consumptionOf(project)
    expect(before).toMatchObject({
      month: app.clock.now().toISOString().slice(0, 7),
      transactional: 3,
      campaigns: 0,
      workflows: 0,
      inbound: 0,
      total: 3,
      subscription: null,
    })
    expect(before.history).toHaveLength(12)
    await app.fold()
    const { body } = await app.request('GET', '/contacts', { key: project.secretKey })
    await app.request('DELETE', `/contacts/${body.data[0].id}`, { key: project.secretKey })
    await app.drain()
    expect(await consumptionOf(project)).toEqual(before)
  })
})

describe('billing without Stripe', () => {
  it('has no checkout, portal, invoices or webhook', async () => {
    const project = await createProject(app)
    for (const [method, rest] of [
      ['POST', 'checkout'],
      ['POST', 'billing-portal'],
      ['GET', 'billing-invoices'],
    ] as const) {
      for (const who of [{ key: project.secretKey }, { cookie: project.owner.cookie }]) {
        const reply = await app.request(method, pathOf(project, rest), {
          ...who,
          ...(method === 'POST' && { body: {} }),
        })
        expect(reply).toMatchObject({ status: 404, body: { error: { code: 'RESOURCE_NOT_FOUND' } } })
      }
    }
    expect((await app.request('POST', '/webhooks/incoming/stripe', { text: '{}' })).status).toBe(404)
  })
})
