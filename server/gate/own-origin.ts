/**
 * Browsers send our cookie with requests that other sites make. Calls that change something must therefore come from
 * our own pages and have a content type that a form on another site can't send.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { Refusal } from '../kernel/errors.ts'

export function refuseForeignOrigin(ctx: Context, request: FastifyRequest): void {
  const { origin, host, 'sec-fetch-site': site, 'content-type': type } = request.headers
  const fromElsewhere = origin !== undefined ? !isOwn(ctx, origin, host) : site === 'cross-site' || site === 'same-site'
  const formLike = type !== undefined && !/^(application\/json|multipart\/form-data)\b/i.test(type)
  if (fromElsewhere || formLike) {
    throw new Refusal('forbidden', 'FORBIDDEN', 'This request must come from the dashboard and have a JSON body.', {
      suggestion: 'From another site or a script, use an API key, and send Content-Type: application/json.',
    })
  }
}

function isOwn(ctx: Context, origin: string, host: string | undefined): boolean {
  if (origin === new URL(ctx.baseUrl).origin) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
