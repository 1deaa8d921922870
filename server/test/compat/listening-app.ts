/** What the tests of the endpoints for clients of other services share: a listening app, a project and a template. */
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

export const PDF = Buffer.from('%PDF-1.4').toString('base64')
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const addressesOf = (list: Array<{ address?: string }> | undefined) => (list ?? []).map(({ address }) => address)

export function useListeningApp() {
  let app: TestApp
  let project: Awaited<ReturnType<typeof createProject>>
  let baseUrl: string
  let templateId: string
  const call = (method: string, path: string, body?: unknown) =>
    app.request(method, path, { key: project.secretKey, body })

  beforeAll(async () => {
    app = await openTestApp()
    project = await createProject(app)
    await app.server.listen({ host: '127.0.0.1', port: 0 })
    baseUrl = `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}`
    const { body: template } = await call('POST', '/templates', {
      name: 'Receipt',
      subject: 'Receipt for {{ name }}',
      body: '<p>You paid {{ total }}.</p>',
      from: 'shop@example.com',
      type: 'TRANSACTIONAL',
    })
    templateId = template.id
  })
  afterAll(() => app.close())

  return {
    get app() {
      return app
    },
    get key() {
      return project.secretKey
    },
    get projectId() {
      return project.id
    },
    get baseUrl() {
      return baseUrl
    },
    get templateId() {
      return templateId
    },
    call,
    keyWith: async (scopes: string[]) => (await call('POST', '/api-keys', { name: 'Test', scopes })).body.key as string,
    /** How many emails there are; a request that sends nothing doesn't change it. */
    countEmails: async () => (await call('GET', '/emails')).body.total as number,
    /** An email and the message that was sent. */
    async sent(id: string) {
      await app.drain()
      const { body: email } = await call('GET', `/emails/${id}`)
      const row = (await app.captured()).find(({ raw }) => raw.includes(id))
      if (!row) throw new Error(`The email ${id} was not sent.`)
      return { email, recipients: [...row.recipients].sort(), message: await PostalMime.parse(row.raw) }
    },
  }
}
