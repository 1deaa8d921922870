/**
 * TLS of our SMTP client: the server name it sends, the certificates it trusts, and that data from before TLS is
 * discarded.
 */
import { createSecureContext, TLSSocket, type TLSSocketOptions } from 'node:tls'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { makeSelfSigned } from '../../platform/smtp/self-signed.ts'
import { openConnection, type SmtpConnection } from '../../platform/smtp/smtp-connection.ts'
import { SmtpError } from '../../platform/smtp/smtp-wire.ts'
import { parseMailUrl, type SmtpOptions } from '../../platform/transports/mail-url.ts'
import { acceptAll, listen } from './smtp-script.ts'

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

let certificate: { key: string; cert: string }
beforeAll(async () => {
  certificate = await makeSelfSigned('localhost', new Date())
})

interface TlsServerOptions {
  /** Sent unencrypted together with the reply to STARTTLS. */
  injected?: string
  startTls?: string
  implicit?: boolean
  tls?: TLSSocketOptions
}

/** Offers STARTTLS and little else unencrypted, and PIPELINING over TLS. */
async function openMailServer({
  injected = '',
  startTls = '220 go',
  implicit = false,
  tls = {},
}: TlsServerOptions = {}) {
  const clear: string[] = []
  const secret: string[] = []
  const names: Array<string | false | null> = []
  const { port, close } = await listen((socket) => {
    const secure = () => {
      const secured = new TLSSocket(socket, {
        isServer: true,
        ...certificate,
        SNICallback: (_name, done) => done(null, createSecureContext(certificate)),
        ...tls,
      })
      secured.on('error', () => undefined)
      secured.on('secure', () => {
        names.push(secured.servername)
        if (implicit) secured.write('220 x\r\n')
      })
      secured.on('data', (chunk) => {
        secret.push(String(chunk))
        const lines = String(chunk).split('\r\n').slice(0, -1)
        if (lines.at(-1) === '.') secured.write('250 taken\r\n')
        else secured.write(lines.map(acceptAll('250-x\r\n250 PIPELINING\r\n')).join(''))
      })
    }
    if (implicit) {
      secure()
      return
    }
    socket.write('220 x\r\n')
    const readUnencrypted = (chunk: Buffer) => {
      clear.push(String(chunk))
      if (String(chunk) !== 'STARTTLS\r\n') {
        socket.write('250-x\r\n250 STARTTLS\r\n')
        return
      }
      socket.off('data', readUnencrypted).pause()
      socket.write(`${startTls}\r\n${injected}`, () => startTls.startsWith('220') && secure())
    }
    socket.on('data', readUnencrypted)
  })
  closing.push(close)
  return { port, clear, secret, names }
}

async function line(address: string): Promise<SmtpConnection> {
  const opened = await openConnection(parseMailUrl(address) as SmtpOptions)
  closing.push(opened.close)
  return opened
}

async function failureOf(failing: Promise<unknown>): Promise<SmtpError> {
  const error = await failing.then(
    () => new Error('it worked'),
    (error: unknown) => error,
  )
  if (!(error instanceof SmtpError)) throw error
  return error
}

const MESSAGE = {
  sender: 'shop@example.com',
  recipients: ['ada@example.org'],
  raw: Buffer.from('Subject: x\r\n\r\nx\r\n'),
  priority: 0,
}

describe('STARTTLS', () => {
  it('restarts the session: extensions offered before are requested again', async () => {
    const { port, clear, secret, names } = await openMailServer()
    expect(await (await line(`smtp://localhost:${port}?verify=false&name=me`)).send(MESSAGE)).toMatchObject({
      response: '250 taken',
    })
    expect(clear).toEqual(['EHLO me\r\n', 'STARTTLS\r\n'])
    expect(secret[0]).toBe('EHLO me\r\n')
    expect(secret[1]).toBe('MAIL FROM:<shop@example.com>\r\nRCPT TO:<ada@example.org>\r\nDATA\r\n')
    expect(names).toEqual(['localhost'])
  })

  it('sends no server name if there is only an address', async () => {
    const { port, names } = await openMailServer()
    await line(`smtp://127.0.0.1:${port}?verify=false`)
    expect(names).toEqual([false])
  })

  it('fails if the certificate is untrusted', async () => {
    const { port, secret } = await openMailServer()
    const error = await failureOf(line(`smtp://localhost:${port}`))
    expect(error).toMatchObject({ failure: { code: 'ETLS', beforeMessage: true, message: /self-signed certificate/ } })
    expect(secret).toEqual([])
  })

  it('fails if it is offered and then refused, even if it is only preferred', async () => {
    const { port, clear } = await openMailServer({ startTls: '454 not now' })
    const { failure } = await failureOf(line(`smtp://127.0.0.1:${port}?tls=preferred`))
    expect(failure).toMatchObject({ code: 'ETLS', responseCode: 454, command: 'STARTTLS' })
    expect(clear).toHaveLength(2)
  })

  it.each(['TLSv1', 'TLSv1.1'] as const)('fails if the server has nothing newer than %s', async (maxVersion) => {
    const { port } = await openMailServer({ tls: { minVersion: 'TLSv1', maxVersion, ciphers: 'ALL:@SECLEVEL=0' } })
    expect((await failureOf(line(`smtp://127.0.0.1:${port}?verify=false`))).failure.code).toBe('ETLS')
  })

  it('discards a partial reply that was injected before it', async () => {
    const { port, secret } = await openMailServer({ injected: '250-AUTH PLAIN' })
    expect(await (await line(`smtp://127.0.0.1:${port}?verify=false&name=me`)).send(MESSAGE)).toMatchObject({
      response: '250 taken',
    })
    expect(secret[0]).toBe('EHLO me\r\n')
  })

  it('fails if a complete reply was injected before it', async () => {
    const { port, secret } = await openMailServer({ injected: '250-x\r\n250 AUTH PLAIN\r\n' })
    const { failure } = await failureOf(line(`smtp://127.0.0.1:${port}?verify=false`))
    expect(failure).toMatchObject({ code: 'EPROTOCOL', beforeMessage: true, message: /unexpected response/ })
    expect(secret).toEqual([])
  })

  it('times out if it never completes', async () => {
    const { port, close } = await listen((socket) => {
      socket.write('220 x\r\n')
      socket.on('data', (chunk) =>
        socket.write(
          String(chunk) === 'STARTTLS\r\n'
            ? '220 go\r\n'
            : String(chunk).startsWith('EHLO')
              ? '250-x\r\n250 STARTTLS\r\n'
              : '',
        ),
      )
    })
    closing.push(close)
    expect((await failureOf(line(`smtp://127.0.0.1:${port}?timeout=1`))).failure.code).toBe('ETIMEDOUT')
  })
})

describe('implicit TLS', () => {
  it('encrypts greeting, session and messages', async () => {
    const { port, secret, names } = await openMailServer({ implicit: true })
    const opened = await line(`smtps://localhost:${port}?verify=false&name=me`)
    for (let i = 0; i < 3; i++) expect(await opened.send(MESSAGE)).toMatchObject({ response: '250 taken' })
    expect(secret).toHaveLength(7)
    expect(secret[0]).toBe('EHLO me\r\n')
    expect(names).toEqual(['localhost'])
  })

  it('fails with an unencrypted server', async () => {
    const { port } = await openMailServer()
    expect((await failureOf(line(`smtps://127.0.0.1:${port}?timeout=2`))).failure).toMatchObject({ code: 'ETLS' })
  })
})
