/** A project's budget of requests per minute. The count lives in the database, so all processes share it. */
import type { FastifyReply } from 'fastify'
import type { Context } from '../context.ts'
import { countOf, Refusal } from '../kernel/errors.ts'
import type { AdmittedProject } from './admission.ts'
import * as queries from './queries.ts'

const WINDOW_MS = 60_000
const HOUR_MS = 3_600_000

/** Tells the state of the budget in the reply's headers; refuses when it is used up. */
export function applyRateLimit(ctx: Context, reply: FastifyReply, project: AdmittedProject): void {
  const limit = ctx.settings.RATE_LIMIT_PER_MINUTE
  if (limit === 0) return
  const endsAt = project.windowStartedAt.getTime() + WINDOW_MS
  const reset = Math.max(1, Math.ceil((endsAt - ctx.clock.now().getTime()) / 1000))
  reply.headers({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, limit - project.windowCount)),
    'ratelimit-reset': String(reset),
  })
  if (project.windowCount <= limit) return
  throw new Refusal(
    'too-many',
    'RATE_LIMIT_EXCEEDED',
    `The rate limit of ${countOf(limit, 'request')} per minute has been reached.`,
    {
      details: { retryAfter: reset, limit },
      suggestion: `Try again in ${countOf(reset, 'second')}.`,
    },
  )
}

export const forgetOldWindows = (ctx: Context): Promise<void> =>
  queries.forgetOldWindows(ctx.db, new Date(ctx.clock.now().getTime() - HOUR_MS))
