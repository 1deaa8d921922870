/** `cc` and `bcc`: one message with one Message-ID in one SMTP transaction, and what happens if some are refused. */
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { openSmtpTestServer, type SmtpTestServer } from '../mail/smtp-test-server.ts'

let app: TestApp
let server: SmtpTestServer
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  server = await openSmtpTestServer()
  app = await openTestApp({ MAIL_URL: `smtp://127.0.0.1:${server.port}?tls=off` })
  await app.pool.query(`update domains set status = 'VERIFIED'`)
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(async () => {
  delete server.options.answerRecipient
  server.taken.length = 0
  project = await createProject(app)
  await app.pool.query(`update domains set status = 'VERIFIED'`)
  await app.pool.query('delete from posthorn_queue.jobs')
  app.clock.forward(24 * 3_600_000)
})

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

const EMAIL = { to: 'to@example.org', from: 'hello@example.com', subject: 'Hello', body: '<p>Hi</p>' }

async function send(fields: object): Promise<string> {
  const { status, body } = await call('POST', '/v1/send', { ...EMAIL, ...fields })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.data.emails[0].email
}

const get = async (id: string) => (await call('GET', `/emails/${id}`)).body
const notes = ({ timeline }: { timeline: Array<{ event: string; words?: string }> }) =>
  timeline.filter(({ event }) => event.startsWith('copy')).map(({ event, words }) => [event, words])
const recipients = () => server.taken.map((message) => message.recipients)

const refuse = (replies: Record<string, string>) => {
  server.options.answerRecipient = (address) => replies[address]
}

describe('cc and bcc', () => {
  it('get the same message in one transaction; Cc is shown, Bcc is not', async () => {
    const id = await send({ cc: ['Cara <cc1@example.org>', { email: 'cc2@example.org' }], bcc: 'bcc@example.org' })
    await app.drain()
    expect(recipients()).toEqual([['to@example.org', 'cc1@example.org', 'cc2@example.org', 'bcc@example.org']])
    const { raw } = server.taken[0]!
    expect(raw).not.toContain('bcc@example.org')
    const message = await PostalMime.parse(raw)
    expect(message.cc).toEqual([
      { name: 'Cara', address: 'cc1@example.org' },
      { name: '', address: 'cc2@example.org' },
    ])
    expect(message.messageId).toBe(`<${id}@example.com>`)
    const email = await get(id)
    expect(email).toMatchObject({
      status: 'DELIVERED',
      to: 'to@example.org',
      cc: [
        { email: 'cc1@example.org', name: 'Cara' },
        { email: 'cc2@example.org', name: null },
      ],
      bcc: [{ email: 'bcc@example.org', name: null }],
      skipped: [],
    })
    expect((await call('GET', `/emails/${id}/raw`)).body).toBe(raw)
    expect((await call('GET', '/contacts')).body.total).toBe(1)
  })

  it('have each address once, in the first place where it is', async () => {
    const id = await send({
      cc: ['TO@example.org', 'a@example.org', 'A@example.org'],
      bcc: ['a@example.org', 'b@example.org', 'to@example.org'],
    })
    await app.drain()
    expect(recipients()).toEqual([['to@example.org', 'a@example.org', 'b@example.org']])
    expect(await get(id)).toMatchObject({ cc: [{ email: 'a@example.org' }], bcc: [{ email: 'b@example.org' }] })
  })

  it('leave suppressed addresses out', async () => {
    await call('POST', '/suppressions', { email: 'no1@example.org' })
    await call('POST', '/suppressions', { email: 'no2@example.org' })
    const id = await send({ cc: ['no1@example.org', 'yes@example.org'], bcc: ['no2@example.org'] })
    await app.drain()
    expect(recipients()).toEqual([['to@example.org', 'yes@example.org']])
    expect(server.taken[0]!.raw).not.toContain('no1@example.org')
    expect((await get(id)).skipped).toEqual([
      { email: 'no1@example.org', reason: 'The address is suppressed.' },
      { email: 'no2@example.org', reason: 'The address is suppressed.' },
    ])
  })

  it('leave out contacts who would be refused as the recipient of a marketing email, and nobody else', async () => {
    const topic = await call('POST', '/topics', { key: 'news', name: 'News', defaultSubscribed: true })
    const content = { name: 'News', subject: 'News', body: '<p>News</p>', from: EMAIL.from, type: 'MARKETING' }
    const template = (fields: object) => call('POST', '/templates', { ...content, ...fields })
    const plain = (await template({})).body.id
    const ofTopic = (await template({ topicId: topic.body.id })).body.id
    const headless = (await template({ type: 'HEADLESS', topicId: topic.body.id })).body.id
    const contact = (email: string, fields: object) => call('POST', '/contacts', { email, subscribed: true, ...fields })
    await contact(EMAIL.to, {})
    await contact('out@example.org', {})
    await contact('out@example.org', { subscribed: false })
    await contact('no-news@example.org', { topics: { news: false } })
    await contact('paused@example.org', {})
    await app.pool.query(`update contacts set paused_until = $1 where email = 'paused@example.org'`, [
      new Date(app.clock.now().getTime() + 86_400_000),
    ])
    const cc = ['out@example.org', 'no-news@example.org', 'paused@example.org', 'new@example.org']
    const out = { email: 'out@example.org', reason: 'The contact has unsubscribed.' }
    const noNews = { email: 'no-news@example.org', reason: 'The contact is not subscribed to the topic.' }
    const paused = { email: 'paused@example.org', reason: 'The contact has paused marketing email.' }
    const later = { sendAt: new Date(app.clock.now().getTime() + 60_000).toISOString() }
    const skippedOf = async (fields: object) => {
      const id = await send({ cc, ...fields })
      app.clock.forward(60_000)
      await app.drain()
      return (await get(id)).skipped
    }
    for (const sendAt of [{}, later]) {
      expect(await skippedOf({ template: plain, ...sendAt })).toEqual([out, paused])
      expect(recipients().at(-1)).toEqual(['to@example.org', 'no-news@example.org', 'new@example.org'])
      expect(await skippedOf({ template: ofTopic })).toEqual([out, noNews, paused])
      expect(await skippedOf({ template: headless })).toEqual([out, noNews, paused])
      expect(await skippedOf({})).toEqual([])
      later.sendAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    }
  })

  it('are checked when a scheduled email is sent', async () => {
    const sendAt = new Date(app.clock.now().getTime() + 60_000).toISOString()
    const id = await send({ cc: ['later@example.org', 'other@example.org'], sendAt })
    expect((await get(id)).skipped).toEqual([])
    await call('POST', '/suppressions', { email: 'later@example.org' })
    app.clock.forward(60_000)
    await app.drain()
    expect(recipients()).toEqual([['to@example.org', 'other@example.org']])
    expect((await get(id)).skipped).toMatchObject([{ email: 'later@example.org' }])
  })

  it.each([
    ['several recipients in `to`', { to: ['a@example.org', 'b@example.org'], cc: 'c@example.org' }, 'cc'],
    ['an invalid address', { cc: ['nothing'] }, 'cc.0'],
    ['more than 50 addresses', { cc: Array(30).fill('c@example.org'), bcc: Array(21).fill('b@example.org') }, 'cc'],
  ])('are 422 with %s', async (_case, fields, field) => {
    const { status, body } = await call('POST', '/v1/send', { ...EMAIL, ...fields })
    expect(status).toBe(422)
    expect(body.error.errors[0].field).toBe(field)
  })

  it('are erased with the contact', async () => {
    const id = await send({ cc: 'c@example.org' })
    await app.drain()
    await call('DELETE', `/contacts/${(await get(id)).contactId}`)
    await app.drain()
    expect(await get(id)).toMatchObject({ cc: [], bcc: [], skipped: [] })
  })
})

describe('a refusal', () => {
  it('is in the timeline and changes nothing else if it is permanent and for a copy', async () => {
    await call('POST', '/contacts', { email: 'gone@example.org', subscribed: true })
    refuse({ 'gone@example.org': '550 5.1.1 No such user' })
    const id = await send({ cc: ['gone@example.org', 'c@example.org'] })
    await app.drain()
    const email = await get(id)
    expect(email.status).toBe('DELIVERED')
    expect(notes(email)).toEqual([['copy-refused', expect.stringMatching(/^gone@example\.org: .*No such user/)]])
    expect(recipients()).toEqual([['to@example.org', 'c@example.org']])
    expect((await call('GET', '/contacts?email=gone@example.org')).body.data[0].subscribed).toBe(true)
    expect((await call('GET', '/suppressions')).body.data).toEqual([])
    app.clock.forward(3_600_000)
    await app.drain()
    expect(server.taken).toHaveLength(1)
  })

  it('is retried for that address alone, with the same Message-ID, if it is temporary and for a copy', async () => {
    refuse({ 'busy@example.org': '450 4.2.1 Busy' })
    const id = await send({ cc: ['busy@example.org', 'c@example.org'] })
    await app.drain()
    expect((await get(id)).status).toBe('DELIVERED')
    app.clock.forward(15_000)
    await app.drain()
    delete server.options.answerRecipient
    app.clock.forward(60_000)
    await app.drain()
    expect(recipients()).toEqual([['to@example.org', 'c@example.org'], ['busy@example.org']])
    expect(server.taken[1]!.raw).toBe(server.taken[0]!.raw)
    expect(notes(await get(id)).map(([event]) => event)).toEqual(['copy-deferred', 'copy-deferred'])
    app.clock.forward(24 * 3_600_000)
    await app.drain()
    expect(server.taken).toHaveLength(2)
  })

  it('is given up after five attempts if it is temporary and for a copy', async () => {
    refuse({ 'busy@example.org': '450 4.2.1 Busy' })
    const id = await send({ bcc: 'busy@example.org' })
    for (let i = 0; i < 6; i++) {
      await app.drain()
      app.clock.forward(24 * 3_600_000)
    }
    const all = notes(await get(id))
    expect(all).toHaveLength(5)
    expect(all.at(-1)).toEqual(['copy-refused', expect.stringContaining('given up after 5 attempts')])
  })

  it('is a bounce and does not stop the copies if it is permanent and for `to`', async () => {
    refuse({ 'to@example.org': '550 5.1.1 No such user', 'busy@example.org': '450 4.2.1 Busy' })
    const id = await send({ cc: ['c@example.org', 'busy@example.org'] })
    await app.drain()
    expect(recipients()).toEqual([['c@example.org']])
    expect((await get(id)).status).toBe('BOUNCED')
    delete server.options.answerRecipient
    app.clock.forward(15_000)
    await app.drain()
    expect(recipients()).toEqual([['c@example.org'], ['busy@example.org']])
    expect((await get(id)).status).toBe('BOUNCED')
  })

  it('is retried without the copies that got the message if it is temporary and for `to`', async () => {
    refuse({ 'to@example.org': '450 4.2.1 Busy', 'gone@example.org': '550 5.1.1 No such user' })
    const id = await send({ cc: ['c@example.org', 'gone@example.org'] })
    await app.drain()
    expect((await get(id)).status).toBe('PENDING')
    delete server.options.answerRecipient
    app.clock.forward(15_000)
    await app.drain()
    expect(recipients()).toEqual([['c@example.org'], ['to@example.org']])
    expect((await get(id)).status).toBe('DELIVERED')
  })

  it('is a bounce if it is for every recipient', async () => {
    server.options.answerRecipient = () => '550 5.1.1 No such user'
    const id = await send({ cc: 'c@example.org' })
    await app.drain()
    expect(server.taken).toEqual([])
    const email = await get(id)
    expect(email.status).toBe('BOUNCED')
    expect(notes(email)).toHaveLength(1)
  })
})
