/** Errors as the dashboard shows them, whatever was thrown or returned. */
import type { PosthornError } from '@posthorn/sdk'

/** Calls return a plain `PosthornError`; `unwrap` throws it inside a `PosthornFailure`. */
export function errorOf(thrown: unknown): PosthornError {
  if (thrown instanceof Error && 'error' in thrown && isPosthornError(thrown.error)) return thrown.error
  if (isPosthornError(thrown)) return thrown
  return { code: 'UNEXPECTED', message: thrown instanceof Error ? thrown.message : String(thrown), statusCode: 0 }
}

const isPosthornError = (value: unknown): value is PosthornError =>
  typeof value === 'object' &&
  value !== null &&
  !(value instanceof Error) &&
  'code' in value &&
  'message' in value &&
  typeof value.message === 'string'

/** Only server errors need a request ID, to find the cause in the logs. */
export const requestIdOf = ({ statusCode, requestId }: PosthornError): string | undefined =>
  statusCode >= 500 ? requestId : undefined

export const isSignedOut = (thrown: unknown): boolean => errorOf(thrown).statusCode === 401
