/**
 * Errors as the dashboard shows them, whatever was thrown or returned. The API addresses developers; forms show the same
 * errors beside the field they are about, without names, paths and endpoints of the API.
 */
import type { PosthornError } from '@posthorn/sdk'
import { apiErrors, browserErrors, errorMessages, fieldLabels } from '../shell/error-texts.ts'
import { sharedTexts } from '../shell/texts.ts'

/** Calls return a plain `PosthornError`; `unwrap` throws it inside a `PosthornFailure`. */
export function errorOf(thrown: unknown): PosthornError {
  return plainError(reportedError(thrown))
}

function reportedError(thrown: unknown): PosthornError {
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

/** Endpoints, and the way in which a response lists its problems. */
const API_ONLY = /\b(GET|POST|PUT|PATCH|DELETE) \/|error\.errors|as "code"|pageSize|X-Project-Id/

/** The same error, reworded for people who use a form. Applying it twice changes nothing. */
export function plainError(error: PosthornError): PosthornError {
  const known = [...apiErrors, ...browserErrors].find(({ matches }) => matches.test(error.message))
  const message = known && errorMessages[known.message]
  const { suggestion, ...rest } = error
  const field = known?.field
  return {
    ...rest,
    message: message ?? withLabels(error.message),
    ...(suggestion && !known && !API_ONLY.test(suggestion) ? { suggestion: withLabels(suggestion) } : {}),
    ...(field && message ? { errors: [{ field, message, code: 'custom' }] } : {}),
    ...(error.errors ? { errors: error.errors.map((item) => ({ ...item, message: withLabels(item.message) })) } : {}),
  }
}

/** Replaces names of fields by their labels, if no sentence contains them: `scheduledFor`, or in backticks. */
function withLabels(message: string): string {
  return message
    .replaceAll(/`([^`]+)`/g, (_, name: string) => (name in fieldLabels ? sharedTexts.quoted(labelOf(name)) : name))
    .replaceAll(/(\p{L})'(\p{L})/gu, '$1’$2')
    .replaceAll(/\b[a-z]+[A-Z]\w*\b/g, (name) => (name in fieldLabels ? sharedTexts.quoted(labelOf(name)) : name))
}

const FILTER = /(?:^|\.)groups\.(\d+)(?:\.(?:filters|conditions)\.?(\d+)?)?(?:.*?\.(field|operator|value|unit))?$/

/** The label of a field in a form: `fromName` reads as "Sender name", a filter is found by its numbers. */
export function labelOf(path: string): string {
  const filter = FILTER.exec(path)
  if (filter) {
    const [, group, position, part] = filter
    return fieldLabels.filter(Number(group) + 1, position === undefined ? undefined : Number(position) + 1, part)
  }
  const label = (fieldLabels as Record<string, unknown>)[path]
  return typeof label === 'string' ? label : capitalized(path.split('.').at(-1) ?? path)
}

/** "firstName" reads as "First name". */
function capitalized(name: string): string {
  const label = name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[-_]/g, ' ')
    .toLowerCase()
  return label.charAt(0).toUpperCase() + label.slice(1)
}

/** Only server errors need a request ID, to find the cause in the logs. */
export const requestIdOf = ({ statusCode, requestId }: PosthornError): string | undefined =>
  statusCode >= 500 ? requestId : undefined

export const isSignedOut = (thrown: unknown): boolean => errorOf(thrown).statusCode === 401
