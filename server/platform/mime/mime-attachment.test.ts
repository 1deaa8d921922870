import PostalMime from 'postal-mime'
import { describe, expect, it } from 'vitest'
import { composeMessage } from './mime.ts'
import { type Attachment, attachmentPart, isContentType } from './mime-attachment.ts'
import { encodeText, wrapBase64 } from './mime-encoding.ts'

const MARK = '=_mark'
const FILE: Attachment = {
  filename: 'a.pdf',
  content: 'AAAA',
  contentType: 'application/pdf',
  disposition: 'attachment',
}

const partOf = (changes: Partial<Attachment>) => attachmentPart({ ...FILE, ...changes }, MARK)

async function parseFile(changes: Partial<Attachment>) {
  const parsed = await PostalMime.parse(
    composeMessage({
      messageId: '<a@x.test>',
      date: new Date(0),
      from: { email: 'a@x.test' },
      to: [{ email: 'b@x.test' }],
      subject: 's',
      html: 'h',
      attachments: [{ ...FILE, ...changes }],
    }),
    { forceRfc822Attachments: true },
  )
  return parsed.attachments[0]!
}

describe('an attachment', () => {
  it('has its ASCII name unchanged', () => {
    expect(partOf({}).headers).toBe(
      'Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n' +
        'Content-Disposition: attachment; filename="a.pdf"\r\n',
    )
    expect(partOf({ filename: 'a"b\\c.pdf' }).headers).toContain('filename="a\\"b\\\\c.pdf"')
  })

  it('has a non-ASCII name twice, for old clients and for all others', () => {
    expect(partOf({ filename: 'résumé.pdf' }).headers).toContain(
      'attachment;\r\n filename="resume.pdf";\r\n filename*=utf-8\'\'r%C3%A9sum%C3%A9.pdf\r\n',
    )
    expect(partOf({ filename: '見積.pdf' }).headers).toContain('filename="__.pdf"')
  })

  it('splits a long name into sections that fit their lines', async () => {
    const filename = `${'Übersicht der Aufträge '.repeat(20)}.xlsx`
    for (const line of partOf({ filename }).headers.split('\r\n')) expect(line.length).toBeLessThanOrEqual(76)
    expect(partOf({ filename }).headers).toMatch(/filename="[ -~]{1,60}\.xlsx"/)
    expect((await parseFile({ filename })).filename).toBe(filename)
    const longAscii = `${'x'.repeat(2000)}.txt`
    expect((await parseFile({ filename: longAscii })).filename).toBe(longAscii)
  })

  it('has the ID that the HTML refers to', () => {
    const headers = (contentId: string) => partOf({ contentId, disposition: 'inline' }).headers
    expect(headers('logo@shop')).toContain(
      'Content-Disposition: inline; filename="a.pdf"\r\nContent-ID: <logo@shop>\r\n',
    )
    expect(headers('<logo>')).toContain('Content-ID: <logo>\r\n')
    expect(headers('große bild')).toContain('Content-ID: <gro%C3%9Fe%20bild>\r\n')
  })

  it('keeps the parameters of its type and refuses an invalid type', () => {
    expect(partOf({ contentType: 'text/csv; charset="iso-8859-1"; header=present' }).headers).toContain(
      'Content-Type: text/csv; charset="iso-8859-1"; header=present\r\n',
    )
    for (const bad of [
      '',
      'text',
      'text/',
      '/plain',
      'text/plain; charset',
      'text /plain',
      'text/plain\r\nX: y',
      'té/xt',
      'a/b; c="d"e',
    ]) {
      expect(isContentType(bad), bad).toBe(false)
      expect(() => partOf({ contentType: bad })).toThrow('content type')
    }
  })

  it('is sent unencoded if it is a message and that is possible, otherwise as an opaque file', async () => {
    const mail = 'Subject: a\n\nhello\n'
    const bare = partOf({ contentType: 'message/rfc822', content: Buffer.from(mail) })
    expect(bare.headers).toContain('Content-Type: message/rfc822\r\nContent-Transfer-Encoding: 7bit\r\n')
    expect(bare.body[0]!.toString()).toBe('Subject: a\r\n\r\nhello\r\n')
    for (const content of [`${mail}ü`, `${mail}${'x'.repeat(999)}`, `${mail}--${MARK}`, `${mail}\0`]) {
      const opaque = partOf({ contentType: 'message/rfc822', content: Buffer.from(content) })
      expect(opaque.headers).toContain(
        'Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n',
      )
    }
    expect(partOf({ contentType: 'multipart/mixed; boundary=x' }).headers).toContain('application/octet-stream')
    expect((await parseFile({ contentType: 'message/rfc822', content: Buffer.from(mail) })).mimeType).toBe(
      'message/rfc822',
    )
  })
})

describe('base64 in a message', () => {
  it('is wrapped at 76 characters and otherwise unchanged', () => {
    const bytes = Buffer.from(Array.from({ length: 200 }, (_, index) => index))
    const lines = wrapBase64(bytes.toString('base64')).toString().split('\r\n')
    expect(lines.map((line) => line.length)).toEqual([76, 76, 76, 40])
    expect(lines.join('')).toBe(bytes.toString('base64'))
    expect(wrapBase64(bytes)).toEqual(wrapBase64(bytes.toString('base64')))
    expect(wrapBase64('QR==').toString()).toBe('QR==')
    expect(wrapBase64('').toString()).toBe('')
  })

  it('is re-encoded if it was wrapped, unpadded or URL-safe', () => {
    const bytes = Buffer.from([0xfb, 0xff, 0xfe, 0x01])
    for (const given of ['+//+AQ', '-__-AQ', '+/\r\n/+AQ==\n', ' +//+AQ==']) {
      expect(wrapBase64(given).toString(), given).toBe(bytes.toString('base64'))
    }
  })
})

describe('text in a message', () => {
  const encode = (text: string) => {
    const { encoding, content } = encodeText(text, MARK)
    return `${encoding}: ${content}`
  }

  it('is sent unencoded, with CRLF, if it is ASCII with short lines', () => {
    expect(encode('a=b\nc\rd\r\n\te')).toBe('7bit: a=b\r\nc\r\nd\r\n\te')
    expect(encode('x'.repeat(76))).toBe(`7bit: ${'x'.repeat(76)}`)
    expect(encode('')).toBe('7bit: ')
  })

  it('is quoted-printable if servers might change or refuse it', () => {
    expect(encode('From me\nand From you\nFrom')).toBe('quoted-printable: =46rom me\r\nand From you\r\nFrom')
    expect(encode('a \nb\t\r\nc ')).toBe('quoted-printable: a=20\r\nb=09\r\nc=20')
    expect(encode('a\0b=\u007f')).toBe('quoted-printable: a=00b=3D=7F')
    expect(encode(`a ${MARK}`)).toBe('quoted-printable: a =3D_mark')
    expect(encode('x'.repeat(80))).toBe(`quoted-printable: ${'x'.repeat(75)}=\r\nxxxxx`)
    expect(encode(`${'x'.repeat(75)}From here`)).toBe(`quoted-printable: ${'x'.repeat(75)}=\r\n=46rom here`)
  })

  it('never splits a character at a soft line break', () => {
    expect(encode(`${'x'.repeat(69)}é${'x'.repeat(4)}`)).toContain('=C3=A9=\r\nxxxx')
    expect(encode(`${'x'.repeat(70)}é${'x'.repeat(4)}`)).toContain('x=\r\n=C3=A9xxxx')
    expect(encode(`${'x'.repeat(65)}😀`)).toContain('x=\r\n=F0=9F=98=80')
  })

  it('takes linear time, wherever its lines are split', () => {
    const text = `From ${'x'.repeat(68)}`.repeat(30_000) // cut so that every line begins with "From "
    const lines = encode(text).split('\r\n')
    expect(lines).toHaveLength(30_000)
    expect(lines.slice(1, -1).every((line) => line === `=46rom ${'x'.repeat(68)}=`)).toBe(true)
  })

  it('is base64 if most of it would have to be escaped', () => {
    expect(encode('Привет\nмир')).toBe(`base64: ${Buffer.from('Привет\r\nмир').toString('base64')}`)
    expect(encode('漢字'.repeat(100))).toMatch(/^base64: /)
    expect(encode(`${'Grüße aus Köln. '.repeat(10)}`.trim())).toMatch(/^quoted-printable: /)
  })

  it('has lone surrogates replaced', () => {
    expect(encode('plain words around a \ud800 half')).toBe('quoted-printable: plain words around a =EF=BF=BD half')
  })
})
