import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteOldBodies } from '../../features/operations/retention/actions.ts'
import { makePartitions } from '../../features/operations/retention/partition-queries.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp({ BODY_RETENTION_DAYS: '90' })
  project = await createProject(app)
})
afterAll(() => app.close())

const DAY_MS = 24 * 3_600_000

const send = async (subject: string) => {
  const body = { to: 'a@example.org', from: 'me@example.com', subject, body: '<p>Hi</p>' }
  const reply = await app.request('POST', '/v1/send', { key: project.secretKey, body })
  await app.drain()
  return reply.body.data.emails[0].email as string
}
const get = (id: string) => app.request('GET', `/emails/${id}`, { key: project.secretKey })

describe('bodies of emails', () => {
  it('are deleted after their retention, in whole months and single days, and the emails are kept', async () => {
    const old = await send('Old')
    app.clock.forward(45 * DAY_MS)
    await makePartitions(app.db, app.clock.now())
    const middle = await send('Middle')
    app.clock.forward(50 * DAY_MS)
    await makePartitions(app.db, app.clock.now())
    const recent = await send('Recent')

    await deleteOldBodies(app.ctx)
    expect((await get(old)).body).toMatchObject({ subject: 'Old', status: 'DELIVERED', html: null, text: null })
    const raw = await app.request('GET', `/emails/${old}/raw`, { key: project.secretKey })
    expect(raw.status).toBe(400)
    expect((await get(middle)).body.html).toBe('<p>Hi</p>')

    app.clock.forward(45 * DAY_MS)
    await deleteOldBodies(app.ctx)
    expect((await get(middle)).body.html).toBeNull()
    expect((await get(recent)).body.html).toBe('<p>Hi</p>')
    const list = await app.request('GET', '/emails', { key: project.secretKey })
    expect(list.body.data.map((email: { subject: string }) => email.subject)).toEqual(['Recent', 'Middle', 'Old'])
    expect(await app.captured()).toHaveLength(1)
  })
  it('are kept if they are of an unfinished campaign or an unsent email, in a dropped month and in others', async () => {
    const contents = async () =>
      (await app.pool.query('select distinct content_id as id from emails join email_contents c on c.id = content_id'))
        .rows
    await app.pool.query('delete from email_contents')
    const campaign = { name: 'c', from: 'me@example.com', subject: 's', body: 'b', audienceType: 'ALL' }
    await app.request('POST', '/contacts', {
      key: project.secretKey,
      body: { email: 'b@example.org', subscribed: true },
    })
    const { body } = await app.request('POST', '/campaigns', { key: project.secretKey, body: campaign })
    await app.request('POST', `/campaigns/${body.id}/send`, { key: project.secretKey })
    const pending = await send('Pending')
    await send('Sent')
    await app.pool.query("update campaigns set status = 'SENDING'")
    await app.pool.query("update emails set status = 'PENDING' where id = $1", [pending])
    const { rows: kept } = await app.pool.query(
      'select content_id as id from campaigns union select content_id from emails where id = $1 order by 1',
      [pending],
    )
    expect(await contents()).toHaveLength(3)
    app.clock.forward(200 * DAY_MS)
    await deleteOldBodies(app.ctx)
    await deleteOldBodies(app.ctx)
    expect((await contents()).sort((a, b) => a.id.localeCompare(b.id))).toEqual(kept)
    await app.pool.query("update campaigns set status = 'SENT'")
    await app.pool.query("update emails set status = 'SENT'")
    await deleteOldBodies(app.ctx)
    expect(await contents()).toEqual([])
  })
})
