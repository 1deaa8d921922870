/**
 * Limits on guessing. Every attempt counts as a failure until it succeeds, so concurrent guesses are counted too. Unknown
 * addresses are counted in the same way, so a refusal doesn't reveal whether an account exists.
 *
 * Five failures lock an address for one network, and only fifty from anywhere lock it for all networks. Password checks
 * inside a session, and codes, are counted separately, so others can't lock them, and a correct password doesn't clear
 * wrong codes.
 */
import type { Context } from '../../../context.ts'
import { countOf, Refusal } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { networkOf } from '../../../platform/network/public-address.ts'
import * as queries from './queries.ts'

const WINDOW_MS = 15 * 60_000

/**
 * - `password`: signing in.
 * - `confirm`: the password again, inside a session.
 * - `code`: the second factor.
 * - `request`: any other request without a session, such as signing up or resetting a password.
 */
export type AttemptKind = 'password' | 'confirm' | 'code' | 'request'

export interface Attempt {
  kind: AttemptKind
  /** Empty for requests, which are counted by network alone. */
  email: string
  /** Absent inside a session. */
  ip?: string | undefined
}

const LIMITS: Record<AttemptKind, { here?: number; anywhere?: number }> = {
  password: { here: 5, anywhere: 50 },
  confirm: { anywhere: 5 },
  code: { anywhere: 5 },
  request: {},
}

export async function countAttempt(ctx: Context, { kind, email, ip }: Attempt): Promise<void> {
  const at = ctx.clock.now()
  // Failed sign-ins and requests of one network, for any address. 0: no limit.
  const networkMax = ctx.settings.RATE_LIMIT_PER_MINUTE
  if (kind === 'request' && networkMax === 0) return
  const attempt = { kind, email, network: ip === undefined ? '' : networkOf(ip) }
  const { here, anywhere } = LIMITS[kind]
  const over = await transaction(ctx.db, async (tx) => {
    await queries.lockFailures(tx, attempt)
    const counts = await queries.countFailures(tx, attempt, new Date(at.getTime() - WINDOW_MS))
    const full =
      (here !== undefined && counts.here.count >= here && counts.here) ||
      (anywhere !== undefined && counts.anywhere.count >= anywhere && counts.anywhere) ||
      (networkMax > 0 && attempt.network !== '' && counts.network.count >= networkMax && counts.network)
    if (!full) await queries.insertFailure(tx, { id: newId(at), ...attempt, now: at })
    return full
  })
  if (!over) return
  const retryAfter = Math.max(1, Math.ceil(((over.oldest ?? at).getTime() + WINDOW_MS - at.getTime()) / 1000))
  const message = kind === 'request' ? 'Too many requests from your network.' : 'Too many failed sign-in attempts.'
  throw new Refusal('too-many', 'RATE_LIMIT_EXCEEDED', message, {
    details: { retryAfter },
    suggestion: `Try again in ${countOf(Math.ceil(retryAfter / 60), 'minute')}.`,
  })
}

/** Called once all checks have passed. Attempts from other networks stay counted. */
export const clearAttempts = (ctx: Context, { kind, email, ip }: Attempt): Promise<void> =>
  queries.deleteFailures(ctx.db, { kinds: [kind], email, network: ip === undefined ? undefined : networkOf(ip) })

export const countRequest = (ctx: Context, ip: string): Promise<void> =>
  countAttempt(ctx, { kind: 'request', email: '', ip })

export const deleteOldAttempts = (ctx: Context): Promise<void> =>
  queries.deleteOldFailures(ctx.db, new Date(ctx.clock.now().getTime() - WINDOW_MS))
