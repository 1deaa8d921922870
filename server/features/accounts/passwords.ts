/**
 * Passwords are stored as argon2id hashes, computed off the event loop. Five failures per address in 15 minutes are
 * allowed. Each attempt counts as a failure until it succeeds, so concurrent guesses are counted too. Unknown addresses
 * are treated the same, so a refusal doesn't reveal whether an account exists.
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

export async function countSignInAttempt(ctx: Context, email: string): Promise<void> {
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

export const clearSignInFailures = (ctx: Context, email: string): Promise<void> => queries.deleteFailures(ctx.db, email)

export const deleteOldSignInFailures = (ctx: Context): Promise<void> =>
  queries.deleteOldFailures(ctx.db, new Date(ctx.clock.now().getTime() - FAILURES_WINDOW_MS))

let decoy: Promise<string> | undefined

/** For an unknown account: takes as long as a real check and always fails. */
async function rejectAfterHashing(password: string): Promise<false> {
  decoy ??= hashPassword('no account has this password')
  await isPassword(await decoy, password)
  return false
}

/** Takes equally long if the account doesn't exist or has no password. */
export const isPasswordOf = (user: UserRow | undefined, password: string): Promise<boolean> =>
  user?.password_hash ? isPassword(user.password_hash, password) : rejectAfterHashing(password)

/**
 * Requires the password again before a change that affects who can sign in. Wrong passwords count as failed sign-ins;
 * the caller clears them once every check has passed.
 */
export async function confirmPassword(ctx: Context, sessionId: string, password: string): Promise<UserRow> {
  const user = await getSessionUser(ctx, sessionId)
  if (!user.password_hash) {
    throw new Refusal('forbidden', 'FORBIDDEN', 'This account has no password yet.', {
      suggestion: 'Set a password first: request a password reset and follow the link in the email.',
    })
  }
  await countSignInAttempt(ctx, user.email)
  if (!(await isPasswordOf(user, password))) {
    throw new Refusal('unauthenticated', 'INVALID_CREDENTIALS', 'The password is incorrect.')
  }
  return user
}
