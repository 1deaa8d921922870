/** Who may receive a notice. */
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'

/** Those of the addresses that belong to an account and are confirmed. */
export async function findConfirmed(db: Database | Tx, addresses: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('users')
    .select('email')
    .where('email', 'in', addresses)
    .where('email_verified_at', 'is not', null)
    .execute()
  return new Set(rows.map(({ email }) => email))
}
