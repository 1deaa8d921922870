/** The reputation of a project, and disabling projects with a critical one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

let app: TestApp
let strict: TestApp

beforeAll(async () => {
  app = await openTestApp()
  strict = await openTestApp({ AUTO_DISABLE: 'true' })
})
afterAll(async () => {
  await app.close()
  await strict.close()
})

const securityOf = async (on: TestApp, project: Project, path = `/projects/${project.id}/security`) =>
  (await on.request('GET', path, { key: project.secretKey })).body

/** Sends through the simulator: the given numbers of deliveries, bounces and complaints. */
async function send(
  on: TestApp,
  project: Project,
  counts: Record<'success' | 'bounce' | 'softbounce' | 'complaint', number>,
) {
  const to = Object.entries(counts).flatMap(([name, count]) =>
    Array.from({ length: count }, (_, i) => `${name}+${i}@simulator.posthorn.test`),
  )
  const body = { to, from: 'a@example.com', subject: 's', body: 'b' }
  expect((await on.request('POST', '/v1/send', { key: project.secretKey, body })).status).toBe(200)
  await on.drain()
}

const none = { success: 0, bounce: 0, softbounce: 0, complaint: 0 }
const NO_MAIL = { sent: 0, bounces: 0, complaints: 0, bounceRate: 0, complaintRate: 0 }

describe('the reputation of a project', () => {
  it('is healthy if nothing was sent', async () => {
    const project = await createProject(app)
    const expected = {
      status: 'healthy',
      isDisabled: false,
      disabledReason: null,
      sevenDay: NO_MAIL,
      allTime: NO_MAIL,
      thresholds: {
        minimumEmails: 100,
        bounceRate: { warning: 0.05, critical: 0.1 },
        complaintRate: { warning: 0.001, critical: 0.003 },
      },
    }
    expect(await securityOf(app, project)).toEqual(expected)
    expect(await securityOf(app, project, `/users/@me/projects/${project.id}/security`)).toEqual(expected)
  })

  it('includes permanent bounces and complaints, and nothing else, before and after the fold', async () => {
    const project = await createProject(app)
    await send(app, project, { success: 89, bounce: 6, softbounce: 5, complaint: 0 })
    const rates = { sent: 100, bounces: 6, complaints: 0, bounceRate: 0.06, complaintRate: 0 }
    const expected = { status: 'warning', isDisabled: false, sevenDay: rates, allTime: rates }
    expect(await securityOf(app, project)).toMatchObject(expected)
    await app.fold()
    expect(await securityOf(app, project)).toMatchObject(expected)
    await send(app, project, { ...none, complaint: 1 })
    expect(await securityOf(app, project)).toMatchObject({
      status: 'critical',
      isDisabled: false,
      allTime: { sent: 101, complaints: 1 },
    })
  })

  it('drops old days from the week but not from the total', async () => {
    const project = await createProject(app)
    await send(app, project, { ...none, success: 90, bounce: 10 })
    const now = app.clock.now()
    app.clock.forward(7 * 24 * 3_600_000)
    try {
      expect(await securityOf(app, project)).toMatchObject({
        status: 'critical',
        sevenDay: NO_MAIL,
        allTime: { sent: 100, bounces: 10 },
      })
      await send(app, project, { ...none, success: 100 })
      expect(await securityOf(app, project)).toMatchObject({ status: 'healthy', sevenDay: { sent: 100, bounces: 0 } })
    } finally {
      app.clock.set(now)
    }
  })

  it('disables no project unless AUTO_DISABLE is set', async () => {
    const project = await createProject(app)
    await send(app, project, { ...none, success: 80, bounce: 20 })
    await app.fold()
    expect(await securityOf(app, project)).toMatchObject({ status: 'critical', isDisabled: false })
  })
})

describe('with AUTO_DISABLE, a project', () => {
  it('is disabled if its reputation is critical, its owner is notified with the reason, and its pending emails are kept', async () => {
    const project = await createProject(strict, 'Bad lists')
    const other = await createProject(strict)
    await send(strict, other, { ...none, success: 91, bounce: 9 })
    await send(strict, project, { ...none, success: 88, bounce: 12 })
    const key = project.secretKey
    const email = { to: 'late@example.org', from: 'a@example.com', subject: 's', body: 'b' }
    const { body: waiting } = await strict.request('POST', '/v1/send', { key, body: email })
    await strict.fold()

    expect(await securityOf(strict, project)).toMatchObject({
      status: 'critical',
      isDisabled: true,
      disabledReason: expect.stringContaining('12% of its emails bounced permanently'),
    })
    expect(await strict.request('POST', '/v1/send', { key, body: email })).toMatchObject({
      status: 403,
      body: { error: { code: 'PROJECT_DISABLED' } },
    })
    expect((await strict.request('GET', '/contacts', { key })).status).toBe(200)
    const patch = { key, body: { name: 'x' } }
    expect((await strict.request('PATCH', `/users/@me/projects/${project.id}`, patch)).status).toBe(403)
    const list = await strict.request('GET', '/users/@me/projects', { cookie: project.owner.cookie })
    expect(list.body[0]).toMatchObject({ disabled: true, disabledReason: expect.stringContaining('12%') })

    await strict.drain()
    const id = waiting.data.emails[0].email
    expect((await strict.request('GET', `/emails/${id}`, { key })).body.status).toBe('PENDING')
    const notices = (await strict.captured()).filter((message) => message.recipients.includes(project.owner.email))
    expect(notices).toHaveLength(1)
    expect(notices[0]!.raw.toString()).toContain('Bad lists')
    const { rows } = await strict.pool.query(
      `select actor_kind from audit_log where project_id = $1 and act = 'project.disabled'`,
      [project.id],
    )
    expect(rows).toEqual([{ actor_kind: 'SYSTEM' }])
    expect(await securityOf(strict, other)).toMatchObject({ status: 'warning', isDisabled: false })
  })

  it('is notified once', async () => {
    const project = await createProject(strict)
    await send(strict, project, { ...none, success: 100, complaint: 1 })
    await Promise.all([strict.fold(), strict.fold()])
    await strict.fold()
    await strict.drain()
    const notices = (await strict.captured()).filter((message) => message.recipients.includes(project.owner.email))
    expect(notices).toHaveLength(1)
  })
})
