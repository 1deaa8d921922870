/** SQL on what is waiting and what failed: counts for the page of an endpoint and for /metrics, and an immediate retry. */

import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'

/** Beyond this, the exact number doesn't matter, and counting stays cheap. */
const COUNT_TO = 10_000

export interface EndpointBacklog {
  waiting: number
  dueSince: Date | null
  failed: number
}

/** Failures are those of the log, without tests. */
export async function readEndpointBacklog(
  db: Database,
  projectId: string,
  endpointId: string,
  now: Date,
): Promise<EndpointBacklog> {
  const { rows } = await sql<EndpointBacklog>`/* read-webhook-endpoint-backlog */
    select
      (select count(*)::int from (
        select from webhook_deliveries d where d.project_id = ${projectId} and d.endpoint_id = ${endpointId} limit ${COUNT_TO}) as w) as waiting,
      (select min(d.next_attempt_at) from webhook_deliveries d
        where d.project_id = ${projectId} and d.endpoint_id = ${endpointId} and d.next_attempt_at <= ${now}::timestamptz) as "dueSince",
      (select count(*)::int from (
        select from webhook_log l where l.project_id = ${projectId} and l.endpoint_id = ${endpointId} and not l.succeeded and not l.is_test
          limit ${COUNT_TO}) as f) as failed`.execute(db)
  return rows[0]!
}

export interface Backlog {
  waiting: number
  oldestSeconds: number
  failing: number
}

/** Deliveries that are due, and endpoints that fail. Those of disabled endpoints wait for someone to enable them. */
export async function readBacklog(db: Database): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select count(*)::float8 as waiting,
      greatest(0, coalesce(extract(epoch from now() - min(next_attempt_at)), 0))::float8 as "oldestSeconds",
      (select count(*)::float8 from webhook_endpoints where failing_since is not null) as failing
    from (
      select d.next_attempt_at from webhook_endpoints w cross join lateral (
        select next_attempt_at from webhook_deliveries d
        where d.project_id = w.project_id and d.endpoint_id = w.id and d.next_attempt_at <= now()
        order by d.next_attempt_at limit ${COUNT_TO}
      ) as d where w.enabled limit ${COUNT_TO}
    ) as due`.execute(db)
  return rows[0]!
}

const RETRY_AT_ONCE = 10_000

/**
 * Makes the waiting deliveries of an endpoint due, up to `RETRY_AT_ONCE`, without those that are being recorded or were attempted
 * later. Returns whether there may be more.
 */
export async function retryWaiting(db: Database, projectId: string, endpointId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`/* retry-waiting-webhooks */
    update webhook_deliveries d set next_attempt_at = ${now}::timestamptz
    from (
      select project_id, id from webhook_deliveries
      where project_id = ${projectId} and endpoint_id = ${endpointId} and next_attempt_at > ${now}::timestamptz
        and coalesce((attempts -> -1 ->> 'at')::timestamptz <= ${now}::timestamptz, true)
      order by endpoint_id, next_attempt_at, id limit ${RETRY_AT_ONCE} for update skip locked
    ) as waiting
    where d.project_id = waiting.project_id and d.id = waiting.id
    returning 1`.execute(db)
  return rows.length === RETRY_AT_ONCE
}
