/** Every way a call can go wrong, in one shape: the API's envelope, its two bare 400s, and trouble on the way. */

export interface PosthornError {
  /** `VALIDATION_ERROR`, `CONTACT_NOT_FOUND`…; `NETWORK_ERROR` and `TIMEOUT` when no answer came. */
  code: string
  message: string
  /** 0 when no answer came. */
  statusCode: number
  requestId?: string
  errors?: { field: string; message: string; code: string; received?: unknown }[]
  details?: Record<string, unknown>
  suggestion?: string
}

/** Thrown where there is no result to put an error into: while iterating, and by `unwrap`. */
export class PosthornFailure extends Error {
  readonly error: PosthornError

  constructor(error: PosthornError) {
    super(error.message)
    this.name = 'PosthornFailure'
    this.error = error
  }
}

export function asError(trouble: unknown, response?: Response): PosthornError {
  if (!response) return asTrouble(trouble)
  const said = (trouble as { error?: unknown } | undefined)?.error
  if (isEnvelope(said)) return { ...said, statusCode: response.status }
  return {
    code: response.status === 400 ? 'BAD_REQUEST' : 'UNEXPECTED_ANSWER',
    message: typeof said === 'string' ? said : `The service answered ${response.status}.`,
    statusCode: response.status,
    requestId: response.headers.get('x-request-id') ?? undefined,
  }
}

const isEnvelope = (value: unknown): value is PosthornError =>
  typeof value === 'object' && value !== null && 'code' in value && 'message' in value

function asTrouble(trouble: unknown): PosthornError {
  const name = (trouble as { name?: unknown } | undefined)?.name
  if (name === 'AbortError') return { code: 'ABORTED', message: 'The call was given up.', statusCode: 0 }
  if (name === 'TimeoutError') {
    return { code: 'TIMEOUT', message: 'The service did not answer in time.', statusCode: 0 }
  }
  return {
    code: 'NETWORK_ERROR',
    message: 'The service could not be reached.',
    statusCode: 0,
    details: { cause: trouble instanceof Error ? trouble.message : String(trouble) },
    suggestion: 'Check the base URL and whether the service runs.',
  }
}
