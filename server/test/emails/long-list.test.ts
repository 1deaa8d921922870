/** The list of emails in a project that has many of them: a request reads a limited number. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

const EMAILS = 45_000

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let oldest: string

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  const body = { to: 'first@example.org', from: 'hello@example.com', subject: 'The first one', body: '<p>Hi</p>' }
  const reply = await app.request('POST', '/v1/send', { key: project.secretKey, body })
  oldest = reply.body.data.emails[0].email
  await app.pool.query(
    `insert into emails (project_id, id, content_id, to_email, subject, from_email, source_type, status, created_at, updated_at)
     select project_id, id_at(now() + interval '1 second', n), content_id, 'reader-' || n || '@example.org', 'Your order', from_email, source_type, 'DELIVERED', now(), now()
     from emails, generate_series(1, $3) as n where project_id = $1 and id = $2`,
    [project.id, oldest, EMAILS],
  )
})
afterAll(() => app.close())

const list = async (query = '') => (await app.request('GET', `/emails?${query}`, { key: project.secretKey })).body

it('counts at most 10,000 emails for the total', async () => {
  expect(await list()).toMatchObject({ total: 10_000, hasMore: true })
  expect(await list('status=DELIVERED')).toMatchObject({ total: 10_000, hasMore: true })
  expect(await list('search=order')).toMatchObject({ total: 10_000, hasMore: true })
})

it('searches 20,000 emails for a page, and the older ones for the next pages', async () => {
  const pages = [await list('search=FIRST%20one')]
  while (pages.at(-1).hasMore && pages.length < 5) {
    pages.push(await list(`search=FIRST%20one&cursor=${pages.at(-1).cursor}`))
  }
  expect(pages.map(({ data }) => data.map(({ id }: { id: string }) => id))).toEqual([[], [], [oldest]])
})

it('reads 20,000 emails for a page of a source, and the older ones for the next pages', async () => {
  await app.pool.query("update emails set source_type = 'WORKFLOW' where project_id = $1 and id = $2", [
    project.id,
    oldest,
  ])
  expect(await list('sourceType=TRANSACTIONAL')).toMatchObject({ total: 10_000, hasMore: true })
  const pages = [await list('sourceType=WORKFLOW')]
  while (pages.at(-1).hasMore && pages.length < 5) {
    pages.push(await list(`sourceType=WORKFLOW&cursor=${pages.at(-1).cursor}`))
  }
  expect(pages.map(({ data }) => data.map(({ id }: { id: string }) => id))).toEqual([[], [], [oldest]])
  expect((await list('sourceType=TRANSACTIONAL&search=First@example.org')).data).toEqual([])
  expect((await list('sourceType=WORKFLOW&search=First@example.org')).data).toMatchObject([{ id: oldest }])
})

it('finds the emails to a contact by the whole address at any age, but not those to its earlier address', async () => {
  const { data, ...page } = await list('search=First@example.org')
  expect(data.map(({ id }: { id: string }) => id)).toEqual([oldest])
  expect(page).toEqual({ total: 1, hasMore: false, cursor: null })
  const changed = { key: project.secretKey, body: { email: 'second@example.org' } }
  await app.request('PATCH', `/contacts/${data[0].contactId}`, changed)
  expect((await list('search=second@example.org')).data).toEqual([])
})
