/** Runs in a thread of the message reader: parses, sanitizes and authenticates untrusted messages. */
import { serveJobs } from '../threads.ts'
import { fingerprintOf } from './fingerprint.ts'
import { type ParsedMessage, parseMessage, storable, UnreadableMessage } from './parse-message.ts'
import type { Envelope, Verdicts } from './verdicts.ts'

export type ReadRequest =
  | { kind: 'parse'; raw: Uint8Array }
  /** `arrival` identifies a message that has no identity of its own. */
  | { kind: 'receive'; raw: Uint8Array; arrival: string }
  | { kind: 'authenticate'; raw: Uint8Array; envelope: Envelope; host: string; dnsServers: readonly string[] }

export interface ReceivedEmail {
  /** Without its HTML, which may be large and is not needed in its original form. */
  message: ParsedMessage
  /** The body as HTML that can be shown. */
  html: string
  fingerprint: Uint8Array
}

export type ReadReply =
  | { kind: 'parsed'; message: ParsedMessage }
  | { kind: 'received'; email: ReceivedEmail }
  | { kind: 'verdicts'; verdicts: Verdicts }
  | { kind: 'unreadable'; reason: string }

async function replyTo(request: ReadRequest): Promise<ReadReply> {
  const raw = Buffer.from(request.raw.buffer, request.raw.byteOffset, request.raw.byteLength)
  if (request.kind === 'authenticate') {
    const { findVerdicts } = await import('./verdicts.ts') // loading mailauth takes a quarter of a second
    return { kind: 'verdicts', verdicts: await findVerdicts(raw, request.envelope, request) }
  }
  const message = await parseMessage(raw)
  if (request.kind === 'parse') return { kind: 'parsed', message }
  const { bodyOf } = await import('./received-html.ts') // the sanitizer is loaded with the first received email
  const fingerprint = fingerprintOf(message, raw, request.arrival)
  const html = storable(bodyOf(message))
  return { kind: 'received', email: { message: { ...message, html: undefined }, html, fingerprint } }
}

serveJobs(async (request: ReadRequest): Promise<ReadReply> => {
  try {
    return await replyTo(request)
  } catch (error) {
    if (error instanceof UnreadableMessage) return { kind: 'unreadable', reason: error.message }
    throw error
  }
})
