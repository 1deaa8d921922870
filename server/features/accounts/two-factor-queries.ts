/** The second factor of an account: its secret, the last step that was used, and the recovery codes. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'

/** Kept until it is confirmed by a code. False when two-factor sign-in is on already. */
export async function keepPendingSecret(db: Database, userId: string, sealed: Buffer, now: Date): Promise<boolean> {
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

/** False when this step, or a later one, was used before: a code that someone looked at is worth nothing. */
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
