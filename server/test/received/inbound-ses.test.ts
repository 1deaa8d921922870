/** Email that Amazon SES received and reports over SNS, with and without its content; and limits. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openInboundServer } from '../../features/mail/received/server.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { deliver } from '../mail-client.ts'
import { openSns, TOPIC } from '../reports/sns-signer.ts'

let app: TestApp
let sns: Awaited<ReturnType<typeof openSns>>
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  sns = await openSns()
  app = await openTestApp({ SNS_TRUSTED_HOSTS: sns.host, SNS_TOPIC_ARNS: TOPIC })
  project = await createProject(app)
})
afterAll(async () => {
  await app.close()
  await sns.close()
})

const RAW = [
  'From: Ada <ada@sender.example>',
  'To: shop@example.com',
  'Subject: Over SES',
  'Message-ID: <over-ses@sender.example>',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<p>Grüße<script>x</script></p>',
  '',
].join('\r\n')

let counter = 0
const received = (fields: object = {}, receipt: object = {}) => ({
  notificationType: 'Received',
  mail: {
    messageId: `ses-${++counter}`,
    timestamp: '2026-03-01T12:00:00.000Z',
    source: 'ada@sender.example',
    destination: ['shop@example.com'],
    commonHeaders: {
      from: ['Ada <ada@sender.example>'],
      subject: 'Headers alone',
      messageId: '<headers-alone@sender.example>',
    },
  },
  receipt: {
    recipients: ['shop@example.com'],
    processingTimeMillis: 222,
    spamVerdict: { status: 'PASS' },
    virusVerdict: { status: 'PASS' },
    spfVerdict: { status: 'FAIL' },
    dkimVerdict: { status: 'GRAY' },
    dmarcVerdict: { status: 'PROCESSING_FAILED' },
    action: { type: 'SNS', encoding: 'UTF8' },
    ...receipt,
  },
  ...fields,
})

async function notify(notification: object) {
  const text = JSON.stringify(sns.message({ Message: JSON.stringify(notification) }, '2'))
  const reply = await app.request('POST', '/webhooks/sns', { text, headers: { 'content-type': 'text/plain' } })
  expect(reply.status).toBe(200)
  await app.drain()
}

const events = async () =>
  (await app.request('GET', '/events?name=email.received', { key: project.secretKey })).body.data

describe('email received by SES', () => {
  it('is an event with the verdicts of SES if its content is included', async () => {
    await notify(received({ content: RAW }))
    const [event] = await events()
    expect(event.data).toEqual({
      messageId: 'over-ses@sender.example',
      from: 'ada@sender.example',
      fromHeader: 'Ada <ada@sender.example>',
      to: 'shop@example.com',
      subject: 'Over SES',
      timestamp: '2026-03-01T12:00:00.000Z',
      recipients: ['shop@example.com'],
      hasContent: true,
      body: '<p>Grüße</p>',
      spamVerdict: 'PASS',
      virusVerdict: 'PASS',
      spfVerdict: 'FAIL',
      dkimVerdict: 'GRAY',
      dmarcVerdict: 'PROCESSING_FAILED',
      processingTimeMillis: 222,
      emailId: event.emailId,
    })
    expect(event.contact.email).toBe('ada@sender.example')
  })

  it('is stored once if it is repeated, even in base64', async () => {
    const before = (await events()).length
    const content = Buffer.from(RAW).toString('base64')
    await notify(received({ content }, { action: { type: 'SNS', encoding: 'BASE64' } }))
    expect(await events()).toHaveLength(before)
  })

  it('without its content is stored with its headers', async () => {
    await notify(received())
    expect((await events())[0].data).toMatchObject({
      messageId: 'headers-alone@sender.example',
      from: 'ada@sender.example',
      subject: 'Headers alone',
      hasContent: false,
      body: '',
    })
  })

  it('for no project, or in an unknown form, is accepted as far as possible', async () => {
    const before = (await events()).length
    await notify(received({ content: RAW }, { recipients: ['x@elsewhere.example'] }))
    await notify({ ...received(), mail: { messageId: 'x', commonHeaders: 7 }, receipt: 'none' })
    await notify({ ...received({ content: 7 }), receipt: { recipients: [7], spamVerdict: { status: '<b>' } } })
    expect(await events()).toHaveLength(before + 1) // the last one names its recipient in another field
    expect(JSON.stringify(await events())).not.toContain('<b>')
  })
})

it('a project over its monthly limit receives nothing more until the limit is raised', async () => {
  const server = await openInboundServer(app.ctx, 0)
  const other = await createProject(app, 'Limited')
  const key = other.secretKey
  const added = await app.request('POST', '/domains', { key, body: { domain: 'limited.example' } })
  await app.request('GET', `/domains/${added.body.id}/verify`, { key })
  const limit = (inbound: number | null) =>
    app.request('PUT', `/users/@me/projects/${other.id}/billing-limits`, { key, body: { inbound } })
  await limit(1)
  const send = async (subject: string) => {
    const raw = `From: a@sender.example\r\nMessage-ID: <${subject}@sender.example>\r\nSubject: ${subject}\r\n\r\nx`
    return (await deliver(server.port, { to: ['a@limited.example'], raw })).at(-1)
  }
  expect(await send('one')).toMatch(/^250/)
  expect(await send('one')).toMatch(/^250/) // a repeated notification doesn't count
  expect(await send('two')).toMatch(/^452 4\.2\.2/)
  await limit(null)
  expect(await send('two')).toMatch(/^250/)
  const list = await app.request('GET', '/emails', { key })
  expect(list.body.data.map((email: { subject: string }) => email.subject)).toEqual(['two', 'one'])
  await server.stop()
})
