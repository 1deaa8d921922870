/**
 * Dots and line breaks, with a receiver that follows the standard strictly and one that is as lenient as older servers.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wireForm } from './smtp-connection.ts'

const wire = (raw: string): string => Buffer.concat(wireForm(Buffer.from(raw, 'latin1'))).toString('latin1')

/** How a server reads a message by RFC 5321: everything up to the first line with a single dot, and what follows it. */
function received(text: string): { message: string; after: string } {
  const lines: string[] = []
  let rest = text
  for (;;) {
    const end = rest.indexOf('\r\n')
    if (end < 0) throw new Error(`no end in ${JSON.stringify(text)}`)
    const line = rest.slice(0, end)
    rest = rest.slice(end + 2)
    if (line === '.') return { message: lines.map((one) => `${one}\r\n`).join(''), after: rest }
    lines.push(line.startsWith('.') ? line.slice(1) : line)
  }
}

const normalised = (raw: string): string => {
  const text = raw.replace(/\r\n|\r|\n/g, '\r\n')
  return text === '' || text.endsWith('\r\n') ? text : `${text}\r\n`
}

/** Made of the relevant bytes, in all orders. */
const anyRaw = fc
  .array(fc.constantFrom('\r', '\n', '\r\n', '.', '..', 'a', 'Subject: x', '\0', '\xff', 'DATA'), { maxLength: 40 })
  .map((pieces) => pieces.join(''))

describe('an SMTP message', () => {
  it.each([
    ['', '.\r\n'],
    ['a', 'a\r\n.\r\n'],
    ['a\r\n', 'a\r\n.\r\n'],
    ['.', '..\r\n.\r\n'],
    ['.\r\n', '..\r\n.\r\n'],
    ['a\r\n.\r\nb\r\n', 'a\r\n..\r\nb\r\n.\r\n'],
    ['a\r\n..b\r\n', 'a\r\n...b\r\n.\r\n'],
    ['a\r\nb.c\r\n', 'a\r\nb.c\r\n.\r\n'],
    ['a\n.\nQUIT\n', 'a\r\n..\r\nQUIT\r\n.\r\n'],
    ['a\r.\rb', 'a\r\n..\r\nb\r\n.\r\n'],
    ['a\r', 'a\r\n.\r\n'],
    ['a\n\r\nb', 'a\r\n\r\nb\r\n.\r\n'],
    ['a\r\r\nb', 'a\r\n\r\nb\r\n.\r\n'],
    ['\n.\r\n', '\r\n..\r\n.\r\n'],
  ])('%j is written as %j', (raw, expected) => {
    expect(wire(raw)).toBe(expected)
  })

  it('is received as it was sent, with CRLF for every line break, and nothing is left over', () => {
    fc.assert(
      fc.property(anyRaw, (raw) => {
        expect(received(wire(raw))).toEqual({ message: normalised(raw), after: '' })
      }),
      { numRuns: 2_000 },
    )
  })

  it('ends only at its end, even for a server that accepts a bare LF or CR as a line break', () => {
    fc.assert(
      fc.property(anyRaw, (raw) => {
        const [, ...afterDots] = `\r\n${wire(raw)}`.split(/(?:\r\n|\r|\n)\.(?:\r\n|\r|\n)/)
        expect(afterDots).toEqual([''])
      }),
      { numRuns: 2_000 },
    )
  })

  it('is not copied if nothing has to be changed', () => {
    const raw = Buffer.from('Subject: x\r\n\r\nHello.\r\n')
    expect(wireForm(raw)[0]).toBe(raw)
  })

  it('is written quickly even if it has many megabytes of bare line breaks', () => {
    const raw = Buffer.alloc(4_000_000, '.\n')
    const startedAt = performance.now()
    expect(wireForm(raw)[0]!.length).toBe(8_000_000)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
  })
})
