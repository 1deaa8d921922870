/** Links accounts to the ids of sign-in providers. */
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'

/** Who the person is: the id alone is unique at one issuer only. */
export interface IdentityKey {
  provider: string
  issuer: string
  subject: string
}

export async function findUserByIdentity(db: Database | Tx, { provider, issuer, subject }: IdentityKey) {
  return db
    .selectFrom('identities')
    .innerJoin('users', 'users.id', 'identities.user_id')
    .selectAll('users')
    .where('identities.provider', '=', provider)
    .where('identities.issuer', '=', issuer)
    .where('identities.subject', '=', subject)
    .executeTakeFirst()
}

/** Serializes concurrent callbacks for a new user. */
export async function insertIdentity(
  tx: Tx,
  { userId, now, ...key }: IdentityKey & { userId: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('identities')
    .values({ ...key, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.columns(['provider', 'issuer', 'subject']).doNothing())
    .execute()
}

/** Identities from before issuers were stored. */
export async function setMissingIssuers(db: Database, provider: string, issuer: string): Promise<void> {
  await db
    .updateTable('identities')
    .set({ issuer })
    .where('provider', '=', provider)
    .where('issuer', 'is', null)
    .execute()
}
