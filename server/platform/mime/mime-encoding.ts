/** How headers and bodies of messages are encoded as short lines of ASCII. */
import { domainToASCII } from 'node:url'

// Header fields: folded at 76 columns, non-ASCII text as encoded words (RFC 2047). No value can add a field of its own,
// because `refuseLineBreaks` refuses line breaks.

const FOLD_AT = 76
const LINE_LIMIT = 998
const WORD_MAX = 75
const WORD_FRAME = '=?UTF-8?Q??='.length
/** Space for one character of four bytes, each `=XX`, in its frame. */
const WORD_MIN = WORD_FRAME + 12

const HEADER_NAME = /^[!-9;-~]{1,200}$/

/** Printable ASCII without a colon, as RFC 5322 requires. */
export const isHeaderName = (name: string): boolean => HEADER_NAME.test(name)

export const isPrintableAscii = (text: string): boolean => /^[ -~]*$/.test(text)

function hasLineBreak(text: string): boolean {
  return text.includes('\r') || text.includes('\n') || text.includes('\0')
}

export function refuseLineBreaks(text: string, what: string): void {
  if (hasLineBreak(text)) throw new Error(`${what} must not contain line breaks or NUL characters.`)
}

/** A field from parts that each start with the space at which a line can be folded. */
function foldHeader(name: string, pieces: string[]): string {
  let folded = ''
  let line = `${name}:`
  pieces.forEach((piece, index) => {
    // The first part stays on the line of the name if it fits, because a name alone on its line confuses some servers.
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
 * A field of free text. `asWritten`: ASCII that looks like an encoded word is kept, for fields that may already be
 * encoded; in a subject it is text and is protected by encoding it.
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

/** Bytes that need no escape in a Q word, wherever the word is (RFC 2047 5.3, the strictest rule). */
const isPlainInWord = new Uint8Array(128)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789!*+-/ ', 'latin1')) {
  isPlainInWord[byte] = 1
}

/** The text as encoded words of at most 75 characters (the first one of `firstMax`), each of whole characters. */
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

/** RFC 5321: 64 for the local part, 255 for the domain, and the @. */
const ADDRESS_BYTES_MAX = 320

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u00a1-\\u2027\\u202a-\\ufefe\\uff00-\\uffff-]+"
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`)
const QUOTED_STRING = /^"(?:[^"\\]|\\.)*"$/
const ASCII_DOMAIN = /^[A-Za-z0-9._-]+$/
const DOMAIN_LITERAL = /^\[[A-Za-z0-9.:-]+\]$/
/** The URL parser behind domainToASCII would cut the domain at these instead of refusing it. */
const NOT_IN_DOMAIN = /[\s/\\?#%@:<>()[\],;"]/

/**
 * The address in headers and in the envelope. International domains are written as A-labels, so that every server can
 * route them; a non-ASCII local part is unchanged and requires SMTPUTF8.
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

/** Plain words; quoted if they contain special characters; encoded if they contain non-ASCII or are long. */
function displayName(given: string): string[] {
  refuseLineBreaks(given, 'A display name')
  const name = given.trim()
  if (name === '') return []
  if (!isPrintableAscii(name) || name.includes('=?') || name.length > 60) return encodedWords(name, 60)
  const isPlain = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~ -]+$/.test(name) && !name.includes('  ')
  return [isPlain ? name : quote(name)]
}

// Transfer encodings for servers that only support short lines of ASCII. They take linear time, and the encoded forms
// can't contain a boundary (see `mime.ts`).

const CRLF = '\r\n'
const CR = 0x0d
const LF = 0x0a
const EQUALS = 0x3d
const LINE_MAX = 76

interface EncodedText {
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
export function encodeText(text: string, boundaryMark: string, isPrintable = false): EncodedText {
  const lines = normaliseLineEnds(text)
  const bare = isPrintable || PRINTABLE.test(lines)
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

export const PRINTABLE = /^[\t\r\n -~]*$/
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
