/** Tags of campaigns, templates, segments and workflows, and when a template was last used. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let other: typeof project

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  other = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown, key = project.secretKey) =>
  app.request(method, path, { key, body })

const CONTENT = { subject: 'Hello', body: '<p>Hi</p>', from: 'hello@example.com' }
const NEW: Record<string, object> = {
  campaigns: { name: 'News', ...CONTENT, audienceType: 'ALL' },
  templates: { name: 'Welcome', ...CONTENT },
  segments: { name: 'Pros', type: 'STATIC' },
  workflows: { name: 'Onboarding' },
}
const KINDS = Object.keys(NEW)

const create = async (kind: string, tags?: string[], key = project.secretKey) => {
  const { status, body } = await call('POST', `/${kind}`, { ...NEW[kind], ...(tags ? { tags } : {}) }, key)
  expect(status).toBe(201)
  return body as { id: string; name: string; tags: string[] }
}
const idsOf = (body: { data?: Array<{ id: string }> } | Array<{ id: string }>) =>
  (Array.isArray(body) ? body : body.data!).map(({ id }) => id)

describe.each(KINDS)('tags of %s', (kind) => {
  it('are stored trimmed and once, and default to none', async () => {
    expect((await create(kind)).tags).toEqual([])
    const { id, tags } = await create(kind, [' product ', 'product', 'Übersicht'])
    expect(tags).toEqual(['product', 'Übersicht'])
    expect((await call('GET', `/${kind}/${id}`)).body.tags).toEqual(tags)
  })

  it('can be changed alone, and are kept when other fields change', async () => {
    const { id } = await create(kind, ['before'])
    expect((await call('PATCH', `/${kind}/${id}`, { tags: ['after', 'more'] })).body.tags).toEqual(['after', 'more'])
    const renamed =
      kind === 'campaigns'
        ? await call('PUT', `/${kind}/${id}`, { ...NEW[kind], name: 'Renamed' })
        : await call('PATCH', `/${kind}/${id}`, { name: 'Renamed' })
    expect(renamed.body).toMatchObject({ name: 'Renamed', tags: ['after', 'more'] })
    expect((await call('PATCH', `/${kind}/${id}`, { tags: [] })).body.tags).toEqual([])
  })

  it('filter the list, without those of other projects', async () => {
    const tag = `only-${kind}`
    const tagged = await create(kind, ['x', tag])
    await create(kind, ['x'])
    const { body } = await call('GET', `/${kind}?tag=${tag}`)
    expect(idsOf(body)).toEqual([tagged.id])
    if (!Array.isArray(body)) expect(body.total).toBe(1)
    expect(idsOf((await call('GET', `/${kind}?tag=${tag}`, undefined, other.secretKey)).body)).toEqual([])
  })

  it('are refused if one is empty or too long, or if there are too many', async () => {
    for (const tags of [[' '], ['a'.repeat(51)], Array.from({ length: 21 }, (_, i) => `tag ${i}`), 'text']) {
      expect((await call('POST', `/${kind}`, { ...NEW[kind], tags })).status).toBe(422)
    }
  })

  it('cannot be changed from another project', async () => {
    const { id } = await create(kind, ['mine'])
    expect((await call('PATCH', `/${kind}/${id}`, { tags: ['theirs'] }, other.secretKey)).status).toBe(404)
    expect((await call('GET', `/${kind}/${id}`)).body.tags).toEqual(['mine'])
  })
})

it.each(['campaigns', 'templates', 'workflows'])('a copy of one of the %s has the same tags', async (kind) => {
  const { id } = await create(kind, ['kept'])
  expect((await call('POST', `/${kind}/${id}/duplicate`)).body.tags).toEqual(['kept'])
})

it('an exported workflow has its tags, and the import has them too', async () => {
  const { id } = await create('workflows', ['exported'])
  const { body } = await call('GET', `/workflows/${id}/export`)
  expect(body.tags).toEqual(['exported'])
  expect((await call('POST', '/workflows/import', body)).body.tags).toEqual(['exported'])
})

it('a campaign that was sent can still be tagged', async () => {
  await call('POST', '/contacts', { email: 'grace@example.org' })
  const { id } = await create('campaigns')
  expect((await call('POST', `/campaigns/${id}/send`)).status).toBe(200)
  expect((await call('PATCH', `/campaigns/${id}`, { tags: ['sent'] })).body.tags).toEqual(['sent'])
})

it('GET /tags lists the tags of the project with the number of things that have them', async () => {
  const { secretKey } = await createProject(app)
  for (const kind of KINDS) await create(kind, ['all'], secretKey)
  await create('templates', ['all', 'Beta'], secretKey)
  expect((await call('GET', '/tags', undefined, secretKey)).body).toEqual([
    { tag: 'all', campaigns: 1, templates: 2, segments: 1, workflows: 1 },
    { tag: 'Beta', campaigns: 0, templates: 1, segments: 0, workflows: 0 },
  ])
})

it('GET /workflows sorts by name, creation or last change', async () => {
  const { secretKey } = await createProject(app)
  const make = async (name: string) =>
    (await call('POST', '/workflows', { name }, secretKey)).body as { id: string; name: string }
  const [b] = [await make('b'), await make('A'), await make('c')]
  app.clock.forward(1_000)
  await call('PATCH', `/workflows/${b!.id}`, { description: 'changed' }, secretKey)
  const names = async (query: string) =>
    (await call('GET', `/workflows?${query}`, undefined, secretKey)).body.data.map((w: { name: string }) => w.name)
  expect(await names('')).toEqual(['c', 'A', 'b'])
  expect(await names('sort=name&dir=asc')).toEqual(['A', 'b', 'c'])
  expect((await names('sort=updatedAt'))[0]).toBe('b')
})

describe('lastUsedAt of a template', () => {
  const lastUsed = async (id: string) => (await call('GET', `/templates/${id}`)).body.lastUsedAt as string | null
  const send = (template: string) => call('POST', '/v1/send', { to: 'ada@example.org', template })

  it('is null until an email is created from it, and is then updated at most once an hour', async () => {
    const { id } = await create('templates')
    const unused = await create('templates')
    expect(await lastUsed(id)).toBeNull()
    const first = app.clock.now().toISOString()
    expect((await send(id)).status).toBe(200)
    expect(await lastUsed(id)).toBe(first)
    app.clock.forward(30 * 60_000)
    await send(id)
    expect(await lastUsed(id)).toBe(first)
    app.clock.forward(31 * 60_000)
    await send(id)
    expect(await lastUsed(id)).toBe(app.clock.now().toISOString())
    expect(await lastUsed(unused.id)).toBeNull()
  })

  it('does not wait for a change to the template that is in progress', async () => {
    const { id } = await create('templates')
    const client = await app.pool.connect()
    try {
      await client.query('begin')
      await client.query('select from templates where id = $1 for no key update', [id])
      expect((await send(id)).status).toBe(200)
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  it('sorts the list, with templates that were never used last', async () => {
    const [used, unused] = [await create('templates', ['sorted']), await create('templates', ['sorted'])]
    await send(used.id)
    const { body } = await call('GET', '/templates?tag=sorted&sort=lastUsedAt')
    expect(idsOf(body)).toEqual([used.id, unused.id])
  })

  it('is not copied', async () => {
    const { id } = await create('templates')
    await send(id)
    expect((await call('POST', `/templates/${id}/duplicate`)).body.lastUsedAt).toBeNull()
  })
})
