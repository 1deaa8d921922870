/** Expensive requests: a project can't occupy all database connections or rendering threads with them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const content = { subject: 'Hi', body: '<p>Hi</p>', type: 'MARKETING', from: 'hello@example.com' }

it.each([
  ['GET', '/contacts/fields/plan/values', 'contacts'],
  ['DELETE', '/contacts/fields/plan', 'contacts'],
  ['GET', '/events/stats?from=2026-01-01', 'events'],
  ['POST', '/templates/preview', 'contacts', { ...content, contactId: '019a0000-0000-7000-8000-000000000001' }],
  ['POST', '/templates/test', 'domains', { ...content, email: 'ada@example.org' }],
  ['POST', '/campaigns/019a0000-0000-7000-8000-000000000001/test', 'campaigns', { email: 'ada@example.org' }],
])('too many concurrent requests of one project to %s %s get 429', async (method, path, table, body?: object) => {
  const blocker = await app.pool.connect()
  try {
    await blocker.query('begin')
    await blocker.query(`lock table ${table} in access exclusive mode`)
    const reading = Array.from({ length: 12 }, () => app.request(method, path, { key: project.secretKey, body }))
    expect(await Promise.race(reading)).toMatchObject({
      status: 429,
      body: { error: { code: 'RATE_LIMIT_EXCEEDED', details: { retryAfter: 1 } } },
    })
    await blocker.query('rollback')
    await Promise.all(reading)
  } finally {
    blocker.release()
  }
})
