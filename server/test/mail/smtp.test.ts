/**
 * The SMTP transport against real mail servers on loopback: received messages, the meaning of each refusal, and the use
 * of connections.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { parseMailUrl, type SmtpOptions } from '../../platform/transports/mail-url.ts'
import { smtpTransport } from '../../platform/transports/smtp.ts'
import type { OpenTransport } from '../../platform/transports/transport.ts'
import { acceptAll, listen, smtpScript } from './smtp-script.ts'
import { openSmtpTestServer, type SmtpTestServerOptions } from './smtp-test-server.ts'

const closing: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function openMailServer(options: SmtpTestServerOptions = {}) {
  const opened = await openSmtpTestServer(options)
  closing.push(opened.close)
  return opened
}

function transport(port: number, { query = '', auth = '', scheme = 'smtp' } = {}): OpenTransport {
  const opened = smtpTransport(parseMailUrl(`${scheme}://${auth}127.0.0.1:${port}${query}`) as SmtpOptions)
  closing.push(opened.close)
  return opened
}

const mail = (to = 'ada@example.org', text = 'Hello', priority = 0) => ({
  id: '019a0000-0000-7000-8000-000000000001',
  messageId: 'one@example.com',
  attempt: 1,
  sender: 'shop@example.com',
  recipients: [to],
  raw: Buffer.from(`Subject: Hello\r\nMessage-ID: <one@example.com>\r\n\r\n${text}\r\n`),
  priority,
})

const ACCEPTED = { outcome: 'accepted', providerId: 'one@example.com', delivered: true }

describe('a message sent over SMTP', () => {
  it('is received byte by byte, including dots at the start of lines', async () => {
    const server = await openMailServer()
    const text = '.\r\n..two\r\n.. three\r\nend'
    expect(await transport(server.port).send(mail('ada@example.org', text))).toEqual(ACCEPTED)
    expect(server.taken).toMatchObject([{ sender: 'shop@example.com', recipients: ['ada@example.org'] }])
    expect(server.taken[0]!.raw).toBe(mail('', text).raw.toString())
  })

  it('is pipelined if the server supports it: envelope and DATA in one write', async () => {
    const { port, received } = await script(acceptAll('250-x\r\n250 PIPELINING\r\n'))
    expect(await transport(port).send(mail())).toEqual(ACCEPTED)
    expect(received[1]).toBe('MAIL FROM:<shop@example.com>\r\nRCPT TO:<ada@example.org>\r\nDATA\r\n')
  })

  it('is sent to an international domain in its ASCII form', async () => {
    const { port, received } = await script(acceptAll('250 x\r\n'))
    expect(await transport(port).send(mail('post@müller.example'))).toEqual(ACCEPTED)
    expect(received).toContain('RCPT TO:<post@xn--mller-kva.example>\r\n')
  })

  it('is received for each of many concurrent ones, with at most the connections of the pool', async () => {
    const server = await openMailServer()
    const sender = transport(server.port, { query: '?pool=3' })
    const results = await Promise.all(Array.from({ length: 60 }, (_, i) => sender.send(mail(`r${i}@example.org`))))
    expect(results).toEqual(Array(60).fill(ACCEPTED))
    expect(new Set(server.taken.map((m) => m.recipients[0])).size).toBe(60)
    expect(server.sessions.size).toBeLessThanOrEqual(3)
  })

  it('gets the next free connection if it is urgent, before less urgent ones that have waited for longer', async () => {
    const server = await openMailServer()
    const sender = transport(server.port, { query: '?pool=1' })
    const campaign = Array.from({ length: 10 }, (_, i) => sender.send(mail(`campaign-${i}@example.org`, '', 20)))
    await campaign[0]
    await sender.send(mail('urgent@example.org', '', 0))
    await Promise.all(campaign)
    const order = server.taken.map(({ recipients }) => recipients[0]!)
    // One is complete, and one may have started.
    expect(order.indexOf('urgent@example.org')).toBeLessThanOrEqual(2)
    expect(order.filter((to) => to.startsWith('campaign'))).toEqual(
      Array.from({ length: 10 }, (_, i) => `campaign-${i}@example.org`),
    )
  })

  it('gets its turn before all that another project has waiting', async () => {
    const server = await openMailServer()
    const sender = transport(server.port, { query: '?pool=1' })
    const send = (projectId: string, to: string) => sender.send({ ...mail(to, '', 20), projectId })
    const hog = Array.from({ length: 10 }, (_, i) => send('hog', `hog-${i}@example.org`))
    await hog[0]
    await send('other', 'other@example.org')
    await Promise.all(hog)
    const order = server.taken.map(({ recipients }) => recipients[0]!)
    // One is complete, one may have started, and one has its turn.
    expect(order.indexOf('other@example.org')).toBeLessThanOrEqual(3)
  })
})

describe('an SMTP refusal', () => {
  it.each([
    ['RCPT', '550 5.1.1 No such user', { outcome: 'rejected', because: 'address' }],
    ['RCPT', '551 User not local', { outcome: 'rejected', because: 'address' }],
    ['RCPT', '550 5.2.1 Mailbox disabled', { outcome: 'rejected', because: 'address' }],
    ['RCPT', '554 5.7.1 Relay access denied', { outcome: 'rejected', because: 'message' }],
    ['RCPT', '550 5.1.8 Bad sender domain', { outcome: 'rejected', because: 'message' }],
    ['RCPT', '450 4.2.0 Greylisted', { outcome: 'later' }],
    ['RCPT', '421 4.7.0 Too much mail', { outcome: 'unavailable' }],
    ['MAIL', '550 5.7.1 Sender refused', { outcome: 'rejected', because: 'message' }],
    ['MAIL', '530 5.7.0 Authentication required', { outcome: 'unavailable' }],
    ['MAIL', '451 4.3.0 Busy', { outcome: 'later' }],
    ['DATA', '554 5.6.0 Looks like spam', { outcome: 'rejected', because: 'message' }],
    ['DATA', '550 5.1.1 No such user after all', { outcome: 'rejected', because: 'address' }],
    ['DATA', '552 5.2.2 Mailbox full', { outcome: 'rejected', because: 'message' }],
    ['DATA', '451 4.3.0 Disk full', { outcome: 'later' }],
  ])('is classified by command and response, and the next message is sent: %s, %s', async (where, answer, expected) => {
    let refuse = true
    const line = () => (refuse ? answer : undefined)
    const server = await openMailServer({
      answerSender: () => (where === 'MAIL' ? line() : undefined),
      answerRecipient: () => (where === 'RCPT' ? line() : undefined),
      answerMessage: () => (where === 'DATA' ? line() : undefined),
    })
    const sender = transport(server.port)
    const result = await sender.send(mail())
    expect(result).toMatchObject({ ...expected, reason: answer })
    expect(server.taken).toEqual([])
    refuse = false
    expect(await sender.send(mail())).toEqual(ACCEPTED)
    expect(server.taken).toHaveLength(1)
  })

  it("is permanent if the message is over the server's size limit", async () => {
    const server = await openMailServer({ server: { size: 1_000 } })
    const sender = transport(server.port, { query: '?pool=1' })
    await sender.send(mail())
    const result = await sender.send(mail('ada@example.org', 'x'.repeat(2_000)))
    expect(result).toMatchObject({
      outcome: 'rejected',
      because: 'message',
      reason: expect.stringMatching(/accepts at most 1000/),
    })
    expect(await sender.send(mail())).toEqual(ACCEPTED)
    expect(server.sessions.size).toBe(1) // nothing was sent, so the connection is still usable
  })
})

describe('an unavailable SMTP server', () => {
  it.each([
    ['nobody listens', async () => (await silentPort()).port, /ECONNREFUSED/],
    ['it never says hello', async () => (await script(() => '', '')).port, /did not respond in time/],
    ['it hangs up at once', async () => (await closeAtGreeting()).port, /closed/i],
    ['it says 421 in greeting', async () => (await script(() => '', '421 4.3.2 Busy\r\n')).port, /421/],
    ['it says 554 in greeting', async () => (await script(() => '', '554 No service\r\n')).port, /554/],
  ])('is reported if %s', async (_what, open, words) => {
    const result = await transport(await open(), { query: '?timeout=1' }).send(mail())
    expect(result).toMatchObject({ outcome: 'unavailable', reason: expect.stringMatching(words) })
  })

  it('gives "later" within the timeout if it doesn\'t respond after the message', async () => {
    const { port } = await script((line) => (line === '.' ? '' : acceptAll('250 x\r\n')(line)))
    expect(await transport(port, { query: '?timeout=1' }).send(mail())).toMatchObject({ outcome: 'later' })
  })

  it('refuses a wrong password: unavailable, with its reply', async () => {
    const server = await openMailServer({ users: { ada: 'right' } })
    const result = await transport(server.port, { auth: 'ada:wrong@' }).send(mail())
    expect(result).toMatchObject({
      outcome: 'unavailable',
      reason: '535 5.7.8 Wrong user or password',
      credentialsRefused: true,
    })
  })

  it('accepts the right password, percent-encoded in the URL', async () => {
    const server = await openMailServer({ users: { 'ada@x': 'p@ss:word' } })
    const sender = transport(server.port, { auth: 'ada%40x:p%40ss%3Aword@' })
    expect(await sender.send(mail())).toEqual(ACCEPTED)
    expect(server.taken[0]!.user).toBe('ada@x')
  })
})

describe('an SMTP server that is available again', () => {
  it('is used with all connections, and until then every waiting message is refused at once', async () => {
    const first = await openSmtpTestServer()
    await first.close()
    const sender = transport(first.port, { query: '?pool=4' })
    const refused = await Promise.all(Array.from({ length: 12 }, () => sender.send(mail())))
    expect(refused.map(({ outcome }) => outcome)).toEqual(Array(12).fill('unavailable'))

    const server = await openMailServer({ port: first.port })
    const results = await Promise.all(Array.from({ length: 40 }, (_, i) => sender.send(mail(`r${i}@example.org`))))
    expect(results).toEqual(Array(40).fill(ACCEPTED))
    expect(server.sessions.size).toBe(4)
  })
})

describe('TLS of an SMTP connection', () => {
  const offering: SmtpTestServerOptions = { server: { hideSTARTTLS: false } }

  it('is used if offered, and an untrusted certificate is refused', async () => {
    const server = await openMailServer(offering)
    expect(await transport(server.port).send(mail())).toMatchObject({
      outcome: 'unavailable',
      reason: expect.stringMatching(/certificate/i),
    })
    expect(await transport(server.port, { query: '?verify=false' }).send(mail())).toEqual(ACCEPTED)
    expect(server.taken).toMatchObject([{ secure: true }])
  })

  it('gives "unavailable" if it is required and not offered, and nothing is sent unencrypted', async () => {
    const server = await openMailServer()
    expect(await transport(server.port, { query: '?tls=required' }).send(mail())).toMatchObject({
      outcome: 'unavailable',
    })
    expect(server.taken).toEqual([])
  })

  it('is not used if it is disabled', async () => {
    const server = await openMailServer(offering)
    expect(await transport(server.port, { query: '?tls=off' }).send(mail())).toEqual(ACCEPTED)
    expect(server.taken).toMatchObject([{ secure: false }])
  })

  it('is implicit with smtps:', async () => {
    const server = await openMailServer({ server: { secure: true } })
    expect(await transport(server.port, { scheme: 'smtps', query: '?verify=false' }).send(mail())).toEqual(ACCEPTED)
    expect(server.taken).toMatchObject([{ secure: true }])
  })
})

describe('pooled SMTP connections', () => {
  it('send up to their maximum of messages, then are replaced', async () => {
    const server = await openMailServer()
    const sender = transport(server.port, { query: '?pool=1&messages=2' })
    for (let i = 0; i < 5; i++) expect(await sender.send(mail())).toEqual(ACCEPTED)
    const perSession = [...server.sessions].map((id) => server.taken.filter((m) => m.session === id).length)
    expect(perSession).toEqual([2, 2, 1])
  })

  it('do not count as an attempt if the server closed them while idle', async () => {
    const server = await openMailServer()
    const sender = transport(server.port, { query: '?pool=4' })
    await Promise.all(Array.from({ length: 8 }, () => sender.send(mail())))
    server.disconnect()
    expect(await Promise.all(Array.from({ length: 8 }, () => sender.send(mail())))).toEqual(Array(8).fill(ACCEPTED))
    expect(server.taken).toHaveLength(16)
  })

  it('are limited to what the server allows', async () => {
    const server = await openMailServer({ server: { maxClients: 2 } })
    const sender = transport(server.port, { query: '?pool=8' })
    await sender.send(mail())
    const results = await Promise.all(Array.from({ length: 20 }, () => sender.send(mail())))
    expect(results).toEqual(Array(20).fill(ACCEPTED))
    expect(server.taken).toHaveLength(21)
  })
})

async function script(answer: (line: string) => string, greeting = '220 x\r\n') {
  const opened = await smtpScript(answer, greeting)
  closing.push(opened.close)
  return opened
}

async function closeAtGreeting(): Promise<{ port: number }> {
  const opened = await listen((socket) => socket.destroy())
  closing.push(opened.close)
  return opened
}

async function silentPort(): Promise<{ port: number }> {
  const opened = await listen(() => undefined)
  await opened.close()
  return opened
}
