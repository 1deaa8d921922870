/** Sessions: who is signed in, from where, and until when. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'
import type { UserRow } from './queries.ts'

export interface NewSession {
  id: string
  userId: string
  now: Date
  expiresAt: Date
  ip: string | null
  userAgent: string | null
}

/**
 * Opens a session, unless the password that was just checked is no longer the account's: the row of the account is
 * locked for it, so a change of password that ends all sessions cannot miss this one.
 */
export async function insertSession(
  db: Database | Tx,
  session: NewSession,
  checkedPasswordHash?: string,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into sessions (id, user_id, created_at, expires_at, seen_at, ip, user_agent)
    select ${session.id}::uuid, account.id, ${session.now}::timestamptz, ${session.expiresAt}::timestamptz,
      ${session.now}::timestamptz, ${session.ip}, ${session.userAgent}
    from (
      select id from users where id = ${session.userId}
        and (${checkedPasswordHash ?? null}::text is null or password_hash = ${checkedPasswordHash ?? null}::text)
      for share
    ) as account`.execute(db)
  return numAffectedRows === 1n
}

export type SessionUserRow = UserRow & { seen_at: Date | null }

export async function findSessionUser(db: Database, sessionId: string, now: Date): Promise<SessionUserRow | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .select('sessions.seen_at')
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst()
}

export async function noteSeen(db: Database, sessionId: string, now: Date): Promise<void> {
  await db.updateTable('sessions').set({ seen_at: now }).where('id', '=', sessionId).execute()
}

export async function listSessions(db: Database, userId: string, now: Date) {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .execute()
}

export async function deleteSession(db: Database, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
}

/** False when this person has no such session. */
export async function deleteSessionOf(db: Database, userId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Ends all sessions of a person, but for one if it is named. Returns how many. */
export async function deleteSessionsOf(db: Database | Tx, userId: string, except?: string): Promise<number> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId)
  if (except !== undefined) query = query.where('id', '<>', except)
  const { numDeletedRows } = await query.executeTakeFirst()
  return Number(numDeletedRows)
}

export async function forgetSessions(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', before).execute()
}
