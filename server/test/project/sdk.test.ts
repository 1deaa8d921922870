/** The TypeScript client against the running service, over real sockets. */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Posthorn, PosthornFailure, unwrap } from '../../../sdk/index.ts'
import { routes } from '../../app.ts'
import { openApiDocument } from '../../platform/openapi/openapi.ts'
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
const wayWith =
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
    const careless = new Posthorn(project.secretKey, { baseUrl, fetch: wayWith({ after: loseFirst }) })
    const { data, error } = await careless.emails.send({ to: 'once@example.org', ...MAIL })
    expect(error).toBeUndefined()
    const { data: ledger } = await posthorn.emails.list({ search: 'once@example.org' })
    expect(ledger!.data.map(({ id }) => id)).toEqual([data!.emails[0]!.email])
  })

  it('records an event once with the public key if the response is lost, and returns when', async () => {
    const careless = new Posthorn(project.publicKey, { baseUrl, fetch: wayWith({ after: loseFirst }) })
    const { data, error } = await careless.events.track({ email: 'visitor@example.org', event: 'visited-once' })
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
    const client = new Posthorn(project.secretKey, { baseUrl, fetch: wayWith(busy(429)) })
    const template = { name: 'T', subject: 'S', body: 'B', from: 'hello@example.com' }
    expect((await client.templates.create(template)).data?.name).toBe('T')
  })

  it('is retried after 503 and broken connections if that is safe', async () => {
    for (const failure of [busy(503), { after: loseFirst }]) {
      const client = new Posthorn(project.secretKey, { baseUrl, fetch: wayWith(failure) })
      expect((await client.contacts.list()).error).toBeUndefined()
    }
  })

  it('is not retried if it could have its effect twice', async () => {
    const tries: Request[] = []
    const client = new Posthorn(project.secretKey, { baseUrl, fetch: wayWith({ after: loseFirst }, tries) })
    const template = { name: 'Once', subject: 'S', body: 'B', from: 'hello@example.com' }
    expect((await client.templates.create(template)).error?.code).toBe('NETWORK_ERROR')
    expect(tries).toHaveLength(1)
  })

  it('is retried a limited number of times: the last response is the result', async () => {
    const tries: Request[] = []
    const always = { before: () => new Response('{}', { status: 503, headers: { 'retry-after': '0' } }) }
    const client = new Posthorn(project.secretKey, { baseUrl, retries: 2, fetch: wayWith(always, tries) })
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

describe('the SDK client', () => {
  it('uploads and downloads files', async () => {
    const { data: job } = await posthorn.contacts.import('email,city\nfile@example.org,Paris\n')
    await app.drain()
    expect((await posthorn.contacts.getImport(job!.jobId)).data).toMatchObject({ status: 'COMPLETED' })
    expect((await posthorn.contacts.export()).data).toContain('file@example.org')
  })

  it('has a method for every route of the API', async () => {
    const reached = await placesReached()
    expect(placesForPrograms().filter((place) => !reached.has(place))).toEqual([])
  })
})

/** All routes for programs: not the pages for people, nor webhooks of other services, nor streams. */
function placesForPrograms(): string[] {
  const { paths } = openApiDocument(routes, { version: VERSION })
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security, responses }]) => {
      const types = Object.entries(responses).flatMap(([status, reply]) =>
        /^2/.test(status) && 'content' in reply ? Object.keys(reply.content ?? {}) : [],
      )
      const isPage = security.length === 0 && !types.includes('application/json')
      const isOther = isPage || path.startsWith('/webhooks/') || types.includes('text/event-stream')
      return isOther ? [] : [`${method.toUpperCase()} ${path}`]
    }),
  )
}

/** Calls every method of the client with made-up arguments and records the requested routes. */
async function placesReached(): Promise<Set<string>> {
  const reached = new Set<string>()
  const note = async (request: Request) => {
    reached.add(placeOf(request.method, new URL(request.url).pathname))
    return Response.json({ data: [], hasMore: false })
  }
  for (const key of ['sk_x', 'pk_x']) {
    const client = new Posthorn(key, { baseUrl, fetch: note })
    for (const resource of Object.values(client)) await callAll(resource)
  }
  return reached
}

async function callAll(resource: object): Promise<void> {
  for (const method of Object.values(resource)) {
    if (typeof method === 'object') await callAll(method)
    else {
      const result = method('a', 'b', {})
      await (Symbol.asyncIterator in result ? result.next() : result)
    }
  }
}

/** The route of a path: the one with the fewest parameters. */
function placeOf(method: string, address: string): string {
  const fits = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(address)
  const [route] = routes
    .filter((route) => route.method === method && fits(route.path))
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)
  return route ? `${method} ${route.path}` : `${method} ${address}`
}
