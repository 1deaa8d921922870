/** The gate as the HTTP server needs it. */
import type { Context } from '../context.ts'
import type { Gate } from '../platform/http/server.ts'
import type { Admission } from './admission.ts'
import { admit, admitPerson } from './authenticate.ts'
import { errorReply } from './error-reply.ts'
import { claimKey, type IdempotencyKeys } from './idempotency.ts'

/** Only what takes the public key may be called from any website. */
const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'Authorization, Content-Type, Idempotency-Key',
  'access-control-expose-headers': 'X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset',
  'access-control-max-age': '86400',
}

export const createGate = (ctx: Context, admission: Admission, keys: IdempotencyKeys): Gate => ({
  async admit(request, reply, route) {
    const caller = await admit(ctx, admission, { request, reply, route })
    return route.idempotent ? claimKey(keys, request, route, caller) : caller
  },
  admitPerson: (request, reply, route, person) => admitPerson(ctx, admission, { request, reply, route }, person),
  async settle({ projectId, idempotencyKey }, status) {
    if (idempotencyKey) await keys.settle(projectId, idempotencyKey, status)
  },
  runExpensive: admission.runExpensive,
  errorReply,
  corsHeaders: (route) => (route.access === 'public-key' ? ANY_ORIGIN : undefined),
})
