import { expect, it } from 'vitest'
import { parseMessage, UnreadableMessage } from './parse-message.ts'

const lines = (...all: string[]) => Buffer.from(all.join('\r\n'))

it('a message with all kinds of parts is parsed into the form of messages that we send', async () => {
  const message = await parseMessage(
    lines(
      'From: =?UTF-8?Q?J=C3=BCrgen?= <Jurgen@Example.org>',
      'To: Team: a@example.com, "B, C" <b@example.com>;',
      'Reply-To: r@example.org',
      'Subject: =?UTF-8?B?w6nDoA==?=',
      'Message-ID: <abc@example.org>',
      'X-Long: one',
      ' two',
      'MIME-Version: 1.0',
      'Content-Type: multipart/mixed; boundary=m',
      '',
      '--m',
      'Content-Type: multipart/related; boundary=r',
      '',
      '--r',
      'Content-Type: text/html; charset=utf-8',
      '',
      '<img src="cid:logo">',
      '--r',
      'Content-Type: image/png',
      'Content-ID: <logo>',
      'Content-Disposition: inline; filename="lo\\"go.png"',
      'Content-Transfer-Encoding: base64',
      '',
      'aGk=',
      '--r--',
      '--m',
      'Content-Type: message/rfc822',
      '',
      'Subject: inner',
      '',
      'x',
      '--m--',
      '',
    ),
  )
  expect(message).toMatchObject({
    from: { name: 'Jürgen', email: 'jurgen@example.org' },
    authors: ['jurgen@example.org'],
    fromHeader: 'Jürgen <Jurgen@Example.org>',
    to: [{ email: 'a@example.com' }, { name: 'B, C', email: 'b@example.com' }],
    replyTo: [{ email: 'r@example.org' }],
    subject: 'éà',
    messageId: 'abc@example.org',
    text: undefined,
  })
  expect(message.html).toContain('cid:logo')
  expect(message.headers).toContainEqual({ name: 'X-Long', value: 'one two' })
  expect(message.attachments).toEqual([
    { filename: 'lo_go.png', content: 'aGk=', contentType: 'image/png', contentId: 'logo', disposition: 'inline' },
    {
      filename: 'attachment-2.eml',
      content: Buffer.from('Subject: inner\n\nx\n').toString('base64'), // its line ends become plain ones
      contentType: 'message/rfc822',
      disposition: 'attachment',
    },
  ])
})

it("text that can't be stored is removed everywhere in a message", async () => {
  const message = await parseMessage(
    lines('From: "a\0b" <a@example.org>', 'Subject: x\0y', 'X-A: \0', 'Message-ID: <q\0@e>', '', 'te\0xt \0'),
  )
  expect(JSON.stringify(message)).not.toContain('\\u0000')
  expect(message).toMatchObject({ subject: 'xy', text: expect.stringContaining('text') })
})

it.each(['', '\r\n', 'no headers at all', 'From:\r\nTo:\r\n\r\n', '\0\0\0', 'From: nobody\r\n\r\n'])(
  'a malformed message (%j) is parsed as far as possible',
  async (raw) => {
    expect(await parseMessage(Buffer.from(raw))).toMatchObject({ from: undefined, attachments: [] })
  },
)

it('a message with endless nesting is unreadable', async () => {
  const nested = Array.from(
    { length: 300 },
    (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
  ).join('')
  await expect(parseMessage(Buffer.from(nested))).rejects.toBeInstanceOf(UnreadableMessage)
})

it('a message with 1,000 parts is parsed, and one with more is refused', async () => {
  const withParts = (parts: number) =>
    Buffer.from(
      `From: a@example.org\r\nContent-Type: multipart/mixed; boundary="b 1"\r\n\r\n${'--b 1\r\n\r\nx\r\n'.repeat(parts)}--b 1--\r\n`,
    )
  await expect(parseMessage(withParts(1000))).resolves.toMatchObject({ from: { email: 'a@example.org' } })
  await expect(parseMessage(withParts(1001))).rejects.toThrow('more than 1000 MIME parts')
})

it('lines of dashes in a text are not parts', async () => {
  const text = '-----\r\n-- \r\n'.repeat(2000)
  await expect(parseMessage(Buffer.from(`From: a@example.org\r\n\r\n${text}`))).resolves.toMatchObject({
    html: undefined,
  })
})

it('a message with more than 256 KB of headers is refused', async () => {
  const raw = Buffer.from(`From: a@example.org\r\n${'X-Header: value\r\n'.repeat(20_000)}\r\nHi`)
  await expect(parseMessage(raw)).rejects.toThrow(UnreadableMessage)
})

it('the authors are the addresses of all From headers', async () => {
  const raw = 'From: "a@x.example" <b@y.example>, Team: c@z.example;\r\nfrom: D <d@w.example>\r\n\r\nHi'
  const { authors } = await parseMessage(Buffer.from(raw))
  expect(authors).toEqual(['b@y.example', 'c@z.example', 'd@w.example'])
})
