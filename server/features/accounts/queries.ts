/** People and their sessions. These tables belong to no project. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'

export interface UserRow {
  id: string
  email: string
  password_hash: string
  email_verified_at: Date | null
  created_at: Date
}

export async function insertUser(
  tx: Database | Tx,
  user: { id: string; email: string; passwordHash: string; now: Date },
): Promise<UserRow | undefined> {
  return tx
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      password_hash: user.passwordHash,
      created_at: user.now,
      updated_at: user.now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function findUserByEmail(db: Database, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}

export async function isAnyoneHere(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Only one of several processes that start at once makes the first account. */
export async function lockFirstAccount(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('first-account'))`.execute(tx)
}

export async function insertSession(db: Database, session: { id: string; userId: string; now: Date; expiresAt: Date }) {
  await db
    .insertInto('sessions')
    .values({ id: session.id, user_id: session.userId, created_at: session.now, expires_at: session.expiresAt })
    .execute()
}

export async function findSessionUser(db: Database, sessionId: string, now: Date): Promise<UserRow | undefined> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .selectAll('users')
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst()
}

export async function deleteSession(db: Database, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute()
}

/** Tries for one address are counted one after the other. */
export async function lockFailures(tx: Tx, email: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${email}, 1))`.execute(tx)
}

export async function countFailures(
  db: Database | Tx,
  email: string,
  since: Date,
): Promise<{ count: number; oldest: Date | null }> {
  return db
    .selectFrom('login_failures')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('failed_at').as('oldest')])
    .where('email', '=', email)
    .where('failed_at', '>', since)
    .executeTakeFirstOrThrow()
}

export async function insertFailure(
  db: Database | Tx,
  failure: { id: string; email: string; now: Date },
): Promise<void> {
  await db
    .insertInto('login_failures')
    .values({ id: failure.id, email: failure.email, failed_at: failure.now })
    .execute()
}

export async function deleteFailures(db: Database, email: string): Promise<void> {
  await db.deleteFrom('login_failures').where('email', '=', email).execute()
}

export async function forgetExpired(db: Database, now: Date, failuresBefore: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', now).execute()
  await db.deleteFrom('login_failures').where('failed_at', '<', failuresBefore).execute()
}
