/** Our SMTP client with messages of any bytes: they are received as they were sent, one after the other. */
import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { openConnection, type SmtpConnection } from '../../platform/smtp/smtp-connection.ts'
import { parseMailUrl, type SmtpOptions } from '../../platform/transports/mail-url.ts'
import { acceptAll, smtpScript } from './smtp-script.ts'
import { openSmtpTestServer } from './smtp-test-server.ts'

const closing: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function line(port: number): Promise<SmtpConnection> {
  const opened = await openConnection(parseMailUrl(`smtp://127.0.0.1:${port}`) as SmtpOptions)
  closing.push(opened.close)
  return opened
}

const message = (raw = Buffer.from('Subject: Hello\r\n\r\nHello\r\n')) => ({
  sender: 'shop@example.com',
  recipients: ['ada@example.org'],
  raw,
})

/** Bytes that matter to a server that reads line by line, and bytes of all kinds. */
const anyRaw = fc
  .array(
    fc.oneof(
      fc
        .constantFrom('\r', '\n', '\r\n', '\r\n', '.', '..', '\r\n.\r\n', 'QUIT', '\0')
        .map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
    ),
    { maxLength: 30 },
  )
  .map((pieces) => Buffer.concat(pieces))

const normalised = (raw: Buffer): string => {
  const text = raw.toString('latin1').replace(/\r\n|\r|\n/g, '\r\n')
  return text === '' || text.endsWith('\r\n') ? text : `${text}\r\n`
}

it('messages of any bytes are received unchanged by a real server, one after the other over one connection', async () => {
  const taken: string[] = []
  const server = await openSmtpTestServer({
    server: {
      onData(stream, _session, done) {
        const chunks: Buffer[] = []
        stream.on('data', (chunk: Buffer) => chunks.push(chunk))
        stream.on('end', () => {
          taken.push(Buffer.concat(chunks).toString('latin1'))
          done()
        })
      },
    },
  })
  closing.push(server.close)
  const opened = await line(server.port)
  await fc.assert(
    fc.asyncProperty(anyRaw, async (raw) => {
      await opened.send(message(raw))
      const [arrived, ...more] = taken.splice(0)
      expect({ arrived, more }).toEqual({ arrived: normalised(raw), more: [] })
    }),
    { numRuns: 200 },
  )
})

it('messages of many megabytes are received completely', async () => {
  const server = await openSmtpTestServer()
  closing.push(server.close)
  const raw = Buffer.from(`Subject: x\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(150_000)}.end\r\n`)
  await (await line(server.port)).send(message(raw))
  expect(server.taken[0]!.raw === raw.toString()).toBe(true)
})

it('thousands of messages leave nothing behind on the connection', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  closing.push(() => process.off('warning', note))
  const { port, sockets, received, close } = await smtpScript(acceptAll('250-x\r\n250 PIPELINING\r\n'))
  closing.push(close)
  const opened = await line(port)
  for (let i = 0; i < 2_000; i++) await opened.send(message())
  expect(opened.sent).toBe(2_000)
  expect(sockets).toHaveLength(1)
  expect(received).toHaveLength(4_001) // EHLO, then two writes per message
  expect(warnings).toEqual([])
})
