/**
 * Converts a message composed by a mail program into a request of POST /v1/send. Recipients are those of the envelope,
 * including Bcc; names come from the headers. Pure.
 */

import { isStructuralHeader } from '../../../platform/mime/mime.ts'
import { isHeaderName } from '../../../platform/mime/mime-encoding.ts'
import type { ParsedMessage } from '../../../platform/mime/parse-message.ts'
import type { PreparedMessage } from '../outbox/prepare.ts'

export interface Submitted {
  /** The message as the body of a request. */
  request: Record<string, unknown>
  prepared: PreparedMessage
  idempotencyKey: string | undefined
}

const KEY_HEADER = 'x-idempotency-key'
/** `name=value`; one header for each tag. */
const TAG_HEADER = 'x-posthorn-tag'
/** Added by programs in transit, or set through other fields. */
const SKIPPED_HEADERS = new Set([
  KEY_HEADER,
  TAG_HEADER,
  'user-agent',
  'x-originating-ip',
  'disposition-notification-to',
])
const REFERENCES_MAX = 998
const NO_SUBJECT = '(no subject)'

export function submittedRequest(
  message: ParsedMessage,
  envelope: { sender: string; recipients: string[] },
): Submitted {
  const names = new Map([...message.to, ...message.cc].map(({ email, name }) => [email, name]))
  const named = ({ email, name }: { email: string; name?: string | undefined }) => (name ? { email, name } : email)
  const reply = message.replyTo[0]?.email
  return {
    request: {
      to: envelope.recipients.map((email) => named({ email, name: names.get(email.toLowerCase()) })),
      from: named(message.from ?? { email: envelope.sender }),
      subject: message.subject.replaceAll(/[\r\n]+/g, ' ').trim() || NO_SUBJECT,
      body: message.html || '<p></p>',
      headers: headersOf(message),
      attachments: message.attachments,
      tags: tagsOf(message),
      ...(reply ? { reply } : {}),
    },
    prepared: { plain: message.text ?? null, isTextOnly: !message.html && Boolean(message.text) },
    idempotencyKey: message.headers.find(({ name }) => name.toLowerCase() === KEY_HEADER)?.value.trim(),
  }
}

/** A header without a name is refused with the other checks of a request. */
function tagsOf({ headers }: ParsedMessage): Record<string, string> {
  const tags = headers.filter(({ name }) => name.toLowerCase() === TAG_HEADER).map(({ value }) => value.trim())
  return Object.fromEntries(
    tags.map((tag) => {
      const end = tag.indexOf('=')
      return end === -1 ? ['', tag] : [tag.slice(0, end).trim(), tag.slice(end + 1).trim()]
    }),
  )
}

/** All headers that we don't write ourselves. If a name occurs several times, the last. */
function headersOf({ headers }: ParsedMessage): Record<string, string> {
  const kept = headers.filter(
    ({ name }) => isHeaderName(name) && !isStructuralHeader(name) && !SKIPPED_HEADERS.has(name.toLowerCase()),
  )
  const byKey = new Map(kept.map(({ name, value }) => [name.toLowerCase(), { name, value: value.trim() }]))
  const references = byKey.get('references')
  if (references) references.value = shortReferences(references.value)
  return Object.fromEntries([...byKey.values()].map(({ name, value }) => [name, value]))
}

/** The beginning and the latest messages of a long thread, which mail clients use. */
function shortReferences(value: string): string {
  const [first = '', ...later] = value.split(/\s+/)
  const latest: string[] = []
  let room = REFERENCES_MAX - first.length
  for (const id of later.reverse()) {
    room -= id.length + 1
    if (room < 0) break
    latest.unshift(id)
  }
  return [first, ...latest].join(' ')
}
