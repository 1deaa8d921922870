/** The TypeScript client against the running service, over real sockets. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Posthorn, PosthornFailure, unwrap } from '../../../sdk/index.ts'
import { routes } from '../../app.ts'
import { openApiDocument } from '../../platform/openapi/openapi.ts'
import type { Operation } from '../../platform/openapi/openapi-shape.ts'
import { VERSION } from '../../platform/version.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let baseUrl: string
let project: Awaited<ReturnType<typeof createProject>>
let posthorn: Posthorn

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  await app.server.listen({ host: '127.0.0.1', port: 0 })
  baseUrl = `http://127.0.0.1:${(app.server.server.address() as AddressInfo).port}`
  posthorn = new Posthorn(project.secretKey, { baseUrl })
})
afterAll(() => app.close())

const MAIL = { from: 'hello@example.com', subject: 'Hello', body: '<p>Hello</p>' }

/** A fetch that fails on purpose: `before` may respond instead of the service, `after` may lose its response. */
const failingFetch =
  (failure: { before?: (n: number) => Response | undefined; after?: (n: number) => void }, tries: Request[] = []) =>
  async (request: Request) => {
    tries.push(request)
    const instead = failure.before?.(tries.length)
    if (instead) return instead
    const response = await fetch(request)
    failure.after?.(tries.length)
    return response
  }

const loseFirst = (n: number) => {
  if (n === 1) throw new TypeError('the connection broke')
}

describe('an SDK result', () => {
  it('has the data of the response', async () => {
    const { data, error } = await posthorn.contacts.upsert({ email: 'ada@example.org', data: { plan: 'pro' } })
    expect(error).toBeUndefined()
    expect(data).toMatchObject({ email: 'ada@example.org', data: { plan: 'pro' }, _meta: { isNew: true } })
    const found = await posthorn.contacts.get(data!.id)
    expect(found.data!.email).toBe('ada@example.org')
    expect((await posthorn.contacts.delete(data!.id)).error).toBeUndefined()
  })

  it('has an error with its code, message and fields, and nothing is thrown', async () => {
    const { data, error } = await posthorn.contacts.upsert({ email: 'nobody' })
    expect(data).toBeUndefined()
    expect(error).toMatchObject({ code: 'VALIDATION_ERROR', statusCode: 422 })
    expect(error!.errors![0]!.field).toBe('email')
    expect(error!.requestId).toMatch(/^[\da-f-]{36}$/)
  })

  it('has an error for the bare 400 of a template without a sender', async () => {
    const { error } = await posthorn.templates.create({ name: 'x', subject: 'x', body: 'x' } as never)
    expect(error).toMatchObject({ code: 'BAD_REQUEST', statusCode: 400, message: expect.stringMatching(/from/i) })
  })

  it("has an error if the service can't be reached", async () => {
    const nobody = new Posthorn('sk_x', { baseUrl: 'http://127.0.0.1:1', retries: 0 })
    expect((await nobody.contacts.list()).error).toMatchObject({ code: 'NETWORK_ERROR', statusCode: 0 })
  })

  it('has an error for an ID that would change the path', async () => {
    for (const id of ['', '.', '..']) {
      expect((await posthorn.contacts.delete(id)).error?.code).toBe('INVALID_ARGUMENT')
    }
    expect((await posthorn.contacts.get('../templates')).error?.code).toBe('CONTACT_NOT_FOUND')
    expect((await posthorn.request('DELETE /contacts/{id}')).error?.code).toBe('INVALID_ARGUMENT')
  })

  it('has an error for a response that is not from the service', async () => {
    const page = async () => new Response('<h1>Bad gateway</h1>', { status: 502, headers: { 'x-request-id': 'r1' } })
    const { error } = await new Posthorn('sk_x', { baseUrl, fetch: page }).contacts.list()
    expect(error).toMatchObject({ code: 'UNEXPECTED_ANSWER', statusCode: 502, requestId: 'r1' })
  })

  it('can be unwrapped, which throws the error', async () => {
    await expect(unwrap(posthorn.contacts.get('x'))).rejects.toThrow(PosthornFailure)
  })
})

describe('sending with the SDK', () => {
  it('returns the IDs of the emails', async () => {
    const { data } = await posthorn.emails.send({ to: ['a@example.org', 'b@example.org'], ...MAIL })
    expect(data!.emails.map(({ contact }) => contact.email)).toEqual(['a@example.org', 'b@example.org'])
    await app.drain()
    const { data: email } = await posthorn.emails.get(data!.emails[0]!.email)
    expect(email).toMatchObject({ to: 'a@example.org', status: 'DELIVERED' })
    expect((await posthorn.emails.raw(email!.id)).data).toContain('Subject: Hello')
  })

  it('happens once if the response is lost, and still returns the ID', async () => {
    const client = new Posthorn(project.secretKey, { baseUrl, fetch: failingFetch({ after: loseFirst }) })
    const { data, error } = await client.emails.send({ to: 'once@example.org', ...MAIL })
    expect(error).toBeUndefined()
    const { data: ledger } = await posthorn.emails.list({ search: 'once@example.org' })
    expect(ledger!.data.map(({ id }) => id)).toEqual([data!.emails[0]!.email])
  })

  it('records an event once with the public key if the response is lost, and returns when', async () => {
    const client = new Posthorn(project.publicKey, { baseUrl, fetch: failingFetch({ after: loseFirst }) })
    const { data, error } = await client.events.track({ email: 'visitor@example.org', event: 'visited-once' })
    expect(error).toBeUndefined()
    expect(data).toEqual({ timestamp: expect.any(String) })
    const { data: recorded } = await posthorn.events.list({ limit: 100 })
    expect(recorded!.data.filter(({ name }) => name === 'visited-once')).toHaveLength(1)
  })

  it('is refused the second time with a key of the caller', async () => {
    const mail = { to: 'key@example.org', ...MAIL }
    expect((await posthorn.emails.send(mail, { idempotencyKey: 'mine' })).error).toBeUndefined()
    expect((await posthorn.emails.send(mail, { idempotencyKey: 'mine' })).error?.code).toBe('IDEMPOTENCY_KEY_REUSED')
  })
})

describe('a failed SDK request', () => {
  const busy = (status: number) => ({
    before: (n: number) => (n === 1 ? new Response('{}', { status, headers: { 'retry-after': '0' } }) : undefined),
  })

  it('is retried after 429, for every call', async () => {
    const client = new Posthorn(project.secretKey, { baseUrl, fetch: failingFetch(busy(429)) })
    const template = { name: 'T', subject: 'S', body: 'B', from: 'hello@example.com' }
    expect((await client.templates.create(template)).data?.name).toBe('T')
  })

  it('is retried after 503 and broken connections if that is safe', async () => {
    for (const failure of [busy(503), { after: loseFirst }]) {
      const client = new Posthorn(project.secretKey, { baseUrl, fetch: failingFetch(failure) })
      expect((await client.contacts.list()).error).toBeUndefined()
    }
  })

  it('is not retried if it could have its effect twice', async () => {
    const tries: Request[] = []
    const client = new Posthorn(project.secretKey, { baseUrl, fetch: failingFetch({ after: loseFirst }, tries) })
    const template = { name: 'Once', subject: 'S', body: 'B', from: 'hello@example.com' }
    expect((await client.templates.create(template)).error?.code).toBe('NETWORK_ERROR')
    expect(tries).toHaveLength(1)
  })

  it('is retried a limited number of times: the last response is the result', async () => {
    const tries: Request[] = []
    const always = { before: () => new Response('{}', { status: 503, headers: { 'retry-after': '0' } }) }
    const client = new Posthorn(project.secretKey, { baseUrl, retries: 2, fetch: failingFetch(always, tries) })
    expect((await client.contacts.list()).error?.statusCode).toBe(503)
    expect(tries).toHaveLength(3)
  })
})

describe('SDK authentication', () => {
  it('tracks with the public key', async () => {
    const page = new Posthorn(project.publicKey, { baseUrl })
    const { data } = await page.events.track({ email: 'ada@example.org', event: 'signed-up' })
    expect(data).toMatchObject({ contact: expect.any(String), event: expect.any(String) })
    expect((await page.contacts.list()).error?.code).toBe('INVALID_API_KEY')
  })

  it('tracks with the secret key', async () => {
    expect((await posthorn.events.track({ email: 'ada@example.org', event: 'paid' })).data!.event).toBeTruthy()
  })

  it('manages API keys, and tracks with one in the way that can be retried', async () => {
    const { data: created } = await posthorn.apiKeys.create({ name: 'Website', scopes: ['track'] })
    const requests: Request[] = []
    const website = new Posthorn(created!.key, { baseUrl, fetch: failingFetch({}, requests) })
    expect((await website.events.track({ email: 'ada@example.org', event: 'visited' })).data!.event).toBeTruthy()
    expect(requests[0]!.url).toBe(`${baseUrl}/v1/track`)
    const { error } = await website.contacts.list()
    expect(error).toMatchObject({ code: 'FORBIDDEN', details: { requiredScope: 'contacts:read' } })
    expect((await posthorn.apiKeys.update(created!.id, { name: 'Blog' })).data!.name).toBe('Blog')
    expect((await posthorn.apiKeys.rotate(created!.id)).data!.key).toMatch(/^phk_/)
    const names: string[] = []
    for await (const key of posthorn.apiKeys.all()) names.push(key.name)
    expect(names).toEqual(['Blog'])
    expect((await posthorn.apiKeys.delete(created!.id)).error).toBeUndefined()
  })

  it('works with a session and a project, as in the dashboard', async () => {
    const browser = (request: Request) => {
      request.headers.set('cookie', project.owner.cookie)
      return fetch(request)
    }
    const person = new Posthorn({ baseUrl, projectId: project.id, fetch: browser })
    expect((await person.auth.me()).data!.email).toBe(project.owner.email)
    expect((await person.contacts.list()).error).toBeUndefined()
    const nowhere = new Posthorn({ baseUrl, fetch: browser })
    expect((await nowhere.contacts.list()).error?.code).toBe('BAD_REQUEST')
  })
})

describe('SDK pagination', () => {
  it('returns every item once, newest first', async () => {
    const emails = Array.from({ length: 7 }, (_, i) => `walk${i}@example.org`)
    for (const email of emails) await posthorn.contacts.upsert({ email })
    const seen: string[] = []
    for await (const contact of posthorn.contacts.all({ limit: 3, search: 'walk' })) seen.push(contact.email)
    expect(seen).toEqual(emails.reverse())
  })

  it('stops with the error if a page is refused', async () => {
    const unauthorized = new Posthorn('sk_unknown', { baseUrl })
    await expect(unauthorized.contacts.all().next()).rejects.toMatchObject({ error: { code: 'INVALID_API_KEY' } })
  })
})

describe('an SDK request', () => {
  const requestOf = async (ask: (client: Posthorn) => Promise<unknown>): Promise<Request> => {
    const requests: Request[] = []
    const record = async (request: Request) => {
      requests.push(request)
      return new Response(null, { status: 204 })
    }
    await ask(new Posthorn('sk_x', { baseUrl: 'https://mail.example.com/post/', fetch: record }))
    return requests[0]!
  }

  it('has encoded parameters, and a list becomes one parameter for each value', async () => {
    const query = { search: 'a b&c', limit: 5, cursor: undefined, tag: ['x', 'y'] }
    const { url } = await requestOf((client) =>
      client.request('GET /contacts/{id}/timeline', { path: { id: 'a/b c' }, query: query as never }),
    )
    expect(url).toBe('https://mail.example.com/post/contacts/a%2Fb%20c/timeline?search=a+b%26c&limit=5&tag=x&tag=y')
  })

  it('declares the type of its body, and none without a body', async () => {
    const typeOf = async (ask: (client: Posthorn) => Promise<unknown>) =>
      (await requestOf(ask)).headers.get('content-type')
    expect(await typeOf((client) => client.contacts.upsert({ email: 'a@example.org' }))).toBe('application/json')
    expect(await typeOf((client) => client.contacts.import('email'))).toMatch(/^multipart\/form-data; boundary=/)
    expect(await typeOf((client) => client.campaigns.cancel('a'))).toBeNull()
  })

  it('ends after the timeout, and is aborted by its signal', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const hasty = new Posthorn('sk_x', { baseUrl: silentUrl, retries: 0, timeoutMs: 1 })
    expect((await hasty.contacts.list()).error?.code).toBe('TIMEOUT')
    const patient = new Posthorn('sk_x', { baseUrl: silentUrl })
    const { error } = await patient.request('GET /contacts', { signal: AbortSignal.abort() })
    expect(error?.code).toBe('ABORTED')
    silent.close()
  })
})

describe('the SDK client', () => {
  it('uploads and downloads files', async () => {
    const { data: job } = await posthorn.contacts.import('email,city\nfile@example.org,Paris\n')
    await app.drain()
    expect((await posthorn.contacts.getImport(job!.jobId)).data).toMatchObject({ status: 'COMPLETED' })
    expect((await posthorn.contacts.export()).data).toContain('file@example.org')
  })

  it('has the method that each route names, and it requests that route', async () => {
    const named = routes.filter((route) => route.client)
    const requested = await Promise.all(named.map(async ({ client }) => [client, await placeRequestedBy(client!)]))
    expect(requested).toEqual(named.map(({ client, method, path }) => [client, `${method} ${path}`]))
  })

  it('has no method that is not named by a route, except those that combine requests', () => {
    const names = new Set(routes.map(({ client }) => client))
    const methods = methodsOf(posthorn).filter((name) => name !== 'request' && !/\.all[A-Z]?/.test(name))
    expect(methods.filter((name) => !names.has(name as 'x.y'))).toEqual([])
  })

  it('has one method for each route that programs call', () => {
    const names = programRoutes().map((operation) => operation['x-client-method'] ?? operation.operationId)
    expect(names.filter((name) => !name.includes('.'))).toEqual([])
    expect(names.filter((name, i) => names.indexOf(name) < i)).toEqual([])
  })
})

/** Not the pages for people, nor webhooks and clients of other services, nor streams. */
function programRoutes(): Operation[] {
  const { paths } = openApiDocument(routes, { version: VERSION })
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).filter(({ security, responses, tags }) => {
      if (tags.includes('Compatible endpoints')) return false
      const types = Object.entries(responses).flatMap(([status, reply]) =>
        /^2/.test(status) && 'content' in reply ? Object.keys(reply.content ?? {}) : [],
      )
      const isPage = security.length === 0 && !types.includes('application/json')
      return !isPage && !path.startsWith('/webhooks/') && !types.includes('text/event-stream')
    }),
  )
}

/** Calls the method with made-up arguments and returns the route that it requests. */
async function placeRequestedBy(name: string): Promise<string | undefined> {
  let place: string | undefined
  const recordPlace = async (request: Request) => {
    place ??= placeOf(request.method, new URL(request.url).pathname)
    return Response.json({ data: [] })
  }
  const client = new Posthorn('sk_x', { baseUrl, fetch: recordPlace })
  const method = name.split('.').reduce<unknown>((owner, key) => (owner as Record<string, unknown>)?.[key], client)
  if (typeof method !== 'function') return undefined
  // Only its name is part of the path.
  await (name === 'templates.upsert' ? method({ name: 'a' }) : method('a', 'b', {}))
  return place
}

const methodsOf = (owner: object, prefix = ''): string[] =>
  Object.entries(owner).flatMap(([name, value]) =>
    typeof value === 'object' ? methodsOf(value, `${prefix}${name}.`) : [`${prefix}${name}`],
  )

/** The route of a path: the one with the fewest parameters. */
function placeOf(method: string, address: string): string {
  const fits = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address)
  const [route] = routes
    .filter((route) => route.method === method && fits(route.path))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  return route ? `${method} ${route.path}` : `${method} ${address}`
}
