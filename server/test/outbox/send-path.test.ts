import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'

let app: TestApp
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  app = await openTestApp()
  project = await createProject(app)
})
afterAll(() => app.close())

describe('the path of one email', () => {
  it('leads from /v1/send through the outbox and a worker to the transport, with its events', async () => {
    const sent = await app.request('POST', '/v1/send', {
      key: project.secretKey,
      body: {
        to: { name: 'Ada', email: 'Ada@Example.org' },
        from: { name: 'Acme', email: 'hello@example.com' },
        subject: 'Hello {{name}}',
        body: '<p>Your plan is {{plan ?? "free"}}, {{name}}.</p>',
        reply: 'help@example.com',
        data: { name: 'Ada <3' },
      },
    })
    expect(sent.status).toBe(200)
    const [{ contact, email: emailId }] = sent.body.data.emails
    expect(contact.email).toBe('ada@example.org')

    const before = await app.request('GET', `/emails/${emailId}`, { key: project.secretKey })
    expect(before.body).toMatchObject({ status: 'PENDING', subject: 'Hello Ada <3', attempts: 0 })

    await app.drain()

    const after = await app.request('GET', `/emails/${emailId}`, { key: project.secretKey })
    expect(after.body).toMatchObject({
      status: 'DELIVERED',
      contactId: contact.id,
      toName: 'Ada',
      subject: 'Hello Ada <3',
      from: 'hello@example.com',
      fromName: 'Acme',
      replyTo: 'help@example.com',
      sourceType: 'TRANSACTIONAL',
      attempts: 1,
      html: '<p>Your plan is free, Ada &lt;3.</p>',
    })
    expect(after.body.timeline.map((step: { event: string }) => step.event)).toEqual([
      'queued',
      'email.sent',
      'email.delivery',
    ])

    const captured = (await app.captured()).find((one) => one.email_id === emailId)!
    const message = await PostalMime.parse(captured.raw)
    expect(message.subject).toBe('Hello Ada <3')
    expect(message.to).toMatchObject([{ name: 'Ada', address: 'ada@example.org' }])
    expect(message.html?.trim()).toBe(after.body.html)
    expect(message.messageId).toBe(`<${emailId}@example.com>`)

    const raw = await app.request('GET', `/emails/${emailId}/raw`, { key: project.secretKey })
    expect(raw.body).toMatch(/^DKIM-Signature: /)
    expect(raw.body.endsWith(captured.raw.toString('utf8'))).toBe(true)

    const events = await app.request('GET', '/events?name=email.sent', { key: project.secretKey })
    expect(events.body.data[0]).toMatchObject({
      emailId,
      contactId: contact.id,
      data: {
        subject: 'Hello Ada <3',
        from: 'hello@example.com',
        fromName: 'Acme',
        emailId,
        templateId: null,
        campaignId: null,
        sourceType: 'TRANSACTIONAL',
      },
    })
  })
})
