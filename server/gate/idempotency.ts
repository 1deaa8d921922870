/**
 * `Idempotency-Key`: a key is claimed in the database before any effect and completed by the statement that has the
 * effect, so a crash leaves either both or neither. The key of a refused request is released. If the process exits in
 * between, the next request with the key claims it (see claimIdempotencyKey).
 */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { badRequest, Refusal } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import { pause, within } from '../kernel/wait.ts'
import type { IdempotencyClaim } from '../platform/database/idempotency-sql.ts'
import type { Caller, Route } from '../platform/http/route.ts'
import * as queries from './queries.ts'

const KEY = /^[ -~]{1,255}$/
const HOUR_MS = 3_600_000
const RETRY_PAUSE_MS = 500
const RESPONSE_TIMEOUT_MS = 1_000

export type Claimed = { claim: IdempotencyClaim; first?: undefined } | { first: queries.ClaimedKey }

export type IdempotencyKeys = ReturnType<typeof createIdempotencyKeys>

export function createIdempotencyKeys(ctx: Context) {
  const closing = new AbortController()

  /** Retries until it succeeds, because a key that stays claimed can't be used again. */
  async function settle(work: () => Promise<void>): Promise<void> {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (closing.signal.aborted) return // this process exits, which frees the key too
        ctx.log.debug({ err: error }, 'an idempotency key could not be updated yet; retrying')
      }
      await pause(RETRY_PAUSE_MS, closing.signal).catch(() => {})
    }
  }
  const release = (projectId: string, claim: IdempotencyClaim) =>
    settle(() => queries.releaseIdempotencyKey(ctx.db, projectId, claim))

  return {
    /** Claims a key for a request, or returns the request that has it. */
    async claim(projectId: string, key: string, request: string): Promise<Claimed> {
      const now = ctx.clock.now()
      const claim = { key, id: newId(now) }
      try {
        const facts = { request, now, expiredBefore: keysExpireBefore(ctx), claimedBy: ctx.workerLock ?? null }
        const first = await queries.claimIdempotencyKey(ctx.db, projectId, { ...claim, ...facts })
        return first ? { first } : { claim }
      } catch (error) {
        void release(projectId, claim) // the claim may have been committed although we got no response
        throw error
      }
    },
    /**
     * For a request that failed with this status. If it was refused, it can be corrected and sent again with its key.
     * After any other failure the key stays used, and later requests get the status of the first.
     */
    async settle(projectId: string, claim: IdempotencyClaim, status: number): Promise<void> {
      const settled =
        status < 500
          ? release(projectId, claim)
          : settle(() => queries.setIdempotencyKeyStatus(ctx.db, projectId, claim, status))
      await within(RESPONSE_TIMEOUT_MS, settled) // the response doesn't wait for a database that is away
    },
    close: () => closing.abort(),
  }
}

const keysExpireBefore = (ctx: Context) =>
  new Date(ctx.clock.now().getTime() - ctx.settings.IDEMPOTENCY_KEY_TTL_HOURS * HOUR_MS)

export const deleteOldKeys = (ctx: Context): Promise<void> => queries.deleteOldKeys(ctx.db, keysExpireBefore(ctx))

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
  const claimed = await keys.claim(caller.projectId, key, `${route.method} ${route.path}`)
  if (!claimed.first) return { ...caller, idempotencyKey: claimed.claim }
  const { first } = claimed
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
