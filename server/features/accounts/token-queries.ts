/** Tokens that travel in mails: kept hashed, each for one purpose and one use. */
import type { Database, Tx } from '../../platform/database/connect.ts'

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

/** Uses a token up. Of two who come with it at once, one gets the person's id. */
export async function takeToken(tx: Tx, hash: Buffer, purpose: TokenPurpose, now: Date): Promise<string | undefined> {
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

/** The other links of this kind are dead too. */
export async function voidTokens(tx: Tx, userId: string, purpose: TokenPurpose, now: Date): Promise<void> {
  await tx
    .updateTable('account_tokens')
    .set({ used_at: now })
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
}

export async function forgetTokens(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('account_tokens').where('expires_at', '<', before).execute()
}
