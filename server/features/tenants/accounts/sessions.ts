/** Sessions: opened at sign-in, updated by requests, listed and ended by their user. */
import type { Context } from '../../../context.ts'
import { notFound, Refusal } from '../../../kernel/errors.ts'
import { isId, newId } from '../../../kernel/ids.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import * as queries from './queries.ts'
import {
  endedCookie,
  makeSessionToken,
  readSessionToken,
  SESSION_DAYS,
  sessionCookie,
  tokenFromCookies,
} from './session-token.ts'
import { showUser, type UserRow } from './user.ts'

const DAY_MS = 24 * 3600_000
const USER_AGENT_MAX = 300

/** Limits writes: the list of sessions doesn't need the exact time of the last request. */
const SEEN_EVERY_MS = 5 * 60_000

export interface Session {
  id: string
  userId: string
}

/** The IP address and user agent of a request. */
export interface Origin {
  ip: string
  userAgent?: string | undefined
}

export const originOf = (facts: { ip: string; headers: Record<string, string | string[] | undefined> }): Origin => {
  const userAgent = facts.headers['user-agent']
  return { ip: facts.ip, userAgent: typeof userAgent === 'string' ? userAgent : undefined }
}

export interface OpenedSession {
  user: ReturnType<typeof showUser>
  /** The Set-Cookie header that carries the session. */
  cookie: string
}

/** `checkedPasswordHash`: the session is opened only if this is still the password hash of the account. */
export async function openSession(
  ctx: Context,
  db: Database | Tx,
  user: UserRow,
  origin: Origin,
  checkedPasswordHash?: string,
): Promise<OpenedSession> {
  const now = ctx.clock.now()
  const session = { id: newId(now), userId: user.id }
  const opened = await queries.insertSession(
    db,
    {
      ...session,
      now,
      expiresAt: new Date(now.getTime() + SESSION_DAYS * DAY_MS),
      ip: origin.ip,
      userAgent: origin.userAgent?.slice(0, USER_AGENT_MAX) ?? null,
    },
    checkedPasswordHash,
  )
  if (!opened) throw wrongCredentials()
  const token = await makeSessionToken(ctx.secrets.sessionKey, session, now)
  return { user: showUser(user), cookie: sessionCookie(token, isSecure(ctx)) }
}

/** The session in a request's cookies, if it still exists. */
export async function findSession(ctx: Context, cookieHeader: string | undefined): Promise<Session | undefined> {
  const sessionId = await sessionIdFrom(ctx, cookieHeader)
  const now = ctx.clock.now()
  const user = sessionId ? await queries.findSessionUser(ctx.db, sessionId, now) : undefined
  if (!user) return undefined
  if (now.getTime() - (user.seen_at?.getTime() ?? 0) > SEEN_EVERY_MS)
    await queries.updateLastSeen(ctx.db, sessionId!, now)
  return { id: sessionId!, userId: user.id }
}

export const hasSessionCookie = (cookieHeader: string | undefined): boolean => Boolean(tokenFromCookies(cookieHeader))

/** Ends the session on the server too. Returns the Set-Cookie header that clears the cookie. */
export async function logOut(ctx: Context, cookieHeader: string | undefined): Promise<string> {
  const sessionId = await sessionIdFrom(ctx, cookieHeader)
  if (sessionId) await queries.deleteSession(ctx.db, sessionId)
  return endedCookie(isSecure(ctx))
}

export async function getSessionUser(ctx: Context, sessionId: string): Promise<UserRow> {
  const user = await queries.findSessionUser(ctx.db, sessionId, ctx.clock.now())
  if (!user) throw new Refusal('unauthenticated', 'UNAUTHORIZED', 'Your session has expired. Sign in again.')
  return user
}

export async function listSessions(ctx: Context, { id, userId }: Session) {
  const rows = await queries.listSessions(ctx.db, userId, ctx.clock.now())
  const data = rows.map((row) => ({
    id: row.id,
    current: row.id === id,
    ip: row.ip,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    lastSeenAt: row.seen_at ?? row.created_at,
    expiresAt: row.expires_at,
  }))
  return { data }
}

export async function endSession(ctx: Context, { userId }: Session, sessionId: string): Promise<void> {
  if (!(await queries.deleteSessionOf(ctx.db, userId, sessionId))) throw notFound('session', sessionId)
}

export async function endOtherSessions(ctx: Context, { id, userId }: Session) {
  return { ended: await queries.deleteSessionsOf(ctx.db, userId, id) }
}

async function sessionIdFrom(ctx: Context, cookieHeader: string | undefined): Promise<string | undefined> {
  const token = tokenFromCookies(cookieHeader)
  const sessionId = token && (await readSessionToken(ctx.secrets.sessionKey, token, ctx.clock.now()))
  return sessionId && isId(sessionId) ? sessionId : undefined
}

export const isSecure = (ctx: Context): boolean => ctx.baseUrl.startsWith('https:')

export const wrongCredentials = () =>
  new Refusal('unauthenticated', 'INVALID_CREDENTIALS', 'The email address or password is incorrect.')
