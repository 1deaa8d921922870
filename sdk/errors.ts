/** Errors of calls in one shape: errors of the API, including its two 400 responses with only `{error}`, and connection errors. */

export interface PosthornError {
  /** Such as `VALIDATION_ERROR` or `CONTACT_NOT_FOUND`; `NETWORK_ERROR`, `TIMEOUT` or `ABORTED` if there was no response. */
  code: string
  message: string
  /** 0 if there was no response. */
  statusCode: number
  requestId?: string
  errors?: { field: string; message: string; code: string; received?: unknown }[]
  details?: Record<string, unknown>
  suggestion?: string
}

/** Thrown by `unwrap`, and by `all` while iterating. */
export class PosthornFailure extends Error {
  readonly error: PosthornError

  constructor(error: PosthornError) {
    super(error.message)
    this.name = 'PosthornFailure'
    this.error = error
  }
}

/** `body` is the parsed body of the response or, without a response, what was thrown. */
export function asError(body: unknown, response?: Response): PosthornError {
  if (!response) return connectionError(body)
  const reported = (body as { error?: unknown } | undefined)?.error
  if (isPosthornError(reported)) return { ...reported, statusCode: response.status }
  return {
    code: response.status === 400 ? 'BAD_REQUEST' : 'UNEXPECTED_ANSWER',
    message: typeof reported === 'string' ? reported : `The service responded with status ${response.status}.`,
    statusCode: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
  }
}

const isPosthornError = (value: unknown): value is PosthornError =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value

function connectionError(thrown: unknown): PosthornError {
  const name = (thrown as { name?: unknown } | undefined)?.name
  if (name === 'AbortError') return { code: 'ABORTED', message: 'The request was aborted.', statusCode: 0 }
  if (name === 'TimeoutError') {
    return { code: 'TIMEOUT', message: 'The service did not respond in time.', statusCode: 0 }
  }
  return {
    code: 'NETWORK_ERROR',
    message: 'The service could not be reached.',
    statusCode: 0,
    details: { cause: thrown instanceof Error ? thrown.message : String(thrown) },
    suggestion: 'Check the base URL, and whether the service is running.',
  }
}
