/** Reports of other servers about our emails: bounces and complaints, to the return path or to any other address. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openInboundServer } from '../../features/mail/received/server.ts'
import type { SmtpListener } from '../../platform/smtp/listen.ts'
import { startDnsServer } from '../dns-server.ts'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { deliver } from '../mail-client.ts'

let app: TestApp
let server: SmtpListener
let dns: Awaited<ReturnType<typeof startDnsServer>>
let project: Awaited<ReturnType<typeof createProject>>

beforeAll(async () => {
  const passes = { TXT: ['v=spf1 ip4:127.0.0.1 -all'] }
  const dmarc = { TXT: ['v=DMARC1; p=reject'] }
  dns = await startDnsServer({
    'example.org': passes,
    'mx.example.org': passes,
    '_dmarc.example.org': dmarc,
    'stranger.example': passes,
    '_dmarc.stranger.example': dmarc,
  })
  app = await openTestApp({ INBOUND_SMTP_PORT: '2525', DNS_SERVERS: dns.address })
  project = await createProject(app)
  server = await openInboundServer(app.ctx, 0)
})
afterAll(async () => {
  await server.stop()
  await app.close()
  await dns.close()
})

let counter = 0
/** A sent email with its envelope. */
async function send(to = project, more: object = {}) {
  const body = {
    ...more,
    to: `p${++counter}@example.org`,
    from: 'hello@example.com',
    subject: 'Hi',
    body: 'x',
    subscribed: true,
  }
  const reply = await app.request('POST', '/v1/send', { key: to.secretKey, body })
  await app.drain()
  const { email: id, contact } = reply.body.data.emails[0]
  const returnPath = (await app.captured()).at(-1)!.sender
  return { id: id as string, to: body.to, contactId: contact.id as string, returnPath }
}

const record = async (id: string, key = project.secretKey) => (await app.request('GET', `/emails/${id}`, { key })).body
const contact = async (id: string) => (await app.request('GET', `/contacts/${id}`, { key: project.secretKey })).body
const received = async () =>
  (await app.request('GET', '/emails?status=RECEIVED&limit=100', { key: project.secretKey })).body.data.length

const report = (type: string, machine: string[], original: string[] = []) =>
  [
    'From: Mail Delivery System <MAILER-DAEMON@example.org>',
    'Subject: Undelivered Mail Returned to Sender',
    'Auto-Submitted: auto-replied',
    `Content-Type: multipart/report; report-type=${type}; boundary="b"`,
    '',
    '--b',
    'Content-Type: text/plain',
    '',
    'Sorry.',
    '--b',
    `Content-Type: message/${type}`,
    '',
    ...machine,
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    ...original,
    '',
    '--b--',
    '',
  ].join('\r\n')

const bounce = (status: string, words: string, original: string[] = [], recipient = 'p@example.org') =>
  report(
    'delivery-status',
    [
      'Reporting-MTA: dns; mx.example.org',
      '',
      `Final-Recipient: rfc822; ${recipient}`,
      'Action: failed',
      `Status: ${status}`,
      `Diagnostic-Code: smtp; ${words}`,
    ],
    original,
  )

const sendReport = async (to: string, raw: string, { helo = 'example.org', from = '' } = {}) => {
  const replies = await deliver(server.port, { from, to: [to], raw, helo })
  expect(replies.at(-1)).toBe('250 2.0.0 Stored.')
}

describe('a report to a return path', () => {
  it('is recorded on its email, and not stored as received email', async () => {
    const { id, contactId, returnPath } = await send()
    expect(returnPath).toMatch(/^b-[a-z2-7]{61}@bounces\.example\.com$/)
    const before = await received()
    for (let i = 0; i < 2; i++) await sendReport(returnPath.toUpperCase(), bounce('5.1.1', '550 5.1.1 No such user'))
    const email = await record(id)
    expect(email).toMatchObject({ status: 'BOUNCED', error: '550 5.1.1 No such user' })
    expect(email.timeline.filter((entry: { event: string }) => entry.event === 'email.bounce')).toEqual([
      expect.objectContaining({
        words: '550 5.1.1 No such user',
        data: expect.objectContaining({ bounceType: 'Permanent' }),
      }),
    ])
    expect((await contact(contactId)).subscribed).toBe(false)
    expect(await received()).toBe(before)
  })

  it('about a copy is a note in the timeline, and changes no contact', async () => {
    const { id, to, contactId, returnPath } = await send(project, { cc: 'copy@example.org' })
    await sendReport(returnPath, bounce('5.1.1', '550 5.1.1 No such user', [], 'copy@example.org'))
    const email = await record(id)
    expect(email).toMatchObject({ status: 'DELIVERED', bouncedAt: null })
    expect(email.timeline.at(-1)).toMatchObject({
      event: 'copy-report',
      words: 'copy@example.org (bounce): 550 5.1.1 No such user',
    })
    expect((await contact(contactId)).subscribed).toBe(true)
    await sendReport(returnPath, bounce('5.1.1', '550 5.1.1 No such user', [], to))
    expect((await record(id)).status).toBe('BOUNCED')
    expect((await contact(contactId)).subscribed).toBe(false)
  })

  it('about a full mailbox is only recorded', async () => {
    const { id, contactId, returnPath } = await send()
    await sendReport(returnPath, bounce('5.2.2', '552 5.2.2 Mailbox full'))
    expect(await record(id)).toMatchObject({ status: 'DELIVERED', bouncedAt: null })
    expect((await record(id)).timeline.at(-1)).toMatchObject({
      event: 'email.bounce',
      data: { bounceType: 'Transient', transientBounce: true },
    })
    expect((await contact(contactId)).subscribed).toBe(true)
  })

  it('without a standard format counts too, and an automatic reply does not', async () => {
    const { id, returnPath } = await send()
    await sendReport(
      returnPath,
      'From: ada@example.org\r\nSubject: Away\r\nAuto-Submitted: auto-replied\r\n\r\nCall 550 1234',
    )
    expect(await record(id)).toMatchObject({ status: 'DELIVERED' })
    await sendReport(
      returnPath,
      'From: MAILER-DAEMON@example.org\r\nSubject: failure notice\r\n\r\n550 5.1.1 Unknown\r\n',
    )
    expect(await record(id)).toMatchObject({ status: 'BOUNCED', error: '550 5.1.1 Unknown' })
  })

  it('unsubscribes the contact if it is a complaint', async () => {
    const { id, contactId, returnPath } = await send()
    for (const type of ['not-spam', 'Auth-Failure', 'virus']) {
      await sendReport(returnPath, report('feedback-report', [`Feedback-Type: ${type}`, 'Version: 1']))
      expect((await record(id)).status).toBe('DELIVERED')
    }
    await sendReport(returnPath, report('feedback-report', ['Feedback-Type: abuse', 'Version: 1']))
    expect((await record(id)).status).toBe('COMPLAINED')
    expect((await contact(contactId)).subscribed).toBe(false)
  })

  it('about a delay is a note in the timeline', async () => {
    const { id, returnPath } = await send()
    const fields = ['Reporting-MTA: dns; x', '', 'Action: delayed', 'Status: 4.4.1', 'Diagnostic-Code: smtp; later']
    await sendReport(returnPath, report('delivery-status', fields))
    expect((await record(id)).timeline.at(-1)).toMatchObject({ event: 'deferred', words: 'later' })
  })

  it('is refused during the SMTP session if we never created the path', async () => {
    const { id, returnPath } = await send()
    const forged = returnPath.replace(/^b-(.)/, (_all, letter) => `b-${letter === 'a' ? 'b' : 'a'}`)
    const replies = await deliver(server.port, { from: '', to: [forged], raw: bounce('5.1.1', 'x') })
    expect(replies[2]).toMatch(/^550/)
    expect((await record(id)).status).toBe('DELIVERED')
  })
})

describe('a report to another address', () => {
  it('is recorded by the return path in it', async () => {
    const { id, returnPath } = await send()
    const before = await received()
    const raw = report('feedback-report', ['Feedback-Type: abuse', `Original-Mail-From: <${returnPath}>`])
    await sendReport('abuse@example.com', raw)
    expect((await record(id)).status).toBe('COMPLAINED')
    expect(await received()).toBe(before)
  })

  const kinds: Array<[string, string, (quoted: string[], to: string) => string]> = [
    ['a bounce', 'BOUNCED', (quoted, to) => bounce('5.1.1', '550 gone', quoted, to)],
    [
      'a complaint',
      'COMPLAINED',
      (quoted, to) => report('feedback-report', ['Feedback-Type: abuse', `Original-Rcpt-To: <${to}>`], quoted),
    ],
  ]

  it.each(kinds)(
    'is recorded by the Message-ID that it quotes if the server of the recipient sent it: %s',
    async (...[, status, write]) => {
      const { id, to } = await send()
      const before = await received()
      await sendReport('hello@example.com', write([`Message-ID: <${id}@example.com>`, 'Subject: Hi'], to.toUpperCase()))
      expect((await record(id)).status).toBe(status)
      expect(await received()).toBe(before)
    },
  )

  const daemon = 'Mail Delivery System <MAILER-DAEMON@example.org>'
  const forgeries: Array<{ author: string; helo?: string; from?: string }> = [
    { author: daemon, helo: 'stranger.example' },
    { author: 'mailer-daemon@stranger.example', helo: 'stranger.example' },
    { author: 'mallory@example.org', from: 'mallory@example.org' }, // another user of the same provider
    { author: 'mallory@example.org' },
    { author: daemon, from: 'mallory@example.org' },
    { author: 'postmaster@mx.example.org', helo: 'mx.example.org' }, // a customer's subdomain
    { author: daemon, helo: 'mx.example.org' },
    { author: `${daemon}, mallory@example.org` },
    { author: `${daemon}\r\nFrom: mallory@example.org` },
  ]

  it.each(kinds)(
    'is received email and a note in the timeline if anyone could have sent it: %s',
    async (...[, , write]) => {
      const { id, to, contactId } = await send()
      const before = await received()
      const raw = write([`Message-ID: <${id}@example.com>`], to)
      for (const [i, { author, ...envelope }] of forgeries.entries()) {
        const forged = raw.replace(`From: ${daemon}`, `Message-ID: <${id}-${i}@forged.example>\r\nFrom: ${author}`)
        await sendReport('hello@example.com', forged, envelope)
        expect((await record(id)).status, author).toBe('DELIVERED')
      }
      const { timeline } = await record(id)
      expect(timeline.filter((item: { event: string }) => item.event === 'unproven-report')).toHaveLength(
        forgeries.length,
      )
      expect((await contact(contactId)).subscribed).toBe(true)
      expect(await received()).toBe(before + forgeries.length)
    },
  )

  it.each(kinds)('about another recipient has no effect, because anyone can cause it: %s', async (...[, , write]) => {
    const { id } = await send()
    const quoted = [`Message-ID: <${id}@example.com>`]
    await sendReport('hello@example.com', write(quoted, 'nobody@example.org'))
    expect((await record(id)).status).toBe('DELIVERED')
  })

  it('about email of another sender is an ordinary received email', async () => {
    const before = await received()
    await sendReport('hello@example.com', bounce('5.1.1', '550 gone', ['Message-ID: <x@elsewhere.example>']))
    expect(await received()).toBe(before + 1)
  })

  it('has no effect on another project’s email', async () => {
    const other = await createProject(app, 'Other')
    await app.pool.query("update domains set domain = 'other.example' where project_id = $1", [other.id])
    const { id } = await send()
    await sendReport('hello@other.example', bounce('5.1.1', '550 gone', [`Message-ID: <${id}@example.com>`]))
    expect((await record(id)).status).toBe('DELIVERED')
  })
})
