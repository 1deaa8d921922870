/** SQL that counts what is waiting and what failed, of one endpoint for its page, and of all for /metrics. */

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
