/**
 * Random messages are composed, parsed by postal-mime and compared with the input, and with what nodemailer's composer
 * makes of it.
 */
import fc from 'fast-check'
import MailComposer from 'nodemailer/lib/mail-composer'
import PostalMime, { type Email } from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { htmlToPlainText } from '../html/html-to-plain-text.ts'
import { cleanSubject, composeMessage, type Message } from './mime.ts'
import type { Attachment } from './mime-attachment.ts'
import { type Address, wireAddress } from './mime-encoding.ts'

// A byte order mark at the start of a text is dropped by every decoder, and lookalikes of encoded words in file names
// are decoded by this parser: neither says anything about the composer.
const anyText = (constraints: fc.StringConstraints = {}) =>
  fc
    .oneof(fc.string({ unit: 'binary', ...constraints }), fc.string({ unit: 'grapheme', ...constraints }))
    .map((text) => text.replace(/\ufeff|=\?/g, ''))
const oneLine = (constraints: fc.StringConstraints = {}) =>
  anyText(constraints).map((text) => text.replace(/[\r\n\0]/g, ' '))

const email = fc
  .tuple(
    fc.array(fc.constantFrom('a', 'Z', '7', '.x', '+', '_', '-', 'é', 'ß', '用', '😀'), {
      minLength: 1,
      maxLength: 12,
    }),
    fc.constantFrom('example.com', 'Mail.Example.ORG', 'bücher.example', '例え.テスト', 'xn--bcher-kva.example'),
  )
  .map(([local, domain]) => `x${local.join('')}@${domain}`)
const address: fc.Arbitrary<Address> = fc.record(
  { name: oneLine({ maxLength: 90 }), email },
  { requiredKeys: ['email'] },
)

const body = fc
  .array(
    fc.oneof(
      anyText({ maxLength: 120 }),
      fc.constantFrom('\n', '\r\n', '\r', ' \n', '<p class="x">', 'From ', '.', 'é', 'x'.repeat(80)),
    ),
    {
      maxLength: 30,
    },
  )
  .map((pieces) => pieces.join(''))

const attachment: fc.Arbitrary<Attachment> = fc
  .record({
    filename: oneLine({ minLength: 1, maxLength: 120 }).map((name) => `${name}.bin`),
    bytes: fc.uint8Array({ maxLength: 300 }),
    asBase64: fc.boolean(),
    contentType: fc.constantFrom('image/png', 'application/pdf', 'text/csv; charset=utf-8', 'application/x-y+z'),
    contentId: fc.constantFrom('logo', 'part1.a@example.com', '!x'),
    disposition: fc.constantFrom('attachment' as const, 'inline' as const),
  })
  .map(({ bytes, asBase64, ...rest }) => {
    const content = Buffer.from(bytes)
    return { ...rest, content: asBase64 ? content.toString('base64') : content }
  })

const message: fc.Arbitrary<Message> = fc.record(
  {
    messageId: fc.uuid().map((id) => `<${id}@example.com>`),
    date: fc.date({ min: new Date(0), max: new Date('2099-12-31'), noInvalidDate: true }),
    from: address,
    to: fc.array(address, { minLength: 1, maxLength: 4 }),
    replyTo: fc.oneof(email, address),
    subject: anyText({ maxLength: 400 }),
    html: body,
    text: body,
    attachments: fc.array(attachment, { maxLength: 4 }),
  },
  { requiredKeys: ['messageId', 'date', 'from', 'to', 'subject', 'html'] },
)

const withLf = (text: string): string => text.replace(/\r\n?|\n/g, '\n')
const parsedAddress = ({ name = '', email }: Address) => ({ name: name.trim(), address: wireAddress(email) })
const mailboxesOf = ({ from, to, replyTo }: Message): string[] =>
  [from, ...to, replyTo ?? ''].map((one) => (typeof one === 'string' ? one : one.email).split('@')[0]!)
const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length
const bytesOf = (content: ArrayBuffer | Uint8Array | string): Buffer =>
  typeof content === 'string' ? Buffer.from(content, 'base64') : Buffer.from(content as ArrayBuffer)

/** In the order of the tree: parts that belong to the HTML first. */
function expectedAttachments(attachments: Attachment[] = []) {
  return [
    ...attachments.filter((file) => file.disposition === 'inline'),
    ...attachments.filter((file) => file.disposition !== 'inline'),
  ].map((file) => ({
    filename: file.filename,
    mimeType: file.contentType.split(';')[0],
    disposition: file.disposition,
    contentId: `<${file.contentId}>`,
    content: bytesOf(file.content),
  }))
}

const parsedAttachments = (parsed: Email) =>
  parsed.attachments.map(({ filename, mimeType, disposition, contentId, content }) => ({
    filename,
    mimeType,
    disposition,
    contentId,
    content: bytesOf(content),
  }))

/** The parser adds a line break to the end of quoted-printable and 7bit texts. */
function expectText(parsed: string | undefined, given: string): void {
  const text = withLf(given)
  expect([text, `${text}\n`]).toContain(withLf(parsed ?? ''))
}

describe('a message that is composed and parsed again', () => {
  it('has the same content', async () => {
    await fc.assert(
      fc.asyncProperty(message, async (given) => {
        const parsed = await PostalMime.parse(composeMessage(given))
        expect(parsed.subject ?? '').toBe(cleanSubject(given.subject).trim())
        expect(parsed.messageId).toBe(given.messageId)
        expect(new Date(parsed.date!).getTime()).toBe(Math.floor(given.date.getTime() / 1000) * 1000)
        expect(parsed.from).toEqual(parsedAddress(given.from))
        expect(parsed.to).toEqual(given.to.map(parsedAddress))
        const reply = typeof given.replyTo === 'string' ? { email: given.replyTo } : given.replyTo
        expect(parsed.replyTo).toEqual(reply && [parsedAddress(reply)])
        expectText(parsed.html, given.html)
        expectText(parsed.text, given.text ?? htmlToPlainText(given.html))
        expect(parsedAttachments(parsed)).toEqual(expectedAttachments(given.attachments))
      }),
      { numRuns: 400, seed: 4711 },
    )
  })

  it('has only CRLF, no line over 998 bytes, short encoded lines and ASCII headers', () => {
    fc.assert(
      fc.property(
        message,
        fc.dictionary(fc.constantFrom('X-A', 'List-Id', 'References'), oneLine({ maxLength: 998 })),
        (given, headers) => {
          const composed = composeMessage({ ...given, headers })
          const raw = composed.toString('latin1')
          expect(raw).not.toMatch(/\r(?!\n)|(?<!\r)\n|\0/)
          const lines = raw.split('\r\n')
          expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998)
          expect(Math.max(...lines.slice(lines.indexOf('')).map((line) => line.length))).toBeLessThanOrEqual(160)
          if (mailboxesOf(given).every(isAscii)) expect(raw).toMatch(/^[\t\r\n -~]*$/)
          const head = composed.toString('utf8').split('\r\n\r\n')[0]!
          for (const line of head.split('\r\n')) {
            if (line.includes('=?UTF-8?')) expect(line.length).toBeLessThanOrEqual(76)
          }
          expect(composeMessage({ ...given, headers }).equals(composed)).toBe(true)
        },
      ),
      { numRuns: 300, seed: 4711 },
    )
  })
})

describe('a message composed by us and by nodemailer', () => {
  const simpleText = fc.string({ unit: 'grapheme', maxLength: 60 }).map((text) => text.replace(/=\?/g, '').trim())
  const simpleBody = fc.array(simpleText, { minLength: 1, maxLength: 12 }).map((lines) => `é ${lines.join('\n')} ende`)
  const simpleMessage: fc.Arbitrary<Message> = fc.record(
    {
      messageId: fc.uuid().map((id) => `<${id}@example.com>`),
      date: fc.constant(new Date('2026-01-02T03:04:05Z')),
      from: fc.record({ name: simpleText, email }),
      to: fc.array(fc.record({ name: simpleText, email }), { minLength: 1, maxLength: 3 }),
      replyTo: email,
      subject: simpleText.map((text) => `S ${text} e`),
      html: simpleBody,
      text: simpleBody,
      headers: fc.constant({
        'List-Unsubscribe': '<https://x.test/u/1>, <mailto:u@x.test>',
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
      attachments: fc.array(
        attachment.map((file) => ({ ...file, filename: file.filename.replace(/[^\p{L}\p{N}. ]/gu, '_') })),
        { maxLength: 3 },
      ),
    },
    { requiredKeys: ['messageId', 'date', 'from', 'to', 'subject', 'html', 'text', 'headers'] },
  )

  const composeWithNodemailer = (given: Message): Promise<Buffer> =>
    new MailComposer({
      messageId: given.messageId,
      date: given.date,
      from: { name: given.from.name ?? '', address: given.from.email },
      to: given.to.map(({ name = '', email }) => ({ name, address: email })),
      replyTo: given.replyTo as string | undefined,
      subject: given.subject,
      html: given.html,
      text: given.text,
      headers: given.headers,
      attachments: given.attachments?.map(({ filename, content, contentType, contentId, disposition }) => ({
        filename,
        content: bytesOf(content),
        contentType,
        contentDisposition: disposition,
        ...(disposition === 'inline' ? { cid: contentId } : { headers: { 'Content-ID': `<${contentId}>` } }),
      })),
    })
      .compile()
      .build()

  /**
   * nodemailer writes domains in lower case, but unchanged after a non-ASCII mailbox name; the addresses are the same.
   */
  const sameForm = ({ name, address = '' }: { name: string; address?: string }) => ({
    name,
    address: wireAddress(address).replace(/@.*/, (domain) => domain.toLowerCase()),
  })

  const readable = (parsed: Email) => ({
    from: sameForm(parsed.from!),
    to: parsed.to!.map(sameForm),
    replyTo: parsed.replyTo?.map(sameForm),
    subject: parsed.subject,
    messageId: parsed.messageId,
    date: parsed.date,
    text: withLf(parsed.text ?? '').trimEnd(),
    html: withLf(parsed.html ?? '').trimEnd(),
    lists: parsed.headers.filter(({ key }) => key.startsWith('list-')).map(({ key, value }) => [key, value]),
    attachments: parsedAttachments(parsed),
  })

  it('is equivalent', async () => {
    await fc.assert(
      fc.asyncProperty(simpleMessage, async (given) => {
        const [ours, theirs] = await Promise.all([
          PostalMime.parse(composeMessage(given)),
          composeWithNodemailer(given).then((raw) => PostalMime.parse(raw)),
        ])
        expect(readable(ours)).toEqual(readable(theirs))
      }),
      { numRuns: 300, seed: 4711 },
    )
  })
})
