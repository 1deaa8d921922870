/**
 * `Idempotency-Key`: a key is claimed in the database before any effect and completed by the very statement that has
 * the effect, so a crash leaves either both or neither. The key of a refused request is released.
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { badRequest, Refusal } from '../kernel/errors.ts'
import type { Caller, Route } from '../platform/http/route.ts'
import * as queries from './queries.ts'

const KEY = /^[ -~]{1,255}$/
const HOUR_MS = 3_600_000

export interface IdempotencyKeys {
  /** Claims a key for a request, or returns the request that has it. */
  claim(projectId: string, key: string, request: string): Promise<queries.ClaimedKey | undefined>
  /** The key may be used again. */
  release(projectId: string, key: string): Promise<void>
  /** The request may have had an effect: its key stays used, with this status. */
  keep(projectId: string, key: string, status: number): Promise<void>
}

export const idempotencyKeys = (ctx: Context): IdempotencyKeys => ({
  claim: (projectId, key, request) =>
    queries.claimIdempotencyKey(ctx.db, projectId, {
      key,
      request,
      now: ctx.clock.now(),
      expiredBefore: keysExpireBefore(ctx),
    }),
  release: (projectId, key) => queries.releaseIdempotencyKey(ctx.db, projectId, key),
  keep: (projectId, key, status) => queries.keepIdempotencyKey(ctx.db, projectId, key, status),
})

const keysExpireBefore = (ctx: Context) =>
  new Date(ctx.clock.now().getTime() - ctx.settings.IDEMPOTENCY_KEY_TTL_HOURS * HOUR_MS)

export const forgetOldKeys = (ctx: Context): Promise<void> => queries.forgetOldKeys(ctx.db, keysExpireBefore(ctx))

export async function claimKey(
  keys: IdempotencyKeys,
  request: FastifyRequest,
  route: Route,
  caller: Caller,
): Promise<Caller> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return caller
  if (typeof key !== 'string' || !KEY.test(key)) {
    throw badRequest('An Idempotency-Key must have 1 to 255 printable ASCII characters.')
  }
  const first = await keys.claim(caller.projectId, key, `${route.method} ${route.path}`)
  if (!first) return { ...caller, idempotencyKey: key }
  throw new Refusal(
    'conflict',
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key has already been used in this project.',
    {
      details: {
        key,
        originalRequest: first.request,
        originalRequestAt: first.created_at,
        originalStatusCode: first.status_code,
        ...(first.response ? { originalResponse: first.response } : {}),
      },
      suggestion: 'The first request with this key was accepted. Use a new key for a new request.',
    },
  )
}

/** A request that was refused may be corrected and sent again with its key; one that failed may have had an effect. */
export async function settleKey(ctx: Context, keys: IdempotencyKeys, caller: Caller, status: number): Promise<void> {
  if (caller.idempotencyKey === undefined) return
  try {
    if (status < 500) await keys.release(caller.projectId, caller.idempotencyKey)
    else await keys.keep(caller.projectId, caller.idempotencyKey, status)
  } catch (error) {
    ctx.log.warn({ err: error }, 'the outcome of an idempotent request could not be recorded; its key stays claimed')
  }
}
