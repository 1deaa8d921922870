/** Forms of a project, and a visitor who fills them in. */
import { afterAll, beforeAll, expect } from 'vitest'
import { createProject, openTestApp, type TestApp, type TestRequest } from '../harness.ts'

export function useForms() {
  let app: TestApp
  let project: Awaited<ReturnType<typeof createProject>>
  let people = 0

  beforeAll(async () => {
    app = await openTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    project = await createProject(app)
  })
  afterAll(() => app.close())

  const call = (method: string, url: string, body?: unknown) => {
    app.clock.forward(10)
    return app.request(method, url, { key: project.secretKey, body })
  }
  const post = (id: string, options: TestRequest) => app.request('POST', `/f/${id}`, options)

  /** The values of the hidden inputs of a form's page. */
  async function openForm(
    id: string,
    headers: Record<string, string> = {},
    query = '',
  ): Promise<Record<string, string>> {
    const { status, body } = await app.request('GET', `/f/${id}${query}`, { headers })
    expect(status).toBe(200)
    const inputs = body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)
    return Object.fromEntries([...inputs].map(([, name, value]: string[]) => [name, value!.replaceAll('&amp;', '&')]))
  }

  return {
    app: () => app,
    project: () => project,
    call,
    post,
    openForm,
    newAddress: () => `visitor-${people++}@example.org`,
    create: async (body: object = {}) => (await call('POST', '/forms', { name: 'Newsletter', ...body })).body,

    /** Opens the form, waits, and submits it as JSON. */
    async submit(id: string, fields: object, afterMs = 2_000) {
      const hidden = await openForm(id)
      app.clock.forward(afterMs)
      return post(id, { body: { ...hidden, ...fields } })
    },

    contactOf: async (email: string) =>
      (await call('GET', `/contacts?search=${encodeURIComponent(email)}`)).body.data.find(
        (contact: { email: string }) => contact.email === email,
      ),

    /** The paths of the links in the confirmation emails to a contact. */
    async confirmationsTo(contactId: string): Promise<string[]> {
      await app.drain()
      const { data } = (await call('GET', `/emails?contactId=${contactId}`)).body
      const emails = await Promise.all(
        data.map(async ({ id }: { id: string }) => (await call('GET', `/emails/${id}`)).body),
      )
      return emails.flatMap(({ html }) => /http:\/\/posthorn\.test(\/confirm\/[\w-]+)/.exec(html)?.[1] ?? [])
    },
  }
}
