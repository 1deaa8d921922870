/** The part of `Idempotency-Key` that is inside the statements of features. The gate claims and releases keys. */
import { type RawBuilder, sql } from 'kysely'

/**
 * A step of the statement that has the effects: the keys of its requests are completed with them. `rows` selects:
 * project_id, key, response. An upsert of rows that are there, because it always goes by the key: a cached plan of
 * an update that joins may be one that reads them all.
 */
export const completeIdempotencyKeys = (rows: RawBuilder<unknown>) => sql`
  insert into idempotency_keys (project_id, key, request, status_code, response, created_at)
  select done.project_id, done.key, claimed.request, 200, done.response, claimed.created_at
  from (${rows}) as done(project_id, key, response) cross join lateral (
    select request, created_at from idempotency_keys
    where idempotency_keys.project_id = done.project_id and idempotency_keys.key = done.key limit 1
  ) as claimed
  on conflict (project_id, key) do update set status_code = excluded.status_code, response = excluded.response`
