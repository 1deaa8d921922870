/**
 * Links in mails: confirming an address and setting a new password. Asking for one only queues a job, whether there
 * is such an account or not: the answer cannot tell, neither by its words nor by the time it takes.
 */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { badRequest, invalidField } from '../../kernel/errors.ts'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import { hashKey } from '../../platform/secrets.ts'
import { isAddressConfirmed, leaveProjects } from '../members/actions.ts'
import { enqueueNotice } from '../notices/actions.ts'
import { passwordChangedNotice, passwordResetNotice, verificationNotice } from './notices.ts'
import { hashPassword } from './passwords.ts'
import * as queries from './queries.ts'
import { findSession } from './sessions.ts'
import { showUser, type UserRow } from './user.ts'

const HOUR_MS = 3_600_000

/** Mails of one kind to one person within an hour. Whoever asks more often gets the same answer, and no mail. */
const PER_HOUR_MAX = 5

const PAGES = { VERIFY_EMAIL: '/app/verify-email', RESET_PASSWORD: '/app/reset-password' }
const NOTICES = { VERIFY_EMAIL: verificationNotice, RESET_PASSWORD: passwordResetNotice }

/** Where a person who suspects a stranger in their account goes. */
export const forgottenPage = (ctx: Context): string => `${ctx.baseUrl}/app/forgot-password`

/** A request that still waits is replaced by the next one for the same address. */
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

/** The job: makes the token and queues the mail that carries it, if there is someone to get it. */
export async function sendAccountMail(
  ctx: Context,
  { purpose, email }: { purpose: queries.TokenPurpose; email: string },
): Promise<void> {
  const now = ctx.clock.now()
  await transaction(ctx.db, async (tx) => {
    const known = await queries.findUserByEmail(tx, email)
    const user = known && (await queries.lockUser(tx, known.id))
    if (!user || (purpose === 'VERIFY_EMAIL' && user.email_verified_at)) return
    const lately = await queries.countTokens(tx, user.id, purpose, new Date(now.getTime() - HOUR_MS))
    if (lately >= PER_HOUR_MAX) return
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
    const userId = await queries.takeToken(tx, hashKey(token), 'VERIFY_EMAIL', now)
    if (!userId) throw deadLink()
    await queries.voidTokens(tx, userId, 'VERIFY_EMAIL', now)
    return showUser(await queries.setVerified(tx, userId, now))
  })
}

/** Who follows the link reads mail at that address, so it is confirmed as well. All sessions end. */
export async function resetPassword(ctx: Context, { token, password }: { token: string; password: string }) {
  const now = ctx.clock.now()
  const hash = hashKey(token)
  // Asked first, so that a made-up token costs nobody the work of hashing a password.
  if (!(await queries.isUsable(ctx.db, hash, 'RESET_PASSWORD', now))) throw deadLink()
  const passwordHash = await hashPassword(password)
  await transaction(ctx.db, async (tx) => {
    const userId = await queries.takeToken(tx, hash, 'RESET_PASSWORD', now)
    if (!userId) throw deadLink()
    const before = await queries.lockUser(tx, userId)
    await changePasswordIn(ctx, tx, userId, passwordHash)
    if (!isAddressConfirmed(ctx, before!)) await startOver(tx, userId, now)
    await queries.setVerified(tx, userId, now)
  })
}

/**
 * The address was never confirmed, so the account may have been made by someone else: what they set up for it, or were
 * given because of it, is not the owner's. Projects that the account itself created stay. No identity of a sign-in provider
 * can be linked to it, because that takes a confirmed address.
 */
async function startOver(tx: Tx, userId: string, now: Date): Promise<void> {
  await queries.turnOff(tx, userId, now)
  await leaveProjects(tx, userId)
}

/** The password first, then the sessions: one that is opened with the old password in between does not survive. */
export async function changePasswordIn(ctx: Context, tx: Tx, userId: string, passwordHash: string): Promise<UserRow> {
  const now = ctx.clock.now()
  const user = await queries.setPassword(tx, userId, passwordHash, now)
  await queries.deleteSessionsOf(tx, userId)
  await queries.voidTokens(tx, userId, 'RESET_PASSWORD', now)
  // Wrong codes stay counted: a password is only one of two factors.
  await queries.deleteFailures(tx, { kinds: ['password', 'confirm'], email: user.email })
  await enqueueNotice(ctx, tx, passwordChangedNotice({ to: user.email, link: forgottenPage(ctx) }))
  return user
}

/** They count towards the hourly limit, so they are kept a while longer than they work. */
export const forgetOldTokens = (ctx: Context): Promise<void> =>
  queries.forgetTokens(ctx.db, new Date(ctx.clock.now().getTime() - HOUR_MS))

const deadLink = () =>
  badRequest('This link has already been used or has expired.', {
    suggestion: 'Request a new link and use it within one hour.',
  })
