/** Test emails of a campaign. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })
const NEWS = { name: 'News', subject: 'Hello', body: '<p>Hi</p>', from: 'us@example.com', audienceType: 'ALL' }

describe('a test email of a campaign', () => {
  it('has a marked subject, no contact, and is not counted', async () => {
    const { id } = (await call('POST', '/campaigns', { ...NEWS, subject: 'Dear {{name ?? "friend"}}' })).body
    const before = (await call('GET', '/contacts')).body.total
    const { status, body } = await call('POST', `/campaigns/${id}/test`, { email: 'Author@Example.org' })
    expect(status).toBe(200)
    expect(body).toEqual({ success: true, message: expect.stringContaining('author@example.org') })
    await app.drain()
    const [mail] = (await call('GET', '/emails?search=author@example.org')).body.data
    expect(mail).toMatchObject({
      contactId: null,
      subject: '[TEST] Dear friend',
      status: 'DELIVERED',
      sourceType: 'CAMPAIGN',
    })
    expect((await call('GET', '/contacts')).body.total).toBe(before)
    expect((await call('GET', `/campaigns/${id}`)).body).toMatchObject({
      status: 'DRAFT',
      sentCount: 0,
      totalRecipients: 0,
    })
    expect((await call('POST', `/campaigns/${id}/test`, { email: 'nobody' })).status).toBe(422)
    expect((await call('POST', `/campaigns/${id}/test`, {})).status).toBe(422)
  })

  it('is in no statistics and has no events, whatever its outcome', async () => {
    const other = await createProject(app)
    const request = (method: string, path: string, body?: unknown) =>
      app.request(method, path, { key: other.secretKey, body })
    const { body: campaign } = await request('POST', '/campaigns', NEWS)
    for (const name of ['success', 'bounce', 'complaint']) {
      await request('POST', `/campaigns/${campaign.id}/test`, { email: `${name}@simulator.posthorn.test` })
    }
    await app.drain()
    const emails = (await request('GET', '/emails')).body.data
    expect(emails.map((email: { status: string }) => email.status).sort()).toEqual([
      'BOUNCED',
      'COMPLAINED',
      'DELIVERED',
    ])
    expect((await request('GET', '/events')).body.data).toEqual([])
    const success = emails.find((email: { status: string }) => email.status === 'DELIVERED')
    expect((await request('GET', `/emails/${success.id}`)).body.timeline).toMatchObject([
      { event: 'queued' },
      { event: 'email.sent' },
      { event: 'email.delivery' },
    ])
    expect((await request('GET', '/activity/stats')).body).toMatchObject({
      totals: { events: 0, sent: 0, bounced: 0, complained: 0 },
    })
    expect(await app.rebuild()).toEqual({})
  })
})
