/** An app for the tests of a file, and a new project for each of them. */
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createProject, openTestApp, type TestApp } from './harness.ts'

export function useProject(env: Record<string, string> = {}) {
  let app: TestApp
  let project: Awaited<ReturnType<typeof createProject>>

  beforeAll(async () => {
    app = await openTestApp(env)
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    // Jobs of earlier projects for later would run whenever a test moves the clock.
    await app.pool.query('delete from posthorn_queue.jobs')
    project = await createProject(app)
  })

  return {
    get app() {
      return app
    },
    get project() {
      return project
    },
    call: (method: string, path: string, body?: unknown) => app.request(method, path, { key: project.secretKey, body }),
  }
}
