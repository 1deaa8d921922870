import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let key: string
beforeAll(async () => {
  app = await openTestApp({ RATE_LIMIT_PER_MINUTE: '10000' })
  key = (await createProject(app)).secretKey
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  app.request(method, path, { key, headers, ...(body === undefined ? {} : { body }) })

const content = { subject: 'Hi', body: '<p>Hi</p>', from: 'hello@example.com' }
const DIVIDER = { id: 'a', type: 'divider' }
const KINDS = [
  { path: '/templates', created: { name: 'A', ...content, type: 'TRANSACTIONAL' }, method: 'PATCH', change: 'name' },
  { path: '/campaigns', created: { name: 'A', ...content, audienceType: 'ALL' }, method: 'PUT', change: 'name' },
  { path: '/campaigns', created: { name: 'A', ...content, audienceType: 'ALL' }, method: 'PATCH', change: 'tags' },
  { path: '/segments', created: { name: 'A', type: 'STATIC' }, method: 'PATCH', change: 'name' },
  { path: '/contacts', created: { email: 'a@example.org' }, method: 'PATCH', change: 'email' },
  { path: '/layouts', created: { name: 'A', header: [], footer: [] }, method: 'PATCH', change: 'name' },
  { path: '/saved-blocks', created: { name: 'A', blocks: [DIVIDER] }, method: 'PATCH', change: 'name' },
  { path: '/workflows', created: { name: 'A', triggerType: 'MANUAL' }, method: 'PATCH', change: 'name' },
]
const changed = ({ method, created, change }: (typeof KINDS)[number], value: string) => ({
  ...(method === 'PUT' ? created : {}),
  [change]: change === 'tags' ? [value] : change === 'email' ? `${value}@example.org` : value,
})

describe.each(KINDS)('$method of one of $path', (kind) => {
  let one: string
  const read = async () => String((await call('GET', one)).headers.etag)
  beforeAll(async () => {
    one = `${kind.path}/${(await call('POST', kind.path, kind.created)).body.id}`
  })

  it('is refused with 412 and changes nothing if someone else has changed it', async () => {
    const etag = await read()
    expect((await call(kind.method, one, changed(kind, 'mine'), { 'if-match': etag })).status).toBe(200)
    const current = await read()
    expect(current).not.toBe(etag)
    const { status, body } = await call(kind.method, one, changed(kind, 'theirs'), { 'if-match': etag })
    expect(status).toBe(412)
    expect(body.error.code).toBe('PRECONDITION_FAILED')
    expect(new Date(body.error.details.updatedAt).getTime()).toBeGreaterThan(0)
    expect(await read()).toBe(current)
  })

  it('returns the ETag for the next change, even within the same millisecond', async () => {
    let etag = await read()
    for (const value of ['b', 'c', 'd']) {
      const { status, headers } = await call(kind.method, one, changed(kind, value), { 'if-match': etag })
      expect(status).toBe(200)
      expect(headers.etag).not.toBe(etag)
      etag = String(headers.etag)
    }
    const { status } = await call(kind.method, one, changed(kind, 'e'), { 'if-match': `"other", W/${etag}` })
    expect(status).toBe(200)
  })

  it('happens as before without the header, and with *', async () => {
    expect((await call(kind.method, one, changed(kind, 'f'))).status).toBe(200)
    expect((await call(kind.method, one, changed(kind, 'g'), { 'if-match': '*' })).status).toBe(200)
  })

  it('lets exactly one of two concurrent changes with the same version succeed', async () => {
    const headers = { 'if-match': await read() }
    const results = await Promise.all(
      ['h', 'i', 'j'].map((value) => call(kind.method, one, changed(kind, value), headers)),
    )
    expect(results.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  })

  it('is possible with the time of the last change too', async () => {
    const { updatedAt } = (await call('GET', one)).body
    const change = () => call(kind.method, one, changed(kind, 'k'), { 'if-match': `"${updatedAt}"` })
    expect((await change()).status).toBe(200)
    expect((await change()).status).toBe(412)
  })

  it('responds with 404 if it does not exist', async () => {
    const missing = `${kind.path}/01a1dd1f-5566-7386-9343-5429898a495c`
    expect((await call(kind.method, missing, changed(kind, 'x'), { 'if-match': '"x"' })).status).toBe(404)
  })
})

it('a graph and its steps are changed only if the workflow is the version that was read', async () => {
  const { body: workflow } = await call('POST', '/workflows', { name: 'W', triggerType: 'MANUAL' })
  const one = `/workflows/${workflow.id}`
  const etag = String((await call('GET', one)).headers.etag)
  const { body: step } = await call('POST', `${one}/steps`, { type: 'EXIT', config: { reason: 'x' } })
  const stale = { 'if-match': etag }
  expect((await call('PATCH', `${one}/steps/${step.id}`, { name: 'y' }, stale)).status).toBe(412)
  expect((await call('PUT', `${one}/graph`, { steps: [], transitions: [] }, stale)).status).toBe(412)
  const fresh = { 'if-match': String((await call('GET', one)).headers.etag) }
  expect((await call('PATCH', `${one}/steps/${step.id}`, { name: 'y' }, fresh)).status).toBe(200)
})

it('settings of a project are changed only if they are what was read', async () => {
  const { id, secretKey } = await createProject(app)
  const change = (name: string, headers: Record<string, string> = {}) =>
    app.request('PATCH', `/users/@me/projects/${id}`, { key: secretKey, body: { name }, headers })
  const { updatedAt } = (await change('A')).body
  const since = { 'if-match': `"${updatedAt}"` }
  expect((await change('B', since)).status).toBe(200)
  const refused = await change('C', since)
  expect(refused.status).toBe(412)
  expect(refused.body.error.code).toBe('PRECONDITION_FAILED')
  expect((await change('D')).body.name).toBe('D')
})

it('a template of a name is created only without If-Match', async () => {
  const put = (headers: Record<string, string>) => call('PUT', '/templates/by-name/New', { ...content }, headers)
  expect((await put({ 'if-match': '*' })).status).toBe(412)
  const { headers } = await put({})
  expect((await put({ 'if-match': String(headers.etag) })).status).toBe(200)
})

it('a resource that has not changed is not sent again', async () => {
  const { body: contact } = await call('POST', '/contacts', { email: 'etag@example.org' })
  const first = await call('GET', `/contacts/${contact.id}`)
  const again = await call('GET', `/contacts/${contact.id}`, undefined, { 'if-none-match': String(first.headers.etag) })
  expect(again.status).toBe(304)
  expect(again.body).toBe('')
  expect(again.headers.etag).toBe(first.headers.etag)
  await call('PATCH', `/contacts/${contact.id}`, { data: { plan: 'pro' } })
  const third = await call('GET', `/contacts/${contact.id}`, undefined, { 'if-none-match': String(first.headers.etag) })
  expect(third.status).toBe(200)
})

it('the rate limit is reported in both forms', async () => {
  const { headers } = await call('GET', '/contacts')
  expect(headers['ratelimit-policy']).toBe('"requests";q=10000;w=60')
  expect(headers.ratelimit).toBe(`"requests";r=${headers['ratelimit-remaining']};t=${headers['ratelimit-reset']}`)
})
