/**
 * Our SMTP client, one connection at a time: what it sends to servers of all kinds, and how it handles those that
 * refuse, don't respond, close the connection or send invalid data, at every step.
 */
import { afterEach, describe, expect, it } from 'vitest'
import { openConnection, type SmtpConnection } from '../../platform/smtp/smtp-connection.ts'
import { SmtpError } from '../../platform/smtp/smtp-wire.ts'
import { parseMailUrl, type SmtpOptions } from '../../platform/transports/mail-url.ts'
import { acceptAll, type SmtpScript, smtpScript } from './smtp-script.ts'
import { openSmtpTestServer, type SmtpTestServerOptions } from './smtp-test-server.ts'

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function line(port: number, { query = '', host = '127.0.0.1', auth = '' } = {}): Promise<SmtpConnection> {
  const opened = await openConnection(parseMailUrl(`smtp://${auth}${host}:${port}${query}`) as SmtpOptions)
  closing.push(opened.close)
  return opened
}

async function script(...how: Parameters<typeof smtpScript>): Promise<SmtpScript> {
  const opened = await smtpScript(...how)
  closing.push(opened.close)
  return opened
}

async function openMailServer(options: SmtpTestServerOptions = {}) {
  const opened = await openSmtpTestServer(options)
  closing.push(opened.close)
  return opened
}

const RAW = Buffer.from('Subject: Hello\r\n\r\nHello\r\n')
const message = (over: Partial<Parameters<SmtpConnection['send']>[0]> = {}) => ({
  sender: 'shop@example.com',
  recipients: ['ada@example.org'],
  raw: RAW,
  ...over,
})

async function failureOf(failing: Promise<unknown>): Promise<SmtpError> {
  const error = await failing.then(
    () => new Error('it worked'),
    (error: unknown) => error,
  )
  if (!(error instanceof SmtpError)) throw error
  return error
}

const PIPELINING = '250-x\r\n250 PIPELINING\r\n'

describe('an SMTP session', () => {
  it('starts with the configured name', async () => {
    const { port, received } = await script(acceptAll('250 x\r\n'))
    await line(port, { query: '?name=mail.example.com' })
    expect(received).toEqual(['EHLO mail.example.com\r\n'])
  })

  it('starts with a name that can be looked up, or with an address', async () => {
    const { port, received } = await script(acceptAll('250 x\r\n'))
    await line(port)
    expect(received[0]).toMatch(/^EHLO (\[127\.0\.0\.1\]|[\w-]+(\.[\w-]+)+)\r\n$/)
  })

  it('falls back to HELO if EHLO is unknown, without pipelining', async () => {
    const { port, received } = await script((words) =>
      words.startsWith('EHLO') ? '502 what?\r\n' : acceptAll('')(words),
    )
    expect(await (await line(port, { query: '?name=me' })).send(message())).toMatchObject({ response: '250 ok' })
    expect(received).toEqual([
      'EHLO me\r\n',
      'HELO me\r\n',
      'MAIL FROM:<shop@example.com>\r\n',
      'RCPT TO:<ada@example.org>\r\n',
      'DATA\r\n',
      `${RAW}.\r\n`,
    ])
  })

  it('accepts multi-line greetings and replies, and extensions in any case', async () => {
    const { port, received } = await script(acceptAll('250-x\r\n250-pipelining\r\n250 Size\r\n'), '220-x\r\n220 y\r\n')
    await (await line(port)).send(message())
    expect(received[1]).toBe(`MAIL FROM:<shop@example.com> SIZE=${RAW.length}\r\nRCPT TO:<ada@example.org>\r\nDATA\r\n`)
  })

  it('finds a server that listens on one of several addresses of a name', async () => {
    const { port } = await script(acceptAll(PIPELINING))
    expect(await (await line(port, { host: 'localhost' })).send(message())).toMatchObject({ response: '250 ok' })
  })

  it.each(['PLAIN', 'LOGIN', 'CRAM-MD5'])('authenticates with %s', async (method) => {
    const users: string[] = []
    const server = await openMailServer({
      server: {
        authOptional: false,
        authMethods: [method],
        onAuth(auth, _session, done) {
          const isRight =
            auth.method === 'CRAM-MD5' ? auth.validatePassword('gehe:im ü') : auth.password === 'gehe:im ü'
          if (isRight) users.push(`${auth.method} ${auth.username}`)
          done(isRight ? null : new Error('wrong'), { user: auth.username })
        },
      },
    })
    const opened = await line(server.port, { auth: 'ad%C3%A4:gehe%3Aim%20%C3%BC@' })
    await opened.send(message())
    expect(users).toEqual([`${method} adä`])
    expect(await failureOf(line(server.port, { auth: 'ad%C3%A4:wrong@' }))).toMatchObject({
      failure: { code: 'EAUTH', responseCode: 535, beforeMessage: true, command: `AUTH ${method}` },
      certainlyNotSent: true,
    })
  })

  it('ends with QUIT', async () => {
    const { port, received } = await script(acceptAll('250 x\r\n'))
    const opened = await line(port)
    opened.quit()
    expect(opened.isUsable()).toBe(false)
    await expect.poll(() => received.at(-1)).toBe('QUIT\r\n')
  })
})

describe('the envelope of an SMTP message', () => {
  const all = '250-x\r\n250-SMTPUTF8\r\n250-8BITMIME\r\n250-SIZE 1000\r\n250 PIPELINING\r\n'
  const size = (raw: Buffer) => ` SIZE=${raw.length}`
  const eightBit = Buffer.from('Subject: x\r\n\r\nfür\r\n')
  const utf8Headers = Buffer.from('Subject: für\r\n\r\nx\r\n')

  it.each([
    ['nothing but its size, if it is plain', all, message(), size(RAW)],
    ['8BITMIME for a body beyond ASCII', all, message({ raw: eightBit }), ` BODY=8BITMIME${size(eightBit)}`],
    [
      'SMTPUTF8 for headers beyond ASCII',
      all,
      message({ raw: utf8Headers }),
      ` SMTPUTF8 BODY=8BITMIME${size(utf8Headers)}`,
    ],
    ['SMTPUTF8 for an address beyond ASCII', all, message({ recipients: ['jörg@x.example'] }), ` SMTPUTF8${size(RAW)}`],
    ['nothing where nothing is offered', PIPELINING, message({ raw: utf8Headers }), ''],
  ])('%s', async (_what, offer, sent, args) => {
    const { port, received } = await script(acceptAll(offer))
    await (await line(port)).send(sent)
    const said = Buffer.from(received[1]!, 'latin1').toString()
    expect(said).toBe(`MAIL FROM:<shop@example.com>${args}\r\nRCPT TO:<${sent.recipients[0]}>\r\nDATA\r\n`)
  })

  it.each([
    ['an address with a line end', { recipients: ['a@x.example\r\nDATA'] }, 'EENVELOPE'],
    ['an address that ends early', { recipients: ['a@x.example> SIZE=1'] }, 'EENVELOPE'],
    ['an address with a space', { recipients: ['a b@x.example'] }, 'EENVELOPE'],
    ['a sender with a line feed', { sender: 'a@x.example\nRSET' }, 'EENVELOPE'],
    ['a NUL', { recipients: ['a\0@x.example'] }, 'EENVELOPE'],
    ['quotes that hold a bracket', { recipients: ['"a>"@x.example'] }, 'EENVELOPE'],
    ['no recipient', { recipients: [''] }, 'EENVELOPE'],
    ['letters it can not take', { recipients: ['jörg@x.example'] }, 'EENVELOPE'],
    ['more bytes than it takes', { raw: Buffer.alloc(101, 'x') }, 'EMESSAGE'],
  ])('is not sent for %s, and the next message is sent', async (_what, over, code) => {
    const { port, received } = await script(acceptAll('250-x\r\n250-SIZE 100\r\n250 PIPELINING\r\n'))
    const opened = await line(port)
    const error = await failureOf(opened.send(message(over)))
    expect(error).toMatchObject({ failure: { code }, certainlyNotSent: true })
    expect(error.failure.responseCode).toBeUndefined()
    expect(received).toHaveLength(1)
    expect(await opened.send(message({ sender: '', recipients: ['"a b"@x.example'] }))).toMatchObject({
      response: '250 ok',
    })
    expect(received[1]).toContain('MAIL FROM:<> SIZE=')
  })
})

describe('a refusal in an SMTP pipeline', () => {
  /** Replies to MAIL, RCPT, DATA and the message as given, once, and then accepts everything. */
  async function refusing(...answers: string[]) {
    const left = [...answers]
    return await script((words) => {
      if (words.startsWith('EHLO')) return PIPELINING
      return left.shift() ?? acceptAll('')(words)
    })
  }

  it('is reported with its own reply, not with those that follow from it', async () => {
    const { port, received } = await refusing(
      '250 ok\r\n',
      '550-5.1.1 No such\r\n550 5.1.1 user\r\n',
      '503 RCPT first\r\n',
    )
    const opened = await line(port)
    expect(await failureOf(opened.send(message()))).toMatchObject({
      failure: {
        code: 'EENVELOPE',
        command: 'RCPT TO',
        responseCode: 550,
        response: '550-5.1.1 No such\n550 5.1.1 user',
      },
      certainlyNotSent: true,
    })
    expect(await opened.reset()).toBe(true)
    expect(await opened.send(message())).toMatchObject({ response: '250 ok' })
    expect(received.slice(2)).toEqual(['RSET\r\n', received[1], `${RAW}.\r\n`])
  })

  it('followed by a request for the message gets an empty one', async () => {
    const { port, received } = await refusing('250 ok\r\n', '550 no\r\n', '354 go\r\n', '554 nobody to send it to\r\n')
    const opened = await line(port)
    expect(await failureOf(opened.send(message()))).toMatchObject({
      failure: { command: 'RCPT TO', response: '550 no' },
      certainlyNotSent: true,
    })
    expect(received[2]).toBe('.\r\n')
    expect(await opened.reset()).toBe(true)
    expect(await opened.send(message())).toMatchObject({ response: '250 ok' })
  })

  it('ends the connection if it is of the sender alone, because an empty message would reach the recipient', async () => {
    const { port, received } = await refusing('550 not you\r\n', '250 ok\r\n', '354 go\r\n')
    const opened = await line(port)
    expect(await failureOf(opened.send(message()))).toMatchObject({
      failure: { command: 'MAIL FROM', response: '550 not you' },
    })
    expect(opened.isUsable()).toBe(false)
    expect(received).toHaveLength(2)
  })

  it('is reported as such if it is of DATA', async () => {
    const { port } = await refusing('250 ok\r\n', '250 ok\r\n', '451 later\r\n')
    const { failure } = await failureOf((await line(port)).send(message()))
    expect(failure).toMatchObject({ code: 'EENVELOPE', command: 'DATA', responseCode: 451 })
  })

  it('is assumed if the response to DATA is 250, because the message would be read as commands', async () => {
    const { port, received } = await refusing('250 ok\r\n', '250 ok\r\n', '250 ok\r\n')
    const error = await failureOf((await line(port)).send(message()))
    expect(error).toMatchObject({ failure: { command: 'DATA', responseCode: 250 }, certainlyNotSent: true })
    expect(received).toHaveLength(2)
  })

  it.each([
    ['MAIL FROM', ['421 bye\r\n']],
    ['RCPT TO', ['250 ok\r\n', '421 bye\r\n']],
    ['DATA', ['250 ok\r\n', '250 ok\r\n', '421 bye\r\n']],
  ])('ends the connection if it is a 421 to %s, whether or not more is received', async (command, answers) => {
    const { port } = await script((words) => {
      if (words.startsWith('EHLO')) return PIPELINING
      return answers.shift() ?? ''
    })
    const opened = await line(port)
    expect(await failureOf(opened.send(message()))).toMatchObject({
      failure: { command, responseCode: 421, response: '421 bye' },
      certainlyNotSent: true,
    })
    expect(opened.isUsable()).toBe(false)
    expect(await opened.reset()).toBe(false)
  })
})

const STEPS = ['MAIL', 'RCPT', 'DATA', '.']
const ODD: Array<[string, string | null, string]> = [
  ['closes the connection', null, 'ECONNECTION'],
  ['stops responding', '', 'ETIMEDOUT'],
  ['sends an invalid reply', 'HTTP/1.1 400 Bad Request\r\n', 'EPROTOCOL'],
  ['sends an endless reply', '250-x\r\n'.repeat(20_000), 'EPROTOCOL'],
]

describe('an SMTP server', () => {
  it.each(ODD)(
    'is reported with whether the message may have been accepted if it %s at any step',
    async (_what, odd, code) => {
      const cases = STEPS.flatMap((step) => [PIPELINING, '250 x\r\n'].map((offer) => ({ step, offer })))
      const outcomes = cases.map(async ({ step, offer }) => {
        const { port } = await script((words) => (words.startsWith(step) ? odd : acceptAll(offer)(words)))
        const opened = await line(port, { query: '?timeout=1' })
        const { failure, certainlyNotSent } = await failureOf(opened.send(message()))
        const next = await failureOf(opened.send(message()))
        const { code, responseCode } = failure
        return {
          step,
          offer,
          code,
          responseCode,
          certainlyNotSent,
          usable: opened.isUsable(),
          next: next.certainlyNotSent,
        }
      })
      const expected = cases.map(({ step, offer }) => {
        return { step, offer, code, responseCode: undefined, certainlyNotSent: step !== '.', usable: false, next: true }
      })
      expect(await Promise.all(outcomes)).toEqual(expected)
    },
  )

  it.each(ODD)('gives no connection if it %s in its greeting or after EHLO', async (_what, odd, code) => {
    const greets = await script(() => '', odd)
    const answers = await script(() => odd)
    const errors = await Promise.all(
      [greets, answers].map(({ port }) => failureOf(line(port, { query: '?timeout=1' }))),
    )
    const expected = { failure: { code, beforeMessage: true }, certainlyNotSent: true }
    expect(errors).toMatchObject([expected, expected])
  })

  it('times out if it stops reading in the middle of a message, and may have accepted it', async () => {
    const { port, sockets } = await script((words) => {
      if (words === 'DATA') sockets[0]!.pause()
      return acceptAll(PIPELINING)(words)
    })
    const opened = await line(port, { query: '?timeout=1' })
    const error = await failureOf(opened.send(message({ raw: Buffer.alloc(30_000_000, 'x') })))
    expect(error).toMatchObject({ failure: { code: 'ETIMEDOUT' }, certainlyNotSent: false })
  })

  it('can give the reason in a last line without a line break', async () => {
    const { port, sockets } = await script((words) => (words.startsWith('EHLO') ? PIPELINING : ''))
    const opened = await line(port)
    const failing = failureOf(opened.send(message()))
    sockets[0]!.end('452 too much for today')
    expect(await failing).toMatchObject({ failure: { command: 'MAIL FROM', responseCode: 452 } })
  })

  it('loses the connection if it sends unrequested data, which is not treated as a reply', async () => {
    const { port, sockets } = await script(acceptAll(PIPELINING))
    for (const words of ['250 ok\r\n250 ok\r\n354 go\r\n250 ok\r\n', '421 bye\r\n', null]) {
      const opened = await line(port)
      await opened.send(message())
      if (words === null) sockets.at(-1)!.resetAndDestroy()
      else sockets.at(-1)!.write(words)
      await expect.poll(() => opened.isUsable()).toBe(false)
      expect(await failureOf(opened.send(message()))).toMatchObject({ certainlyNotSent: true })
    }
  })

  it('can send replies byte by byte', async () => {
    const { port, sockets, received } = await script((words) => (words.startsWith('EHLO') ? PIPELINING : ''))
    const opened = await line(port)
    const sending = opened.send(message())
    const dribble = async (text: string) => {
      for (const byte of Buffer.from(text)) await new Promise((done) => sockets[0]!.write(Buffer.of(byte), done))
    }
    await dribble('250-one\r\n250 two\r\n250 ok\r\n354 go\r\n')
    await expect.poll(() => received.at(-1)).toBe(`${RAW}.\r\n`)
    await dribble('250 taken: für\r\n')
    expect(await sending).toMatchObject({ response: '250 taken: für' })
  })
})
