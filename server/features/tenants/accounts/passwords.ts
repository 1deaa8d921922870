/** Passwords are stored as argon2id hashes, computed off the event loop. */
import { hash, verify } from '@node-rs/argon2'
import type { Context } from '../../../context.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { countAttempt } from './attempts.ts'
import { getSessionUser } from './sessions.ts'
import type { UserRow } from './user.ts'

// The OWASP minimum: 19 MiB, two passes. About 30 ms of one core.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

const isPassword = (passwordHash: string, password: string): Promise<boolean> => verify(passwordHash, password)

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
 * Requires the password of a signed-in user again, before a change that affects who can sign in. The caller clears the
 * failed attempt once every check has passed.
 */
export async function confirmPassword(ctx: Context, sessionId: string, password: string): Promise<UserRow> {
  const user = await getSessionUser(ctx, sessionId)
  if (!user.password_hash) {
    throw new Refusal('forbidden', 'FORBIDDEN', 'This account has no password yet.', {
      suggestion: 'Set a password first: request a password reset and follow the link in the email.',
    })
  }
  await countAttempt(ctx, { kind: 'confirm', email: user.email })
  if (!(await isPasswordOf(user, password))) {
    throw new Refusal('unauthenticated', 'INVALID_CREDENTIALS', 'The password is incorrect.')
  }
  return user
}
