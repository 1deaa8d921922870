/** Accounts and sessions: signing up, in and out. */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../context.ts'
import { conflict, Refusal } from '../../kernel/errors.ts'
import { isId, newId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/database/connect.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { createProjectIn } from '../projects/actions.ts'
import { hashPassword, isPassword, refuseSlowly } from './password.ts'
import * as queries from './queries.ts'
import {
  endedCookie,
  makeSessionToken,
  readSessionToken,
  SESSION_DAYS,
  sessionCookie,
  tokenFromCookies,
} from './session-token.ts'

const FAILURES_MAX = 5
const FAILURES_WINDOW_MS = 15 * 60_000
const DAY_MS = 24 * 3600_000

export interface Session {
  id: string
  userId: string
}

export async function signUp(ctx: Context, { email, password }: { email: string; password: string }) {
  if (ctx.settings.DISABLE_SIGNUPS) {
    throw new Refusal('forbidden', 'SIGNUPS_DISABLED', 'New accounts are turned off on this installation.', {
      suggestion: 'Ask a project owner to invite you.',
    })
  }
  const now = ctx.clock.now()
  const user = await queries.insertUser(ctx.db, {
    id: newId(now),
    email,
    passwordHash: await hashPassword(password),
    now,
  })
  if (!user) throw conflict('An account with this email address exists already.', { suggestion: 'Sign in instead.' })
  return signInAs(ctx, user)
}

export async function logIn(ctx: Context, { email, password }: { email: string; password: string }) {
  await countTry(ctx, email)
  const user = await queries.findUserByEmail(ctx.db, email)
  const right = user ? await isPassword(user.password_hash, password) : await refuseSlowly(password)
  if (!user || !right) {
    throw new Refusal('unauthenticated', 'INVALID_CREDENTIALS', 'The email address or the password is wrong.')
  }
  await queries.deleteFailures(ctx.db, email)
  return signInAs(ctx, user)
}

/** Every try counts as a failure until it succeeds, so that guesses made all at once are counted too. */
async function countTry(ctx: Context, email: string): Promise<void> {
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
  throw new Refusal('too-many', 'RATE_LIMIT_EXCEEDED', 'Too many failed sign-ins for this address.', {
    details: { retryAfter },
    suggestion: `Wait ${Math.ceil(retryAfter / 60)} minutes, then try again.`,
  })
}

/** Opens a session; `cookie` is the Set-Cookie header that carries it. */
async function signInAs(ctx: Context, user: queries.UserRow) {
  const now = ctx.clock.now()
  const session = { id: newId(now), userId: user.id }
  await queries.insertSession(ctx.db, { ...session, now, expiresAt: new Date(now.getTime() + SESSION_DAYS * DAY_MS) })
  const token = await makeSessionToken(ctx.secrets.sessionKey, session, now)
  return { user: showUser(user), cookie: sessionCookie(token, isSecure(ctx)) }
}

/** The session that a request's cookies carry, if it still lives. */
export async function findSession(ctx: Context, cookieHeader: string | undefined): Promise<Session | undefined> {
  const sessionId = await sessionIdFrom(ctx, cookieHeader)
  const user = sessionId ? await queries.findSessionUser(ctx.db, sessionId, ctx.clock.now()) : undefined
  return user && { id: sessionId!, userId: user.id }
}

/** Ends the session here, not only in the browser. Returns the Set-Cookie header that clears it. */
export async function logOut(ctx: Context, cookieHeader: string | undefined): Promise<string> {
  const sessionId = await sessionIdFrom(ctx, cookieHeader)
  if (sessionId) await queries.deleteSession(ctx.db, sessionId)
  return endedCookie(isSecure(ctx))
}

export const hasSessionCookie = (cookieHeader: string | undefined): boolean => Boolean(tokenFromCookies(cookieHeader))

async function sessionIdFrom(ctx: Context, cookieHeader: string | undefined): Promise<string | undefined> {
  const token = tokenFromCookies(cookieHeader)
  const sessionId = token && (await readSessionToken(ctx.secrets.sessionKey, token, ctx.clock.now()))
  return sessionId && isId(sessionId) ? sessionId : undefined
}

export async function getUser(ctx: Context, sessionId: string) {
  const user = await queries.findSessionUser(ctx.db, sessionId, ctx.clock.now())
  if (!user) throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'Your session is over. Sign in again.')
  return { ...showUser(user), createdAt: user.created_at }
}

export interface FirstAccount {
  email: string
  password: string
  project: Awaited<ReturnType<typeof createProjectIn>>
}

/** On an empty database: an owner with a random password and a first project. `complete` runs in the same transaction: all of it is there, or nothing. */
export async function createFirstAccount(
  ctx: Context,
  names: { email: string; project: string },
  complete: (tx: Tx, account: FirstAccount) => Promise<void>,
): Promise<FirstAccount | undefined> {
  if (await queries.isAnyoneHere(ctx.db)) return undefined
  const password = randomBytes(12).toString('base64url')
  const passwordHash = await hashPassword(password)
  return transaction(ctx.db, async (tx) => {
    await queries.lockFirstAccount(tx)
    if (await queries.isAnyoneHere(tx)) return undefined
    const now = ctx.clock.now()
    const user = await queries.insertUser(tx, { id: newId(now), email: names.email, passwordHash, now })
    const project = await createProjectIn(ctx, tx, user!.id, { name: names.project })
    const account = { email: names.email, password, project }
    await complete(tx, account)
    return account
  })
}

export async function forgetExpiredSessions(ctx: Context): Promise<void> {
  const now = ctx.clock.now()
  await queries.forgetExpired(ctx.db, now, new Date(now.getTime() - FAILURES_WINDOW_MS))
}

const isSecure = (ctx: Context): boolean => ctx.baseUrl.startsWith('https:')

const showUser = (user: queries.UserRow) => ({
  id: user.id,
  email: user.email,
  emailVerified: user.email_verified_at !== null,
})
