/**
 * SQL on deliveries as the sender sees them: what is due and for which host, and outcomes. One process sends to a host, so
 * deliveries are not claimed one by one: if it exits, the next process sends what it has not recorded.
 */
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { Facts } from './request.ts'

export interface Attempt {
  at: string
  status: number | null
  durationMs: number
  error: string | null
  response: string | null
}

export interface DueEndpoint {
  project_id: string
  id: string
  host: string
}

/** The endpoints that have deliveries, found by one index lookup each, and of them those with due ones. */
export async function listDueEndpoints(db: Database, now: Date): Promise<DueEndpoint[]> {
  const { rows } = await sql<DueEndpoint>`/* list-due-webhook-endpoints */
    with recursive waiting as (
      (select endpoint_id, project_id from webhook_deliveries order by endpoint_id limit 1)
      union all
      select next.endpoint_id, next.project_id from waiting cross join lateral (
        select d.endpoint_id, d.project_id from webhook_deliveries d
        where d.endpoint_id > waiting.endpoint_id order by d.endpoint_id limit 1
      ) as next
    )
    select w.project_id, w.id, w.host from waiting
    join webhook_endpoints w on w.project_id = waiting.project_id and w.id = waiting.endpoint_id
    join projects p on p.id = w.project_id and p.disabled_at is null
    where w.enabled and exists (
      select from webhook_deliveries d
      where d.project_id = w.project_id and d.endpoint_id = w.id and d.next_attempt_at <= ${now}::timestamptz)`.execute(
    db,
  )
  return rows
}

/** Returns the hosts that this process sends to. Hosts of a process that exited are free. */
export async function claimHosts(db: Database, hosts: string[], sender: number): Promise<string[]> {
  const { rows } = await sql<{ host: string }>`/* claim-webhook-hosts */
    insert into webhook_hosts as existing (host, sender) select unnest(${hosts}::text[]), ${sender}::int order by 1
    on conflict (host) do update set sender = excluded.sender
    where existing.sender = excluded.sender or not posthorn_queue.is_running(existing.sender)
    returning host`.execute(db)
  return rows.map(({ host }) => host)
}

export async function releaseHosts(db: Database, hosts: string[], sender: number): Promise<void> {
  await sql`/* release-webhook-hosts */
    delete from webhook_hosts where host = any(${hosts}::text[]) and sender = ${sender}::int`.execute(db)
}

export interface DueDelivery {
  project_id: string
  id: string
  event_id: string
  event_type: string
  event_at: Date
  facts: Facts | null
  attempts: number
}

/** Read when the request is made. Erased data is missing. */
export const FACTS = sql`coalesce(d.facts, jsonb_build_object(
      'contact', (
        select jsonb_build_object('id', c.id, 'email', c.email, 'subscribed', c.subscribed)
        from contacts c where c.project_id = d.project_id and c.id = d.contact_id),
      'email', (
        select jsonb_build_object('id', m.id, 'messageId', m.message_id, 'subject', coalesce(m.subject, ''), 'from', m.from_email,
          'to', m.to_email, 'campaignId', m.campaign_id, 'workflowId', (
            select x.workflow_id from workflow_executions x where x.project_id = m.project_id and x.id = m.workflow_execution_id),
          'tags', coalesce(m.tags, '{}'))
        from emails m where m.project_id = d.project_id and m.id = d.email_id),
      'data', coalesce((select v.data from events v where v.project_id = d.project_id and v.id = d.event_id), '{}')))`

/** Oldest first, without those that are in progress. None if another process sends to the host now. */
export async function listDue(
  db: Database,
  endpoint: DueEndpoint,
  sender: number,
  { now, except, limit }: { now: Date; except: string[]; limit: number },
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`/* list-due-webhook-deliveries */
    select d.project_id, d.id, d.event_id, d.event_type, d.event_at, ${FACTS} as facts, jsonb_array_length(d.attempts) as attempts
    from (
      select * from webhook_deliveries
      where endpoint_id = ${endpoint.id} and project_id = ${endpoint.project_id} and next_attempt_at <= ${now}::timestamptz
        and id <> all(${except}::uuid[])
        and exists (select from webhook_hosts where host = ${endpoint.host} and sender = ${sender}::int)
        and exists (select from projects where projects.id = ${endpoint.project_id} and disabled_at is null)
      order by endpoint_id, next_attempt_at, id limit ${limit}
    ) as d`.execute(db)
  return rows
}

export interface Outcome {
  projectId: string
  endpointId: string
  id: string
  attempt: Attempt
  /** Null if it is retried. */
  succeeded: boolean | null
  nextAttemptAt: string | null
  /** What was sent, for the log. */
  facts: Facts | null
}

export interface EndpointHealth {
  projectId: string
  endpointId: string
  failingSince: Date | null
}

/** How often the last delivery of an endpoint that works is recorded. */
const HEALTH_EVERY = '1 second'

/**
 * Records attempts: a delivery that ended moves to the log, without its facts if the contact was deleted in the meantime;
 * others are rescheduled. Returns the endpoints that fail.
 */
export async function recordOutcomes(db: Database, outcomes: Outcome[]): Promise<EndpointHealth[]> {
  const { rows } = await sql<EndpointHealth>`/* record-webhook-outcomes */
    with outcome as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as o("projectId" uuid, "endpointId" uuid, id uuid, attempt jsonb,
        succeeded boolean, "nextAttemptAt" timestamptz, facts jsonb)
    ), ended as (
      delete from webhook_deliveries d using outcome o
      where d.project_id = o."projectId" and d.id = o.id and o.succeeded is not null
      returning d.*, o.attempt, o.succeeded, o.facts as sent
    ), logged as (
      insert into webhook_log (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, facts, is_replay, is_test,
        succeeded, created_at, attempts)
      select project_id, id, endpoint_id, event_id, event_type, event_at, contact_id,
        case when contact_id is null or event_type = 'contact.deleted' or exists (
          select from contacts c where c.project_id = ended.project_id and c.id = ended.contact_id) then sent end,
        is_replay, false, succeeded, created_at, attempts || attempt
      from ended
      on conflict (project_id, id) do nothing
    ), rescheduled as (
      update webhook_deliveries d set attempts = d.attempts || o.attempt, next_attempt_at = o."nextAttemptAt"
      from outcome o where d.project_id = o."projectId" and d.id = o.id and o.succeeded is null
    ), result as (
      select "projectId", "endpointId", max((attempt ->> 'at')::timestamptz) as last_at, bool_or(coalesce(succeeded, false)) as has_succeeded
      from outcome group by 1, 2
    ), changed as (
      update webhook_endpoints w set last_delivery_at = r.last_at,
        failing_since = case when r.has_succeeded then null else coalesce(w.failing_since, r.last_at) end
      from result r
      where w.project_id = r."projectId" and w.id = r."endpointId"
        and (w.last_delivery_at is null or r.last_at > w.last_delivery_at + ${HEALTH_EVERY}::interval or (w.failing_since is null) <> r.has_succeeded)
      returning w.project_id, w.id, w.failing_since
    )
    select project_id as "projectId", id as "endpointId", failing_since as "failingSince" from changed where failing_since is not null`.execute(
    db,
  )
  return rows
}
