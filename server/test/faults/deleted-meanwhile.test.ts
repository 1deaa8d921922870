/** A project that is deleted while an email, a campaign and an event that starts a workflow are waiting. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { openSmtpTestServer, type SmtpTestServer } from '../mail/smtp-test-server.ts'

let app: TestApp
let server: SmtpTestServer

beforeAll(async () => {
  server = await openSmtpTestServer()
  app = await openTestApp({ MAIL_URL: `smtp://127.0.0.1:${server.port}?tls=off` })
})
afterAll(async () => {
  await app.close()
  await server.close()
})

/** With jobs that have not run yet: an email, a campaign and an event that starts a workflow. */
async function createBusyProject() {
  const project = await createProject(app)
  await app.pool.query(`update domains set status = 'VERIFIED'`)
  await app.drain()
  server.taken.length = 0
  const call = (method: string, url: string, body?: unknown) =>
    app.request(method, url, { key: project.secretKey, body })
  const email = { from: 'hello@example.com', subject: 'Hello', body: '<p>Hi</p>' }
  const name = `r-${project.id}@example.org`
  await call('POST', '/contacts', { email: name, subscribed: true })
  const workflow = (await call('POST', '/workflows', { name: 'Welcome', eventName: 'visit' })).body
  await call('POST', `/workflows/${workflow.id}/steps`, { type: 'DELAY', config: { amount: 1, unit: 'hours' } })
  await call('PATCH', `/workflows/${workflow.id}`, { enabled: true })
  await call('POST', '/events/track', { email: name, event: 'visit' })
  const campaign = (await call('POST', '/campaigns', { name: 'News', ...email, audienceType: 'ALL' })).body
  expect((await call('POST', `/campaigns/${campaign.id}/send`)).status).toBe(200)
  const sent = await call('POST', '/v1/send', { to: name, ...email })
  expect(sent.status, JSON.stringify(sent.body)).toBe(200)
  return project
}

const failedJobs = async () =>
  (await app.pool.query('select name, last_error from posthorn_queue.jobs where attempts >= max_attempts')).rows

it('nothing of a deleted project is sent, and its waiting jobs end without an error', async () => {
  const project = await createBusyProject()
  expect((await app.request('DELETE', `/users/@me/projects/${project.id}`, { key: project.secretKey })).status).toBe(
    204,
  )
  await app.drain()
  app.clock.forward(2 * 3_600_000)
  await app.drain()
  expect(server.taken.filter(({ recipients }) => recipients[0] === `r-${project.id}@example.org`)).toEqual([])
  expect((await app.pool.query('select from projects where id = $1', [project.id])).rowCount).toBe(0)
  expect(await failedJobs()).toEqual([])
})
