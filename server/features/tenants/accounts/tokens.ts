/**
 * Links in emails: verifying an address and resetting a password. A request only enqueues a job, whether or not the
 * account exists, so that neither the response nor its timing reveals it.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { badRequest, invalidField } from '../../../kernel/errors.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { hashKey } from '../../../platform/secrets.ts'
import { enqueueNotice } from '../../record/notices/actions.ts'
import { isAddressConfirmed, leaveProjects } from '../members/actions.ts'
import { passwordChangedNotice, passwordResetNotice, verificationNotice } from './notices.ts'
import { hashPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { findSession } from './sessions.ts'
import { showUser, type UserRow } from './user.ts'

const HOUR_MS = 3_600_000

/** Emails of one kind to one user per hour. Further requests get the same response, but no email. */
const PER_HOUR_MAX = 5

const PAGES = { VERIFY_EMAIL: '/app/verify-email', RESET_PASSWORD: '/app/reset-password' }
const NOTICES = { VERIFY_EMAIL: verificationNotice, RESET_PASSWORD: passwordResetNotice }

/** The page for users who suspect that someone else used their account. */
export const forgotPasswordUrl = (ctx: Context): string => `${ctx.baseUrl}/app/forgot-password`

/** A waiting request is replaced by the next one for the same address. */
export const queueAccountMail = (db: Database | Tx, purpose: queries.TokenPurpose, email: string): Promise<void> =>
  enqueue(db, 'send-account-mail', { purpose, email }, { jobKey: `account-mail:${purpose}:${email}` })

export async function requestVerification(
  ctx: Context,
  { email, cookieHeader }: { email: string | undefined; cookieHeader: string | undefined },
): Promise<void> {
  const address = email ?? (await addressOfSession(ctx, cookieHeader))
  if (!address) throw invalidField('email', 'Sign in, or provide the email address.', 'invalid_type')
  await queueAccountMail(ctx.db, 'VERIFY_EMAIL', address)
}

async function addressOfSession(ctx: Context, cookieHeader: string | undefined): Promise<string | undefined> {
  const session = await findSession(ctx, cookieHeader)
  return session && (await queries.findUser(ctx.db, session.userId))?.email
}

export const requestPasswordReset = (ctx: Context, email: string): Promise<void> =>
  queueAccountMail(ctx.db, 'RESET_PASSWORD', email)

/** The job: creates the token and enqueues the email, if the account exists. */
export async function sendAccountMail(
  ctx: Context,
  { purpose, email }: { purpose: queries.TokenPurpose; email: string },
): Promise<void> {
  const now = ctx.clock.now()
  await transaction(ctx.db, async (tx) => {
    const known = await queries.findUserByEmail(tx, email)
    const user = known && (await queries.lockUser(tx, known.id))
    if (!user || (purpose === 'VERIFY_EMAIL' && user.email_verified_at)) return
    const recentCount = await queries.countTokens(tx, user.id, purpose, new Date(now.getTime() - HOUR_MS))
    if (recentCount >= PER_HOUR_MAX) return
    const token = randomBytes(32).toString('base64url')
    const expiresAt = new Date(now.getTime() + HOUR_MS)
    await queries.insertToken(tx, { hash: hashKey(token), userId: user.id, purpose, now, expiresAt })
    const link = `${ctx.baseUrl}${PAGES[purpose]}?token=${token}`
    await enqueueNotice(ctx, tx, NOTICES[purpose]({ to: user.email, link }))
  })
}

export async function verifyEmail(ctx: Context, token: string) {
  const now = ctx.clock.now()
  return transaction(ctx.db, async (tx) => {
    const userId = await queries.consumeToken(tx, hashKey(token), 'VERIFY_EMAIL', now)
    if (!userId) throw expiredLink()
    await queries.invalidateTokens(tx, userId, 'VERIFY_EMAIL', now)
    return showUser(await queries.setVerified(tx, userId, now))
  })
}

/** Only the owner of the mailbox can follow the link, so it also verifies the address. All sessions end. */
export async function resetPassword(ctx: Context, { token, password }: { token: string; password: string }) {
  const now = ctx.clock.now()
  const hash = hashKey(token)
  // Checked first, so that an invalid token doesn't cost the time to hash a password.
  if (!(await queries.isUsable(ctx.db, hash, 'RESET_PASSWORD', now))) throw expiredLink()
  const passwordHash = await hashPassword(password)
  await transaction(ctx.db, async (tx) => {
    const userId = await queries.consumeToken(tx, hash, 'RESET_PASSWORD', now)
    if (!userId) throw expiredLink()
    const before = await queries.lockUser(tx, userId)
    await changePasswordIn(ctx, tx, userId, passwordHash)
    if (!isAddressConfirmed(ctx, before!)) await startOver(tx, userId, now)
    await queries.setVerified(tx, userId, now)
  })
}

/**
 * The address was never confirmed, so someone else may have created the account. The second factor and the memberships
 * of the account are removed, because they may not be the owner's. Projects that the account itself created are kept.
 * No sign-in provider can be linked to it, because that requires a confirmed address.
 */
async function startOver(tx: Tx, userId: string, now: Date): Promise<void> {
  await queries.turnOff(tx, userId, now)
  await leaveProjects(tx, userId)
}

/**
 * Changes the password before it ends the sessions, so that a session opened with the old password in between ends too.
 */
export async function changePasswordIn(ctx: Context, tx: Tx, userId: string, passwordHash: string): Promise<UserRow> {
  const now = ctx.clock.now()
  const user = await queries.setPassword(tx, userId, passwordHash, now)
  await queries.deleteSessionsOf(tx, userId)
  await queries.invalidateTokens(tx, userId, 'RESET_PASSWORD', now)
  // Wrong codes stay counted: a password is only one of two factors.
  await queries.deleteFailures(tx, { kinds: ['password', 'confirm'], email: user.email })
  await enqueueNotice(ctx, tx, passwordChangedNotice({ to: user.email, link: forgotPasswordUrl(ctx) }))
  return user
}

/** Used tokens count towards the hourly limit, so they are stored longer than they are valid. */
export const deleteOldTokens = (ctx: Context): Promise<void> =>
  queries.deleteTokens(ctx.db, new Date(ctx.clock.now().getTime() - HOUR_MS))

const expiredLink = () =>
  badRequest('This link has already been used or has expired.', {
    suggestion: 'Request a new link and use it within one hour.',
  })
