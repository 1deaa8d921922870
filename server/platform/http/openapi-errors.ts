/**
 * How refusals look in the document: one envelope, one shared response a status, and which statuses a route may
 * answer with by its nature, so that a route only lists what is peculiar to it.
 */
import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import type { Header, JsonSchema, Reference, Response } from './openapi-shape.ts'
import type { Route } from './route.ts'

export const errorReply = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.string().meta({ description: 'For machines; stable.', examples: ['VALIDATION_ERROR'] }),
      message: z.string().meta({ description: 'For people; may change.' }),
      statusCode: z.int().meta({ description: 'The same as the HTTP status.' }),
      requestId: z
        .string()
        .meta({ description: 'The same as the `X-Request-Id` header; quote it when you ask for help.' }),
      errors: z
        .array(
          z.object({
            field: z.string().meta({ description: 'A dot path, such as `attachments.0.filename`.' }),
            message: z.string(),
            code: z.string().meta({
              description:
                'Usually `invalid_string`, `invalid_type`, `too_small`, `too_big`, `invalid_enum_value` or `custom`.',
            }),
            received: z.unknown().optional().meta({ description: 'What came in, where it is short enough to repeat.' }),
          }),
        )
        .optional()
        .meta({ description: 'Each field that is wrong, with status 422.' }),
      details: z.record(z.string(), z.unknown()).optional().meta({ description: 'Depends on the code.' }),
      suggestion: z.string().optional().meta({ description: 'What to do about it.' }),
    }),
    message: z.string().meta({ description: 'Repeats `error.message` for older clients.' }),
    timestamp: z.iso.datetime(),
  })
  .meta({ id: 'Error', description: 'What every refusal looks like.' })

const REFUSALS: Record<number, { name: string; description: string }> = {
  400: {
    name: 'BadRequest',
    description:
      'The request cannot be understood: malformed JSON (`INVALID_REQUEST_BODY`), an unusable cursor, or a session without `X-Project-Id` (`BAD_REQUEST`).',
  },
  401: {
    name: 'Unauthorized',
    description:
      'No key and no session (`MISSING_AUTH`), an unknown key or one of the wrong kind (`INVALID_API_KEY`), wrong credentials (`INVALID_CREDENTIALS`), or a session that is over (`UNAUTHORIZED`).',
  },
  402: { name: 'PaymentRequired', description: 'A billing limit is reached (`BILLING_LIMIT_EXCEEDED`).' },
  403: {
    name: 'Forbidden',
    description:
      'Not allowed: the role does not suffice (`FORBIDDEN`), the project belongs to others (`PROJECT_ACCESS_DENIED`) or is disabled (`PROJECT_DISABLED`), or the sender domain is not verified (`INTERNAL_SERVER_ERROR`).',
  },
  404: {
    name: 'NotFound',
    description:
      'There is no such thing in this project: `RESOURCE_NOT_FOUND`, or a code that names it, such as `CONTACT_NOT_FOUND`. `details` has `resource` and `id`.',
  },
  409: {
    name: 'Conflict',
    description:
      'It contradicts what is already there (`CONFLICT`), or the Idempotency-Key was used before (`IDEMPOTENCY_KEY_REUSED`).',
  },
  413: { name: 'PayloadTooLarge', description: 'The body is larger than this endpoint takes (`PAYLOAD_TOO_LARGE`).' },
  422: {
    name: 'ValidationFailed',
    description: 'Fields are missing or wrong (`VALIDATION_ERROR`); `error.errors` has each of them.',
  },
  429: {
    name: 'TooManyRequests',
    description:
      'The rate limit of the project is reached (`RATE_LIMIT_EXCEEDED`). Wait for the seconds in `Retry-After`, also in `details.retryAfter`.',
  },
  500: {
    name: 'InternalError',
    description: 'A fault on our side (`INTERNAL_SERVER_ERROR`); the log has the request id.',
  },
  503: {
    name: 'Unavailable',
    description: 'The database is away (`SERVICE_UNAVAILABLE`). Try again after `Retry-After` seconds.',
  },
}

export const HEADERS: Record<string, Header> = {
  'X-Request-Id': { description: 'Names this request in the log.', schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'Requests allowed in a minute.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left in the current minute.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the current minute ends.', schema: { type: 'integer' } },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: { type: 'integer' } },
}

const EVERYWHERE = ['X-Request-Id']
const RATE_LIMITED = [...EVERYWHERE, 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset']

const refer = (names: string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Headers of a route's own replies. */
export const replyHeaders = (route: Route) => refer(route.access === 'open' ? EVERYWHERE : RATE_LIMITED)

function refusalHeaders(status: number): Record<string, Reference> {
  if (status === 429) return refer([...RATE_LIMITED, 'Retry-After'])
  return refer(status === 503 ? [...EVERYWHERE, 'Retry-After'] : EVERYWHERE)
}

export const refusalName = (status: number) => REFUSALS[status]?.name ?? `Status${status}`

export const refusalResponse = (status: number, error: JsonSchema): Response => ({
  description: REFUSALS[status]?.description ?? `${STATUS_CODES[status] ?? 'Refused'}.`,
  headers: refusalHeaders(status),
  content: { 'application/json': { schema: error } },
})

/** Every status a route may refuse with, in ascending order. */
export function refusalStatuses(route: Route): number[] {
  const { access, method } = route
  const keyed = access !== 'open'
  const reads = route.body !== undefined || route.query !== undefined
  const namesResource = Object.values(route.params ?? {}).some((kind) => kind !== 'text')
  const implied: Record<number, boolean> = {
    400: reads || access === 'project',
    401: keyed,
    403: keyed && (access !== 'session' || method !== 'GET' || route.role !== undefined),
    404: namesResource || access === 'own-project',
    413: route.body !== undefined,
    422: reads,
    429: keyed,
    500: true,
    503: true,
  }
  const statuses = Object.keys(implied)
    .map(Number)
    .filter((status) => implied[status])
  return [...new Set([...statuses, ...(route.refusals ?? [])])].sort((a, b) => a - b)
}
