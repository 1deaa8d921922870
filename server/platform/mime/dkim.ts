/**
 * Signs a message for its sender's domain (RFC 6376): rsa-sha256, and ed25519-sha256 beside it (RFC 8463) if the domain has
 * such a key; relaxed in headers and body. The same message and key give the same signature, so a retry sends the same bytes
 * and Posthorn can show them without storing a copy. Our own implementation for speed, because every email is signed; it
 * runs in a thread (see signer.ts).
 */
import { createHash, type KeyObject, sign } from 'node:crypto'

interface SigningKey {
  selector: string
  privateKey: KeyObject
}

/** An RSA key, which every server can check. */
export interface DkimKey extends SigningKey {
  /** In A-labels, as DNS has it. */
  domain: string
  ed25519?: SigningKey
}

/** The headers that a reader sees or uses. Missing ones are left out, except the oversigned ones. */
const SIGNED = [
  'from',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'mime-version',
  'content-type',
  'list-unsubscribe',
  'list-unsubscribe-post',
]
/**
 * Named once more than they occur, even if they don't occur, so that nobody can add another one without breaking the
 * signature.
 */
const OVERSIGNED = ['from', 'to', 'cc', 'subject', 'date', 'reply-to', 'content-type', 'list-unsubscribe']
const LINE = 70

/** The header fields to prepend to the message. `at` is the same in every attempt. */
export function dkimSignature(raw: Buffer, { domain, ed25519, ...rsa }: DkimKey, at: Date): string {
  const end = raw.indexOf('\r\n\r\n')
  const head = raw.toString('latin1', 0, end < 0 ? raw.length : end + 2)
  const body = end < 0 ? Buffer.alloc(0) : raw.subarray(end + 4)
  const fields = signedFields(head)
  const names = [...fields.map((field) => field.name), ...OVERSIGNED]
  const relaxedFields = fields.map((field) => relaxedField(field.text)).join('')
  const rest =
    ` t=${Math.floor(at.getTime() / 1000)};\r\n` +
    ` h=${names.join(':').replace(/(.{50,70}?):/g, '$1:\r\n  ')};\r\n` +
    ` bh=${bodyHash(body)};\r\n b=`
  const fieldWith = (algorithm: string, { selector, privateKey }: SigningKey, signData: SignData) => {
    const unsigned = `DKIM-Signature: v=1; a=${algorithm}; c=relaxed/relaxed; d=${domain};\r\n s=${selector};${rest}`
    const signed = Buffer.from(relaxedFields + relaxedField(unsigned).trimEnd(), 'latin1')
    return `${unsigned}${foldedBase64(signData(signed, privateKey))}\r\n`
  }
  return fieldWith('rsa-sha256', rsa, signRsa) + (ed25519 ? fieldWith('ed25519-sha256', ed25519, signEd25519) : '')
}

type SignData = (data: Buffer, key: KeyObject) => Buffer

const signRsa: SignData = (data, key) => sign('sha256', data, key)

/** Signs the hash of the data instead of the data. */
const signEd25519: SignData = (data, key) => sign(null, createHash('sha256').update(data).digest(), key)

function foldedBase64(bytes: Buffer): string {
  const text = bytes.toString('base64')
  const lines: string[] = []
  for (let at = 0; at < text.length; at += LINE) lines.push(text.slice(at, at + LINE))
  return lines.join('\r\n  ')
}

interface Field {
  name: string
  text: string
}

/** For each name the last ones first, as verifiers read them. */
function signedFields(head: string): Field[] {
  const found = new Map<string, Field[]>()
  for (const text of head.split(/\r\n(?![ \t])/)) {
    const name = text
      .slice(0, Math.max(0, text.indexOf(':')))
      .trim()
      .toLowerCase()
    if (SIGNED.includes(name)) found.set(name, [{ name, text }, ...(found.get(name) ?? [])])
  }
  return SIGNED.flatMap((name) => found.get(name) ?? [])
}

function relaxedField(text: string): string {
  const colon = text.indexOf(':')
  const value = text
    .slice(colon + 1)
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim()
  return `${text.slice(0, colon).trim().toLowerCase()}:${value}\r\n`
}

/**
 * Collapses runs of blanks, and removes those at the end of a line and empty lines at the end of the body. Processes
 * the body in chunks of whole lines, so that memory doesn't depend on its size.
 */
function bodyHash(body: Buffer): string {
  const hash = createHash('sha256')
  let heldBack = '' // line breaks that count only if more text follows
  let isEmpty = true
  for (const piece of wholeLines(body)) {
    const relaxed = UNRELAXED.test(piece) ? piece.replace(/[ \t]{2,}|\t/g, ' ').replace(/ (?=[\r\n]|$)/g, '') : piece
    let end = relaxed.length
    while (end > 0 && (relaxed[end - 1] === '\r' || relaxed[end - 1] === '\n')) end--
    if (end > 0) {
      hash.update(heldBack + relaxed.slice(0, end), 'latin1')
      heldBack = ''
      isEmpty = false
    }
    heldBack += relaxed.slice(end)
  }
  if (!isEmpty) hash.update('\r\n')
  return hash.digest('base64')
}

const PIECE_BYTES = 64 * 1024

function* wholeLines(body: Buffer): Generator<string> {
  for (let start = 0; start < body.length; ) {
    const lineEnd = start + PIECE_BYTES < body.length ? body.indexOf('\n', start + PIECE_BYTES) : -1
    const end = lineEnd < 0 ? body.length : lineEnd + 1
    yield body.toString('latin1', start, end)
    start = end
  }
}

/** Most bodies need no change, and checking is ten times faster than processing. */
const UNRELAXED = /[ \t][ \t\r\n]|\t|[ \t]$/
