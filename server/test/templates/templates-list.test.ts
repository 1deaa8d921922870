/** The list of templates: its pages, order, search and filters, and invalid parameters. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app.close())

const call = (method: string, path: string, body: unknown, key: string) => app.request(method, path, { key, body })

const WHOLE = { name: 'Welcome', subject: 'Hello', body: '<p>Hi</p>', from: 'hello@example.com' }

describe('the list of templates', () => {
  let project: Awaited<ReturnType<typeof createProject>>
  const ROWS = [
    { name: 'banana', description: 'Yellow', subject: '100% fruit', type: 'MARKETING' },
    { name: 'Cherry', description: null, subject: 'under_score', type: 'TRANSACTIONAL' },
    { name: 'apple', description: 'ÄPFEL', subject: 'Crunch\\crunch', type: 'HEADLESS' },
    { name: 'banana', description: 'second', subject: "it's ripe", type: 'MARKETING' },
  ]
  const list = async (query = '') => (await call('GET', `/templates${query}`, undefined, project.secretKey)).body
  const names = async (query: string) => ((await list(query)).data as typeof ROWS).map((t) => t.description ?? t.name)

  beforeAll(async () => {
    project = await createProject(app)
    for (const row of ROWS) {
      app.clock.forward(10)
      await call('POST', '/templates', { ...WHOLE, ...row }, project.secretKey)
    }
    app.clock.forward(10)
    const [last] = (await list('?search=cherry')).data
    await call('PATCH', `/templates/${last.id}`, { fromName: 'touched' }, project.secretKey)
    const other = await createProject(app)
    await call('POST', '/templates', { ...WHOLE, name: 'of another project' }, other.secretKey)
  })

  const NEWEST_FIRST = ['second', 'ÄPFEL', 'Cherry', 'Yellow']

  it.each<[query: string, order: string[]]>([
    ['', NEWEST_FIRST],
    ['?sort=createdAt&dir=asc', NEWEST_FIRST.toReversed()],
    ['?sort=bogus&dir=sideways', NEWEST_FIRST],
    ['?sort=name;drop%20table%20templates&dir=asc,id', NEWEST_FIRST],
    ['?sort=constructor&dir=ASC', NEWEST_FIRST],
    ['?sort=updated_at', NEWEST_FIRST],
    ['?sort=name&dir=asc', ['ÄPFEL', 'Yellow', 'second', 'Cherry']],
    ['?sort=name', ['Cherry', 'second', 'Yellow', 'ÄPFEL']],
    ['?sort=updatedAt', ['Cherry', 'second', 'ÄPFEL', 'Yellow']],
    ['?sort=updatedAt&dir=asc', ['Yellow', 'ÄPFEL', 'second', 'Cherry']],
    ['?sort=bogus&sort=name&dir=asc', ['ÄPFEL', 'Yellow', 'second', 'Cherry']],
  ])('is ordered by its query: %j gives %j', async (query, order) => {
    expect(await names(query)).toEqual(order)
  })

  it.each<[query: string, page: number, pageSize: number, totalPages: number, shown: number]>([
    ['', 1, 20, 1, 4],
    ['?page=1&pageSize=3', 1, 3, 2, 3],
    ['?page=2&pageSize=3', 2, 3, 2, 1],
    ['?page=3&pageSize=3', 3, 3, 2, 0],
    ['?page=0&pageSize=0', 1, 20, 1, 4],
    ['?page=-1&pageSize=-5', 1, 20, 1, 4],
    ['?page=two&pageSize=many', 1, 20, 1, 4],
    ['?page=1.5&pageSize=2.5', 1, 20, 1, 4],
    ['?page=Infinity&pageSize=NaN', 1, 20, 1, 4],
    ['?page=&pageSize=', 1, 20, 1, 4],
    ['?pageSize=5000', 1, 1000, 1, 4],
    ['?pageSize=1e30', 1, 1000, 1, 4],
    ['?page=1e30&pageSize=1000', 1_000_000_000, 1000, 1, 0],
    ['?page=9223372036854775807', 1_000_000_000, 20, 1, 0],
  ])(
    'is paged by its query: %j is page %d of size %d, of %d pages, with %d items',
    async (query, page, pageSize, totalPages, shown) => {
      const { data, ...rest } = await list(query)
      expect(rest).toEqual({ page, pageSize, total: 4, totalPages })
      expect(data).toHaveLength(shown)
    },
  )

  it.each<[search: string, found: string[]]>([
    ['BANANA', ['second', 'Yellow']],
    ['yell', ['Yellow']],
    ['Fruit', ['Yellow']],
    ['äpfel', ['ÄPFEL']],
    ['0% f', ['Yellow']],
    ['%', ['Yellow']],
    ['_', ['Cherry']],
    ['\\', ['ÄPFEL']],
    ["it's", ['second']],
    ['<p>', []],
    ['example.com', []],
    ["'; drop table templates;--", []],
    ['\ud800', []],
    ['x'.repeat(10_000), []],
    ['', NEWEST_FIRST],
  ])('searched for %j finds %j', async (search, found) => {
    const query = `?search=${encodeURIComponent(search.toWellFormed())}`
    expect(await names(query)).toEqual(found)
    expect((await list(query)).total).toBe(found.length)
  })

  it('is empty, without pages, if nothing matches', async () => {
    expect(await list('?search=nothing')).toEqual({ data: [], page: 1, pageSize: 20, total: 0, totalPages: 0 })
  })

  it('is filtered by type, together with a search', async () => {
    expect(await names('?type=MARKETING')).toEqual(['second', 'Yellow'])
    expect(await names('?type=MARKETING&search=ripe')).toEqual(['second'])
    expect(await names('?type=HEADLESS&search=ripe')).toEqual([])
  })

  it.each(['bogus', 'marketing', '', '__proto__', "MARKETING'"])('is refused for the type %j', async (type) => {
    const reply = await call('GET', `/templates?type=${encodeURIComponent(type)}`, undefined, project.secretKey)
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } })
  })

  it('refuses invalid bytes in its URL without an internal error', async () => {
    for (const query of ['?search=%00', '?search=%ff%fe', '?search=%ED%A0%80', '?page[]=1&sort[a]=b', '?%F0%28=1']) {
      const reply = await call('GET', `/templates${query}`, undefined, project.secretKey)
      expect(reply.status).toBeLessThan(500)
    }
  })

  it('returns very long templates a few at a time, and refuses a page that is too large', async () => {
    const heavy = await createProject(app)
    const { body } = await call('POST', '/templates', WHOLE, heavy.secretKey)
    await app.pool.query(
      `insert into templates (project_id, id, name, subject, body, from_email, type, created_at, updated_at)
       select project_id, gen_random_uuid(), name, subject, repeat('€', 1000000), from_email, type, created_at, updated_at
       from templates, generate_series(1, 23) where id = $1`,
      [body.id],
    )
    expect((await call('GET', '/templates?pageSize=3', undefined, heavy.secretKey)).body.data).toHaveLength(3)
    const refused = await call('GET', '/templates?pageSize=1000', undefined, heavy.secretKey)
    expect(refused).toMatchObject({ status: 400, body: { error: { code: 'BAD_REQUEST' } } })
  })
})
