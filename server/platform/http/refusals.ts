/** What the HTTP server itself refuses, before a route is called. */
import type { FastifyRequest } from 'fastify'
import { badRequest, Refusal } from '../../kernel/errors.ts'

export const foreignHost = () =>
  new Refusal('forbidden', 'FORBIDDEN', "This installation doesn't serve the host that the request names.", {
    suggestion: 'Use the host of BASE_URL, or add this host to ALLOWED_HOSTS.',
  })

/** NUL can't be stored: in a query it is invalid, and a path with it doesn't exist. */
export function unstorableAddress(request: FastifyRequest): Refusal {
  const path = request.url.split('?')[0] ?? ''
  return path.includes('%00') ? unknownRoute(request) : badRequest('The URL must not contain the NUL character.')
}

export function connectionRefusal(code: string | undefined): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return new Refusal('too-slow', 'REQUEST_TIMEOUT', 'The request was not completed in time.', {
      suggestion: 'Send the whole request within a minute.',
    })
  }
  return badRequest(
    code === 'HPE_HEADER_OVERFLOW' ? 'The URL and headers are too long.' : 'The request is not valid HTTP.',
  )
}

/** Fastify's own errors are about the client's request; they become refusals. */
export function asRefusal(error: unknown, request: FastifyRequest): unknown {
  const { code, statusCode } = error as { code?: string; statusCode?: number }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return tooLarge(request.routeOptions.bodyLimit)
  }
  if (code?.startsWith('FST_ERR') && statusCode !== undefined && statusCode < 500) {
    return badRequest((error as Error).message)
  }
  return error
}

const KB = 1024
const MB = 1024 * KB

function tooLarge(bytes: number): Refusal {
  const limit = bytes >= MB ? `${Math.floor(bytes / MB)} MB` : `${Math.floor(bytes / KB)} KB`
  const message = `The request body exceeds the maximum size for this endpoint, which is ${limit}.`
  return new Refusal('too-large', 'PAYLOAD_TOO_LARGE', message, { suggestion: 'Send less in one request.' })
}

export function unknownRoute(request: FastifyRequest): Refusal {
  const path = request.url.split('?')[0] ?? ''
  return new Refusal('not-found', 'RESOURCE_NOT_FOUND', `The endpoint ${request.method} ${path} does not exist.`, {
    details: { resource: 'route', id: `${request.method} ${path}` },
    suggestion: 'See /docs for all endpoints.',
  })
}
