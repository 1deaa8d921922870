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
/** The parts of links that differ between emails. */
const TOKENS = /(\/(?:unsubscribe|t\/[co])\/)[\w-]+/g
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
      sourceType: 'TEST',
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

  it('has the footer, unsubscribe headers, links and pixel of the email that a recipient receives', async () => {
    const other = await createProject(app)
    const ask = (method: string, path: string, body?: unknown) =>
      app.request(method, path, { key: other.secretKey, body })
    await ask('POST', '/contacts', { email: 'reader@example.org', data: { name: 'Ada' } })
    const content = { subject: 'Hi', body: '<p>{{ name }} <a href="https://example.org/a">a</a></p>' }
    const { body: campaign } = await ask('POST', '/campaigns', { ...NEWS, ...content, type: 'MARKETING' })
    await ask('POST', `/campaigns/${campaign.id}/test`, { email: 'reader@example.org' })
    await ask('POST', `/campaigns/${campaign.id}/send`)
    await app.drain()
    const emails = (await ask('GET', '/emails')).body.data as Array<{ id: string; campaignId: string | null }>
    const read = async (isTest: boolean) => {
      const { id } = emails.find(({ campaignId }) => (campaignId === null) === isTest)!
      return {
        html: (await ask('GET', `/emails/${id}`)).body.html as string,
        raw: String((await app.request('GET', `/emails/${id}/raw`, { key: other.secretKey })).body),
      }
    }
    const [test, sent] = [await read(true), await read(false)]
    expect(test.html.replaceAll(TOKENS, '$1')).toBe(sent.html.replaceAll(TOKENS, '$1'))
    expect(test.html).toContain('/t/c/')
    expect(test.raw).toMatch(/List-Unsubscribe: /)
  })

  it('has an unsubscribe link that shows the page and changes nothing', async () => {
    const { id } = (await call('POST', '/campaigns', { ...NEWS, type: 'MARKETING' })).body
    await call('POST', `/campaigns/${id}/test`, { email: 'someone@example.org' })
    await app.drain()
    const [mail] = (await call('GET', '/emails?search=someone@example.org')).body.data
    const { html } = (await call('GET', `/emails/${mail.id}`)).body
    const link = /http:\/\/posthorn\.test(\/unsubscribe\/[\w-]+)/.exec(html)![1]!
    for (const method of ['GET', 'POST']) {
      const page = await app.request(method, link)
      expect(page.status).toBe(200)
      expect(page.body).toContain('contact@example.com')
    }
    expect((await call('GET', '/events')).body.data).toEqual([])
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

describe('POST /templates/test', () => {
  const DRAFT = { subject: 'Hi {{name}}', body: '<p>Hello</p>', from: 'us@example.com' }

  it('sends the draft as its type and creates no contact', async () => {
    const before = (await call('GET', '/contacts')).body.total
    for (const type of ['MARKETING', 'TRANSACTIONAL']) {
      const { status, body } = await call('POST', '/templates/test', { ...DRAFT, type, email: 'tester@example.org' })
      expect(status).toBe(200)
      await app.drain()
      const email = (await call('GET', `/emails/${body.emailId}`)).body
      expect(email).toMatchObject({ subject: '[TEST] Hi ', contactId: null, status: 'DELIVERED' })
      expect(email.html.includes('/unsubscribe/')).toBe(type === 'MARKETING')
    }
    expect((await call('GET', '/contacts')).body.total).toBe(before)
  })

  it('refuses a sender of a domain that is not verified in this project, and invalid Liquid', async () => {
    const from = 'us@not-verified.example'
    expect((await call('POST', '/templates/test', { ...DRAFT, from, email: 'a@example.org' })).status).toBe(403)
    const body = '{{ name'
    expect((await call('POST', '/templates/test', { ...DRAFT, body, email: 'a@example.org' })).status).toBe(422)
    expect((await call('POST', '/templates/test', DRAFT)).status).toBe(422)
  })

  it('refuses a suppressed address unless the email is transactional, as a campaign test does', async () => {
    const email = 'complained@example.org'
    await call('POST', '/suppressions', { email })
    const { id } = (await call('POST', '/campaigns', { ...NEWS, type: 'MARKETING' })).body
    const tests = [
      await call('POST', '/templates/test', { ...DRAFT, type: 'MARKETING', email }),
      await call('POST', `/campaigns/${id}/test`, { email: 'Complained@Example.org' }),
    ]
    for (const { status, body } of tests) {
      expect(status).toBe(409)
      expect(body.error).toMatchObject({
        message: expect.stringContaining(`${email} is suppressed`),
        suggestion: expect.stringContaining('DELETE /suppressions/{email}'),
      })
    }
    expect((await call('POST', '/templates/test', { ...DRAFT, type: 'TRANSACTIONAL', email })).status).toBe(200)
    const { secretKey } = await createProject(app)
    const foreign = { ...DRAFT, type: 'MARKETING', email }
    expect((await app.request('POST', '/templates/test', { key: secretKey, body: foreign })).status).toBe(200)
  })

  it("never reads another project's contacts", async () => {
    const other = await createProject(app)
    const theirs = { email: 'shared@example.org', data: { name: 'Their name' } }
    await app.request('POST', '/contacts', { key: other.secretKey, body: theirs })
    const { body } = await call('POST', '/templates/test', { ...DRAFT, email: 'shared@example.org' })
    expect((await call('GET', `/emails/${body.emailId}`)).body.subject).toBe('[TEST] Hi ')
    const foreign = await app.request('GET', `/emails/${body.emailId}`, { key: other.secretKey })
    expect(foreign.status).toBe(404)
  })
})
