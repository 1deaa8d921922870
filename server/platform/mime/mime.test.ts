import PostalMime, { decodeWords } from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { cleanSubject, composeMessage, isStructuralHeader, type Message } from './mime.ts'
import { wireAddress } from './mime-encoding.ts'

const MESSAGE: Message = {
  messageId: '<0190a5b2@example.com>',
  date: new Date('2026-01-02T03:04:05.678Z'),
  from: { name: 'Shop', email: 'shop@example.com' },
  to: [{ email: 'jane@example.org' }],
  subject: 'Hello',
  html: '<p>Hello Jane</p>',
}

const compose = (changes: Partial<Message>): string => composeMessage({ ...MESSAGE, ...changes }).toString('utf8')
const parse = (changes: Partial<Message>) => PostalMime.parse(composeMessage({ ...MESSAGE, ...changes }))

/** The lines of one header field, as in the message. */
function field(raw: string, name: string): string | undefined {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n') + 2)
  return head.match(new RegExp(`^${name}:.*\r\n(?:[ \t].*\r\n)*`, 'm'))?.[0].trimEnd()
}

function unescapeQ(content: string): Buffer {
  const characters = content
    .replace(/_/g, ' ')
    .replace(/=(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(characters, 'latin1')
}

describe('a composed message', () => {
  it('has two alternatives in its simplest form', () => {
    expect(compose({})).toBe(
      [
        'Date: Fri, 02 Jan 2026 03:04:05 +0000',
        'From: Shop <shop@example.com>',
        'To: jane@example.org',
        'Subject: Hello',
        'Message-ID: <0190a5b2@example.com>',
        'MIME-Version: 1.0',
        'Content-Type: multipart/alternative;',
        ' boundary="=_gLQ4sZKkaZRRhzW7LxpF5iwxKr4_a"',
        '',
        '--=_gLQ4sZKkaZRRhzW7LxpF5iwxKr4_a',
        'Content-Type: text/plain; charset=utf-8',
        'Content-Transfer-Encoding: 7bit',
        '',
        'Hello Jane',
        '--=_gLQ4sZKkaZRRhzW7LxpF5iwxKr4_a',
        'Content-Type: text/html; charset=utf-8',
        'Content-Transfer-Encoding: 7bit',
        '',
        '<p>Hello Jane</p>',
        '--=_gLQ4sZKkaZRRhzW7LxpF5iwxKr4_a--',
        '',
      ].join('\r\n'),
    )
  })

  it('nests mixed, related and alternative parts, and omits the levels it does not need', () => {
    const inline = {
      filename: 'a.png',
      content: 'AAAA',
      contentType: 'image/png',
      contentId: 'a',
      disposition: 'inline',
    } as const
    const file = {
      filename: 'b.pdf',
      content: 'BBBB',
      contentType: 'application/pdf',
      disposition: 'attachment',
    } as const
    const shape = (attachments: Message['attachments']) =>
      [...compose({ attachments }).matchAll(/^Content-Type: ([\w/]+)|^--\S+_([amr])--/gm)]
        .map((found) => found[1] ?? `end ${found[2]}`)
        .join(' ')
    const alternative = 'multipart/alternative text/plain text/html end a'
    expect(shape([])).toBe(alternative)
    expect(shape([inline])).toBe(`multipart/related ${alternative} image/png end r`)
    expect(shape([file])).toBe(`multipart/mixed ${alternative} application/pdf end m`)
    expect(shape([file, inline])).toBe(
      `multipart/mixed multipart/related ${alternative} image/png end r application/pdf end m`,
    )
  })

  it('is the same to the byte for the same message and has other boundaries for another id', () => {
    const message = {
      ...MESSAGE,
      subject: 'Grüße',
      attachments: [{ filename: 'ä', content: 'AAAA', contentType: 'a/b', disposition: 'attachment' as const }],
    }
    expect(composeMessage(message).equals(composeMessage({ ...message }))).toBe(true)
    const boundary = (messageId: string) => compose({ messageId }).match(/boundary="(.*)"/)![1]
    expect(boundary('<a@x.test>')).not.toBe(boundary('<b@x.test>'))
  })

  it('keeps a text that contains the boundary', async () => {
    const boundary = compose({}).match(/boundary="(.*)"/)![1]
    const text = `a\n--${boundary}\nContent-Type: text/html\n\nforged\n--${boundary}--`
    const parsed = await parse({ text })
    expect(parsed.text).toBe(`${text}\n`)
    expect(parsed.html).toBe('<p>Hello Jane</p>\n')
  })

  it('uses the given text instead of one generated from the HTML', async () => {
    expect((await parse({ text: 'own words' })).text).toBe('own words\n')
    expect((await parse({ html: '<p>A</p><ul><li>B</ul>' })).text).toBe('A\n\n- B\n')
  })

  it('refuses an invalid Message-ID or date', () => {
    expect(() => compose({ messageId: 'a@b' })).toThrow('Message-ID')
    expect(() => compose({ messageId: '<a@b>\r\nBcc: x@x.test' })).toThrow('Message-ID')
    expect(() => compose({ date: new Date('never') })).toThrow('date')
  })
})

describe('the subject of a message', () => {
  it('has line breaks and NUL replaced by a space', () => {
    expect(cleanSubject('a\r\nb\rc\nd\0e')).toBe('a b c d e')
    expect(field(compose({ subject: 'a\r\nBcc: x@x.test' }), 'Subject')).toBe('Subject: a Bcc: x@x.test')
  })

  it('is cut at 998 characters, never inside a character', () => {
    expect(cleanSubject('x'.repeat(2000))).toHaveLength(998)
    expect(cleanSubject(`${'x'.repeat(997)}😀y`)).toBe(`${'x'.repeat(997)}😀`)
    expect(cleanSubject('😀'.repeat(998))).toBe('😀'.repeat(998))
    expect(cleanSubject('😀'.repeat(999))).toBe('😀'.repeat(998))
  })

  it('beyond ASCII becomes encoded words of whole characters that fit their lines', async () => {
    for (const subject of [
      'Grüße aus Köln',
      '😀'.repeat(120),
      'Здравствуйте, '.repeat(12),
      `${'a'.repeat(50)}é`,
      'tab\there',
    ]) {
      const lines = field(compose({ subject }), 'Subject')!.split('\r\n')
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(76)
      for (const word of lines.join('').match(/=\?.*?\?=(?= |$)/g)!) {
        expect(word.length).toBeLessThanOrEqual(75)
        const [, , encoding, content] = word.split('?') as [string, string, string, string]
        const bytes = encoding === 'B' ? Buffer.from(content, 'base64') : unescapeQ(content)
        expect(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes)).not.toThrow()
      }
      expect((await parse({ subject })).subject).toBe(subject.trim())
    }
  })

  it('is displayed as written if it looks like an encoded word', async () => {
    const subject = 'What does =?utf-8?q?this?= mean'
    expect((await parse({ subject })).subject).toBe(subject)
  })

  it('is folded at spaces if it is ASCII, and spaces are kept', async () => {
    const subject = `${'word  '.repeat(40)}end`
    const raw = field(compose({ subject }), 'Subject')!
    for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76)
    expect((await parse({ subject })).subject).toBe(subject)
  })
})

describe('the addresses of a message', () => {
  it('have names quoted if necessary, and encoded beyond ASCII', () => {
    const from = (name: string) => field(compose({ from: { name, email: 'a@x.test' } }), 'From')
    expect(from('Jane Doe')).toBe('From: Jane Doe <a@x.test>')
    expect(from('Doe, "J." \\')).toBe('From: "Doe, \\"J.\\" \\\\" <a@x.test>')
    expect(from('Zoë')).toBe('From: =?UTF-8?Q?Zo=C3=AB?= <a@x.test>')
    expect(from('田中')).toBe('From: =?UTF-8?B?55Sw5Lit?= <a@x.test>')
    expect(from('Two  spaces')).toBe('From: "Two  spaces" <a@x.test>')
    expect(from('=?utf-8?q?x?=')).toBe('From: =?UTF-8?B?PT91dGYtOD9xP3g/PQ==?= <a@x.test>')
    expect(from(' ')).toBe('From: a@x.test')
  })

  it('have international domains as A-labels and the mailbox name unchanged', () => {
    expect(wireAddress('info@bücher.example')).toBe('info@xn--bcher-kva.example')
    expect(wireAddress('用户@例え.テスト')).toBe('用户@xn--r8jz45g.xn--zckzah')
    expect(wireAddress('Jane.Doe+x@Example.COM')).toBe('Jane.Doe+x@Example.COM')
    expect(wireAddress('a@[192.0.2.1]')).toBe('a@[192.0.2.1]')
    expect(field(compose({ replyTo: 'zoë@bücher.example' }), 'Reply-To')).toBe('Reply-To: zoë@xn--bcher-kva.example')
  })

  it('have a quoted mailbox name if it would otherwise be ambiguous', () => {
    expect(wireAddress('a b,c>@x.test')).toBe('"a b,c>"@x.test')
    expect(wireAddress('"a b"@x.test')).toBe('"a b"@x.test')
    expect(wireAddress('evil@y.test>@x.test')).toBe('"evil@y.test>"@x.test')
  })

  it.each([
    '',
    'a',
    '@x.test',
    'a@',
    'a@x.test/y',
    'a@x y',
    'a@x.test>',
    'a\r\n@x.test',
    'a\u0001@x.test',
    `${'a'.repeat(400)}@x.test`,
  ])("can't be %j", (email) => {
    expect(() => compose({ to: [{ email }] })).toThrow(/email address/)
  })

  it('are folded in long lists', async () => {
    const to = Array.from({ length: 30 }, (_, index) => ({
      name: `Reader No. ${index} ü`,
      email: `reader${index}@example.org`,
    }))
    for (const line of field(compose({ to }), 'To')!.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76)
    expect((await parse({ to })).to).toEqual(to.map(({ name, email }) => ({ name, address: email })))
  })
})

describe('the custom headers of a message', () => {
  it('come last and in order, including List-Unsubscribe', () => {
    const headers = {
      'List-Unsubscribe': `<https://x.test/${'u'.repeat(200)}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'X-A': '',
    }
    const raw = compose({ headers })
    expect(raw).toContain(
      `_a"\r\nList-Unsubscribe: ${headers['List-Unsubscribe']}\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\r\nX-A:\r\n\r\n--`,
    )
  })

  it("can't set headers that we write", () => {
    for (const name of [
      'To',
      'from',
      'CC',
      'Bcc',
      'Sender',
      'Subject',
      'Message-ID',
      'Date',
      'Reply-To',
      'MIME-Version',
      'Content-Type',
      'content-anything',
    ]) {
      expect(isStructuralHeader(name), name).toBe(true)
    }
    for (const name of ['DKIM-Signature', 'Return-Path', 'Received', 'ARC-Seal', 'Authentication-Results'])
      expect(isStructuralHeader(name), name).toBe(true)
    for (const name of ['Resent-From', 'resent-to', 'Resent-Anything', 'Received-SPF', 'DomainKey-Signature'])
      expect(isStructuralHeader(name), name).toBe(true)
    for (const name of [
      'X-SES-Configuration-Set',
      'x-smtpapi',
      'X-Mailgun-Track',
      'X-MC-Subaccount',
      'X-PM-Message-Stream',
      'X-MJ-CustomID',
      'X-Mailjet-Campaign',
      'X-MT-Category',
      'X-Postal-Tag',
      'X-SG-EID',
      'X-MSYS-API',
    ])
      expect(isStructuralHeader(name), name).toBe(true)
    for (const name of [
      'X-SESAME',
      'X-MTA',
      'X-SMTPAPI-Note',
      'X-To',
      'List-Unsubscribe',
      'References',
      'In-Reply-To',
      'Precedence',
      'Arcade',
    ])
      expect(isStructuralHeader(name), name).toBe(false)
    const raw = compose({ headers: { bcc: 'x@x.test', 'Content-Type': 'text/evil', 'X-Fine': 'yes' } })
    expect(raw).not.toMatch(/bcc|evil/i)
    expect(raw).toContain('X-Fine: yes\r\n')
  })

  it('are folded at spaces, and every line is under 998 bytes even without spaces', async () => {
    const words = 'some words of a long value '.repeat(36).trim()
    expect(words.length).toBeGreaterThan(960)
    for (const value of [words, 'x'.repeat(900), 'x'.repeat(997), 'x'.repeat(998), 'ü'.repeat(998)]) {
      const raw = field(compose({ headers: { 'X-Long': value } }), 'X-Long')!
      for (const line of raw.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998)
      if (value === words) for (const line of raw.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76)
      const [parsed] = (await parse({ subject: '', headers: { 'X-Long': value } })).headers.filter(
        ({ key }) => key === 'x-long',
      )
      expect(decodeWords(parsed!.value)).toBe(value)
    }
  })

  it('are unchanged if they are already encoded', () => {
    expect(compose({ headers: { 'X-A': '=?UTF-8?Q?=C3=BC?=' } })).toContain('X-A: =?UTF-8?Q?=C3=BC?=\r\n')
  })
})

describe('header injection', () => {
  const file = {
    filename: 'a.txt',
    content: 'AAAA',
    contentType: 'text/plain',
    contentId: 'c',
    disposition: 'inline',
  } as const
  const attempts: [where: string, changes: (evil: string) => Partial<Message>][] = [
    ['a header value', (evil) => ({ headers: { 'X-A': evil } })],
    ['a header name', (evil) => ({ headers: { [evil]: 'x' } })],
    ['a display name', (evil) => ({ from: { name: evil, email: 'a@x.test' } })],
    ['a recipient', (evil) => ({ to: [{ email: `${evil}@x.test` }] })],
    ['a recipient domain', (evil) => ({ to: [{ email: `a@${evil}` }] })],
    ['Reply-To', (evil) => ({ replyTo: `a@${evil}` })],
    ['a file name', (evil) => ({ attachments: [{ ...file, filename: evil }] })],
    ['a content type', (evil) => ({ attachments: [{ ...file, contentType: `text/plain;a=${evil}` }] })],
    ['a content id', (evil) => ({ attachments: [{ ...file, contentId: evil }] })],
  ]
  it.each(attempts)('is refused through %s', (_, changes) => {
    for (const lineBreak of ['\r\n', '\n', '\r', '\0']) {
      expect(() => compose(changes(`a${lineBreak}X-Evil:1`))).toThrow(Error)
    }
  })

  it('is refused through a name with a colon or a space', () => {
    expect(() => compose({ headers: { 'X-A: b': 'x' } })).toThrow('header name')
    expect(() => compose({ headers: { '': 'x' } })).toThrow('header name')
    expect(() => compose({ headers: { 'X-Ü': 'x' } })).toThrow('header name')
  })
})
