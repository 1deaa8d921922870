/**
 * Composes a message as the bytes to send. Pure and deterministic: the same message gives the same bytes in every
 * attempt, including boundaries. Our own because nodemailer's composer was the slowest step of sending; tests compare
 * both by parsing their output.
 */
import { hash } from 'node:crypto'
import { htmlToPlainText } from '../html/html-to-plain-text.ts'
import { type Attachment, attachmentPart, type Part } from './mime-attachment.ts'
import { type Address, addressHeader, encodeText, isHeaderName, refuseLineBreaks, textHeader } from './mime-encoding.ts'

export type { Address, Attachment }

export interface Message {
  /** `<id@domain>`, the same in every attempt. */
  messageId: string
  date: Date
  from: Address
  to: Address[]
  cc?: Address[]
  replyTo?: string | Address
  subject: string
  /** Empty if the message has only a text part. */
  html: string
  /** Generated from the HTML if absent. */
  text?: string
  /** HTML and text are known to be printable ASCII, so that they needn't be checked. */
  isPrintable?: boolean
  /** In order, after ours; structural ones are skipped. */
  headers?: Record<string, string>
  attachments?: Attachment[]
}

const SUBJECT_MAX = 998
const MESSAGE_ID = /^<[!-;=?-~]{1,900}>$/

const STRUCTURAL = new Set(
  (
    'to from cc bcc sender reply-to subject message-id date mime-version dkim-signature return-path received ' +
    'authentication-results domainkey-signature'
  ).split(' '),
)
const STRUCTURAL_PREFIX = /^(arc|content|received|resent)-/

/** Headers that control email providers: senders must not change the account's settings. */
const FOR_PROVIDERS = /^x-(smtpapi$|(ses|mailgun|mailjet|mailin|mc|mj|msys|mt|pm|postal|sg|sib)-)/

/**
 * Headers that we or servers in transit write, or that control a provider: a caller can't set them. Mail clients show
 * `Resent-From` as a sender, and our signature would cover it.
 */
export function isStructuralHeader(name: string): boolean {
  const key = name.trim().toLowerCase()
  return STRUCTURAL.has(key) || STRUCTURAL_PREFIX.test(key) || FOR_PROVIDERS.test(key)
}

/** One line of at most 998 characters, with a space for each line break. */
export function cleanSubject(subject: string): string {
  const line = subject.toWellFormed().replace(/\r\n|\r|\n|\0/g, ' ')
  if (line.length <= SUBJECT_MAX) return line
  return Array.from(line.slice(0, 2 * SUBJECT_MAX))
    .slice(0, SUBJECT_MAX)
    .join('')
}

export function composeMessage(message: Message): Buffer {
  // "=_" occurs in neither quoted-printable nor base64, so no encoded body can contain a boundary.
  const mark = `=_${hash('sha1', message.messageId, 'base64url')}`
  const attachments = message.attachments ?? []
  const isRelated = (attachment: Attachment) => attachment.disposition === 'inline' && Boolean(attachment.contentId)
  const related = attachments.filter(isRelated)
  const attached = attachments.filter((attachment) => !isRelated(attachment))

  const text = textPart('plain', message.text ?? htmlToPlainText(message.html), mark, message.isPrintable)
  const isTextOnly = message.html === ''
  let root = isTextOnly
    ? text
    : multipart('alternative', `${mark}_a`, [text, textPart('html', message.html, mark, message.isPrintable)])
  if (related.length > 0) {
    const parts = related.map((attachment) => attachmentPart(attachment, mark))
    root = multipart(
      'related',
      `${mark}_r`,
      [root, ...parts],
      `; type="${isTextOnly ? 'text/plain' : 'multipart/alternative'}"`,
    )
  }
  if (attached.length > 0) {
    const parts = attached.map((attachment) => attachmentPart(attachment, mark))
    root = multipart('mixed', `${mark}_m`, [root, ...parts])
  }
  const headers = `${messageHeaders(message)}MIME-Version: 1.0\r\n${root.headers}${customHeaders(message.headers)}\r\n`
  return joinChunks([headers, ...root.body])
}

/** Adjacent text is encoded at once: without files, the whole message. */
function joinChunks(chunks: Array<string | Buffer>): Buffer {
  const pieces: Buffer[] = []
  let text = ''
  for (const chunk of chunks) {
    if (typeof chunk === 'string') text += chunk
    else {
      pieces.push(Buffer.from(text, 'utf8'), chunk)
      text = ''
    }
  }
  const last = Buffer.from(text, 'utf8')
  return pieces.length === 0 ? last : Buffer.concat([...pieces, last])
}

function messageHeaders(message: Message): string {
  if (!MESSAGE_ID.test(message.messageId)) throw new Error(`Invalid Message-ID: ${JSON.stringify(message.messageId)}`)
  if (Number.isNaN(message.date.getTime())) throw new Error('A message requires a valid date.')
  const reply = replyAddresses(message.replyTo)
  return (
    `Date: ${message.date.toUTCString().replace('GMT', '+0000')}\r\n` +
    addressHeader('From', [message.from]) +
    addressHeader('To', message.to) +
    (message.cc && message.cc.length > 0 ? addressHeader('Cc', message.cc) : '') +
    (reply.length > 0 ? addressHeader('Reply-To', reply) : '') +
    textHeader('Subject', cleanSubject(message.subject)) +
    `Message-ID: ${message.messageId}\r\n`
  )
}

function replyAddresses(replyTo: string | Address | undefined): Address[] {
  if (!replyTo) return []
  return [typeof replyTo === 'string' ? { email: replyTo } : replyTo]
}

function customHeaders(headers: Record<string, string> = {}): string {
  let fields = ''
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderName(name)) throw new Error(`Invalid header name: ${JSON.stringify(name)}`)
    refuseLineBreaks(value, `The header ${name}`)
    if (!isStructuralHeader(name)) fields += textHeader(name, value, { asWritten: true })
  }
  return fields
}

function textPart(subtype: 'plain' | 'html', text: string, mark: string, isPrintable = false): Part {
  const { encoding, content } = encodeText(text, mark, isPrintable)
  const headers = `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`
  return { headers, body: [content] }
}

function multipart(subtype: string, boundary: string, parts: Part[], parameters = ''): Part {
  const body: Part['body'] = []
  let separator = `--${boundary}\r\n`
  for (const part of parts) {
    body.push(`${separator}${part.headers}\r\n`, ...part.body)
    separator = `\r\n--${boundary}\r\n`
  }
  body.push(`\r\n--${boundary}--\r\n`)
  return { headers: `Content-Type: multipart/${subtype};\r\n boundary="${boundary}"${parameters}\r\n`, body }
}
