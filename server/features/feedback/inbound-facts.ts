/** Properties of a received message that are derived from its headers. Pure. */
import { createHash } from 'node:crypto'
import { isId } from '../../kernel/ids.ts'
import type { ParsedMessage } from '../../platform/mail/parse-message.ts'

const HEADERS_MAX = 50
const VALUE_MAX = 998
/** Stored elsewhere, or added by servers in transit. */
const NOT_KEPT =
  /^(from|to|subject|message-id|received|return-path|delivered-to|mime-version|dkim-signature|authentication-results|received-spf|arc-.*|content-.*|x-google-.*|x-ms-exchange-.*|x-microsoft-.*)$/i

type Headers = ParsedMessage['headers']

/** The headers to store; if a name occurs several times, the first. */
export function keptHeaders(headers: Headers): Record<string, string> {
  const kept = new Map<string, { name: string; value: string }>()
  for (const { name, value } of headers) {
    const key = name.toLowerCase()
    if (kept.size >= HEADERS_MAX) break
    if (!NOT_KEPT.test(name) && value.length <= VALUE_MAX && !kept.has(key)) kept.set(key, { name, value })
  }
  return Object.fromEntries([...kept.values()].map(({ name, value }) => [name, value]))
}

const headerOf = (headers: Headers, wanted: string): string =>
  headers
    .find(({ name }) => name.toLowerCase() === wanted)
    ?.value.trim()
    .toLowerCase() ?? ''

/** Automatic replies cause no event, so that automatic replies don't answer each other. */
export const isAutomaticReply = (headers: Headers): boolean =>
  headerOf(headers, 'auto-submitted').startsWith('auto-replied') ||
  headerOf(headers, 'precedence') === 'auto_reply' ||
  headerOf(headers, 'x-autoreply') !== '' ||
  headerOf(headers, 'x-autorespond') !== ''

/** How many servers the message passed through. */
export const hopsOf = (headers: Headers): number =>
  headers.filter(({ name }) => name.toLowerCase() === 'received').length

/** Our own Message-IDs start with the id of the email. */
export function ownIdIn(messageId: string): string | null {
  const id = messageId.slice(0, messageId.indexOf('@'))
  return isId(id) ? id.toLowerCase() : null
}

/**
 * Identifies a message that is sent again by its sender, content, date and Message-ID. Servers in transit add headers,
 * some programs use one id for different messages, and some use none. Messages with neither an id nor a date, such as
 * device alerts, are identified by their time of receipt, because two of them can be identical.
 */
export function fingerprintOf(
  message: Pick<ParsedMessage, 'messageId' | 'subject' | 'headers'>,
  raw: Buffer,
  arrival: string,
): Buffer {
  const end = raw.indexOf('\r\n\r\n')
  const facts = [
    message.messageId,
    message.subject,
    headerOf(message.headers, 'from'),
    headerOf(message.headers, 'date'),
  ]
  const isNameless = !message.messageId && !headerOf(message.headers, 'date')
  return createHash('sha256')
    .update(JSON.stringify(isNameless ? arrival : facts))
    .update(end === -1 ? raw : raw.subarray(end))
    .digest()
}
