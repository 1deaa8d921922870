/** The preheader in every kind of email, and test emails with the data of a chosen contact. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeEach(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterEach(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const PREHEADER = 'Only for {{ name }} & friends'
const CONTENT = { subject: 'Hello', body: '<html><body class="x"><p>Hi</p></body></html>', from: 'hello@example.com' }
const HIDDEN = /<body class="x"><div style="display:none[^"]*">Only for Ada &amp; friends/

async function latestHtml() {
  await app.drain()
  const { body: list } = await call('GET', '/emails')
  const { body } = await call('GET', `/emails/${list.data[0].id}`)
  return body.html as string
}

const createContact = async (email: string, data: object) =>
  (await call('POST', '/contacts', { email, subscribed: true, data })).body.id as string

describe('the preheader', () => {
  it('is hidden at the start of the body if the request has one, with its Liquid rendered', async () => {
    const sent = await call('POST', '/v1/send', {
      ...CONTENT,
      to: 'ada@example.org',
      preheader: PREHEADER,
      data: { name: 'Ada' },
    })
    expect(sent.status).toBe(200)
    expect(await latestHtml()).toMatch(HIDDEN)
  })

  it('is that of the template unless the request has its own', async () => {
    const { body: template } = await call('POST', '/templates', {
      ...CONTENT,
      name: 'T',
      preheader: PREHEADER,
      type: 'TRANSACTIONAL',
    })
    const request = { to: 'ada@example.org', template: template.id, data: { name: 'Ada' } }
    await call('POST', '/v1/send', request)
    expect(await latestHtml()).toMatch(HIDDEN)
    await call('POST', '/v1/send', { ...request, preheader: null })
    expect(await latestHtml()).not.toContain('Only for')
  })

  it('is that of the campaign in its emails', async () => {
    await createContact('ada@example.org', { name: 'Ada' })
    const { body: campaign } = await call('POST', '/campaigns', {
      ...CONTENT,
      name: 'C',
      audienceType: 'ALL',
      preheader: PREHEADER,
    })
    await call('POST', `/campaigns/${campaign.id}/send`)
    expect(await latestHtml()).toMatch(HIDDEN)
  })

  it('is refused if its Liquid is broken', async () => {
    const { status, body } = await call('POST', '/v1/send', { ...CONTENT, to: 'ada@example.org', preheader: '{{ name' })
    expect([status, body.error.errors[0].field]).toEqual([422, 'preheader'])
  })
})

describe('a test email', () => {
  const test = (fields: object) => call('POST', '/templates/test', { ...CONTENT, email: 'team@example.org', ...fields })

  it('is rendered with the data of the chosen contact, which is erased with the contact', async () => {
    const contactId = await createContact('ada@example.org', { name: 'Ada' })
    const { status } = await test({ contactId, preheader: PREHEADER, body: '<body class="x">{{ email }}' })
    expect(status).toBe(200)
    const html = await latestHtml()
    expect(html).toMatch(HIDDEN)
    expect(html).toContain('ada@example.org')
    await call('DELETE', `/contacts/${contactId}`)
    await app.drain()
    const { rows } = await app.pool.query('select contact_data, to_email from emails')
    expect(rows).toEqual([{ contact_data: {}, to_email: 'team@example.org' }])
    expect(await app.captured()).toHaveLength(0)
  })

  it('can use a contact too if it is of a campaign', async () => {
    const contactId = await createContact('ada@example.org', { name: 'Ada' })
    const { body: campaign } = await call('POST', '/campaigns', {
      ...CONTENT,
      name: 'C',
      audienceType: 'ALL',
      preheader: PREHEADER,
    })
    await call('POST', `/campaigns/${campaign.id}/test`, { email: 'team@example.org', contactId })
    expect(await latestHtml()).toMatch(HIDDEN)
  })

  it('is refused for an unknown contact', async () => {
    expect((await test({ contactId: '01890000-0000-7000-8000-000000000000' })).status).toBe(404)
  })

  it('can be written as MJML', async () => {
    const mjml =
      '<mjml><mj-body><mj-section><mj-column><mj-text>From MJML</mj-text></mj-column></mj-section></mj-body></mjml>'
    expect((await test({ body: undefined, mjml })).status).toBe(200)
    expect(await latestHtml()).toContain('From MJML')
  })

  it('is limited to 20 per minute', async () => {
    for (let i = 0; i < 20; i++) expect((await test({})).status).toBe(200)
    const { status, body } = await test({})
    expect([status, body.error.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
    app.clock.forward(61_000)
    expect((await test({})).status).toBe(200)
  })
})
