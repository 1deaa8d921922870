/**
 * SQL on deliveries: what is due and for which host, outcomes, the log, and replays. One process sends to a host, so
 * deliveries are not claimed one by one: if it exits, the next process sends what it has not recorded.
 */
import type { RawBuilder } from 'kysely'
import { firstIdAt } from '../../../kernel/ids.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
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
const FACTS = sql`coalesce(d.facts, jsonb_build_object(
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

export interface DeliveryRow {
  id: string
  event_id: string
  event_type: string
  event_at: Date
  succeeded: boolean | null
  is_test: boolean
  created_at: Date
  next_attempt_at: Date | null
  attempts: Attempt[]
}

export interface DeliveryFilter {
  status?: 'pending' | 'succeeded' | 'failed' | undefined
  eventType?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

const OUTCOMES = { any: sql`true`, pending: sql`false`, succeeded: sql`succeeded`, failed: sql`not succeeded` }

/** Selects from waiting deliveries and from the log, with the same columns. */
const deliveries = (
  projectId: string,
  endpointId: string,
  filter: DeliveryFilter & { before?: string | undefined },
) => {
  const { status, eventType, from, to, before } = filter
  const end = to ? firstIdAt(new Date(to.getTime() + 1)) : 'ffffffff-ffff-ffff-ffff-ffffffffffff'
  const where = sql`project_id = ${projectId} and endpoint_id = ${endpointId} and id >= ${firstIdAt(from ?? new Date(0))}::uuid
    and id < ${before !== undefined && before < end ? before : end}::uuid and event_type = coalesce(${eventType ?? null}::text, event_type)`
  const waiting = sql`
      select id, event_id, event_type, event_at, null::boolean as succeeded, false as is_test, created_at, next_attempt_at, attempts
      from webhook_deliveries where ${where} and ${status === undefined || status === 'pending'}::boolean`
  const logged = sql`
      select id, event_id, event_type, event_at, succeeded, is_test, created_at, null::timestamptz, attempts
      from webhook_log where ${where} and ${OUTCOMES[status ?? 'any']}`
  return { waiting, logged }
}

/** Newest first. */
export async function listDeliveries(
  db: Database,
  projectId: string,
  endpointId: string,
  filter: DeliveryFilter & { before?: string | undefined; limit: number },
): Promise<DeliveryRow[]> {
  const { waiting, logged } = deliveries(projectId, endpointId, filter)
  const some = (rows: RawBuilder<unknown>) => sql`(${rows} order by id desc limit ${filter.limit + 1})`
  const { rows } = await sql<DeliveryRow>`
    ${some(waiting)} union all ${some(logged)} order by id desc limit ${filter.limit + 1}`.execute(db)
  return rows
}

/** Beyond this, the exact number doesn't matter, and counting stays cheap. */
const COUNT_TO = 10_000

export async function countDeliveries(
  db: Database,
  projectId: string,
  endpointId: string,
  filter: DeliveryFilter,
): Promise<number> {
  const { waiting, logged } = deliveries(projectId, endpointId, filter)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from ((${waiting} limit ${COUNT_TO}) union all (${logged} limit ${COUNT_TO}) limit ${COUNT_TO}) as counted`.execute(
    db,
  )
  return rows[0]!.count
}

export async function findDelivery(
  db: Database,
  projectId: string,
  endpointId: string,
  id: string,
): Promise<(DeliveryRow & { facts: Facts | null }) | undefined> {
  const { rows } = await sql<DeliveryRow & { facts: Facts | null }>`/* find-webhook-delivery */
    select id, event_id, event_type, event_at, null::boolean as succeeded, false as is_test, created_at, next_attempt_at, attempts, ${FACTS} as facts
    from webhook_deliveries d where project_id = ${projectId} and endpoint_id = ${endpointId} and id = ${id}
    union all
    select id, event_id, event_type, event_at, succeeded, is_test, created_at, null, attempts, facts
    from webhook_log where project_id = ${projectId} and endpoint_id = ${endpointId} and id = ${id}`.execute(db)
  return rows[0]
}

export interface TestRow {
  id: string
  eventId: string
  eventType: string
  at: Date
  facts: Facts
  succeeded: boolean
  attempt: Attempt
}

export async function insertTest(
  db: Database | Tx,
  projectId: string,
  endpointId: string,
  test: TestRow,
): Promise<void> {
  await sql`/* insert-webhook-test */
    insert into webhook_log (project_id, id, endpoint_id, event_id, event_type, event_at, facts, is_replay, is_test, succeeded, created_at, attempts)
    values (${projectId}, ${test.id}, ${endpointId}, ${test.eventId}, ${test.eventType}, ${test.at}, ${JSON.stringify(test.facts)}::jsonb,
      false, true, ${test.succeeded}, ${test.at}, ${JSON.stringify([test.attempt])}::jsonb)`.execute(db)
}

/** `source` names rows of the log or of waiting deliveries as `l`, with their facts. */
const replay = (source: RawBuilder<unknown>, now: Date) => sql`
    insert into webhook_deliveries (project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, facts, is_replay, created_at, next_attempt_at)
    select l.project_id, id_at(${now}::timestamptz, row_number() over (order by l.id)), l.endpoint_id, l.event_id, l.event_type, l.event_at, l.contact_id,
      l.facts, true, ${now}::timestamptz, ${now}::timestamptz
    from ${source}`

/** Returns the id of the new delivery; undefined if there is no such delivery. */
export async function replayDelivery(
  db: Database | Tx,
  projectId: string,
  endpointId: string,
  id: string,
  now: Date,
): Promise<string | undefined> {
  const one = sql`project_id = ${projectId} and endpoint_id = ${endpointId} and id = ${id}`
  const { rows } = await sql<{ id: string }>`/* replay-webhook-delivery */
    ${replay(
      sql`(
      select project_id, id, endpoint_id, event_id, event_type, event_at, contact_id, facts from webhook_log where ${one}
      union all
      select d.project_id, d.id, d.endpoint_id, d.event_id, d.event_type, d.event_at, d.contact_id, ${FACTS} from webhook_deliveries d where ${one}
    ) as l`,
      now,
    )}
    returning id`.execute(db)
  return rows[0]?.id
}

export interface ReplayRange {
  since: Date
  until: Date
  status: 'failed' | 'all'
  eventType: string | undefined
}

/** Tests and earlier replays are left out. Returns how many. */
export async function replayRange(
  db: Database | Tx,
  projectId: string,
  endpointId: string,
  { since, until, status, eventType }: ReplayRange,
  now: Date,
): Promise<number> {
  const range = sql`webhook_log l
  where l.project_id = ${projectId} and l.endpoint_id = ${endpointId} and l.id >= ${firstIdAt(since)}::uuid and l.id < ${firstIdAt(until)}::uuid
    and not l.is_test and not l.is_replay and (${status === 'all'}::boolean or not l.succeeded)
    and l.event_type = coalesce(${eventType ?? null}::text, l.event_type)`
  const { numAffectedRows } = await sql`/* replay-webhook-deliveries */
    ${replay(range, now)}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Deletes up to `most` log entries before `end`, oldest first, and all of endpoints that were deleted. Every endpoint is
 * found by one index lookup. Returns how many.
 */
export async function deleteLogBefore(db: Database, end: string, most: number): Promise<number> {
  const { numAffectedRows } = await sql`/* delete-old-webhook-log */
    with recursive endpoint as (
      (select project_id, endpoint_id from webhook_log order by project_id, endpoint_id limit 1)
      union all
      select next.project_id, next.endpoint_id from endpoint cross join lateral (
        select l.project_id, l.endpoint_id from webhook_log l
        where (l.project_id, l.endpoint_id) > (endpoint.project_id, endpoint.endpoint_id) order by l.project_id, l.endpoint_id limit 1
      ) as next
    ), old as (
      select l.project_id, l.id from endpoint cross join lateral (
        select o.project_id, o.id from webhook_log o
        where o.project_id = endpoint.project_id and o.endpoint_id = endpoint.endpoint_id and (o.id < ${end}::uuid or not exists (
          select from webhook_endpoints w where w.project_id = o.project_id and w.id = o.endpoint_id))
        order by o.project_id, o.endpoint_id, o.id limit ${most}
      ) as l limit ${most}
    )
    delete from webhook_log using old where webhook_log.project_id = old.project_id and webhook_log.id = old.id`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** Deletes up to `most` waiting deliveries of endpoints that were deleted, and those from before `end`. Returns how many. */
export async function deleteWaitingBefore(db: Database, end: string, most: number): Promise<number> {
  const { numAffectedRows } = await sql`/* delete-old-webhook-deliveries */
    with old as (
      select d.project_id, d.id from webhook_deliveries d
      where d.id < ${end}::uuid or not exists (
        select from webhook_endpoints w where w.project_id = d.project_id and w.id = d.endpoint_id)
      limit ${most}
    )
    delete from webhook_deliveries using old where webhook_deliveries.project_id = old.project_id and webhook_deliveries.id = old.id`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}

/** Erases what waiting requests will contain about these contacts, except that they were deleted. Returns how many. */
export async function eraseWaiting(
  db: Database,
  projectId: string,
  contactIds: string[],
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`/* erase-waiting-deliveries */
    with batch as (
      select id from webhook_deliveries where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[])
        and facts is not null and event_type <> 'contact.deleted' limit ${most}
    )
    update webhook_deliveries d set contact_id = null, email_id = null, facts = '{"contact": null, "email": null, "data": {}}'
    from batch where d.project_id = ${projectId} and d.id = batch.id`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/** Erases what requests contained about these contacts. Returns how many. */
export async function eraseLog(db: Database, projectId: string, contactIds: string[], most: number): Promise<number> {
  const { numAffectedRows } = await sql`/* erase-webhook-log */
    with batch as (
      select id from webhook_log where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[]) limit ${most}
    )
    update webhook_log l set contact_id = null, facts = null from batch where l.project_id = ${projectId} and l.id = batch.id`.execute(
    db,
  )
  return Number(numAffectedRows ?? 0)
}
