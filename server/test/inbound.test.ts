/** Mail from other servers: who gets it, what is recorded of it, and what is not let in. A real server, a real DNS. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { connect as connectTls } from 'node:tls'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetOldArrivals, openInboundServer } from '../features/feedback/actions.ts'
import { dkimSignature } from '../platform/mail/dkim.ts'
import type { SmtpListener } from '../platform/smtp/listen.ts'
import { type DnsServer, startDnsServer } from './dns-server.ts'
import { createProject, openTestApp, type TestApp } from './harness.ts'
import { connectMail, deliver } from './mail-client.ts'

let app: TestApp
let dns: DnsServer
let server: SmtpListener
let project: Awaited<ReturnType<typeof createProject>>

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'der' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

beforeAll(async () => {
  dns = await startDnsServer({
    'sender.example': { TXT: ['v=spf1 ip4:127.0.0.1 -all'] },
    '_dmarc.sender.example': { TXT: ['v=DMARC1; p=reject'] },
    's1._domainkey.sender.example': { TXT: [`v=DKIM1; k=rsa; p=${pair.publicKey.toString('base64')}`] },
    'strict.example': { TXT: ['v=spf1 -all'] },
    '_dmarc.strict.example': { TXT: ['v=DMARC1; p=none'] },
    'silent.example': { A: ['192.0.2.1'] },
  })
  dns.setMood('broken.example', 'servfail')
  app = await openTestApp({ DNS_SERVERS: dns.address, INBOUND_SMTP_PORT: '2525', INBOUND_MAX_MB: '1' })
  project = await createProject(app)
  server = await openInboundServer(app.ctx, 0)
})
afterAll(async () => {
  await server.stop()
  await app.close()
  await dns.close()
})

let counter = 0
const letter = (fields: Record<string, string> = {}, body = 'Hello,\r\n\r\nis this still available?\r\n') => {
  const headers = {
    From: 'Ada Lovelace <Ada@Sender.example>',
    To: 'shop@example.com',
    Subject: 'A question',
    'Message-ID': `<letter-${++counter}@sender.example>`,
    ...fields,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

const last = async (mail: Parameters<typeof deliver>[1]) => (await deliver(server.port, mail)).at(-1)

const get = (path: string, key = project.secretKey) => app.request('GET', path, { key })
const emails = async (key = project.secretKey) => (await get('/emails?status=RECEIVED&limit=100', key)).body.data
const events = async (key = project.secretKey) => (await get('/events?name=email.received&limit=100', key)).body.data

describe('mail to a verified domain', () => {
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
    expect((await get(`/emails/${event.emailId}/raw`)).status).toBe(400)
    expect((await get(`/emails?contactId=${event.contactId}`)).body.data).toHaveLength(1)
  })

  it('is shown as it is: templates in it are words, markup is cleaned, files are kept', async () => {
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
    const stranger = await createProject(app)
    const places = ['2', '-1', 'x', '0x0', '99999999999999999999', '%00', '1.0']
    for (const place of places) {
      expect((await get(`/emails/${event.emailId}/attachments/${place}`)).status).toBe(404)
    }
    expect((await get(`/emails/${event.emailId}/attachments/0`, stranger.secretKey)).status).toBe(404)
  })

  it('reaches every project that has proved the domain, and no other', async () => {
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
    // Whom else it was sent to in other projects is nobody's business.
    for (const event of ofFirst) expect(event.data.recipients).toEqual(['a@example.com', 'b@example.com'])
    expect(await emails(second.secretKey)).toHaveLength(3)
    expect(await emails(third.secretKey)).toHaveLength(0)
  })

  it('is stored once, however often it is sent, also at the same time', async () => {
    const raw = letter({ Subject: 'Once' })
    const replies = await Promise.all(Array.from({ length: 4 }, () => last({ to: ['once@example.com'], raw })))
    expect(replies.every((reply) => reply?.startsWith('250'))).toBe(true)
    const again = `Received: from elsewhere\r\n${raw}`
    expect(await last({ to: ['once@example.com', 'twice@example.com'], raw: again })).toMatch(/^250/)
    const received = (await emails()).filter((e: { subject: string }) => e.subject === 'Once')
    expect(received.map((e: { to: string }) => e.to).sort()).toEqual(['once@example.com', 'twice@example.com'])
    const told = await app.pool.query("select from events where project_id = $1 and data ->> 'subject' = 'Once'", [
      project.id,
    ])
    expect(told.rowCount).toBe(2)
  })

  it('is remembered as long as it may come again', async () => {
    const known = async () => Number((await app.pool.query('select count(*) from received_messages')).rows[0].count)
    expect(await known()).toBeGreaterThan(0)
    await forgetOldArrivals(app.ctx)
    expect(await known()).toBeGreaterThan(0)
    const now = app.clock.now()
    app.clock.forward(8 * 24 * 3_600_000)
    await forgetOldArrivals(app.ctx)
    app.clock.set(now)
    expect(await known()).toBe(0)
  })

  it('without a sender, or with one that is none, makes no contact', async () => {
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

  it('that holds anything at all is taken', async () => {
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

describe('who sent it', () => {
  const verdictsOf = async (mail: { from?: string; raw: string | Buffer; helo?: string }) => {
    expect(await last({ to: ['v@example.com'], ...mail })).toMatch(/^250/)
    const { spfVerdict, dkimVerdict, dmarcVerdict } = (await events())[0].data
    return [spfVerdict, dkimVerdict, dmarcVerdict]
  }

  it('is told by SPF, DKIM and DMARC', async () => {
    const raw = Buffer.from(letter({ 'MIME-Version': '1.0' }))
    const key = { domain: 'sender.example', selector: 's1', privateKey: createPrivateKey(pair.privateKey) }
    const signed = Buffer.concat([Buffer.from(await dkimSignature(raw, key, app.clock.now())), raw])
    expect(await verdictsOf({ raw: signed })).toEqual(['PASS', 'PASS', 'PASS'])

    const changed = Buffer.from(signed.toString().replace('available', 'for sale'))
    expect(await verdictsOf({ raw: changed })).toEqual(['PASS', 'FAIL', 'PASS'])
    const forged = () => letter({ From: 'boss@strict.example' })
    expect(await verdictsOf({ from: 'x@strict.example', raw: forged() })).toEqual(['FAIL', 'GRAY', 'FAIL'])
    expect(await verdictsOf({ raw: forged() })).toEqual(['PASS', 'GRAY', 'FAIL'])
    const silent = letter({ From: 'x@silent.example' })
    expect(await verdictsOf({ from: 'x@silent.example', raw: silent })).toEqual(['GRAY', 'GRAY', 'GRAY'])
  })

  it('is unknown while the DNS fails, and the mail is taken all the same', async () => {
    dns.setMood('*', 'servfail')
    const raw = letter({ From: 'x@broken.example' })
    const verdicts = await verdictsOf({ from: 'x@broken.example', raw })
    dns.setMood('*', undefined)
    expect(verdicts).toEqual(['PROCESSING_FAILED', 'GRAY', 'PROCESSING_FAILED'])
  })

  it('is not asked of a message with signatures without end', async () => {
    const many = `DKIM-Signature: v=1; a=rsa-sha256; d=sender.example; s=s1; bh=x; b=y\r\n`.repeat(11)
    dns.asked.length = 0
    expect(await verdictsOf({ raw: many + letter() })).toEqual(['GRAY', 'FAIL', 'FAIL'])
    expect(dns.asked).toEqual([])
  })
})

describe('nothing answers itself', () => {
  it('automatic answers and mail of our own are kept, and told to nobody', async () => {
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

  it('mail that went round and round is refused', async () => {
    const raw = `${'Received: from a by b\r\n'.repeat(101)}${letter()}`
    expect(await last({ to: ['a@example.com'], raw })).toMatch(/^554 5\.4\.6/)
  })
})

describe('what is not let in', () => {
  it.each(['a@elsewhere.example', 'a@sub.example.com', 'b-abc@bounces.example.com', 'a@[127.0.0.1]', 'postmaster'])(
    'a recipient that is not ours (%s) is refused: nothing is passed on',
    async (to) => {
      const replies = await deliver(server.port, { to: [to], raw: letter() })
      expect(replies[2]).toMatch(/^550 5\.7\.1 /)
      expect(replies.at(-1)).toMatch(/^503/)
    },
  )

  it('a refused recipient does not cost the others their mail', async () => {
    const replies = await deliver(server.port, { to: ['a@elsewhere.example', 'ok@example.com'], raw: letter() })
    expect(replies.map((reply) => reply.slice(0, 3))).toEqual(['250', '250', '550', '250', '354', '250'])
  })

  it('a domain that lost its proof takes nothing, and a disabled project asks to try later', async () => {
    const other = await createProject(app, 'Other')
    const added = await app.request('POST', '/domains', { key: other.secretKey, body: { domain: 'lost.example' } })
    expect((await deliver(server.port, { to: ['a@lost.example'], raw: '' }))[2]).toMatch(/^550/)
    await get(`/domains/${added.body.id}/verify`, other.secretKey)
    await app.pool.query('update projects set disabled_at = now() where id = $1', [other.id])
    expect((await deliver(server.port, { to: ['a@lost.example'], raw: '' }))[2]).toMatch(/^450 4\.2\.1/)
  })

  it('a message over the limit is refused, when it is announced and when it is not', async () => {
    const client = await connectMail(server.port)
    expect(await client.say('EHLO x.example')).toContain(`SIZE ${1024 * 1024}`)
    expect(await client.say(`MAIL FROM:<a@sender.example> SIZE=${2 * 1024 * 1024}`)).toMatch(/^552/)
    client.close()
    const before = (await emails()).length
    const raw = letter({}, `${'x'.repeat(998)}\r\n`.repeat(1_100))
    expect(await last({ to: ['big@example.com'], raw })).toMatch(/^552 5\.3\.4/)
    const endless = letter({}, `${'x'.repeat(998)}\r\n`.repeat(2_200))
    expect(await last({ to: ['big@example.com'], raw: endless })).toMatch(/^552 5\.3\.4|closed/)
    expect(await emails()).toHaveLength(before)
  })

  it.each(['\n.\n', '\n.\r\n', '\r\n.\n'])(
    'a second message hidden behind %j is refused with the first',
    async (end) => {
      const before = (await emails()).length
      const hidden = `MAIL FROM:<boss@example.com>\r\nRCPT TO:<victim@example.com>\r\nDATA\r\n${letter({ Subject: 'Smuggled' })}`
      expect(await last({ to: ['a@example.com'], raw: `${letter()}${end}${hidden}` })).toMatch(/^550 5\.5\.2/)
      expect(await emails()).toHaveLength(before)
    },
  )

  it('signing in is not offered, and odd commands get an answer', async () => {
    const client = await connectMail(server.port)
    expect(await client.say('EHLO x.example')).not.toContain('AUTH')
    expect(await client.say('AUTH PLAIN AGEAYg==')).toMatch(/^5/)
    expect(await client.say('DATA')).toMatch(/^503/)
    expect(await client.say('RCPT TO:<a@example.com>')).toMatch(/^503/)
    expect(await client.say('MAIL FROM:<a b>')).toMatch(/^501/)
    expect(await client.say('XCLIENT ADDR=192.0.2.1')).toMatch(/^5/)
    expect(await client.say('VRFY a@example.com')).toMatch(/^2/)
    client.close()
  })

  it('more recipients than a hundred are for another message', async () => {
    const client = await connectMail(server.port)
    await client.say('EHLO x.example')
    await client.say('MAIL FROM:<a@sender.example>')
    for (let i = 0; i < 100; i++) expect(await client.say(`RCPT TO:<a${i}@example.com>`)).toMatch(/^250/)
    expect(await client.say('RCPT TO:<a100@example.com>')).toMatch(/^452/)
    client.close()
  })
})

describe('connections', () => {
  it('can be encrypted, and commands sent before that are forgotten', async () => {
    const client = await connectMail(server.port)
    expect(await client.say('EHLO x.example')).toContain('STARTTLS')
    expect(await client.write('STARTTLS\r\nMAIL FROM:<injected@sender.example>\r\n')).toMatch(/^220/)
    client.socket.removeAllListeners('data')
    const tls = connectTls({ socket: client.socket, rejectUnauthorized: false })
    const said: string[] = []
    const reply = () => new Promise<string>((resolve) => tls.once('data', (chunk) => resolve(chunk.toString())))
    tls.on('data', (chunk) => said.push(chunk.toString()))
    await new Promise((resolve) => tls.once('secureConnect', resolve))
    expect(tls.getPeerCertificate().subject.CN).toBe('posthorn.test')
    tls.write('EHLO x.example\r\n')
    await reply()
    tls.write('RCPT TO:<a@example.com>\r\n')
    expect(await reply()).toMatch(/^503/)
    expect(said).toHaveLength(2)
    tls.destroy()
  })

  it('of one address are counted, and a place that is left can be taken', async () => {
    const clients = await Promise.all(Array.from({ length: 50 }, () => connectMail(server.port)))
    const refused = await connectMail(server.port)
    expect(refused.greeting).toMatch(/^421 4\.7\.0/)
    for (const client of clients) client.close()
    for (let tries = 0; tries < 100; tries++) {
      const next = await connectMail(server.port)
      next.close()
      if (next.greeting.startsWith('220')) return
    }
    throw new Error('No place was given back.')
  })

  it('that break in the middle leave nothing behind', async () => {
    const before = (await emails()).length
    const client = await connectMail(server.port)
    await client.say('EHLO x.example')
    await client.say('MAIL FROM:<a@sender.example>')
    await client.say('RCPT TO:<a@example.com>')
    await client.say('DATA')
    client.socket.write(letter())
    client.close()
    expect(await last({ to: ['after@example.com'], raw: letter() })).toMatch(/^250/)
    expect(await emails()).toHaveLength(before + 1)
  })

  it('end with a word when the server stops, and a message under way is finished', async () => {
    const own = await openInboundServer(app.ctx, 0)
    const idle = await connectMail(own.port)
    const raw = letter({ Subject: 'Last one' })
    const sending = await connectMail(own.port)
    await sending.say('EHLO x.example')
    await sending.say('MAIL FROM:<a@sender.example>')
    await sending.say('RCPT TO:<a@example.com>')
    await sending.say('DATA')
    const answered = sending.write(`${raw}\r\n.\r\n`)
    await app.ctx.db.selectFrom('projects').select('id').execute() // lets the message come in
    const stopped = own.stop()
    expect(await idle.reply()).toMatch(/^421/)
    expect(await answered).toMatch(/^250/)
    sending.close()
    await stopped
  })
})

it('erasing the sender erases what they wrote', async () => {
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
