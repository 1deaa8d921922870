/**
 * Parses a message that another program composed. It can contain anything, so all returned text can be stored (no NUL,
 * no lone surrogates), and attachments have the form of those we send.
 */
import PostalMime, { addressParser, decodeWords, type Email, type Address as ParsedAddress } from 'postal-mime'
import type { Address, Attachment } from './mime.ts'
import { isContentType } from './mime-attachment.ts'

export interface ParsedMessage {
  /** Absent if there is no valid From. */
  from: Address | undefined
  /** The addresses of all From headers. A valid message has one. */
  authors: string[]
  /** The header as written, with encoded words decoded. */
  fromHeader: string
  to: Address[]
  cc: Address[]
  replyTo: Address[]
  subject: string
  /** Without angle brackets; empty if there is none. */
  messageId: string
  html: string | undefined
  text: string | undefined
  /** In order, names as written, unfolded. */
  headers: Array<{ name: string; value: string }>
  attachments: ParsedAttachment[]
}

export interface ParsedAttachment extends Attachment {
  /** Base64. */
  content: string
}

export class UnreadableMessage extends Error {
  /** It may succeed when the machine is less busy. */
  readonly isTimeout: boolean

  constructor(message: string, isTimeout = false) {
    super(message)
    this.isTimeout = isTimeout
  }
}

/** The limit for the headers of all parts together. */
const HEADER_BYTES_MAX = 256 * 1024
const PARTS_MAX = 1000
const FILENAME_MAX = 255
const CONTENT_ID_MAX = 255
const EXTENSIONS: Record<string, string> = { 'message/rfc822': '.eml', 'text/calendar': '.ics' }

export async function parseMessage(raw: Buffer): Promise<ParsedMessage> {
  const email = await parse(raw)
  const headers = email.headers.map(({ originalKey, value }) => ({
    name: storable(originalKey),
    value: storable(value),
  }))
  const from = email.from && mailboxes([email.from])[0]
  const fromHeaders = headers.filter(({ name }) => name.trim().toLowerCase() === 'from').map(({ value }) => value)
  return {
    from,
    authors: fromHeaders.flatMap((value) => mailboxes(addressParser(value)).map((author) => author.email)),
    fromHeader: storable(decodeWords(fromHeaders[0] ?? '')),
    to: mailboxes(email.to),
    cc: mailboxes(email.cc),
    replyTo: mailboxes(email.replyTo),
    subject: storable(email.subject ?? ''),
    messageId: bareId(storable(email.messageId ?? '')),
    html: email.html === undefined ? undefined : storable(email.html),
    text: email.text === undefined ? undefined : storable(email.text),
    headers,
    attachments: email.attachments.map(attachmentOf),
  }
}

async function parse(raw: Buffer): Promise<Email> {
  if (hasTooManyParts(raw)) throw new UnreadableMessage(`It has more than ${PARTS_MAX} MIME parts.`)
  try {
    return await PostalMime.parse(raw, { forceRfc822Attachments: true, maxHeadersSize: HEADER_BYTES_MAX })
  } catch (error) {
    throw new UnreadableMessage((error as Error).message) // nested too deep, or too many bytes of headers
  }
}

/** Counts the lines that are a delimiter of any boundary named in the message, before anything is parsed. */
function hasTooManyParts(raw: Buffer): boolean {
  const text = raw.toString('latin1')
  const boundaries = new Set(
    Array.from(text.matchAll(/boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi), ([, quoted, bare]) =>
      (quoted ?? bare ?? '').trimEnd(),
    ),
  )
  if (boundaries.size > PARTS_MAX) return true
  let parts = 0
  for (const [, line] of text.matchAll(/^--([^\r\n]{1,200})/gm)) {
    if (boundaries.has(line!.trimEnd()) && ++parts > PARTS_MAX) return true
  }
  return false
}

/** PostgreSQL can store neither NUL nor lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed()

export const bareId = (id: string): string => id.trim().replace(/^<|>$/g, '')

/** Groups are replaced by their members. */
function mailboxes(addresses: ParsedAddress[] = []): Address[] {
  return addresses
    .flatMap((address) => address.group ?? [address])
    .filter((mailbox) => mailbox.address)
    .map(({ name, address }) => {
      const plain = storable(name).replace(/\s+/g, ' ').trim()
      return { email: storable(address).trim().toLowerCase(), ...(plain ? { name: plain } : {}) }
    })
}

function attachmentOf(attachment: Email['attachments'][number], index: number): ParsedAttachment {
  const { mimeType, disposition, related } = attachment
  const contentId = contentIdOf(attachment.contentId)
  const isInline = contentId !== undefined && (related || disposition === 'inline')
  return {
    filename: filenameOf(attachment.filename, mimeType, index),
    content: bytesOf(attachment.content).toString('base64'),
    contentType: isContentType(mimeType) ? mimeType : 'application/octet-stream',
    ...(contentId === undefined ? {} : { contentId }),
    disposition: isInline ? 'inline' : 'attachment',
  }
}

const bytesOf = (content: ArrayBuffer | Uint8Array | string): Buffer =>
  typeof content === 'string' ? Buffer.from(content, 'utf8') : Buffer.from(content as Uint8Array)

function filenameOf(given: string | null, mimeType: string, index: number): string {
  const name = storable(given ?? '')
    .replace(/[\p{Cc}"\\/]+/gu, '_')
    .trim()
  return name.slice(-FILENAME_MAX).toWellFormed() || `attachment-${index + 1}${EXTENSIONS[mimeType] ?? ''}`
}

function contentIdOf(given: string | undefined): string | undefined {
  const id = bareId(storable(given ?? ''))
  return /^[^\s<>"]+$/.test(id) && id.length <= CONTENT_ID_MAX ? id : undefined
}
