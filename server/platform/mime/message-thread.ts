/** Runs in a thread of the message reader: parses, sanitizes and authenticates untrusted messages. */

import { bodyOf } from '../html/received-html.ts'
import { textToHtml } from '../html/text-to-html.ts'
import { serveJobs } from '../threads.ts'
import { fingerprintOf } from './fingerprint.ts'
import {
  type ParsedAttachment,
  type ParsedMessage,
  parseMessage,
  storable,
  UnreadableMessage,
} from './parse-message.ts'
import type { Envelope, Verdicts } from './verdicts.ts'

export type ReadRequest =
  | { kind: 'parse'; raw: Uint8Array }
  /** `arrival` identifies a message that has no identity of its own. */
  | { kind: 'receive'; raw: Uint8Array; arrival: string }
  | { kind: 'authenticate'; raw: Uint8Array; envelope: Envelope; host: string; dnsServers: readonly string[] }

export interface ReceivedEmail {
  /**
   * Without what may be large and is not needed in its original form: its HTML, and attachments except the beginning of
   * those that are parts of a report.
   */
  message: ParsedMessage
  /** Its attachments as they are stored: as JSON in UTF-8, because writing that takes as long as parsing. */
  attachments: Uint8Array<ArrayBuffer>
  /** The body as HTML that can be shown. */
  html: string
  fingerprint: Uint8Array
}

export type ReadReply =
  | { kind: 'parsed'; message: ParsedMessage }
  | { kind: 'received'; email: ReceivedEmail }
  | { kind: 'verdicts'; verdicts: Verdicts }
  | { kind: 'unreadable'; reason: string }

const REPORT_PART = /^(?:message\/|text\/rfc822-headers$)/
/** In base64, a multiple of four. The fields of a report are at its beginning. */
const REPORT_CHARACTERS_MAX = 256 * 1024

const reportParts = (attachments: ParsedAttachment[]): ParsedAttachment[] =>
  attachments
    .filter(({ contentType }) => REPORT_PART.test(contentType))
    .map((part) => ({ ...part, content: part.content.slice(0, REPORT_CHARACTERS_MAX) }))

/** Its own HTML, or its text as HTML. */
const htmlOf = ({ html, text }: ParsedMessage): string => (html?.trim() ? html : textToHtml(text ?? ''))

async function replyTo(request: ReadRequest): Promise<ReadReply> {
  const raw = Buffer.from(request.raw) // a copy of its own, because the memory of a request is shared between threads
  if (request.kind === 'authenticate') {
    const { findVerdicts } = await import('./verdicts.ts') // loading mailauth takes a quarter of a second
    return { kind: 'verdicts', verdicts: await findVerdicts(raw, request.envelope, request) }
  }
  const message = await parseMessage(raw)
  if (request.kind === 'parse') return { kind: 'parsed', message: { ...message, html: htmlOf(message) } }
  const fingerprint = fingerprintOf(message, raw, request.arrival)
  const html = storable(bodyOf(message))
  const small = { ...message, html: undefined, attachments: reportParts(message.attachments) }
  const attachments = new TextEncoder().encode(JSON.stringify(message.attachments))
  return { kind: 'received', email: { message: small, attachments, html, fingerprint } }
}

async function replyOrReason(request: ReadRequest): Promise<ReadReply> {
  try {
    return await replyTo(request)
  } catch (error) {
    if (error instanceof UnreadableMessage) return { kind: 'unreadable', reason: error.message }
    throw error
  }
}

console.log = () => {} // mailauth writes what senders control to the output, which is our log

serveJobs(replyOrReason, (reply) => (reply.kind === 'received' ? [reply.email.attachments.buffer] : []))
