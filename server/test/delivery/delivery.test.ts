/** Delivery to a real mail server: which emails are sent, which aren't, and their outcomes. */
import { Resolver } from 'node:dns/promises'
import { dkimVerify } from 'mailauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { recordBounces } from '../../features/mail/delivery/outcomes.ts'
import { startDnsServer } from '../dns-server.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { openSmtpTestServer, type SmtpTestServer } from '../mail/smtp-test-server.ts'

let app: TestApp
let server: SmtpTestServer
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0

beforeAll(async () => {
  server = await openSmtpTestServer()
  app = await openTestApp({ MAIL_URL: `smtp://127.0.0.1:${server.port}?tls=off` })
  project = await createProject(app)
  await app.pool.query(`update domains set status = 'VERIFIED'`)
})
afterAll(async () => {
  await app.close()
  await server.close()
})
beforeEach(async () => {
  for (const answer of ['answerRecipient', 'answerMessage'] as const) delete server.options[answer]
  server.taken.length = 0
  await app.pool.query('delete from posthorn_queue.jobs')
  app.clock.forward(24 * 3_600_000) // far ahead of the real clock, which may not catch up
})

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

async function send(to = `reader-${++counter}@example.org`, fields: object = {}): Promise<string> {
  const body = { to, from: 'hello@example.com', subject: 'Hello', body: '<p>Hi</p>', ...fields }
  const reply = await call('POST', '/v1/send', body)
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body.data.emails[0].email
}

const record = async (id: string) => (await call('GET', `/emails/${id}`)).body
const contactOf = async (to: string) => (await call('GET', `/contacts?email=${to}`)).body.data[0]
const events = (email: { timeline: Array<{ event: string }> }) => email.timeline.map((entry) => entry.event)

describe('an email that the mail server accepts', () => {
  it('is sent and recorded as delivered', async () => {
    const id = await send('ada@example.org')
    await app.drain()
    expect(await record(id)).toMatchObject({
      status: 'DELIVERED',
      messageId: `${id}@example.com`,
      attempts: 1,
      error: null,
    })
    expect(events(await record(id))).toEqual(['queued', 'email.sent', 'email.delivery'])
    expect(server.taken).toMatchObject([{ sender: 'hello@example.com', recipients: ['ada@example.org'] }])
  })

  it("is signed with its domain's own key, which matches the required DNS record, and is shown as it was sent", async () => {
    const id = await send()
    await app.drain()
    const raw = server.taken[0]!.raw
    expect((await call('GET', `/emails/${id}/raw`)).body).toBe(raw)

    const [domain] = (await call('GET', `/domains/project/${project.id}`)).body
    const record = domain.records.find((one: { purpose: string }) => one.purpose === 'dkim')
    const dns = await startDnsServer({ [record.name]: { TXT: [record.value] } })
    const resolver = new Resolver()
    resolver.setServers([dns.address])
    const { results } = await dkimVerify(raw, {
      resolver: (name: string, type: string) => resolver.resolve(name, type) as Promise<string[][]>,
    })
    await dns.close()
    expect(results).toMatchObject([
      { status: { result: 'pass', aligned: 'example.com' }, signingDomain: 'example.com' },
    ])
  })
})

describe('an email that the mail server refuses', () => {
  it('because of its address bounces once: the contact is unsubscribed, the address suppressed, and nothing is retried', async () => {
    const to = `gone-${++counter}@example.org`
    await call('POST', '/contacts', { email: to, subscribed: true })
    server.options.answerRecipient = () => '550 5.1.1 No such user'
    const id = await send(to)
    await app.drain()
    const email = await record(id)
    expect(email).toMatchObject({ status: 'BOUNCED', error: '550 5.1.1 No such user', attempts: 1, sentAt: null })
    expect(events(email)).toContain('email.bounce')
    const { body } = await call('GET', `/events?name=email.bounce&limit=1`)
    expect(body.data[0]).toMatchObject({ emailId: id, data: { bounceType: 'Permanent', subject: 'Hello' } })
    expect(await contactOf(to)).toMatchObject({ subscribed: false })
    expect((await call('GET', `/suppressions?search=${to}`)).body.data).toMatchObject([{ email: to, reason: 'BOUNCE' }])
    app.clock.forward(3_600_000)
    await app.drain()
    expect(await record(id)).toMatchObject({ status: 'BOUNCED', attempts: 1 })
  })

  it('because of its content fails, and the contact stays subscribed', async () => {
    const to = `fine-${++counter}@example.org`
    await call('POST', '/contacts', { email: to, subscribed: true })
    server.options.answerMessage = () => '554 5.7.1 Looks like spam'
    const id = await send(to)
    await app.drain()
    expect(await record(id)).toMatchObject({ status: 'FAILED', error: '554 5.7.1 Looks like spam' })
    expect(await contactOf(to)).toMatchObject({ subscribed: true })
    const { body } = await call('GET', '/activity?types=email.failed&limit=1')
    expect(body.data[0]).toMatchObject({
      type: 'email.failed',
      contact: { email: to },
      metadata: { emailId: id, subject: 'Hello', error: '554 5.7.1 Looks like spam', failedAt: expect.any(String) },
      email: { id, status: 'FAILED', sentAt: null },
    })
  })

  it('temporarily is retried with growing pauses, and fails after five attempts with the response of the server', async () => {
    server.options.answerRecipient = () => '450 4.2.0 Greylisted'
    const id = await send()
    const start = app.clock.now().getTime()
    const attemptsAfter = async (seconds: number) => {
      app.clock.set(new Date(start + seconds * 1000))
      await app.drain()
      return (await record(id)).attempts
    }
    expect(await attemptsAfter(0)).toBe(1)
    for (const [retry, seconds] of [15, 75, 315, 1275].entries()) {
      expect(await attemptsAfter(seconds - 5)).toBe(retry + 1)
      expect(await attemptsAfter(seconds)).toBe(retry + 2)
    }
    expect(await record(id)).toMatchObject({
      status: 'FAILED',
      error: 'Gave up after 5 attempts: 450 4.2.0 Greylisted',
    })
  })
})

describe('an email to a contact who has unsubscribed, is suppressed or was deleted', () => {
  /** Like emails of campaigns and workflows. */
  async function sendAs(to: string, sourceType: string, type: string): Promise<string> {
    const id = await send(to)
    await app.pool.query('update emails set source_type = $1 where id = $2', [sourceType, id])
    await app.pool.query(
      'update email_contents set type = $1 where id = (select content_id from emails where id = $2)',
      [type, id],
    )
    return id
  }

  it.each([
    ['CAMPAIGN', 'MARKETING', 'unsubscribe', /unsubscribed/],
    ['CAMPAIGN', 'HEADLESS', 'unsubscribe', /unsubscribed/],
    ['WORKFLOW', 'MARKETING', 'unsubscribe', /unsubscribed/],
    ['CAMPAIGN', 'MARKETING', 'suppress', /suppressed/],
    ['TRANSACTIONAL', 'MARKETING', 'unsubscribe', /unsubscribed/],
    ['CAMPAIGN', 'TRANSACTIONAL', 'unsubscribe', undefined],
    ['WORKFLOW', 'TRANSACTIONAL', 'suppress', undefined],
    ['TRANSACTIONAL', 'TRANSACTIONAL', 'unsubscribe', undefined],
    ['TRANSACTIONAL', 'HEADLESS', 'unsubscribe', undefined],
    ['CAMPAIGN', 'MARKETING', 'nothing', undefined],
  ])('from %s of type %s after "%s" gets the error %s', async (sourceType, type, change, error) => {
    const to = `wanted-${++counter}@example.org`
    const { body: contact } = await call('POST', '/contacts', { email: to, subscribed: true })
    const id = await sendAs(to, sourceType, type)
    if (change === 'unsubscribe') await call('PATCH', `/contacts/${contact.id}`, { subscribed: false })
    if (change === 'suppress') await call('POST', '/suppressions', { email: to })
    await app.drain()
    const email = await record(id)
    expect(server.taken).toHaveLength(error ? 0 : 1)
    if (error) expect(email).toMatchObject({ status: 'CANCELLED', error: expect.stringMatching(error), attempts: 0 })
    else expect(email).toMatchObject({ status: 'DELIVERED' })
  })

  describe('after a permanent bounce', () => {
    const REASON = 'Not sent: the address is suppressed because of a permanent bounce.'

    async function bouncedAddress(): Promise<string> {
      const to = `bounced-${++counter}@example.org`
      const id = await send(to)
      await app.drain()
      server.taken.length = 0
      await recordBounces(app.ctx, [{ projectId: project.id, emailId: id, at: app.clock.now(), permanent: true }])
      return to
    }

    it.each([
      ['TRANSACTIONAL', 'TRANSACTIONAL'],
      ['TRANSACTIONAL', 'HEADLESS'],
      ['WORKFLOW', 'TRANSACTIONAL'],
      ['CAMPAIGN', 'TRANSACTIONAL'],
      ['CAMPAIGN', 'MARKETING'],
    ])('fails with that reason from %s of type %s', async (sourceType, type) => {
      const id = await sendAs(await bouncedAddress(), sourceType, type)
      await app.drain()
      const email = await record(id)
      expect(email).toMatchObject({ status: 'FAILED', error: REASON, attempts: 0 })
      expect(email.timeline.at(-1)).toMatchObject({ event: 'failed', words: REASON })
      expect(server.taken).toHaveLength(0)
      expect(await call('POST', `/emails/${id}/resend`)).toMatchObject({ status: 409 })
    })

    it('is sent if the project sends to bounced addresses', async () => {
      const to = await bouncedAddress()
      const path = `/users/@me/projects/${project.id}`
      expect((await call('PATCH', path, { sendToBounced: 'yes' })).status).toBe(422)
      expect((await call('PATCH', path, { sendToBounced: true })).body.sendToBounced).toBe(true)
      const [text, marketing] = [await send(to), await sendAs(to, 'CAMPAIGN', 'MARKETING')]
      await app.drain()
      expect(await record(text)).toMatchObject({ status: 'DELIVERED' })
      expect(await record(marketing)).toMatchObject({ status: 'CANCELLED' })
      expect((await call('PATCH', path, { sendToBounced: false })).body.sendToBounced).toBe(false)
    })
  })

  it('is sent if a request sends it to a contact who was never subscribed', async () => {
    const id = await sendAs(`new-${++counter}@example.org`, 'TRANSACTIONAL', 'MARKETING')
    await app.drain()
    expect(await record(id)).toMatchObject({ status: 'DELIVERED' })
  })

  it('is canceled if its contact was deleted, and a test email, which has no contact, is sent', async () => {
    const [gone, test] = [
      await sendAs(`x-${++counter}@example.org`, 'CAMPAIGN', 'MARKETING'),
      await sendAs(`t-${counter}@example.org`, 'CAMPAIGN', 'MARKETING'),
    ]
    await app.pool.query('update emails set contact_id = gen_random_uuid() where id = $1', [gone])
    await app.pool.query('update emails set contact_id = null where id = $1', [test])
    await app.drain()
    expect(await record(gone)).toMatchObject({ status: 'CANCELLED', error: expect.stringMatching(/deleted/) })
    expect(await record(test)).toMatchObject({ status: 'DELIVERED' })
  })
})
