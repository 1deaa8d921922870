/** A project with requests about its API keys. */
import { afterAll, beforeAll } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

type Project = Awaited<ReturnType<typeof createProject>>

export const HOUR_MS = 3_600_000

/** For a test file: its app and project are opened before its tests, and every function acts on them. */
export function useKeys() {
  let app: TestApp
  let project: Project
  beforeAll(async () => {
    app = await openTestApp({ TRUSTED_PROXIES: '127.0.0.1' })
    project = await createProject(app)
  })
  afterAll(() => app.close())

  const list = async (of = project) =>
    (await app.request('GET', '/api-keys?limit=100', { key: of.secretKey })).body.data
  return {
    app: () => app,
    project: () => project,
    inHours: (hours: number) => new Date(app.clock.now().getTime() + hours * HOUR_MS).toISOString(),
    create: async (body: object, key = project.secretKey) =>
      (await app.request('POST', '/api-keys', { key, body: { name: 'Shop', scopes: ['contacts:read'], ...body } }))
        .body,
    change: (id: string, body: object, key = project.secretKey) =>
      app.request('PATCH', `/api-keys/${id}`, { key, body }),
    rotate: (id: string, body?: object, key = project.secretKey) =>
      app.request('POST', `/api-keys/${id}/rotate`, { key, ...(body && { body }) }),
    list,
    find: async (id: string) => (await list()).find((key: { id: string }) => key.id === id),
    /** The status of a request that a key with `contacts:read` may make. */
    use: async (key: string, headers: Record<string, string> = {}) =>
      (await app.request('GET', '/contacts', { key, headers })).status,
  }
}
