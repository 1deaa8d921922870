/** Requests that read much of a project's data: a project can't occupy all database connections with them. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

it.each([
  ['GET', '/contacts/fields/plan/values', 'contacts'],
  ['DELETE', '/contacts/fields/plan', 'contacts'],
  ['GET', '/events/stats?from=2026-01-01', 'events'],
])('too many concurrent requests of one project to %s %s get 429', async (method, path, table) => {
  const blocker = await app.pool.connect()
  try {
    await blocker.query('begin')
    await blocker.query(`lock table ${table} in access exclusive mode`)
    const reading = Array.from({ length: 12 }, () => app.request(method, path, { key: project.secretKey }))
    expect(await Promise.race(reading)).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMIT_EXCEEDED' } } })
    await blocker.query('rollback')
    await Promise.all(reading)
  } finally {
    blocker.release()
  }
})
