/**
 * Passwords are kept as argon2id, hashed off the event loop. Guessing has a limit: five failures in 15 minutes for one
 * address. Every try counts as a failure until it succeeds, so that guesses made all at once are counted too. Unknown
 * addresses are counted alike, so a refusal tells nothing about whether there is an account.
 */
import { hash, verify } from '@node-rs/argon2'
import type { Context } from '../../context.ts'
import { countOf, Refusal } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { transaction } from '../../platform/database/transaction.ts'
import * as queries from './queries.ts'
import { getSessionUser } from './sessions.ts'
import type { UserRow } from './user.ts'

// The OWASP minimum: 19 MiB, two passes. About 30 ms of one core.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

const isPassword = (passwordHash: string, password: string): Promise<boolean> => verify(passwordHash, password)

const FAILURES_MAX = 5
const FAILURES_WINDOW_MS = 15 * 60_000

export async function countTry(ctx: Context, email: string): Promise<void> {
  const at = ctx.clock.now()
  const now = at.getTime()
  const { count, oldest } = await transaction(ctx.db, async (tx) => {
    await queries.lockFailures(tx, email)
    const failures = await queries.countFailures(tx, email, new Date(now - FAILURES_WINDOW_MS))
    if (failures.count < FAILURES_MAX) await queries.insertFailure(tx, { id: newId(at), email, now: at })
    return failures
  })
  if (count < FAILURES_MAX) return
  const retryAfter = Math.ceil(((oldest?.getTime() ?? now) + FAILURES_WINDOW_MS - now) / 1000)
  throw new Refusal('too-many', 'RATE_LIMIT_EXCEEDED', 'Too many failed sign-in attempts for this address.', {
    details: { retryAfter },
    suggestion: `Try again in ${countOf(Math.ceil(retryAfter / 60), 'minute')}.`,
  })
}

export const forgiveTries = (ctx: Context, email: string): Promise<void> => queries.deleteFailures(ctx.db, email)

export const forgetOldTries = (ctx: Context): Promise<void> =>
  queries.forgetFailures(ctx.db, new Date(ctx.clock.now().getTime() - FAILURES_WINDOW_MS))

let decoy: Promise<string> | undefined

/** For an unknown account: takes as long as a real check, and always says no. */
async function refuseSlowly(password: string): Promise<false> {
  decoy ??= hashPassword('no account has this password')
  await isPassword(await decoy, password)
  return false
}

/** Takes equally long for an account that is not there or has no password. */
export const isPasswordOf = (user: UserRow | undefined, password: string): Promise<boolean> =>
  user?.password_hash ? isPassword(user.password_hash, password) : refuseSlowly(password)

/**
 * Asks a signed-in person for their password again, before a change that decides who can sign in. Wrong passwords count
 * as failed sign-ins; the caller clears them once everything it asks for was right.
 */
export async function confirmPassword(ctx: Context, sessionId: string, password: string): Promise<UserRow> {
  const user = await getSessionUser(ctx, sessionId)
  if (!user.password_hash) {
    throw new Refusal('forbidden', 'FORBIDDEN', 'This account has no password yet.', {
      suggestion: 'Set a password first: request a password reset and follow the link in the email.',
    })
  }
  await countTry(ctx, user.email)
  if (!(await isPasswordOf(user, password))) {
    throw new Refusal('unauthenticated', 'INVALID_CREDENTIALS', 'The password is incorrect.')
  }
  return user
}
