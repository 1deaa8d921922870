/** The recipients of a campaign are stored once, when it starts, and deleted when it ends or is deleted. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { freezeCampaign } from '../../features/campaigns/sending.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })
const NEWS = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', from: 'us@example.com', audienceType: 'ALL' }
const create = async () => (await call('POST', '/campaigns', NEWS)).body.id as string
const get = async (id: string) => (await call('GET', `/campaigns/${id}`)).body
const addContacts = (count: number) =>
  app.pool.query(
    `insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
     select $1, gen_random_uuid(), 'many' || n || '@example.org', true, true, '{}', now(), now() from generate_series(1, $2::int) n`,
    [project.id, count],
  )
const frozen = async (id: string): Promise<number> =>
  (await app.pool.query('select count(*)::int from campaign_recipients where campaign_id = $1', [id])).rows[0].count

it('concurrent freezing writes each recipient once', async () => {
  await addContacts(10_001) // more than are frozen during the request
  const id = await create()
  await call('POST', `/campaigns/${id}/send`)
  expect(await frozen(id)).toBe(0)
  await Promise.all([1, 2, 3].map(() => freezeCampaign(app.ctx, { projectId: project.id, campaignId: id })))
  expect(await frozen(id)).toBe(10_001)
  expect(await get(id)).toMatchObject({ status: 'SENDING', totalRecipients: 10_001 })
  await call('POST', `/campaigns/${id}/cancel`) // sending ten thousand emails would test nothing more
  await app.drain()
})

it('the recipients of a campaign are deleted with it', async () => {
  await addContacts(3)
  const id = await create()
  await call('POST', `/campaigns/${id}/send`)
  expect(await frozen(id)).toBe(3)
  await app.pool.query('delete from campaigns where id = $1', [id])
  expect(await frozen(id)).toBe(0)
})
