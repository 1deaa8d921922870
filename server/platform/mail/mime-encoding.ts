/** How headers and bodies of messages are encoded as short lines of ASCII. */
import { domainToASCII } from 'node:url'

// Header fields: folded at 76 columns, non-ASCII text as encoded words (RFC 2047). No value can add a field of its own,
// because `refuseLineBreaks` refuses line breaks.

const FOLD_AT = 76
const LINE_LIMIT = 998
const WORD_MAX = 75
const WORD_FRAME = '=?UTF-8?Q??='.length
/** Room for one character of four bytes, each `=XX`, in its frame. */
const WORD_MIN = WORD_FRAME + 12

const HEADER_NAME = /^[!-9;-~]{1,200}$/

/** Printable ASCII without a colon, as RFC 5322 asks. */
export const isHeaderName = (name: string): boolean => HEADER_NAME.test(name)

export const isPrintableAscii = (text: string): boolean => /^[ -~]*$/.test(text)

function hasLineBreak(text: string): boolean {
  return text.includes('\r') || text.includes('\n') || text.includes('\0')
}

export function refuseLineBreaks(text: string, what: string): void {
  if (hasLineBreak(text)) throw new Error(`${what} must not contain line breaks or NUL characters.`)
}

/** One field from pieces that each begin with the space a line may be folded at. */
function foldHeader(name: string, pieces: string[]): string {
  let folded = ''
  let line = `${name}:`
  pieces.forEach((piece, index) => {
    // The first piece stays beside the name while a line can hold it: a name alone on its line confuses some servers.
    if (line.length + piece.length > (index === 0 ? LINE_LIMIT : FOLD_AT)) {
      folded += `${line}\r\n`
      line = piece
    } else {
      line += piece
    }
  })
  return `${folded}${line}\r\n`
}

/**
 * A field of free text. `asWritten`: ASCII that happens to look like an encoded word stays as it is, for fields whose
 * author may have encoded them already; in a subject it is text and is protected by encoding it.
 */
export function textHeader(name: string, value: string, options: { asWritten?: boolean } = {}): string {
  const text = value.trim()
  if (isPrintableAscii(text) && (options.asWritten || !text.includes('=?'))) {
    const pieces = text === '' ? [] : ` ${text}`.match(/ *[^ ]+/g)!
    if (pieces.every((piece) => piece.length <= LINE_LIMIT)) return foldHeader(name, pieces)
  }
  return foldHeader(
    name,
    encodedWords(text, FOLD_AT - name.length - 2).map((word) => ` ${word}`),
  )
}

/** Bytes that need no escape in a Q word, wherever the word stands (RFC 2047 5.3, the strictest place). */
const isPlainInWord = new Uint8Array(128)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/ ', 'latin1')) {
  isPlainInWord[byte] = 1
}

/** The text as encoded words of at most 75 characters (the first one of `firstMax`), each made of whole characters. */
function encodedWords(text: string, firstMax = WORD_MAX): string[] {
  const bytes = Buffer.from(text, 'utf8')
  let plain = 0
  for (const byte of bytes) plain += isPlainInWord[byte] ?? 0
  const asQ = plain + (bytes.length - plain) * 3 <= Math.ceil(bytes.length / 3) * 4

  const words: string[] = []
  let room = Math.min(Math.max(firstMax, WORD_MIN), WORD_MAX) - WORD_FRAME
  for (let start = 0; start < bytes.length; room = WORD_MAX - WORD_FRAME) {
    const end = asQ ? endOfQWord(bytes, start, room) : endOfBWord(bytes, start, room)
    const content = asQ ? qEncode(bytes, start, end) : bytes.toString('base64', start, end)
    words.push(`=?UTF-8?${asQ ? 'Q' : 'B'}?${content}?=`)
    start = end
  }
  return words
}

const characterSize = (firstByte: number): number =>
  firstByte < 0x80 ? 1 : firstByte < 0xe0 ? 2 : firstByte < 0xf0 ? 3 : 4

function endOfQWord(bytes: Buffer, start: number, room: number): number {
  let end = start
  let used = 0
  while (end < bytes.length) {
    const size = characterSize(bytes[end]!)
    used += isPlainInWord[bytes[end]!] === 1 ? 1 : size * 3
    if (used > room) break
    end += size
  }
  return end
}

function endOfBWord(bytes: Buffer, start: number, room: number): number {
  const furthest = start + Math.floor(room / 4) * 3
  if (furthest >= bytes.length) return bytes.length
  let end = furthest
  while ((bytes[end]! & 0xc0) === 0x80) end--
  return end
}

function qEncode(bytes: Buffer, start: number, end: number): string {
  let content = ''
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!
    if (byte === 0x20) content += '_'
    else if (isPlainInWord[byte] === 1) content += String.fromCharCode(byte)
    else content += `=${byte < 16 ? '0' : ''}${byte.toString(16).toUpperCase()}`
  }
  return content
}

export interface Address {
  name?: string
  email: string
}

/** RFC 5321: 64 for the local part, 255 for the domain, and the sign between. */
const ADDRESS_BYTES_MAX = 320

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u00a1-\\u2027\\u202a-\\ufefe\\uff00-\\uffff-]+"
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`)
const QUOTED_STRING = /^"(?:[^"\\]|\\.)*"$/
const ASCII_DOMAIN = /^[A-Za-z0-9._-]+$/
const DOMAIN_LITERAL = /^\[[A-Za-z0-9.:-]+\]$/
/** The URL parser behind domainToASCII would cut the domain at these instead of refusing it. */
const NOT_IN_DOMAIN = /[\s/\\?#%@:<>()[\],;"]/

/**
 * The address as it goes over the wire, in headers and in the envelope alike. International domains are written as
 * A-labels, so that every server can route them; a local part beyond ASCII stays as it is and needs SMTPUTF8.
 */
export function wireAddress(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = at > 0 ? wireDomain(email.slice(at + 1)) : ''
  if (domain === '' || /\p{Cc}/u.test(email)) throw new Error(`Invalid email address: ${JSON.stringify(email)}`)
  const local = email.slice(0, at)
  const isReady = DOT_ATOM.test(local) || QUOTED_STRING.test(local)
  const address = `${isReady ? local : quote(local)}@${domain}`
  if (Buffer.byteLength(address) > ADDRESS_BYTES_MAX) throw new Error(`The email address is too long: ${address}`)
  return address
}

function wireDomain(domain: string): string {
  if (ASCII_DOMAIN.test(domain) || DOMAIN_LITERAL.test(domain)) return domain
  if (NOT_IN_DOMAIN.test(domain)) return ''
  const ascii = domainToASCII(domain)
  return ASCII_DOMAIN.test(ascii) ? ascii : ''
}

const quote = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`

export function addressHeader(header: string, addresses: Address[]): string {
  const pieces: string[] = []
  addresses.forEach(({ name, email }, index) => {
    const comma = index < addresses.length - 1 ? ',' : ''
    const words = displayName(name ?? '')
    for (const word of words) pieces.push(` ${word}`)
    const address = wireAddress(email)
    pieces.push(words.length > 0 ? ` <${address}>${comma}` : ` ${address}${comma}`)
  })
  return foldHeader(header, pieces)
}

/** Plain words; in quotes where they hold anything special; encoded where they hold more than ASCII or get long. */
function displayName(given: string): string[] {
  refuseLineBreaks(given, 'A display name')
  const name = given.trim()
  if (name === '') return []
  if (!isPrintableAscii(name) || name.includes('=?') || name.length > 60) return encodedWords(name, 60)
  const isPlain = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+$/.test(name) && !name.includes('  ')
  return [isPlain ? name : quote(name)]
}

// Transfer encodings: how text and files travel through servers that only promise to carry short lines of ASCII.
// What they take is in proportion to what they encode, and the encoded forms can never contain a boundary (see `mime.ts`).

const CRLF = '\r\n'
const CR = 0x0d
const LF = 0x0a
const EQUALS = 0x3d
const LINE_MAX = 76

interface EncodedText {
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
