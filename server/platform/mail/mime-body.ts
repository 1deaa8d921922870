/**
 * Transfer encodings for servers that only support short lines of ASCII. They take linear time, and the encoded forms
 * can't contain a boundary (see `mime.ts`).
 */

const CRLF = '\r\n'
const CR = 0x0d
const LF = 0x0a
const EQUALS = 0x3d
const LINE_MAX = 76

export interface EncodedText {
  encoding: '7bit' | 'quoted-printable' | 'base64'
  /** ASCII only. */
  content: string
}

const normaliseLineEnds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r\n?|\n/g, CRLF) : text.replace(/\n/g, CRLF)

/**
 * 7bit for printable ASCII with short lines, base64 if quoted-printable would be much larger (Cyrillic, Chinese …),
 * quoted-printable otherwise.
 */
export function encodeText(text: string, boundaryMark: string): EncodedText {
  const lines = normaliseLineEnds(text)
  const bare = PRINTABLE.test(lines)
  if (bare && everyLine(lines, isSafeLine) && !lines.includes(boundaryMark)) return { encoding: '7bit', content: lines }
  const bytes = bare ? lines.length : Buffer.byteLength(lines, 'utf8')
  // A non-ASCII character has one or two more bytes than code units: this many means that a third must be escaped.
  if ((bytes - lines.length) * 5 > bytes) {
    return { encoding: 'base64', content: wrapBase64(Buffer.from(lines, 'utf8')).toString('latin1') }
  }
  const marked = lines.replace(/=/g, '=3D')
  return { encoding: 'quoted-printable', content: quotedPrintable(bare ? marked : escapeUnprintable(marked)) }
}

/**
 * How a message/* attachment can be sent, because it must not be encoded (RFC 2046 5.2.1); undefined if that is
 * impossible.
 */
export function asSevenBit(content: Buffer, boundaryMark: string): Buffer | undefined {
  const text = normaliseLineEnds(content.toString('latin1'))
  const fits = PRINTABLE.test(text) && !text.includes(boundaryMark) && everyLine(text, (line) => line.length <= 998)
  return fits ? Buffer.from(text, 'latin1') : undefined
}

const PRINTABLE = /^[\t\r\n -~]*$/
const UNPRINTABLE = /[^\t\r\n -~]+/g

/** Servers may remove trailing blanks, and those that store mail in one file write ">From " for "From ". */
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

const ESCAPES = Array.from({ length: 256 }, (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)

/** Each byte that is not printable becomes `=XX`. */
function escapeUnprintable(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1') // a character for each byte
  return bytes.replace(UNPRINTABLE, (run) => {
    let escaped = ''
    for (let i = 0; i < run.length; i++) escaped += ESCAPES[run.charCodeAt(i)]!
    return escaped
  })
}

/** The rest of quoted-printable, after every byte that needs it is `=XX`: short and safe lines. */
function quotedPrintable(escaped: string): string {
  let out = ''
  for (let start = 0; ; ) {
    const end = escaped.indexOf(CRLF, start)
    if (end === -1) return out + shortLines(escaped.slice(start))
    out += shortLines(escaped.slice(start, end)) + CRLF
    start = end + CRLF.length
  }
}

/**
 * Splits a line into lines of at most 76 characters; all but the last end with `=`. Linear, because one line can be the
 * whole body.
 */
function shortLines(line: string): string {
  const whole = withSafeEnd(line)
  let out = ''
  let start = 0
  for (;;) {
    const isFrom = whole.startsWith('From ', start)
    const room = LINE_MAX - (isFrom ? 2 : 0)
    const isLast = whole.length - start <= room
    const end = isLast ? whole.length : wholeCharacters(whole, start + room - 1)
    out += isFrom ? `=46${whole.slice(start + 1, end)}` : whole.slice(start, end)
    if (isLast) return out
    out += `=${CRLF}`
    start = end
  }
}

function withSafeEnd(line: string): string {
  if (line.endsWith(' ')) return `${line.slice(0, -1)}=20`
  return line.endsWith('\t') ? `${line.slice(0, -1)}=09` : line
}

/**
 * Where to split so that neither an `=XX` nor the bytes of a character are separated: continuation bytes are 80 to BF.
 */
function wholeCharacters(line: string, most: number): number {
  let end = most
  if (line[end - 1] === '=') end -= 1
  else if (line[end - 2] === '=') end -= 2
  while (line[end] === '=' && '89AB'.includes(line[end + 1]!)) end -= 3
  return end
}

const isBase64 = new Uint8Array(256)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 'latin1')) {
  isBase64[byte] = 1
}

/** Base64 in lines of 76. A base64 string is only wrapped, and re-encoded only if it isn't clean. */
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
