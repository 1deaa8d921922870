/** The public key (`pk_…`) and the secret key (`sk_…`) that every project has. */
import { randomBytes } from 'node:crypto'
import type { Context } from '../../../context.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { hashKey } from '../../../platform/secrets.ts'
import * as queries from './queries.ts'

export interface KeyPair {
  publicKey: string
  secretKey: string
  secretKeyHint: string
}

/** Long and random; the prefix shows the type of key. */
export function makeKeys(): KeyPair {
  const secretKey = `sk_${randomBytes(24).toString('hex')}`
  return { publicKey: `pk_${randomBytes(24).toString('hex')}`, secretKey, secretKeyHint: `sk_…${secretKey.slice(-4)}` }
}

/** Both keys change together; the old ones stop working when the transaction ends. */
export const storeKeys = (tx: Tx, projectId: string, { publicKey, secretKey }: KeyPair): Promise<void> =>
  queries.replaceProjectKeys(tx, projectId, { public: hashKey(publicKey), secret: hashKey(secretKey) })

export const isKeyOf = (ctx: Context, projectId: string, key: string): Promise<boolean> =>
  queries.hasProjectKey(ctx.db, projectId, hashKey(key))

export async function listProjectKeys(ctx: Context, projectId: string) {
  const rows = await queries.listProjectKeys(ctx.db, projectId)
  return rows.map((row) => ({
    type: row.kind === 'secret' ? ('SECRET' as const) : ('PUBLIC' as const),
    key: row.kind === 'secret' ? row.secret_key_hint : row.public_key,
    lastUsedAt: row.last_used_at,
  }))
}
