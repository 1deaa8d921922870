/** People, and how often someone tried to sign in as them. These tables belong to no project. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'

export interface UserRow {
  id: string
  email: string
  /** Empty for someone who came in through a sign-in provider. */
  password_hash: string | null
  email_verified_at: Date | null
  two_factor_secret: Buffer | null
  two_factor_enabled_at: Date | null
  created_at: Date
}

export interface NewUser {
  id: string
  email: string
  passwordHash: string | null
  verified?: boolean
  now: Date
}

/** Nothing when the address is taken. */
export async function insertUser(tx: Database | Tx, user: NewUser): Promise<UserRow | undefined> {
  return tx
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      password_hash: user.passwordHash,
      email_verified_at: user.verified ? user.now : null,
      created_at: user.now,
      updated_at: user.now,
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function findUserByEmail(db: Database | Tx, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}

export async function findUser(db: Database | Tx, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Two changes of one account follow one another. */
export async function lockUser(tx: Tx, id: string): Promise<UserRow | undefined> {
  return tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function setVerified(tx: Tx, userId: string, now: Date): Promise<UserRow> {
  return tx
    .updateTable('users')
    .set({ email_verified_at: sql`coalesce(email_verified_at, ${now}::timestamptz)`, updated_at: now })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function setPassword(tx: Tx, userId: string, passwordHash: string, now: Date): Promise<UserRow> {
  return tx
    .updateTable('users')
    .set({ password_hash: passwordHash, updated_at: now })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function isAnyoneHere(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Only one of several processes that start at once makes the first account. */
export async function lockFirstAccount(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('first-account'))`.execute(tx)
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

export async function deleteFailures(db: Database | Tx, email: string): Promise<void> {
  await db.deleteFrom('login_failures').where('email', '=', email).execute()
}

export async function forgetFailures(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('login_failures').where('failed_at', '<', before).execute()
}
