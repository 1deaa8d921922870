/** Links accounts to the ids of sign-in providers. */
import type { Database, Tx } from '../../platform/database/connect.ts'

export async function findUserByIdentity(db: Database | Tx, provider: string, subject: string) {
  return db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .selectAll('users')
    .where('identities.provider', '=', provider)
    .where('identities.subject', '=', subject)
    .executeTakeFirst()
}

/** Serializes concurrent callbacks for a new user. */
export async function insertIdentity(
  tx: Tx,
  identity: { provider: string; subject: string; userId: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('identities')
    .values({
      provider: identity.provider,
      subject: identity.subject,
      user_id: identity.userId,
      created_at: identity.now,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'subject']).doNothing())
    .execute()
}
