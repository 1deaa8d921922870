/** Recognizes a message that is received a second time. Pure. */
import { createHash } from 'node:crypto'
import type { ParsedMessage } from './parse-message.ts'

/**
 * Two copies of a message have the same author, subject, date, Message-ID and body; servers on the way only add headers.
 * A message with neither Message-ID nor date, such as the alerts of many devices, is identified by `arrival`, because
 * two of them may have the same text.
 */
export function fingerprintOf(
  message: Pick<ParsedMessage, 'messageId' | 'subject' | 'headers'>,
  raw: Buffer,
  arrival: string,
): Buffer {
  const header = (wanted: string): string =>
    message.headers
      .find(({ name }) => name.toLowerCase() === wanted)
      ?.value.trim()
      .toLowerCase() ?? ''
  const end = raw.indexOf('\r\n\r\n')
  const facts = [message.messageId, message.subject, header('from'), header('date')]
  const isAnonymous = !message.messageId && !header('date')
  return createHash('sha256')
    .update(JSON.stringify(isAnonymous ? arrival : facts))
    .update(end === -1 ? raw : raw.subarray(end))
    .digest()
}
