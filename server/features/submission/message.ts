/**
 * A message that a mail program composed, as a request to POST /v1/send: the same rules hold for both. Recipients are those
 * of the envelope, so blind copies are among them; names come from the headers. Pure.
 */

import { isStructuralHeader } from '../../platform/mail/mime.ts'
import { isHeaderName } from '../../platform/mail/mime-encoding.ts'
import type { ParsedMessage } from '../../platform/mail/parse-message.ts'
import { textToHtml } from '../../platform/mail/text-to-html.ts'

export interface Submitted {
  /** As it would stand in the body of a request. */
  request: Record<string, unknown>
  /** Its own text part. */
  plain: string | null
  idempotencyKey: string | undefined
}

const KEY_HEADER = 'x-idempotency-key'
/** Written by programs on the way, or known under other names. */
const LEFT_OUT = new Set([KEY_HEADER, 'user-agent', 'x-originating-ip', 'disposition-notification-to', 'resent-bcc'])
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
      body: message.html?.trim() ? message.html : textToHtml(message.text ?? '') || '<p></p>',
      headers: headersOf(message),
      attachments: message.attachments,
      ...(reply ? { reply } : {}),
    },
    plain: message.text ?? null,
    idempotencyKey: message.headers.find(({ name }) => name.toLowerCase() === KEY_HEADER)?.value.trim(),
  }
}

/** All that we don't write ourselves. Of several with one name, the last. */
function headersOf({ headers }: ParsedMessage): Record<string, string> {
  const kept = headers.filter(
    ({ name }) => isHeaderName(name) && !isStructuralHeader(name) && !LEFT_OUT.has(name.toLowerCase()),
  )
  const byKey = new Map(kept.map(({ name, value }) => [name.toLowerCase(), { name, value: value.trim() }]))
  const references = byKey.get('references')
  if (references) references.value = shortReferences(references.value)
  return Object.fromEntries([...byKey.values()].map(({ name, value }) => [name, value]))
}

/** Of a long thread its beginning and its latest messages, which is what mail programs go by. */
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
