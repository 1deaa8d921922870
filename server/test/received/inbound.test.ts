/**
 * Email from other servers: which project receives it, what is recorded, and how its sender is authenticated. The
 * server and the DNS are real.
 */
import { createPrivateKey } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteOldReceivedMessages } from '../../features/mail/received/actions.ts'
import { dkimSignature } from '../../platform/mime/dkim.ts'
import { createProject, type TestApp } from '../harness.ts'
import { type InboundFixture, letter, openInboundFixture, SENDERS_KEY } from './inbound-fixture.ts'

let fixture: InboundFixture
let app: TestApp
let server: InboundFixture['server']
let dns: InboundFixture['dns']
let project: InboundFixture['project']

beforeAll(async () => {
  fixture = await openInboundFixture()
  ;({ app, server, dns, project } = fixture)
})
afterAll(() => fixture.close())

const last: InboundFixture['last'] = (mail) => fixture.last(mail)
const get: InboundFixture['get'] = (...call) => fixture.get(...call)
const emails: InboundFixture['emails'] = (key) => fixture.emails(key)
const events: InboundFixture['events'] = (key) => fixture.events(key)

describe('email to a verified domain', () => {
  it('becomes an event with every field, a contact and an email', async () => {
    const raw = letter({ 'Message-ID': '<first@sender.example>', 'X-Ticket': '42', 'Reply-To': 'desk@sender.example' })
    expect(await last({ to: ['Shop@Example.com'], raw })).toBe('250 2.0.0 Stored.')

    const [event] = await events()
    expect(event).toMatchObject({ name: 'email.received', contact: { email: 'ada@sender.example' } })
    expect(event.data).toEqual({
      messageId: 'first@sender.example',
      from: 'ada@sender.example',
      fromHeader: 'Ada Lovelace <Ada@Sender.example>',
      to: 'shop@example.com',
      subject: 'A question',
      timestamp: app.clock.now().toISOString(),
      recipients: ['shop@example.com'],
      hasContent: true,
      body: '<p>Hello,</p>\n<p>is this still available?</p>',
      spamVerdict: 'DISABLED',
      virusVerdict: 'DISABLED',
      spfVerdict: 'PASS',
      dkimVerdict: 'GRAY',
      dmarcVerdict: 'PASS',
      processingTimeMillis: expect.any(Number),
      emailId: event.emailId,
    })
    expect(Number.isInteger(event.data.processingTimeMillis)).toBe(true)

    const contact = (await get(`/contacts/${event.contactId}`)).body
    expect(contact).toMatchObject({ email: 'ada@sender.example', subscribed: false })

    const email = (await get(`/emails/${event.emailId}`)).body
    expect(email).toMatchObject({
      contactId: event.contactId,
      to: 'shop@example.com',
      from: 'ada@sender.example',
      fromName: 'Ada Lovelace',
      replyTo: 'desk@sender.example',
      subject: 'A question',
      messageId: 'first@sender.example',
      sourceType: 'INBOUND',
      status: 'RECEIVED',
      headers: { 'X-Ticket': '42' },
      html: '<p>Hello,</p>\n<p>is this still available?</p>',
      text: expect.stringContaining('is this still available?'),
      attachments: [],
    })
    expect(email.timeline.map((entry: { event: string }) => entry.event)).toEqual(['received', 'email.received'])
    const listed = async (filter: string) =>
      (await get(`/emails?${filter}`)).body.data.some(({ id }: { id: string }) => id === event.emailId)
    expect(await listed('sourceType=INBOUND')).toBe(true)
    expect(await listed('sourceType=INBOUND&status=SENT')).toBe(false)
    expect(await listed('sourceType=TRANSACTIONAL')).toBe(false)
    expect((await get(`/emails/${event.emailId}/raw`)).status).toBe(400)
    expect((await get(`/emails?contactId=${event.contactId}`)).body.data).toHaveLength(1)
  })

  it('is stored with templates as text, HTML sanitized and attachments kept', async () => {
    const client = createTransport({ host: '127.0.0.1', port: server.port, tls: { rejectUnauthorized: false } })
    await client.sendMail({
      from: 'ada@sender.example',
      to: 'files@example.com',
      subject: 'Files {{ 1 | plus: 1 }} {% if',
      html: '<p onclick="x()">{{ email }} <b>bold</b></p><script>alert(1)</script><img src="cid:logo">',
      attachments: [
        { filename: 'logo.png', content: Buffer.from('PNG'), cid: 'logo', contentType: 'image/png' },
        { filename: 'näme "1".html', content: '<script>alert(2)</script>', contentType: 'text/html' },
      ],
    })
    client.close()
    const [event] = await events()
    expect(event.data.body).toBe('<p>{{ email }} <b>bold</b></p><img src="cid:logo" />')
    const email = (await get(`/emails/${event.emailId}`)).body
    expect(email).toMatchObject({
      subject: 'Files {{ 1 | plus: 1 }} {% if',
      html: event.data.body,
      attachments: [
        { filename: 'logo.png', contentType: 'image/png', contentId: 'logo', disposition: 'inline', size: 3 },
        { filename: 'näme _1_.html', contentType: 'text/html', contentId: null, disposition: 'attachment', size: 25 },
      ],
    })
    const file = await get(`/emails/${event.emailId}/attachments/1`)
    expect(file.status).toBe(200)
    expect(file.body).toBe('<script>alert(2)</script>')
    expect(file.headers).toMatchObject({
      'content-disposition': "attachment; filename*=UTF-8''n%C3%A4me%20_1_.html",
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    })
    const otherProject = await createProject(app)
    const places = ['2', '-1', 'x', '0x0', '99999999999999999999', '%00', '1.0']
    for (const place of places) {
      expect((await get(`/emails/${event.emailId}/attachments/${place}`)).status).toBe(404)
    }
    expect((await get(`/emails/${event.emailId}/attachments/0`, otherProject.secretKey)).status).toBe(404)
  })

  it('is received by every project that has verified the domain, and no other', async () => {
    const second = await createProject(app, 'Second')
    const third = await createProject(app, 'Third')
    await app.pool.query("update domains set status = 'PENDING' where project_id = $1", [third.id])
    const domain = { domain: 'other.example' }
    const added = await app.request('POST', '/domains', { key: second.secretKey, body: domain })
    await get(`/domains/${added.body.id}/verify`, second.secretKey)

    const raw = letter({ Subject: 'To both' })
    expect(await last({ to: ['a@example.com', 'b@example.com', 'c@other.example'], raw })).toMatch(/^250/)
    const ofFirst = (await events()).filter((e: { data: { subject: string } }) => e.data.subject === 'To both')
    expect(ofFirst.map((e: { data: { to: string } }) => e.data.to).sort()).toEqual(['a@example.com', 'b@example.com'])
    // Recipients in other projects must not be shown.
    for (const event of ofFirst) expect(event.data.recipients).toEqual(['a@example.com', 'b@example.com'])
    expect(await emails(second.secretKey)).toHaveLength(3)
    expect(await emails(third.secretKey)).toHaveLength(0)
  })

  it('is stored once, however often it is sent, even concurrently', async () => {
    const raw = letter({ Subject: 'Once' })
    const replies = await Promise.all(Array.from({ length: 4 }, () => last({ to: ['once@example.com'], raw })))
    expect(replies.every((reply) => reply?.startsWith('250'))).toBe(true)
    const again = `Received: from elsewhere\r\n${raw}`
    expect(await last({ to: ['once@example.com', 'twice@example.com'], raw: again })).toMatch(/^250/)
    const received = (await emails()).filter((e: { subject: string }) => e.subject === 'Once')
    expect(received.map((e: { to: string }) => e.to).sort()).toEqual(['once@example.com', 'twice@example.com'])
    const recorded = await app.pool.query("select from events where project_id = $1 and data ->> 'subject' = 'Once'", [
      project.id,
    ])
    expect(recorded.rowCount).toBe(2)
  })

  it('is remembered as long as it can be repeated', async () => {
    const known = async () => Number((await app.pool.query('select count(*) from received_messages')).rows[0].count)
    expect(await known()).toBeGreaterThan(0)
    await deleteOldReceivedMessages(app.ctx)
    expect(await known()).toBeGreaterThan(0)
    const now = app.clock.now()
    app.clock.forward(8 * 24 * 3_600_000)
    await deleteOldReceivedMessages(app.ctx)
    app.clock.set(now)
    expect(await known()).toBe(0)
  })

  it('without a valid sender creates no contact', async () => {
    const contacts = async () => (await get('/contacts')).body.total
    const before = await contacts()
    expect(await last({ from: '', to: ['x@example.com'], raw: letter({ Subject: 'Null' }) })).toMatch(/^250/)
    const raw = letter({ Subject: 'Bad', From: 'nobody' })
    expect(await last({ from: 'weird!@[127.0.0.1]', to: ['x@example.com'], raw })).toMatch(/^250/)
    expect(await contacts()).toBe(before)
    const [bad, none] = await emails()
    expect(none).toMatchObject({ subject: 'Null', contactId: null })
    expect(bad).toMatchObject({ subject: 'Bad', contactId: null })
    expect((await events())[0]).toMatchObject({ contact: null, data: { subject: 'Bad', fromHeader: 'nobody' } })
  })

  it('is accepted whatever its content', async () => {
    const odd = [
      'no headers at all',
      '\r\n',
      'Subject: \0\0\r\nFrom: "\0" <ada@sender.example>\r\nMessage-ID: <\0>\r\nX-\0: \0\r\n\r\n\0',
      'From: <<<>>>\r\nContent-Type: multipart/mixed; boundary=""\r\n\r\n--\r\n',
      'Content-Type: text/html; charset=nonsense\r\nContent-Transfer-Encoding: base64\r\n\r\n////',
      Buffer.concat([Buffer.from('Subject: \xff\xfe\r\n\r\n', 'latin1'), Buffer.from([0xed, 0xa0, 0x80, 0xff])]),
      'Subject: =?utf-8?Q?=ED=A0=80?=\r\nContent-Type: x/y; name="=?utf-8?Q?=00?="\r\n\r\nx',
      'From: =?utf-8?Q?=00a?= <ada@sender.example>\r\nContent-Type: text/html\r\n\r\n&#0;&#xD800;<b title="&#0;">x</b>',
      `References: ${'<x@y> '.repeat(1_000)}\r\n__proto__: x\r\nconstructor: y\r\n\r\nx`,
    ]
    const before = (await emails()).length
    for (const raw of odd) expect(await last({ to: ['odd@example.com'], raw })).toBe('250 2.0.0 Stored.')
    expect((await emails()).length).toBe(before + odd.length)
  })
})

describe('the sender of received email', () => {
  const verdictsOf = async (mail: { from?: string; raw: string | Buffer; helo?: string }) => {
    expect(await last({ to: ['v@example.com'], ...mail })).toMatch(/^250/)
    const { spfVerdict, dkimVerdict, dmarcVerdict } = (await events())[0].data
    return [spfVerdict, dkimVerdict, dmarcVerdict]
  }

  it('is authenticated by SPF, DKIM and DMARC', async () => {
    const raw = Buffer.from(letter({ 'MIME-Version': '1.0' }))
    const key = { domain: 'sender.example', selector: 's1', privateKey: createPrivateKey(SENDERS_KEY.privateKey) }
    const signed = Buffer.concat([Buffer.from(dkimSignature(raw, key, app.clock.now())), raw])
    expect(await verdictsOf({ raw: signed })).toEqual(['PASS', 'PASS', 'PASS'])

    const changed = Buffer.from(signed.toString().replace('available', 'for sale'))
    expect(await verdictsOf({ raw: changed })).toEqual(['PASS', 'FAIL', 'PASS'])
    const forged = () => letter({ From: 'boss@strict.example' })
    expect(await verdictsOf({ from: 'x@strict.example', raw: forged() })).toEqual(['FAIL', 'GRAY', 'FAIL'])
    expect(await verdictsOf({ raw: forged() })).toEqual(['PASS', 'GRAY', 'FAIL'])
    const silent = letter({ From: 'x@silent.example' })
    expect(await verdictsOf({ from: 'x@silent.example', raw: silent })).toEqual(['GRAY', 'GRAY', 'GRAY'])
  })

  it('is unknown while DNS fails, and the email is accepted anyway', async () => {
    dns.setFailure('*', 'servfail')
    const raw = letter({ From: 'x@broken.example' })
    const verdicts = await verdictsOf({ from: 'x@broken.example', raw })
    dns.setFailure('*', undefined)
    expect(verdicts).toEqual(['PROCESSING_FAILED', 'GRAY', 'PROCESSING_FAILED'])
  })

  it('is not authenticated for a message with endless signatures', async () => {
    const many = `DKIM-Signature: v=1; a=rsa-sha256; d=sender.example; s=s1; bh=x; b=y\r\n`.repeat(11)
    dns.asked.length = 0
    expect(await verdictsOf({ raw: many + letter() })).toEqual(['GRAY', 'FAIL', 'FAIL'])
    expect(dns.asked).toEqual([])
  })
})

describe('received email causes no loops:', () => {
  it('automatic replies and our own emails are stored without an event', async () => {
    const before = (await events()).length
    const away = letter({ 'Auto-Submitted': 'auto-replied', Subject: 'Away' })
    expect(await last({ to: ['a@example.com'], raw: away })).toMatch(/^250/)

    const body = { to: 'me@example.com', from: 'shop@example.com', subject: 'x', body: 'x' }
    const sent = await app.request('POST', '/v1/send', { key: project.secretKey, body })
    const own = letter({ 'Message-ID': `<${sent.body.data.emails[0].email}@example.com>`, Subject: 'Own' })
    expect(await last({ to: ['me@example.com'], raw: own })).toMatch(/^250/)

    expect((await emails()).slice(0, 2).map((e: { subject: string }) => e.subject)).toEqual(['Own', 'Away'])
    expect(await events()).toHaveLength(before)
  })

  it('a message that passed through too many servers is refused', async () => {
    const raw = `${'Received: from a by b\r\n'.repeat(101)}${letter()}`
    expect(await last({ to: ['a@example.com'], raw })).toMatch(/^554 5\.4\.6/)
  })
})

it('erasing a sender erases the emails they sent', async () => {
  await last({
    to: ['gdpr@example.com'],
    from: 'eve@sender.example',
    raw: letter({ From: 'Eve <eve@sender.example>' }),
  })
  const [event] = await events()
  await app.request('DELETE', `/contacts/${event.contactId}`, { key: project.secretKey })
  await app.drain()
  const { body } = await get(`/emails/${event.emailId}`)
  expect(body).toMatchObject({
    contactId: null,
    from: '',
    fromName: null,
    subject: '',
    messageId: null,
    attachments: [],
  })
  expect(JSON.stringify(body)).not.toMatch(/eve@|Eve|still available/)
})
