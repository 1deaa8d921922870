/** What is recorded about every request: a span, a metric and a line in the log. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { type Span, startTrace } from '../../kernel/tracing.ts'
import { observeRequest } from '../metrics.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Absent if nothing is traced. */
    span?: Span
  }
}

/** With the template of the route, never with the path itself, which may contain a token. */
export function startRequestTrace(request: FastifyRequest): void {
  const { method, headers } = request
  const { url } = request.routeOptions
  const attributes = { 'http.request.method': method, 'http.route': url }
  const span = startTrace(url ? `${method} ${url}` : method, headers.traceparent, { kind: 'server', attributes })
  if (span) request.span = span
}

export function recordResponse(ctx: Context, request: FastifyRequest, reply: FastifyReply): void {
  const { id: requestId, method, span } = request
  const { statusCode: status } = reply
  const projectId = request.caller?.projectId || undefined
  const url = request.routeOptions?.url ?? 'unknown'
  const ms = Math.round(reply.elapsedTime * 10) / 10
  observeRequest(method, url, status, ms / 1000)
  ctx.log.info({ requestId, traceId: span?.traceId, projectId, status, ms }, `${method} ${url}`)
  if (!span) return
  span.set({
    'http.response.status_code': status,
    'posthorn.request.id': requestId,
    'posthorn.project.id': projectId,
  })
  if (status >= 500) span.fail(String(status))
  span.end()
}
