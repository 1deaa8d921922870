/** Parsing replies in chunks of any size, and data that isn't a reply. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createReplyReader, REPLY_BYTES_MAX, type Reply } from './smtp-wire.ts'

function reading() {
  const replies: Reply[] = []
  const garbage: string[] = []
  const reader = createReplyReader(
    (reply) => replies.push(reply),
    (words) => garbage.push(words),
  )
  return { reader, replies, garbage, read: (text: string) => reader.read(Buffer.from(text)) }
}

describe('the SMTP reply reader', () => {
  it.each([
    ['250 ok\r\n', [{ code: 250, text: '250 ok' }]],
    ['250\r\n', [{ code: 250, text: '250' }]],
    ['250 ok\n', [{ code: 250, text: '250 ok' }]],
    ['\r\n250 ok\r\n\r\n', [{ code: 250, text: '250 ok' }]],
    ['250-a\r\n250-b\r\n250 c\r\n', [{ code: 250, text: '250-a\n250-b\n250 c' }]],
    ['250-a\r\n550 c\r\n', [{ code: 550, text: '250-a\n550 c' }]],
    ['250 a\r\n550-b\r\n550 c\r\n354 d\r\n35', [250, 550, 354]],
    ['550 für später\r\n', [{ code: 550, text: '550 für später' }]],
  ])('parses %j into its replies', (text, expected) => {
    const { replies, garbage, read } = reading()
    read(text)
    expect(replies.map((reply, i) => (typeof expected[i] === 'number' ? reply.code : reply))).toEqual(expected)
    expect(garbage).toEqual([])
  })

  it('gives the same result for any chunks', () => {
    const bytes = Buffer.from('250-grüße\r\n250 ok\r\n\r\n550 5.1.1 nö\r\n354 go\r\n')
    const whole = reading()
    whole.reader.read(bytes)
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 12 }), (cuts) => {
        const { reader, replies } = reading()
        const at = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        for (let i = 1; i < at.length; i++) reader.read(bytes.subarray(at[i - 1], at[i]))
        expect(replies).toEqual(whole.replies)
      }),
    )
  })

  it('decodes text in an old encoding as Latin-1', () => {
    const { reader, replies } = reading()
    reader.read(Buffer.from('550 f\xfcr\r\n', 'latin1'))
    expect(replies).toEqual([{ code: 550, text: '550 für' }])
  })

  it.each([
    ['hello\r\n'],
    ['25 ok\r\n'],
    ['2500 ok\r\n'],
    ['999 ok\r\n'],
    ['100 ok\r\n'],
    ['HTTP/1.1 400 Bad Request\r\n'],
  ])('reports %j as invalid once, and reads no further', (text) => {
    const { replies, garbage, read } = reading()
    read(`250 fine\r\n${text}250 ok\r\n`)
    read('250 ok\r\n')
    expect(replies).toHaveLength(1)
    expect(garbage).toEqual([text.trim()])
  })

  it.each([
    ['a line', 'x'],
    ['lines', '250-x\r\n'],
    ['long lines', `250-${'x'.repeat(990)}\r\n`],
  ])('gives up on a reply of %s without an end', (_what, piece) => {
    const { replies, garbage, read } = reading()
    for (let bytes = 0; bytes <= 2 * REPLY_BYTES_MAX; bytes += piece.length) read(piece)
    expect(replies).toEqual([])
    expect(garbage).toEqual(['a response without an end'])
  })

  it('accepts a refusal without a line break when the connection ends, and nothing else', () => {
    for (const [text, codes] of [
      ['421 too busy', [421]],
      ['554-no\r\n554 mail', [554]],
      ['250 ok', []],
      ['55', []],
    ] as const) {
      const { reader, replies, read } = reading()
      read(text)
      reader.finish()
      reader.finish()
      expect(replies.map(({ code }) => code)).toEqual(codes)
    }
  })

  it('discards an incomplete line on request', () => {
    const { reader, replies, read } = reading()
    read('250-AUTH PL')
    reader.forget()
    read('250 ok\r\n')
    expect(replies).toEqual([{ code: 250, text: '250 ok' }])
  })
})
