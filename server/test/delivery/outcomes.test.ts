/** The outcomes of a sent email: events, status, contact and suppression, in any order and any number. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  recordBounces,
  recordComplaints,
  recordDeliveries,
  recordNotes,
} from '../../features/mail/delivery/outcomes.ts'
import { createTracking } from '../../features/mail/tracking/actions.ts'
import { newId } from '../../kernel/ids.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>
let counter = 0

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

const call = (method: string, path: string, body?: unknown) =>
  app.request(method, path, { key: project.secretKey, body })

interface Sent {
  projectId: string
  emailId: string
  contactId: string
  address: string
  at: Date
}

/** A sent email, in the state left by a transport that doesn't report deliveries. */
async function send({ subscribed = true, status = 'SENT' } = {}): Promise<Sent> {
  const address = `person${++counter}@example.org`
  const { body } = await call('POST', '/v1/send', {
    to: address,
    from: { name: 'Acme', email: 'hello@example.com' },
    subject: 'Hello',
    body: '<p>Hi</p>',
    subscribed,
  })
  await app.drain()
  const [{ email: emailId, contact }] = body.data.emails
  await app.pool.query(`update emails set status = $2, delivered_at = null where id = $1`, [emailId, status])
  await app.pool.query(`delete from events where email_id = $1`, [emailId])
  return { projectId: project.id, emailId, contactId: contact.id, address, at: app.clock.now() }
}

const record = async ({ emailId }: Sent) => (await call('GET', `/emails/${emailId}`)).body

const eventsOf = async ({ contactId }: Sent): Promise<Array<[string, object]>> => {
  const { rows } = await app.pool.query('select name, data from events where contact_id = $1 order by id', [contactId])
  return rows.map((row) => [row.name, row.data])
}

const namesOf = async (sent: Sent) => (await eventsOf(sent)).map(([name]) => name).toSorted()

const eventCount = async ({ emailId }: Sent) =>
  (await app.pool.query('select from events where email_id = $1', [emailId])).rowCount

const baseOf = (sent: Sent) => ({
  subject: 'Hello',
  from: 'hello@example.com',
  fromName: 'Acme',
  messageId: `${sent.emailId}@example.com`,
  emailId: sent.emailId,
  templateId: null,
  campaignId: null,
  sourceType: 'TRANSACTIONAL',
})

const suppressionOf = async ({ address }: Sent) =>
  (await call('GET', `/suppressions?search=${address}`)).body.data[0]?.reason

describe('a delivery', () => {
  it('is recorded once, with its event and the response of the server in the timeline', async () => {
    const sent = await send()
    await recordDeliveries(app.ctx, [{ ...sent, response: '250 2.0.0 Ok' }])
    await recordDeliveries(app.ctx, [{ ...sent, response: '250 again' }])
    const email = await record(sent)
    expect(email).toMatchObject({ status: 'DELIVERED', deliveredAt: sent.at.toISOString() })
    expect(await eventsOf(sent)).toEqual([['email.delivery', { ...baseOf(sent), deliveredAt: sent.at.toISOString() }]])
    expect(email.timeline.slice(1)).toEqual([
      { event: 'email.delivery', at: sent.at.toISOString(), data: expect.anything(), words: '250 2.0.0 Ok' },
    ])
  })

  it('does not change the status if it is reported after a bounce', async () => {
    const sent = await send()
    await recordBounces(app.ctx, [{ ...sent, permanent: true }])
    await recordDeliveries(app.ctx, [sent])
    expect(await record(sent)).toMatchObject({ status: 'BOUNCED', deliveredAt: sent.at.toISOString() })
  })

  it('is ignored if the email was never sent', async () => {
    for (const status of ['PENDING', 'SENDING', 'FAILED', 'CANCELLED']) {
      const sent = await send({ status })
      await recordDeliveries(app.ctx, [sent])
      expect(await record(sent)).toMatchObject({ status, deliveredAt: null })
    }
  })
})

describe('a permanent bounce', () => {
  it('unsubscribes the contact, suppresses the address, and records two events', async () => {
    const sent = await send()
    await recordBounces(app.ctx, [{ ...sent, permanent: true, response: '550 5.1.1 no such user' }])
    expect(await record(sent)).toMatchObject({
      status: 'BOUNCED',
      bouncedAt: sent.at.toISOString(),
      error: '550 5.1.1 no such user',
    })
    expect((await eventsOf(sent)).toSorted()).toEqual([
      ['contact.unsubscribed', { reason: 'bounce' }],
      ['email.bounce', { ...baseOf(sent), bounceType: 'Permanent', bouncedAt: sent.at.toISOString() }],
    ])
    expect((await call('GET', `/contacts/${sent.contactId}`)).body.subscribed).toBe(false)
    expect(await suppressionOf(sent)).toBe('BOUNCE')
  })

  it('is recorded once if it is reported again, even concurrently', async () => {
    const sent = await send()
    const bounce = { ...sent, permanent: true }
    await Promise.all([recordBounces(app.ctx, [bounce, bounce]), recordBounces(app.ctx, [bounce])])
    await recordBounces(app.ctx, [bounce])
    expect(await namesOf(sent)).toEqual(['contact.unsubscribed', 'email.bounce'])
  })

  it('does not unsubscribe the contact again if another email to the same contact bounced before', async () => {
    const sent = await send()
    const { body } = await call('POST', '/v1/send', {
      to: sent.address,
      from: 'hello@example.com',
      subject: 'Two',
      body: 'x',
    })
    await app.drain()
    const second = { ...sent, emailId: body.data.emails[0].email }
    await recordBounces(app.ctx, [
      { ...sent, permanent: true },
      { ...second, permanent: true },
    ])
    const names = await namesOf(sent)
    expect(names.filter((name) => name === 'contact.unsubscribed')).toHaveLength(1)
    expect(names.filter((name) => name === 'email.bounce')).toHaveLength(2)
  })

  it('does not unsubscribe a contact whose address has changed', async () => {
    const sent = await send()
    await call('PATCH', `/contacts/${sent.contactId}`, { email: `new-${sent.address}` })
    await recordBounces(app.ctx, [{ ...sent, permanent: true }])
    expect((await call('GET', `/contacts/${sent.contactId}`)).body.subscribed).toBe(true)
    expect(await suppressionOf(sent)).toBe('BOUNCE')
  })

  it('records no unsubscription of a contact who never subscribed, and the contact has opted out', async () => {
    const sent = await send({ subscribed: false })
    await recordBounces(app.ctx, [{ ...sent, permanent: true }])
    expect(await namesOf(sent)).toEqual(['email.bounce'])
    const { rows } = await app.pool.query('select opted_out from contacts where id = $1', [sent.contactId])
    expect(rows).toEqual([{ opted_out: true }])
  })

  it('while the email is being sent sets its status, with the subject and Message-ID of the worker', async () => {
    const sent = await send({ status: 'SENDING' })
    await app.pool.query('update emails set subject = null, message_id = null where id = $1', [sent.emailId])
    await recordBounces(app.ctx, [{ ...sent, permanent: true, subject: 'Rendered', messageId: 'm@example.com' }])
    expect(await record(sent)).toMatchObject({ status: 'BOUNCED', subject: 'Rendered', messageId: 'm@example.com' })
    expect(await eventsOf(sent)).toContainEqual([
      'email.bounce',
      expect.objectContaining({ subject: 'Rendered', messageId: 'm@example.com' }),
    ])
  })
})

describe('a temporary bounce', () => {
  it('is recorded as an event and changes nothing else', async () => {
    const sent = await send({ status: 'DELIVERED' })
    await recordBounces(app.ctx, [{ ...sent, permanent: false, response: '452 mailbox full' }])
    await recordBounces(app.ctx, [{ ...sent, permanent: false }])
    expect(await record(sent)).toMatchObject({ status: 'DELIVERED', bouncedAt: null, error: null })
    expect(await eventsOf(sent)).toEqual([
      ['email.bounce', { ...baseOf(sent), bounceType: 'Transient', transientBounce: true }],
    ])
    expect((await call('GET', `/contacts/${sent.contactId}`)).body.subscribed).toBe(true)
    expect(await suppressionOf(sent)).toBeUndefined()
  })

  it('does not prevent a later permanent bounce', async () => {
    const sent = await send()
    await recordBounces(app.ctx, [{ ...sent, permanent: false }])
    await recordBounces(app.ctx, [{ ...sent, permanent: true }])
    expect(await record(sent)).toMatchObject({ status: 'BOUNCED' })
    expect(await namesOf(sent)).toEqual(['contact.unsubscribed', 'email.bounce', 'email.bounce'])
  })
})

describe('a complaint', () => {
  it('is recorded once and determines the status, whatever else is reported', async () => {
    const sent = await send()
    await recordComplaints(app.ctx, [sent, sent])
    await recordComplaints(app.ctx, [sent])
    await recordBounces(app.ctx, [{ ...sent, permanent: true }])
    await app.services.tracking.recordClick({ ...sent, isBot: false, link: 'https://example.org/' })
    expect(await record(sent)).toMatchObject({
      status: 'COMPLAINED',
      complainedAt: sent.at.toISOString(),
      bouncedAt: sent.at.toISOString(),
      clickedAt: sent.at.toISOString(),
    })
    const events = await eventsOf(sent)
    expect(events.filter(([name]) => name === 'contact.unsubscribed')).toEqual([
      ['contact.unsubscribed', { reason: 'complaint' }],
    ])
    expect(events.filter(([name]) => name === 'email.complaint')).toEqual([
      ['email.complaint', { ...baseOf(sent), complainedAt: sent.at.toISOString() }],
    ])
    expect(await suppressionOf(sent)).toBe('COMPLAINT')
  })
})

describe('opens and clicks', () => {
  it('are counted every time and recorded as events the first time', async () => {
    const sent = await send()
    const open = { ...sent, isBot: false }
    await Promise.all([app.services.tracking.recordOpen(open), app.services.tracking.recordOpen(open)])
    await app.services.tracking.recordOpen(open)
    expect(await record(sent)).toMatchObject({ status: 'OPENED', opens: 3, openedAt: sent.at.toISOString() })
    expect(await eventsOf(sent)).toEqual([
      ['email.open', { ...baseOf(sent), openedAt: sent.at.toISOString(), opens: 1, isFirstOpen: true }],
    ])
  })

  it('include an open with a click, and a later open records no further event', async () => {
    const sent = await send()
    const click = { ...sent, isBot: false, link: 'https://example.org/a?b=1&c=2' }
    await app.services.tracking.recordClick(click)
    await app.services.tracking.recordClick({ ...click, link: 'https://example.org/second' })
    await app.services.tracking.recordOpen({ ...sent, isBot: false })
    expect(await record(sent)).toMatchObject({ status: 'CLICKED', clicks: 2, opens: 2 })
    expect((await eventsOf(sent)).toSorted()).toEqual([
      [
        'email.click',
        {
          ...baseOf(sent),
          link: 'https://example.org/a?b=1&c=2',
          clickedAt: sent.at.toISOString(),
          clicks: 1,
          isFirstClick: true,
        },
      ],
      ['email.open', { ...baseOf(sent), openedAt: sent.at.toISOString(), opens: 1, isFirstOpen: true }],
    ])
  })

  it('are marked and not counted if a scanner made them', async () => {
    const sent = await send({ status: 'DELIVERED' })
    await app.services.tracking.recordOpen({ ...sent, isBot: true })
    await app.services.tracking.recordClick({ ...sent, isBot: true, link: 'https://example.org/' })
    await app.services.tracking.recordClick({ ...sent, isBot: true, link: 'https://example.org/' })
    const email = await record(sent)
    expect(email).toMatchObject({ status: 'DELIVERED', opens: 0, clicks: 0, openedAt: null, clickedAt: null })
    expect(await eventsOf(sent)).toEqual([])
    expect(email.timeline.slice(1)).toEqual([
      { event: 'open', at: sent.at.toISOString(), data: { isBot: true } },
      { event: 'click', at: sent.at.toISOString(), data: { isBot: true, link: 'https://example.org/' } },
    ])
  })

  it('within a second of sending are not counted', async () => {
    const sent = await send()
    const { mail } = app.ctx
    const capabilities = { ...mail.capabilities, captures: false }
    const tracking = createTracking({ ...app.ctx, mail: { ...mail, capabilities } })
    await tracking.recordClick({ ...sent, isBot: false, link: 'https://example.org/' })
    expect(await record(sent)).toMatchObject({ clicks: 0, opens: 0, status: 'SENT' })
    app.clock.forward(2_000)
    await tracking.recordClick({ ...sent, at: app.clock.now(), isBot: false, link: 'https://example.org/' })
    expect(await record(sent)).toMatchObject({ clicks: 1, opens: 1, status: 'CLICKED' })
  })
})

describe('any outcome', () => {
  it('is counted without an event if the contact of the email was deleted', async () => {
    const sent = await send()
    await call('DELETE', `/contacts/${sent.contactId}`)
    const recordAll = async () => {
      await app.services.tracking.recordOpen({ ...sent, isBot: false })
      await app.services.tracking.recordClick({ ...sent, isBot: false, link: 'https://example.org/' })
      await recordDeliveries(app.ctx, [sent])
      await recordBounces(app.ctx, [{ ...sent, permanent: true }])
      await recordComplaints(app.ctx, [sent])
    }
    await recordAll()
    await app.drain() // erases the contact
    await recordAll()
    expect(await eventCount(sent)).toBe(0)
    expect(await record(sent)).toMatchObject({ contactId: null, opens: 2, clicks: 2, status: 'COMPLAINED' })
    expect(await suppressionOf(sent)).toBe('BOUNCE') // recorded before the address was erased
  })

  it('changes nothing with another project’s ID, or for an email that does not exist', async () => {
    const sent = await send()
    const other = await createProject(app, 'Other')
    for (const foreign of [
      { ...sent, projectId: other.id },
      { ...sent, emailId: newId(sent.at) },
    ]) {
      await recordBounces(app.ctx, [{ ...foreign, permanent: true }])
      await app.services.tracking.recordOpen({ ...foreign, isBot: false })
    }
    expect(await record(sent)).toMatchObject({ status: 'SENT', opens: 0, bouncedAt: null })
    expect(await eventsOf(sent)).toEqual([])
  })

  it('can be recorded in batches, such as a thousand bounces at once', async () => {
    const many: Sent[] = []
    for (let i = 0; i < 20; i++) many.push(await send())
    await recordBounces(
      app.ctx,
      Array.from({ length: 1000 }, (_, i) => ({ ...many[i % many.length]!, permanent: true })),
    )
    for (const sent of many) expect(await record(sent)).toMatchObject({ status: 'BOUNCED' })
  })

  it('is recorded with the current time if its time is in the future', async () => {
    const sent = await send()
    await recordDeliveries(app.ctx, [{ ...sent, at: new Date(sent.at.getTime() + 3_600_000) }])
    expect((await record(sent)).deliveredAt).toBe(sent.at.toISOString())
  })

  it('can have any response text, of which the storable part is kept', async () => {
    const sent = await send()
    const response = `451 \0 half \ud83d ${'x'.repeat(10_000)}`
    await recordNotes(app.ctx, [{ ...sent, kind: 'deferred', text: response }])
    await recordDeliveries(app.ctx, [{ ...sent, response }])
    const { timeline } = await record(sent)
    expect(timeline.map((entry: { event: string }) => entry.event)).toEqual(['queued', 'deferred', 'email.delivery'])
    expect(timeline[1].words).toMatch(/^451 {3}half � x+$/)
  })
})
