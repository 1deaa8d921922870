/** Users, failed sign-ins, sessions, email tokens and second factors. These tables belong to no project. */
import type { Selectable } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { Users } from '../../../platform/database/tables.ts'

/**
 * `password_hash` is null for a user who signed up with a sign-in provider. `operator` is the first account of the
 * installation.
 */
export type UserRow = Omit<Selectable<Users>, 'updated_at' | 'two_factor_last_step'>

export interface NewUser {
  id: string
  email: string
  passwordHash: string | null
  verified?: boolean
  now: Date
}

/**
 * Undefined if the address already has an account. The first account is the operator. If another one becomes the operator
 * at the same time, the insert waits for it, does nothing and is repeated.
 */
export async function insertUser(tx: Tx, user: NewUser): Promise<UserRow | undefined> {
  return (await insertUserIfPossible(tx, user)) ?? insertUserIfPossible(tx, user)
}

const insertUserIfPossible = (tx: Tx, user: NewUser): Promise<UserRow | undefined> =>
  tx
    .insertInto('users')
    .values({
      id: user.id,
      email: user.email,
      password_hash: user.passwordHash,
      email_verified_at: user.verified ? user.now : null,
      operator: sql<boolean>`not exists (select from users)`,
      created_at: user.now,
      updated_at: user.now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

export async function findUserByEmail(db: Database | Tx, email: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}

export async function findUser(db: Database | Tx, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Serializes changes of one account. */
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

export async function setLanguage(db: Database, userId: string, language: string | null, now: Date): Promise<UserRow> {
  return db
    .updateTable('users')
    .set({ language, updated_at: now })
    .where('id', '=', userId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function hasUsers(db: Database): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

/** Ensures that only one of several starting processes creates the first account. */
export async function lockFirstAccount(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('first-account'))`.execute(tx)
}

export interface Failure {
  kind: string
  email: string
  network: string
}

/** Attempts for one address, and those of one network, are counted one after the other. */
export async function lockFailures(tx: Tx, { email, network }: Failure): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${network}, 2)), pg_advisory_xact_lock(hashtextextended(${email}, 1))`.execute(
    tx,
  )
}

interface FailureCount {
  count: number
  oldest: Date | null
}

/** Counts those of this kind and address from this network and from anywhere, and of any kind from this network. */
export async function countFailures(
  tx: Tx,
  { kind, email, network }: Failure,
  since: Date,
): Promise<Record<'here' | 'anywhere' | 'network', FailureCount>> {
  const { rows } = await sql<{
    here: number
    here_since: Date | null
    anywhere: number
    anywhere_since: Date | null
    network: number
    network_since: Date | null
  }>`
    with recent as (
      select failed_at, network, kind = ${kind} and email = ${email} as same from login_failures
      where failed_at > ${since}::timestamptz and (email = ${email || null} or network = ${network || null})
    )
    select count(*) filter (where same and network = ${network}) as here,
      min(failed_at) filter (where same and network = ${network}) as here_since,
      count(*) filter (where same) as anywhere, min(failed_at) filter (where same) as anywhere_since,
      count(*) filter (where network = ${network}) as network, min(failed_at) filter (where network = ${network}) as network_since
    from recent`.execute(tx)
  const row = rows[0]!
  return {
    here: { count: row.here, oldest: row.here_since },
    anywhere: { count: row.anywhere, oldest: row.anywhere_since },
    network: { count: row.network, oldest: row.network_since },
  }
}

export async function insertFailure(tx: Tx, failure: Failure & { id: string; now: Date }): Promise<void> {
  const { id, kind, email, network, now } = failure
  await tx.insertInto('login_failures').values({ id, kind, email, network, failed_at: now }).execute()
}

/** Deletes the failures from one network, or from everywhere. */
export async function deleteFailures(
  db: Database | Tx,
  { kinds, email, network }: { kinds: string[]; email: string; network?: string | undefined },
): Promise<void> {
  let query = db.deleteFrom('login_failures').where('email', '=', email).where('kind', 'in', kinds)
  if (network !== undefined) query = query.where('network', '=', network)
  await query.execute()
}

export async function deleteOldFailures(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('login_failures').where('failed_at', '<', before).execute()
}

export interface NewSession {
  id: string
  userId: string
  now: Date
  expiresAt: Date
  ip: string | null
  userAgent: string | null
}

/**
 * Opens a session, unless the password that was just checked has changed since. The account's row is locked, so a
 * password change that ends all sessions can't miss this one.
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

export async function updateLastSeen(db: Database, sessionId: string, now: Date): Promise<void> {
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

/** False if this user has no such session. */
export async function deleteSessionOf(db: Database, userId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

/** Ends all sessions of a user, except the given one. Returns how many. */
export async function deleteSessionsOf(db: Database | Tx, userId: string, except?: string): Promise<number> {
  let query = db.deleteFrom('sessions').where('user_id', '=', userId)
  if (except !== undefined) query = query.where('id', '<>', except)
  const { numDeletedRows } = await query.executeTakeFirst()
  return Number(numDeletedRows)
}

export async function deleteOldSessions(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', before).execute()
}

export type TokenPurpose = 'VERIFY_EMAIL' | 'RESET_PASSWORD'

export async function countTokens(tx: Tx, userId: string, purpose: TokenPurpose, since: Date): Promise<number> {
  const row = await tx
    .selectFrom('account_tokens')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertToken(
  tx: Tx,
  token: { hash: Buffer; userId: string; purpose: TokenPurpose; now: Date; expiresAt: Date },
): Promise<void> {
  await tx
    .insertInto('account_tokens')
    .values({
      hash: token.hash,
      user_id: token.userId,
      purpose: token.purpose,
      created_at: token.now,
      expires_at: token.expiresAt,
    })
    .execute()
}

export async function isUsable(db: Database, hash: Buffer, purpose: TokenPurpose, now: Date): Promise<boolean> {
  const row = await db
    .selectFrom('account_tokens')
    .select('user_id')
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Marks a token as used. If two requests use it at the same time, only one gets the user's id. */
export async function consumeToken(
  tx: Tx,
  hash: Buffer,
  purpose: TokenPurpose,
  now: Date,
): Promise<string | undefined> {
  const row = await tx
    .updateTable('account_tokens')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst()
  return row?.user_id
}

/** Other links of this kind stop working too. */
export async function invalidateTokens(tx: Tx, userId: string, purpose: TokenPurpose, now: Date): Promise<void> {
  await tx
    .updateTable('account_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
}

export async function deleteTokens(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('account_tokens').where('expires_at', '<', before).execute()
}

/** Stored until it is confirmed by a code. False if two-factor sign-in is already enabled. */
export async function savePendingSecret(db: Database, userId: string, sealed: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ two_factor_secret: sealed, two_factor_last_step: null, updated_at: now })
    .where('id', '=', userId)
    .where('two_factor_enabled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function turnOn(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.updateTable('users').set({ two_factor_enabled_at: now, updated_at: now }).where('id', '=', userId).execute()
}

export async function turnOff(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('users')
    .set({ two_factor_secret: null, two_factor_enabled_at: null, two_factor_last_step: null, updated_at: now })
    .where('id', '=', userId)
    .execute()
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

/** False if this time step or a later one was used before, so that each code works only once. */
export async function useStep(db: Database | Tx, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ two_factor_last_step: step })
    .where('id', '=', userId)
    .where((eb) => eb.or([eb('two_factor_last_step', 'is', null), eb('two_factor_last_step', '<', step)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function replaceRecoveryCodes(tx: Tx, userId: string, hashes: Buffer[]): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  await sql`insert into recovery_codes (user_id, hash) select ${userId}::uuid, unnest(${hashes}::bytea[])`.execute(tx)
}

export async function useRecoveryCode(db: Database | Tx, userId: string, hash: Buffer, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function countRecoveryCodes(db: Database, userId: string): Promise<number> {
  const row = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}
