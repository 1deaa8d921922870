/** What an answer of SES means for one message. Its error types are the words that count; the status is a fallback. */
import { oneLine } from './smtp-wire.ts'
import type { MailResult } from './transport.ts'

type NotAccepted = Exclude<MailResult, { outcome: 'accepted' }>

/** The message, its sender or its recipient will not get better by waiting. */
const FOR_GOOD = new Set([
  'MessageRejected',
  'MailFromDomainNotVerifiedException',
  'BadRequestException',
  'ValidationException',
])

export function sesFailure(status: number, type: string, message: string): NotAccepted {
  const reason = oneLine([status, type, message].filter(Boolean).join(' '))
  if (FOR_GOOD.has(type)) return { outcome: 'rejected', reason, because: 'message' }
  // Not our turn, not our key, not our region, not our account: it would be the same for every message.
  if (status === 429 || status === 401 || status === 403 || status === 404 || status >= 500) {
    return { outcome: 'unavailable', reason }
  }
  if (/Throttling|TooManyRequests|LimitExceeded|Suspended|SendingPaused|Expired|Credential/.test(type)) {
    return { outcome: 'unavailable', reason }
  }
  return status === 413 ? { outcome: 'rejected', reason, because: 'message' } : { outcome: 'later', reason }
}
