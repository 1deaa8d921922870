/**
 * Transfer encodings: how text and files travel through servers that only promise to carry short lines of ASCII.
 * Everything works on bytes in one pass, and the encoded forms can never contain a boundary (see `mime.ts`).
 */

const CRLF = '\r\n'
const CR = 0x0d
const LF = 0x0a
const EQUALS = 0x3d
const LINE_MAX = 76

export interface EncodedBody {
  encoding: '7bit' | 'quoted-printable' | 'base64'
  bytes: Buffer
}

const normaliseLineEnds = (text: string): string => text.replace(/\r\n?|\n/g, CRLF)

/**
 * 7bit for text that is short-lined printable ASCII already, base64 where quoted-printable would be much larger
 * (Cyrillic, Chinese …), quoted-printable otherwise.
 */
export function encodeText(text: string, boundaryMark: string): EncodedBody {
  const bare = PRINTABLE.test(text) ? normaliseLineEnds(text) : undefined
  if (bare !== undefined && everyLine(bare, isSafeLine) && !bare.includes(boundaryMark)) {
    return { encoding: '7bit', bytes: Buffer.from(bare, 'latin1') }
  }
  const bytes = Buffer.from(text, 'utf8')
  // A character beyond ASCII takes one byte more than it has code units, or two: this much says a third is to escape.
  if ((bytes.length - text.length) * 5 > bytes.length) {
    return { encoding: 'base64', bytes: wrapBase64(Buffer.from(normaliseLineEnds(text), 'utf8')) }
  }
  return { encoding: 'quoted-printable', bytes: quotedPrintable(bytes) }
}

/** What a message/* attachment may be sent as, for those must not be encoded (RFC 2046 5.2.1); nothing if it doesn't fit. */
export function asSevenBit(content: Buffer, boundaryMark: string): Buffer | undefined {
  const text = normaliseLineEnds(content.toString('latin1'))
  const fits = PRINTABLE.test(text) && !text.includes(boundaryMark) && everyLine(text, (line) => line.length <= 998)
  return fits ? Buffer.from(text, 'latin1') : undefined
}

const PRINTABLE = /^[\t\r\n -~]*$/

/** Servers may cut blanks from a line's end, and those that keep mail in one file write ">From " for "From ". */
const isSafeLine = (line: string): boolean =>
  line.length <= LINE_MAX && !line.endsWith(' ') && !line.endsWith('\t') && !line.startsWith('From ')

function everyLine(text: string, holds: (line: string) => boolean): boolean {
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf(CRLF, start)
    const end = found === -1 ? text.length : found
    if (!holds(text.slice(start, end))) return false
    start = end + CRLF.length
  }
  return true
}

const LITERAL = 0
const ESCAPED = 1
const BLANK = 2
const LINE_END = 3

const kindOf = new Uint8Array(256).fill(ESCAPED)
kindOf.fill(LITERAL, 0x21, 0x7f)
kindOf[EQUALS] = ESCAPED
kindOf[0x20] = BLANK
kindOf[0x09] = BLANK
kindOf[CR] = LINE_END
kindOf[LF] = LINE_END

const HEX = Buffer.from('0123456789ABCDEF', 'latin1')

function quotedPrintable(bytes: Buffer): Buffer {
  // At most 3 bytes for each, and a soft break of 3 after 64 or more of those.
  const out = Buffer.allocUnsafe(bytes.length * 3 + Math.ceil((bytes.length * 3) / 64) * 3)
  let length = 0
  let column = 0

  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    const kind = kindOf[byte]!
    const plain = kind === LITERAL || (kind === BLANK && !endsLine(bytes, i))
    if (plain && column > 0 && column < LINE_MAX - 1) {
      out[length++] = byte // nearly every byte goes this way
      column++
      continue
    }
    if (kind === LINE_END) {
      if (byte === CR && bytes[i + 1] === LF) i++
      out[length++] = CR
      out[length++] = LF
      column = 0
      continue
    }
    // The first byte of a character asks for the room of all of it: a soft break never splits a character.
    const room = plain ? 1 : byte < 0xc0 ? 3 : byte < 0xe0 ? 6 : byte < 0xf0 ? 9 : 12
    if (column + room >= LINE_MAX && (byte & 0xc0) !== 0x80) {
      out[length++] = EQUALS
      out[length++] = CR
      out[length++] = LF
      column = 0
    }
    if (plain && !(column === 0 && startsFromLine(bytes, i))) {
      out[length++] = byte
      column++
    } else {
      out[length++] = EQUALS
      out[length++] = HEX[byte >> 4]!
      out[length++] = HEX[byte & 15]!
      column += 3
    }
  }
  return out.subarray(0, length)
}

function endsLine(bytes: Buffer, at: number): boolean {
  const next = bytes[at + 1]
  return next === undefined || next === CR || next === LF
}

function startsFromLine(bytes: Buffer, at: number): boolean {
  return bytes[at] === 0x46 && bytes.toString('latin1', at, at + 5) === 'From '
}

const isBase64 = new Uint8Array(256)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 'latin1')) {
  isBase64[byte] = 1
}

/** Base64 in lines of 76. A string is base64 already: it is only wrapped, and re-encoded just if it isn't clean. */
export function wrapBase64(content: Buffer | string): Buffer {
  if (typeof content === 'string') {
    const given = Buffer.from(content, 'utf8')
    return isCleanBase64(given) ? wrapLines(given) : wrapBase64(Buffer.from(content, 'base64'))
  }
  return wrapLines(Buffer.from(content.toString('base64'), 'latin1'))
}

function isCleanBase64(given: Buffer): boolean {
  if (given.length % 4 !== 0) return false
  let end = given.length
  while (end > 0 && end > given.length - 2 && given[end - 1] === EQUALS) end--
  for (let i = 0; i < end; i++) if (isBase64[given[i]!] === 0) return false
  return true
}

function wrapLines(encoded: Buffer): Buffer {
  const lineEnds = Math.max(Math.ceil(encoded.length / LINE_MAX) - 1, 0)
  const out = Buffer.allocUnsafe(encoded.length + lineEnds * 2)
  let length = 0
  for (let start = 0; start < encoded.length; start += LINE_MAX) {
    if (start > 0) {
      out[length++] = CR
      out[length++] = LF
    }
    length += encoded.copy(out, length, start, start + LINE_MAX)
  }
  return out
}
