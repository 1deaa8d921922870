/** The part of `Idempotency-Key` that is inside the statements of features. The gate claims and releases keys. */
import type { RawBuilder } from 'kysely'
import { sql } from './connection/sql.ts'
import { sqlState } from './connection/transaction.ts'

/** A key that was claimed for one request. */
export interface IdempotencyClaim {
  key: string
  id: string
  /** Identifies the body, once it was read. Absent for requests whose response is not returned again. */
  fingerprint?: Buffer
}

/**
 * A step of the statement that has the effects: completes the keys of its requests. `rows` selects: project_id, key,
 * claim_id, response, fingerprint. The statement fails if another request has claimed a key since. An upsert of existing rows,
 * because it always uses the key; a cached plan of an update with a join may scan the table.
 */
export const completeIdempotencyKeys = (rows: RawBuilder<unknown>) => sql`
  insert into idempotency_keys as existing (project_id, key, request, status_code, response, created_at, claim_id, fingerprint)
  select done.project_id, done.key, coalesce(claimed.request, refuse_lost_claim()), 200, done.response, claimed.created_at,
    done.claim_id, done.fingerprint
  from (${rows}) as done(project_id, key, claim_id, response, fingerprint) left join lateral (
    select request, created_at from idempotency_keys
    where idempotency_keys.project_id = done.project_id and idempotency_keys.key = done.key limit 1
  ) as claimed on true
  on conflict (project_id, key) do update set status_code = excluded.status_code, response = excluded.response,
    fingerprint = excluded.fingerprint,
    request = case when existing.claim_id = excluded.claim_id and existing.status_code is null then existing.request
      else refuse_lost_claim() end`

/** A statement failed, without any effect, because another request has claimed its key. */
export const isClaimLost = (error: unknown): boolean => sqlState(error) === 'PHIDK'
