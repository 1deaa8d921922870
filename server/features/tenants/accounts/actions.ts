/** Accounts: signing up, signing in, and changes to one's own account. */
import { randomBytes } from 'node:crypto'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { conflict, forbidden, Refusal } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { acceptInvitation } from '../members/actions.ts'
import { createProjectIn } from '../projects/actions.ts'
import { clearAttempts, countAttempt, deleteOldAttempts } from './attempts.ts'
import { confirmPassword, hashPassword, isPasswordOf } from './passwords.ts'
import * as queries from './queries.ts'
import type { UserChanges } from './schemas.ts'
import {
  getSessionUser,
  type OpenedSession,
  type Origin,
  openSession,
  type Session,
  wrongCredentials,
} from './sessions.ts'
import { changePasswordIn, deleteOldTokens, queueAccountMail } from './tokens.ts'
import { requireCode } from './two-factor.ts'
import { isOperator, showUser, type UserRow } from './user.ts'

export interface SignUp {
  email: string
  password: string
  /** The token of an invitation: the account becomes a member of that project, even if sign-up is disabled. */
  invitation?: string | undefined
}

export async function signUp(ctx: Context, input: SignUp, origin: Origin): Promise<OpenedSession> {
  if (ctx.settings.DISABLE_SIGNUPS && input.invitation === undefined) throw signupsDisabled()
  const passwordHash = await hashPassword(input.password)
  const now = ctx.clock.now()
  return transaction(ctx.db, async (tx) => {
    const user = await queries.insertUser(tx, { id: newId(now), email: input.email, passwordHash, now })
    if (!user) throw conflict('An account with this email address already exists.', { suggestion: 'Sign in instead.' })
    if (input.invitation === undefined) {
      await queueAccountMail(tx, 'VERIFY_EMAIL', user.email)
      return openSession(ctx, tx, user, origin)
    }
    const { ip } = origin
    const accepted = { token: input.invitation, userId: user.id, email: user.email, ip }
    const { provesMailbox } = await acceptInvitation(ctx, tx, accepted)
    if (!provesMailbox) await queueAccountMail(tx, 'VERIFY_EMAIL', user.email)
    return openSession(ctx, tx, provesMailbox ? await queries.setVerified(tx, user.id, now) : user, origin)
  })
}

const signupsDisabled = () =>
  new Refusal('forbidden', 'SIGNUPS_DISABLED', 'Sign-up is disabled on this installation.', {
    suggestion: 'Ask a project owner to invite you.',
  })

export interface LogIn {
  email: string
  password: string
  code?: string | undefined
}

export async function logIn(ctx: Context, { email, password, code }: LogIn, origin: Origin): Promise<OpenedSession> {
  const attempt = { kind: 'password', email, ip: origin.ip } as const
  await countAttempt(ctx, attempt)
  const user = await queries.findUserByEmail(ctx.db, email)
  if (!(await isPasswordOf(user, password))) throw wrongCredentials()
  await requireCode(ctx, user!, code, origin.ip)
  const opened = await openSession(ctx, ctx.db, user!, origin, user!.password_hash!)
  await clearAttempts(ctx, attempt)
  return opened
}

export const getUser = async (ctx: Context, sessionId: string) => showAccount(ctx, await getSessionUser(ctx, sessionId))

/** Without a language, nothing changes. */
export async function changeUser(ctx: Context, session: Session, { language }: z.output<typeof UserChanges>) {
  if (language === undefined) return getUser(ctx, session.id)
  return showAccount(ctx, await queries.setLanguage(ctx.db, session.userId, language, ctx.clock.now()))
}

const showAccount = (ctx: Context, user: UserRow) => ({
  ...showUser(user),
  operator: isOperator(ctx.settings.OPERATOR_EMAILS, user),
  language: user.language,
  createdAt: user.created_at,
})

export async function requireOperator(ctx: Context, sessionId: string): Promise<void> {
  if (isOperator(ctx.settings.OPERATOR_EMAILS, await getSessionUser(ctx, sessionId))) return
  throw forbidden('Only the operator can do this: the first account, or an account listed in OPERATOR_EMAILS.')
}

/** Ends all sessions including the current one; the caller gets a new session. */
export async function changePassword(
  ctx: Context,
  session: Session,
  input: { password: string; newPassword: string },
  origin: Origin,
): Promise<OpenedSession> {
  await confirmPassword(ctx, session.id, input.password)
  const passwordHash = await hashPassword(input.newPassword)
  return transaction(ctx.db, async (tx) => {
    const user = await changePasswordIn(ctx, tx, session.userId, passwordHash)
    return openSession(ctx, tx, user, origin)
  })
}

/** A token that was only sent by email also verifies the address. */
export async function joinProject(ctx: Context, session: Session, token: string, ip: string) {
  const user = await getSessionUser(ctx, session.id)
  return transaction(ctx.db, async (tx) => {
    const { provesMailbox, ...joined } = await acceptInvitation(ctx, tx, {
      token,
      userId: user.id,
      email: user.email,
      ip,
    })
    if (provesMailbox) await queries.setVerified(tx, user.id, ctx.clock.now())
    return joined
  })
}

export const findUser = (ctx: Context, userId: string): Promise<UserRow | undefined> => queries.findUser(ctx.db, userId)

export const findUserByEmail = (tx: Tx, email: string): Promise<UserRow | undefined> =>
  queries.findUserByEmail(tx, email)

/**
 * Creates an account without a password for an address that a sign-in provider has verified. Undefined if the address
 * already has an account.
 */
export function createVerifiedUser(ctx: Context, tx: Tx, email: string): Promise<UserRow | undefined> {
  const now = ctx.clock.now()
  return queries.insertUser(tx, { id: newId(now), email, passwordHash: null, verified: true, now })
}

export interface FirstAccount {
  email: string
  password: string
  project: Awaited<ReturnType<typeof createProjectIn>>
}

export const hasAccounts = (ctx: Context): Promise<boolean> => queries.hasUsers(ctx.db)

export interface NewFirstAccount {
  email: string
  project: string
  /** A random one if it is absent. */
  password?: string | undefined
  /** Whether the operator has confirmed that the address is theirs. */
  verified?: boolean
}

/** On an empty database: creates an owner and a first project. `complete` runs in the same transaction. */
export async function createFirstAccount(
  ctx: Context,
  { email, project: name, password = randomBytes(12).toString('base64url'), verified = false }: NewFirstAccount,
  complete: (tx: Tx, account: FirstAccount) => Promise<void>,
): Promise<FirstAccount | undefined> {
  if (await queries.hasUsers(ctx.db)) return undefined
  const passwordHash = await hashPassword(password)
  return transaction(ctx.db, async (tx) => {
    await queries.lockFirstAccount(tx)
    if (await queries.hasUsers(tx)) return undefined
    const now = ctx.clock.now()
    const user = await queries.insertUser(tx, { id: newId(now), email, passwordHash, verified, now })
    const project = await createProjectIn(ctx, tx, user!.id, { name })
    const account = { email, password, project }
    await complete(tx, account)
    return account
  })
}

export async function deleteExpiredSessions(ctx: Context): Promise<void> {
  await queries.deleteOldSessions(ctx.db, ctx.clock.now())
  await deleteOldAttempts(ctx)
  await deleteOldTokens(ctx)
}
