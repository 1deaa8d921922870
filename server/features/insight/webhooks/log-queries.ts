/** SQL on deliveries as people see them: those that wait and the log, tests and replays; and how both are deleted and erased. */
import type { RawBuilder } from 'kysely'
import { firstIdAt } from '../../../kernel/ids.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { type Attempt, FACTS } from './delivery-queries.ts'
import type { Facts } from './request.ts'

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
