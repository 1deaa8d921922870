/** What a response of SES means for one message. The error type decides; the status is a fallback. */
import { oneLine } from '../smtp/smtp-wire.ts'
import type { MailResult } from './transport.ts'

type NotAccepted = Exclude<MailResult, { outcome: 'accepted' }>

/** Permanent: the message, its sender or its recipient is refused, whenever it is sent. */
const PERMANENT = new Set([
  'MessageRejected',
  'MailFromDomainNotVerifiedException',
  'BadRequestException',
  'ValidationException',
])

/** The access key is unknown, expired, wrong or not allowed to send. */
const CREDENTIALS = /Credential|Expired|UnrecognizedClient|ClientTokenId|Signature|AccessDenied|AuthenticationToken/

export function sesFailure(status: number, type: string, message: string): NotAccepted {
  const reason = oneLine([status, type, message].filter(Boolean).join(' '))
  if (PERMANENT.has(type)) return { outcome: 'rejected', reason, because: 'message' }
  if (status === 401 || status === 403 || CREDENTIALS.test(type)) {
    return { outcome: 'unavailable', reason, credentialsRefused: true }
  }
  // Throttling, region or account: the same for every message.
  if (status === 429 || status === 404 || status >= 500) {
    return { outcome: 'unavailable', reason }
  }
  if (/Throttling|TooManyRequests|LimitExceeded|Suspended|SendingPaused/.test(type)) {
    return { outcome: 'unavailable', reason }
  }
  return status === 413 ? { outcome: 'rejected', reason, because: 'message' } : { outcome: 'later', reason }
}
