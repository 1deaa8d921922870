/**
 * Error responses in the document: one envelope, one shared response per status, and the statuses that follow from the
 * kind of route, so that a route lists only its specific ones.
 */
import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import { isLimitedByNetwork, isSingle, type Route } from '../http/route.ts'
import type { Header, JsonSchema, Reference, Response } from './openapi-shape.ts'

export const errorReply = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.string().meta({ description: 'Machine-readable and stable.', examples: ['VALIDATION_ERROR'] }),
      message: z.string().meta({ description: 'Human-readable; can change.' }),
      statusCode: z.int().meta({ description: 'Same as the HTTP status.' }),
      requestId: z
        .string()
        .meta({ description: 'Same as the `X-Request-Id` header. Include it when you ask for help.' }),
      errors: z
        .array(
          z.object({
            field: z.string().meta({ description: 'Path of the field, such as `attachments.0.filename`.' }),
            message: z.string(),
            code: z.string().meta({
              description:
                'Usually `invalid_string`, `invalid_type`, `too_small`, `too_big`, `invalid_enum_value`, `unknown_field` or `custom`.',
            }),
            received: z.unknown().optional().meta({
              description: 'The value as it was sent, if it is short enough. With a wrong type, the name of its type.',
            }),
          }),
        )
        .optional()
        .meta({ description: 'The problem with each invalid field, with status 422.' }),
      details: z.record(z.string(), z.unknown()).optional().meta({ description: 'Depends on the error code.' }),
      suggestion: z.string().optional().meta({ description: 'How to solve the problem.' }),
      docsUrl: z.url().meta({ description: 'A page about this code: what it means and what to do.' }),
    }),
    message: z.string().meta({ description: 'Same as `error.message`, for older clients.' }),
    timestamp: z.iso.datetime(),
  })
  .meta({ id: 'Error', description: 'The body of error responses.' })

const REFUSALS: Record<number, { name: string; description: string }> = {
  400: {
    name: 'BadRequest',
    description:
      'The request is malformed: invalid JSON (`INVALID_REQUEST_BODY`), an invalid cursor, or a session without `X-Project-Id` (`BAD_REQUEST`).',
  },
  401: {
    name: 'Unauthorized',
    description:
      'No key and no session (`MISSING_AUTH`), an invalid key or one of the wrong type (`INVALID_API_KEY`), incorrect credentials (`INVALID_CREDENTIALS`), or an expired session (`UNAUTHORIZED`).',
  },
  402: { name: 'PaymentRequired', description: 'A billing limit has been reached (`BILLING_LIMIT_EXCEEDED`).' },
  403: {
    name: 'Forbidden',
    description:
      "Not allowed: the role is insufficient, or the API key lacks the scope in `details.requiredScope` or can't be used from this address (`FORBIDDEN`), you are not a member of the project (`PROJECT_ACCESS_DENIED`), the project is disabled (`PROJECT_DISABLED`), or the sender domain is not verified (`INTERNAL_SERVER_ERROR`).",
  },
  404: {
    name: 'NotFound',
    description:
      'The resource does not exist in this project: `RESOURCE_NOT_FOUND`, or a specific code such as `CONTACT_NOT_FOUND`. `details` contains `resource` and `id`.',
  },
  409: {
    name: 'Conflict',
    description:
      'The request conflicts with the current state (`CONFLICT`), or the Idempotency-Key has already been used (`IDEMPOTENCY_KEY_REUSED`).',
  },
  412: {
    name: 'PreconditionFailed',
    description: 'The resource was changed since you read the version in `If-Match` (`PRECONDITION_FAILED`).',
  },
  413: {
    name: 'PayloadTooLarge',
    description: 'The body exceeds the maximum size for this endpoint (`PAYLOAD_TOO_LARGE`).',
  },
  422: {
    name: 'ValidationFailed',
    description: 'Fields are missing or invalid (`VALIDATION_ERROR`). `error.errors` lists each of them.',
  },
  429: {
    name: 'TooManyRequests',
    description:
      'The rate limit of the project has been reached (`RATE_LIMIT_EXCEEDED`). Wait for the number of seconds in `Retry-After`, also in `details.retryAfter`.',
  },
  500: {
    name: 'InternalError',
    description: 'An internal error (`INTERNAL_SERVER_ERROR`). The log contains the details under the request ID.',
  },
  503: {
    name: 'Unavailable',
    description: 'The database is unavailable (`SERVICE_UNAVAILABLE`). Try again after `Retry-After` seconds.',
  },
}

export const HEADERS: Record<string, Header> = {
  'X-Request-Id': { description: 'Identifies this request in the log.', schema: { type: 'string' } },
  'RateLimit-Limit': { description: 'Maximum number of requests per minute.', schema: { type: 'integer' } },
  'RateLimit-Remaining': { description: 'Requests left in the current minute.', schema: { type: 'integer' } },
  'RateLimit-Reset': { description: 'Seconds until the current minute ends.', schema: { type: 'integer' } },
  RateLimit: {
    description: 'The same, as in the IETF draft: `"requests";r=<left>;t=<seconds>`.',
    schema: { type: 'string' },
  },
  'RateLimit-Policy': {
    description: 'The limit, as in the IETF draft: `"requests";q=<requests>;w=60`.',
    schema: { type: 'string' },
  },
  ETag: { description: 'Identifies this version, for `If-Match` and `If-None-Match`.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer' } },
}

const EVERYWHERE = ['X-Request-Id']
const RATE_LIMITED = [
  ...EVERYWHERE,
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'RateLimit',
  'RateLimit-Policy',
]

const refer = (names: string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

/** Headers of a route's own responses. */
export const replyHeaders = (route: Route) =>
  refer([
    ...(route.access === 'open' ? EVERYWHERE : RATE_LIMITED),
    ...(route.ifMatch || isSingle(route) ? ['ETag'] : []),
  ])

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

/** Every status that a route can refuse with, in ascending order. */
export function refusalStatuses(route: Route): number[] {
  if (route.errors) return []
  const { access, method } = route
  const keyed = access !== 'open'
  const reads = route.body !== undefined || route.query !== undefined
  const namesResource = Object.values(route.params ?? {}).some((kind) => kind !== 'text')
  const implied: Record<number, boolean> = {
    400: reads || access === 'project',
    401: keyed,
    403: keyed && (access !== 'session' || method !== 'GET' || route.role !== undefined),
    404: namesResource || access === 'own-project',
    412: route.ifMatch === true,
    413: route.body !== undefined,
    422: reads,
    429: keyed || isLimitedByNetwork(route),
    500: true,
    503: true,
  }
  const statuses = Object.keys(implied)
    .map(Number)
    .filter((status) => implied[status])
  return [...new Set([...statuses, ...(route.refusals ?? [])])].sort((a, b) => a - b)
}
