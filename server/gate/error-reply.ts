/** Turns errors into HTTP responses. The only file that maps refusals to status codes. */
import { isTooMuchData } from '../features/audience/contacts/actions.ts'
import { tooMuchToStore } from '../kernel/contact-data.ts'
import { docsUrlOf, type ErrorCode } from '../kernel/error-codes.ts'
import { Refusal, type RefusalKind } from '../kernel/errors.ts'
import { CannotDecrypt } from '../platform/content-encryption.ts'
import { isDatabaseUnavailable, isOutOfTime } from '../platform/database/connection/transaction.ts'
import { isClaimLost } from '../platform/database/idempotency-sql.ts'

const STATUS: Record<RefusalKind, number> = {
  'bad-request': 400,
  unauthenticated: 401,
  'payment-required': 402,
  forbidden: 403,
  'not-found': 404,
  'too-slow': 408,
  conflict: 409,
  changed: 412,
  'too-large': 413,
  invalid: 422,
  'too-many': 429,
  unavailable: 503,
}

const RETRY_AFTER_SECONDS = 5

export interface ErrorReply {
  status: number
  headers: Record<string, string>
  body: unknown
  /** Unexpected: the details are logged and not sent to the caller. */
  isBug: boolean
}

/** What of a request its error response contains. */
export interface ErrorRequest {
  requestId: string
  now: Date
  baseUrl: string
}

export function errorReply(error: unknown, request: ErrorRequest): ErrorReply {
  if (error instanceof Refusal) return refusalReply(error, request)
  if (isDatabaseUnavailable(error)) {
    const away = new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'The database is currently unavailable.', {
      suggestion: 'Nothing was changed. Try again in a few seconds.',
      details: { retryAfter: RETRY_AFTER_SECONDS },
    })
    return refusalReply(away, request)
  }
  if (isOutOfTime(error)) {
    const late = new Refusal('unavailable', 'SERVICE_UNAVAILABLE', 'The request took too long.', {
      suggestion: 'Nothing was changed. Try again later, or request less data.',
      details: { retryAfter: RETRY_AFTER_SECONDS },
    })
    return refusalReply(late, request)
  }
  if (isClaimLost(error)) {
    const text = 'Another request with this Idempotency-Key was accepted instead of this one.'
    return refusalReply(new Refusal('conflict', 'IDEMPOTENCY_KEY_REUSED', text), request)
  }
  if (error instanceof CannotDecrypt) {
    const text = `The stored data can't be read. ${error.message}`
    return refusalReply(new Refusal('unavailable', 'SERVICE_UNAVAILABLE', text), request)
  }
  if (isTooMuchData(error)) return refusalReply(tooMuchToStore(), request)
  const message = 'An internal error occurred.'
  const suggestion = `The log contains the details under request ID ${request.requestId}.`
  return {
    status: 500,
    headers: {},
    body: envelope(500, 'INTERNAL_SERVER_ERROR', message, request, { suggestion }),
    isBug: true,
  }
}

function refusalReply({ kind, code, message, extras }: Refusal, request: ErrorRequest): ErrorReply {
  const status = STATUS[kind]
  const retryAfter = extras.details?.retryAfter
  return {
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) },
    body: extras.bare
      ? { error: message }
      : envelope(status, code, message, request, {
          errors: extras.problems,
          details: extras.details,
          suggestion: extras.suggestion,
        }),
    isBug: false,
  }
}

function envelope(
  statusCode: number,
  code: ErrorCode,
  message: string,
  { requestId, now, baseUrl }: ErrorRequest,
  extras: { errors?: unknown; details?: unknown; suggestion?: string | undefined },
) {
  return {
    success: false,
    error: { code, message, statusCode, requestId, ...extras, docsUrl: docsUrlOf(baseUrl, code) },
    message, // where clients of an older interface look for it
    timestamp: now.toISOString(),
  }
}
