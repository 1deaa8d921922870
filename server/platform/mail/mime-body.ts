/**
 * Transfer encodings: how text and files travel through servers that only promise to carry short lines of ASCII.
 * What they take is in proportion to what they encode, and the encoded forms can never contain a boundary (see `mime.ts`).
 */

const CRLF = '\r\n'
const CR = 0x0d
const LF = 0x0a
const EQUALS = 0x3d
const LINE_MAX = 76

export interface EncodedText {
  encoding: '7bit' | 'quoted-printable' | 'base64'
  /** Nothing but ASCII. */
  content: string
}

const normaliseLineEnds = (text: string): string =>
  text.includes('\r') ? text.replace(/\r\n?|\n/g, CRLF) : text.replace(/\n/g, CRLF)

/**
 * 7bit for text that is short-lined printable ASCII already, base64 where quoted-printable would be much larger
 * (Cyrillic, Chinese …), quoted-printable otherwise.
 */
export function encodeText(text: string, boundaryMark: string): EncodedText {
  const lines = normaliseLineEnds(text)
  const bare = PRINTABLE.test(lines)
  if (bare && everyLine(lines, isSafeLine) && !lines.includes(boundaryMark)) return { encoding: '7bit', content: lines }
  const bytes = bare ? lines.length : Buffer.byteLength(lines, 'utf8')
  // A character beyond ASCII takes one byte more than it has code units, or two: this much says a third is to escape.
  if ((bytes - lines.length) * 5 > bytes) {
    return { encoding: 'base64', content: wrapBase64(Buffer.from(lines, 'utf8')).toString('latin1') }
  }
  const marked = lines.replace(/=/g, '=3D')
  return { encoding: 'quoted-printable', content: quotedPrintable(bare ? marked : escapeUnprintable(marked)) }
}

/** What a message/* attachment may be sent as, for those must not be encoded (RFC 2046 5.2.1); nothing if it doesn't fit. */
export function asSevenBit(content: Buffer, boundaryMark: string): Buffer | undefined {
  const text = normaliseLineEnds(content.toString('latin1'))
  const fits = PRINTABLE.test(text) && !text.includes(boundaryMark) && everyLine(text, (line) => line.length <= 998)
  return fits ? Buffer.from(text, 'latin1') : undefined
}

const PRINTABLE = /^[\t\r\n -~]*$/
const UNPRINTABLE = /[^\t\r\n -~]+/g

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

/** The rest of quoted-printable, once every byte that must not travel bare is `=XX`: lines short enough and safe. */
function quotedPrintable(escaped: string): string {
  let out = ''
  for (let start = 0; ; ) {
    const end = escaped.indexOf(CRLF, start)
    if (end === -1) return out + shortLines(escaped.slice(start))
    out += shortLines(escaped.slice(start, end)) + CRLF
    start = end + CRLF.length
  }
}

/** A line as one or more of at most 76 characters; those that go on end with `=`. Goes through it once: it may be all there is. */
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

/** Where to cut so that neither an `=XX` is torn apart nor the bytes of a character: all but its first are 80 to BF. */
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
