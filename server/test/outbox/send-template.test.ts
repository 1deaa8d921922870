import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, databaseState, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
  // Tracking has its own tests; here emails are compared exactly.
  await app.pool.query(`update projects set tracking = 'DISABLED' where id = $1`, [project.id])
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const createTemplate = async (type: string, fields: object = {}) => {
  const { body } = await call('POST', '/templates', {
    name: `A ${type} template`,
    subject: 'Hello {{name ?? "friend"}}',
    body: '<html><body><p>Plan: {{plan}}</p></body></html>',
    from: 'team@example.com',
    fromName: 'The team',
    replyTo: 'help@example.com',
    type,
    ...fields,
  })
  return body.id as string
}

const deliver = async (request: object) => {
  const { status, body } = await call('POST', '/v1/send', request)
  expect(status, JSON.stringify(body)).toBe(200)
  await app.drain()
  const email = (await call('GET', `/emails/${body.data.emails[0].email}`)).body
  const raw = (await call('GET', `/emails/${email.id}/raw`)).body as string
  return { email, message: await PostalMime.parse(raw) }
}

describe('a template in /v1/send', () => {
  it('supplies subject, body, sender and reply-to', async () => {
    const template = await createTemplate('TRANSACTIONAL')
    const { email } = await deliver({ to: 'a@example.org', template, data: { name: 'Ada', plan: 'pro' } })
    expect(email).toMatchObject({
      templateId: template,
      subject: 'Hello Ada',
      from: 'team@example.com',
      fromName: 'The team',
      replyTo: 'help@example.com',
      html: '<html><body><p>Plan: pro</p></body></html>',
      status: 'DELIVERED',
    })
    const { body: events } = await call('GET', '/events?name=email.sent')
    expect(events.data[0].data).toMatchObject({ templateId: template, emailId: email.id })
  })

  it.each([
    ['subject', { subject: 'Mine' }, { subject: 'Mine', from: 'team@example.com', fromName: 'The team' }],
    ['body', { body: '<p>Mine</p>' }, { subject: 'Hello friend', html: '<p>Mine</p>' }],
    [
      'from',
      { from: { name: 'Me', email: 'me@example.com' } },
      { from: 'me@example.com', fromName: 'Me', replyTo: 'help@example.com' },
    ],
    ['from without a name', { from: 'me@example.com' }, { from: 'me@example.com', fromName: null }],
    ['reply', { reply: 'mine@example.com' }, { replyTo: 'mine@example.com', from: 'team@example.com' }],
  ])('is overridden by %s of the request, and by nothing else', async (_field, override, expected) => {
    const template = await createTemplate('TRANSACTIONAL')
    const { email } = await deliver({ to: 'b@example.org', template, ...override })
    expect(email).toMatchObject(expected)
  })

  it('returns 422 if it is not a UUID, and 404 if it is unknown or of another project', async () => {
    const other = await createProject(app)
    const { body: foreign } = await app.request('POST', '/templates', {
      key: other.secretKey,
      body: { name: 'x', subject: 'x', body: 'x', from: 'x@example.com' },
    })
    expect((await call('POST', '/v1/send', { to: 'a@example.org', template: 'x' })).status).toBe(422)
    for (const template of [foreign.id, '01a1dd1f-5566-7386-9343-5429898a495c']) {
      const reply = await call('POST', '/v1/send', { to: 'new@example.org', template })
      expect(reply.status).toBe(404)
      expect(reply.body.error.code).toBe('TEMPLATE_NOT_FOUND')
    }
  })

  it('is frozen when it is sent: a later change does not affect accepted emails', async () => {
    const template = await createTemplate('TRANSACTIONAL')
    const { body } = await call('POST', '/v1/send', { to: 'frozen@example.org', template })
    await call('PATCH', `/templates/${template}`, { subject: 'Changed', body: 'Changed' })
    await app.drain()
    const email = (await call('GET', `/emails/${body.data.emails[0].email}`)).body
    expect(email).toMatchObject({ subject: 'Hello friend', status: 'DELIVERED' })
  })
})

describe('a marketing template', () => {
  let template: string
  beforeAll(async () => {
    template = await createTemplate('MARKETING')
  })

  it('is sent to a new contact, who is not subscribed, with a footer and the one-click headers', async () => {
    const { email, message } = await deliver({ to: 'new@example.org', template, data: { locale: 'fr' } })
    expect(email.html).toMatch(/<p lang="fr".*unsubscribe\/.*<\/p><\/body><\/html>$/)
    const headers = Object.fromEntries(message.headers.map((header) => [header.key, header.value]))
    const url = headers['list-unsubscribe']!.replace(/^<|>$/g, '')
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(email.html).toContain(url)

    const oneClick = await app.server.inject({
      method: 'POST',
      url: new globalThis.URL(url).pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    })
    expect(oneClick.statusCode).toBe(200)
  })

  it('is refused for a contact who opted out, and nothing is created', async () => {
    const { body: contact } = await call('POST', '/contacts', { email: 'out@example.org', subscribed: true })
    await call('PATCH', `/contacts/${contact.id}`, { subscribed: false })
    const before = await databaseState(app)
    const reply = await call('POST', '/v1/send', {
      to: ['fresh@example.org', 'out@example.org'],
      template,
      data: { x: 1 },
    })
    expect(reply.status).toBe(422)
    expect(reply.body.error.errors).toMatchObject([{ field: 'to.1', code: 'unsubscribed' }])
    expect(await databaseState(app)).toBe(before)
    expect((await call('POST', '/v1/send', { to: 'out@example.org', template, subscribed: true })).status).toBe(200)
  })

  it('is refused for a suppressed address', async () => {
    await call('POST', '/suppressions', { email: 'bounced@example.org' })
    const reply = await call('POST', '/v1/send', { to: 'bounced@example.org', template })
    expect(reply.status).toBe(422)
    expect(reply.body.error.errors).toMatchObject([{ field: 'to', code: 'unsubscribed' }])
  })

  it('is refused for a suppressed address even if it would subscribe: only a manual change removes a suppression', async () => {
    const email = 'bounced-for-good@example.org'
    await call('POST', '/suppressions', { email })
    const before = await databaseState(app)
    const reply = await call('POST', '/v1/send', { to: email, template, subscribed: true })
    expect(reply.body.error.errors).toMatchObject([{ field: 'to', code: 'unsubscribed' }])
    expect(await databaseState(app)).toBe(before)
  })

  it.each(['TRANSACTIONAL', 'HEADLESS'])(
    'does not affect %s ones, which are also sent to contacts who opted out',
    async (type) => {
      const { email, message } = await deliver({ to: 'out@example.org', template: await createTemplate(type) })
      expect(email.html).toBe('<html><body><p>Plan: </p></body></html>')
      const headers = message.headers.map((header) => header.key)
      expect(headers.includes('list-unsubscribe')).toBe(type === 'HEADLESS')
    },
  )

  it('keeps a List-Unsubscribe header of the caller', async () => {
    const own = '<mailto:out@example.com>'
    const { message } = await deliver({ to: 'own@example.org', template, headers: { 'List-Unsubscribe': own } })
    const found = message.headers.filter((header) => header.key.startsWith('list-unsubscribe'))
    expect(found).toMatchObject([{ key: 'list-unsubscribe', value: own }])
  })
})
