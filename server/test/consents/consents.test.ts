/** The record of consent: every change of a subscription is recorded with its cause, whatever makes it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { preferenceToken } from '../../features/audience/preferences/actions.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, url: string, body?: unknown, key = project.secretKey) => {
  app.clock.forward(10) // entries are listed by time
  return app.request(method, url, { key, body })
}

const consentsOf = async (id: string) => (await call('GET', `/contacts/${id}/consents`)).body

let people = 0
const newAddress = () => `person-${people++}@example.org`

const create = async (body: object = {}) => (await call('POST', '/contacts', { email: newAddress(), ...body })).body

const SECRET_KEY = { type: 'key', id: null, name: 'Secret key' }

describe('GET /contacts/{id}/consents', () => {
  it('lists what the caller reports about the consent of a new contact', async () => {
    const consent = { ip: '203.0.113.7', userAgent: 'Firefox', text: 'Send me the newsletter' }
    const { id } = await create({ consent })
    expect(await consentsOf(id)).toEqual({
      data: [
        {
          id: expect.any(String),
          at: expect.any(String),
          kind: 'subscribed',
          topic: null,
          source: 'api',
          ...consent,
          by: SECRET_KEY,
        },
      ],
      cursor: null,
      hasMore: false,
      total: 1,
    })
  })

  it('lists changes newest first, in pages, and nothing for requests that change nothing', async () => {
    const { id, email } = await create()
    await call('PATCH', `/contacts/${id}`, { subscribed: false })
    await call('PATCH', `/contacts/${id}`, { subscribed: false, data: { plan: 'pro' } })
    await call('POST', '/contacts', { email, subscribed: true })
    await call('POST', '/events/track', { email, event: 'visited' })
    const first = (await call('GET', `/contacts/${id}/consents?limit=2`)).body
    expect(first).toMatchObject({
      data: [{ kind: 'subscribed' }, { kind: 'unsubscribed' }],
      hasMore: true,
      total: 3,
    })
    const second = (await call('GET', `/contacts/${id}/consents?limit=2&cursor=${first.cursor}`)).body
    expect(second).toMatchObject({ data: [{ kind: 'subscribed', source: 'api' }], hasMore: false, cursor: null })
  })

  it('lists nothing for a contact that was never subscribed', async () => {
    const { id } = await create({ subscribed: false })
    expect((await consentsOf(id)).data).toEqual([])
  })

  it('responds with 404 for contacts of other projects', async () => {
    const other = await createProject(app)
    const { id } = await create()
    expect((await call('GET', `/contacts/${id}/consents`, undefined, other.secretKey)).status).toBe(404)
  })

  it('names the user who made a change in the dashboard', async () => {
    const { id } = await create()
    app.clock.forward(10)
    await app.request('PATCH', `/contacts/${id}`, {
      cookie: project.owner.cookie,
      projectId: project.id,
      body: { subscribed: false },
    })
    expect((await consentsOf(id)).data[0]).toMatchObject({
      kind: 'unsubscribed',
      source: 'dashboard',
      by: { type: 'user', id: project.owner.id, name: project.owner.email },
    })
  })

  it('has the address and browser of a visitor who is tracked with the public key', async () => {
    const email = newAddress()
    const { body } = await app.request('POST', '/v1/track', {
      key: project.publicKey,
      headers: { 'user-agent': 'A browser' },
      body: { email, event: 'signed-up' },
    })
    expect((await consentsOf(body.data.contact)).data).toMatchObject([
      {
        kind: 'subscribed',
        source: 'api',
        ip: '127.0.0.1',
        userAgent: 'A browser',
        by: { type: 'key', name: 'Public key' },
      },
    ])
  })

  it('has the decisions of the person on pages and with one click', async () => {
    const { id } = await create()
    const url = (page: string) => `/${page}/${preferenceToken(app.ctx.secrets, project.id, id)}`
    const post = (page: string, text: string) => {
      app.clock.forward(10)
      return app.request('POST', url(page), {
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Mail' },
        text,
      })
    }
    await post('unsubscribe', 'List-Unsubscribe=One-Click')
    await post('subscribe', '')
    await post('manage', 'subscribed=false')
    const own = { ip: '127.0.0.1', userAgent: 'Mail', by: null }
    expect((await consentsOf(id)).data).toMatchObject([
      { kind: 'unsubscribed', source: 'page', ...own },
      { kind: 'subscribed', source: 'page', ...own },
      { kind: 'unsubscribed', source: 'one-click', ...own },
      { kind: 'subscribed', source: 'api', by: SECRET_KEY },
    ])
  })

  it('has the decision of a person who declines without having been subscribed', async () => {
    const { id } = await create({ subscribed: false })
    await app.request('POST', `/unsubscribe/${preferenceToken(app.ctx.secrets, project.id, id)}`)
    expect((await consentsOf(id)).data).toMatchObject([{ kind: 'unsubscribed', source: 'page' }])
  })

  it.each([
    ['bounce', 'bounce@simulator.posthorn.test'],
    ['complaint', 'complaint@simulator.posthorn.test'],
  ])('has the opt-out by a %s', async (source, email) => {
    const { id } = await create({ email })
    await call('POST', '/v1/send', { to: email, from: 'hello@example.com', subject: 'Hi', body: 'Hi' })
    await app.drain()
    expect((await consentsOf(id)).data[0]).toMatchObject({ kind: 'unsubscribed', source, by: null })
  })

  it('has the changes of imports and bulk jobs, with the key that requested them', async () => {
    const email = newAddress()
    const form = new FormData()
    form.append('file', new Blob([`email\n${email}\n`]), 'contacts.csv')
    const upload = new Response(form)
    await app.request('POST', '/contacts/import', {
      key: project.secretKey,
      headers: { 'content-type': upload.headers.get('content-type')! },
      text: await upload.text(),
    })
    await app.drain()
    const id = (await call('GET', `/contacts?email=${email}`)).body.data[0].id
    await call('POST', '/contacts/bulk-unsubscribe', { contactIds: [id] })
    await app.drain()
    expect((await consentsOf(id)).data).toMatchObject([
      { kind: 'unsubscribed', source: 'api', by: SECRET_KEY },
      { kind: 'subscribed', source: 'import', by: SECRET_KEY },
    ])
  })

  it('refuses an invalid consent and creates nothing', async () => {
    const email = newAddress()
    const reply = await call('POST', '/contacts', { email, consent: { ip: 'somewhere', browser: 'x' } })
    expect(reply.status).toBe(422)
    expect((await call('GET', `/contacts?email=${email}`)).body.data).toEqual([])
  })
})

describe('erasing a contact', () => {
  it('keeps only the time of an objection, which can be found with the address', async () => {
    const [left, stayed] = [await create(), await create()]
    await call('PATCH', `/contacts/${left.id}`, { subscribed: false })
    const objectedAt = (await consentsOf(left.id)).data[0].at
    for (const { id } of [left, stayed]) await call('DELETE', `/contacts/${id}`)
    await app.drain()
    const lookup = async (email: string) => (await call('POST', '/contacts/objections/lookup', { email })).body
    expect(await lookup(left.email.toUpperCase())).toEqual({ objectedAt })
    expect(await lookup(stayed.email)).toEqual({ objectedAt: null })
    const { rows } = await app.pool.query('select from consents where contact_id = any($1)', [[left.id, stayed.id]])
    expect(rows).toEqual([])
  })
})

describe('GET /contacts/{id}/export', () => {
  it('returns everything about a person in one document, however many pages there are', async () => {
    const { id, email } = await create({ data: { plan: 'pro' } })
    await call('POST', '/v1/send', { to: email, from: 'hello@example.com', subject: 'Hi', body: 'Hi' })
    await app.drain()
    for (let n = 0; n < 101; n++) await call('POST', '/events/track', { email, event: 'visited' })
    await call('POST', '/suppressions', { email })
    const segment = (await call('POST', '/segments', { name: 'Readers', type: 'STATIC' })).body
    await call('POST', `/segments/${segment.id}/members`, { emails: [email] })
    const workflow = (await call('POST', '/workflows', { name: 'W' })).body
    await call('POST', `/workflows/${workflow.id}/steps`, { type: 'UPDATE_CONTACT', config: { subscribed: true } })
    await call('PATCH', `/workflows/${workflow.id}`, { triggerType: 'MANUAL', enabled: true })
    await call('POST', `/workflows/${workflow.id}/executions`, { contactId: id, context: { order: 7 } })
    const reply = await call('GET', `/contacts/${id}/export`)
    expect(reply.headers['content-disposition']).toContain(`contact-${id}.json`)
    expect(reply.body).toMatchObject({
      contact: { id, email, data: { plan: 'pro' } },
      consents: [{ kind: 'subscribed' }],
      suppressions: [{ email, reason: 'MANUAL' }],
      emails: [{ subject: 'Hi', status: 'DELIVERED' }],
      segments: [{ id: segment.id, name: 'Readers' }],
      workflowExecutions: [{ workflowId: workflow.id, context: { order: 7 } }],
    })
    const visits = reply.body.events.filter(({ name }: { name: string }) => name === 'visited')
    expect(visits).toHaveLength(101)
    expect(new Set(visits.map((event: { id: string }) => event.id)).size).toBe(101)
  })

  it('responds with 404 for contacts of other projects', async () => {
    const { secretKey } = await createProject(app)
    const { id } = await create()
    expect((await call('GET', `/contacts/${id}/export`, undefined, secretKey)).status).toBe(404)
  })
})

describe('GET /contacts/consents/export', () => {
  it('returns a CSV file that a spreadsheet does not run', async () => {
    const { email } = await create({ consent: { text: '=1+1, "quoted"' } })
    const reply = await call('GET', '/contacts/consents/export')
    expect(reply.headers['content-type']).toContain('text/csv')
    const lines = (reply.body as string).split('\r\n')
    expect(lines[0]).toBe('at,email,contactId,kind,topic,source,ip,userAgent,text,byType,byId,byName')
    expect(lines.find((line) => line.includes(email))).toContain(
      `,subscribed,,api,,,"'=1+1, ""quoted""",key,,Secret key`,
    )
  })

  it('returns a JSON array of the same consents with format=json', async () => {
    const { id, email } = await create({ consent: { text: '=1+1' } })
    const { headers, body } = await call('GET', '/contacts/consents/export?format=json')
    expect(headers['content-type']).toContain('application/json')
    expect(body.filter((one: { email: string }) => one.email === email)).toMatchObject([
      { contactId: id, kind: 'subscribed', source: 'api', text: '=1+1', by: { type: 'key' } },
    ])
    expect((await call('GET', '/contacts/consents/export?format=xml')).status).toBe(422)
  })
})
