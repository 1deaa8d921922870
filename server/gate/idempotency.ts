/**
 * `Idempotency-Key`: a key is claimed in the database before any effect and completed by the very statement that has
 * the effect, so a crash leaves either both or neither. A refused request gives its key back.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { claimIdempotencyKey, keepIdempotencyKey, releaseIdempotencyKey } from '../features/projects/actions.ts'
import { badRequest, Refusal } from '../kernel/errors.ts'
import type { Caller, Route } from '../platform/http/route.ts'

const KEY = /^[ -~]{1,255}$/

export async function claimKey(ctx: Context, request: FastifyRequest, route: Route, caller: Caller): Promise<Caller> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return caller
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw badRequest('An Idempotency-Key has 1 to 255 printable ASCII characters.')
  }
  const first = await claimIdempotencyKey(ctx, caller.projectId, key, `${route.method} ${route.path}`)
  if (!first) return { ...caller, idempotencyKey: key }
  throw new Refusal('conflict', 'IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used before in this project.', {
    details: {
      key,
      originalRequest: first.request,
      originalRequestAt: first.created_at,
      originalStatusCode: first.status_code,
      ...(first.response ? { originalResponse: first.response } : {}),
    },
    suggestion: 'The first request counts. Use a new key for a new request.',
  })
}

/** A request that was refused may be corrected and sent again with its key; one that failed may have had an effect. */
export async function settleKey(ctx: Context, caller: Caller, status: number): Promise<void> {
  if (caller.idempotencyKey === undefined) return
  try {
    if (status < 500) await releaseIdempotencyKey(ctx, caller.projectId, caller.idempotencyKey)
    else await keepIdempotencyKey(ctx, caller.projectId, caller.idempotencyKey, status)
  } catch (error) {
    ctx.log.warn({ err: error }, 'an idempotency key could not be settled; it stays claimed')
  }
}
