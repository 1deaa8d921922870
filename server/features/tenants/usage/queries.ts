/**
 * Emails that a project has used this month, by source, and its limits; and its deliveries by day. The statement that
 * writes emails also counts them: the limit is checked on its locked row, so two concurrent requests can't both exceed
 * it.
 */
import type { RawBuilder } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { defineTally } from '../../../platform/database/tallies.ts'
import { OF_A_PROJECT } from '../../record/journal/tally-queries.ts'
import type { DeliveryCounts } from './reputation.ts'

export const USAGE_SOURCES = ['transactional', 'campaigns', 'workflows', 'inbound'] as const

export type UsageSource = (typeof USAGE_SOURCES)[number]

/** This month. Clocks differ slightly: a process that is still in the previous month counts for the new one. */
const USED_SO_FAR = sql`case when l.month >= cost.month then l.used else 0 end`

/**
 * Steps before emails are written. `cost` selects: project_id, request, size, at. Afterwards `over_limit` has the
 * requests that must not be written (request, max). Projects without a limit have no row here and take no lock.
 */
export const spendSteps = (source: UsageSource, cost: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    cost as (
      select project_id, array_agg(request order by request) as requests, array_agg(size order by request) as sizes,
        date_trunc('month', max(at) at time zone 'UTC')::date as month
      from (${cost}) as asked(project_id, request, size, at) group by project_id
    ),
    spent as (
      update billing_limits l set month = greatest(l.month, cost.month), used_before = ${USED_SO_FAR},
        used = ${USED_SO_FAR} + fitting_sum(l.max - ${USED_SO_FAR}, cost.sizes)
      from cost where l.project_id = cost.project_id and l.source = ${source}::text
      returning l.max, cost.requests, fitting(l.max - l.used_before, cost.sizes) as fits
    ),
    over_limit as (
      select answer.request, spent.max from spent, unnest(spent.requests, spent.fits) as answer(request, fits) where not answer.fits
    )`

/** A step for emails that are counted later than they are stored. `emails` has: project_id. */
export const recordUsageStep = (
  source: UsageSource,
  now: Date,
  emails: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
      insert into usage_changes (project_id, month, source, change)
      select project_id, date_trunc('month', ${now}::timestamptz at time zone 'UTC')::date, ${source}::text, count(*)
      from ${emails} group by project_id`

export interface UsageRow {
  month: string
  source: UsageSource
  count: number
}

/** Folded counts and pending differences, for the months from `since` (YYYY-MM-DD) on. */
export async function listUsage(db: Database | Tx, projectId: string, since: string): Promise<UsageRow[]> {
  const { rows } = await sql<UsageRow>`/* list-usage */
    select to_char(month, 'YYYY-MM') as month, source, sum(count)::bigint as count from (
      select month, source, count from usage_counts where project_id = ${projectId} and month >= ${since}::date
      union all
      select month, source, change from usage_changes where project_id = ${projectId} and month >= ${since}::date
    ) as usage group by month, source`.execute(db)
  return rows
}

export async function listLimits(db: Database | Tx, projectId: string) {
  return db.selectFrom('billing_limits').select(['source', 'max']).where('project_id', '=', projectId).execute()
}

/** Null removes a limit. A new limit includes what was already used. */
export async function setLimit(
  tx: Tx,
  projectId: string,
  source: UsageSource,
  max: number | null,
  month: string,
): Promise<void> {
  if (max === null) {
    await tx.deleteFrom('billing_limits').where('project_id', '=', projectId).where('source', '=', source).execute()
    return
  }
  await sql`/* set-limit */
    insert into billing_limits (project_id, source, max, month, used)
    values (${projectId}, ${source}, ${max}::bigint, ${month}::date, 0)
    on conflict (project_id, source) do update set max = excluded.max`.execute(tx)
  await alignLimit(tx, projectId, source, month)
}

/**
 * Recalculates the counter of a limit. Its row is locked, so that concurrent usage is committed when the differences
 * are read, which must be in a separate statement.
 */
async function alignLimit(tx: Tx, projectId: string, source: string, month: string): Promise<void> {
  await sql`/* align-limit */
    update billing_limits set month = ${month}::date, used = coalesce((
      select sum(count) from (
        select count from usage_counts where project_id = ${projectId} and month = ${month}::date and source = ${source}
        union all
        select change from usage_changes where project_id = ${projectId} and month = ${month}::date and source = ${source}
      ) as usage), 0)
    where project_id = ${projectId} and source = ${source}`.execute(tx)
}

/** Locks the limits of a project, then recalculates them. */
export async function alignLimits(tx: Tx, projectId: string, month: string): Promise<void> {
  const { rows } = await sql<{ source: string }>`/* lock-limits */
    select source from billing_limits where project_id = ${projectId} order by source for update`.execute(tx)
  for (const { source } of rows) await alignLimit(tx, projectId, source, month)
}

/** Deleting emails doesn't reduce usage. Projects with a limit are reported, because the limit has its own counter. */
export const usageTally = defineTally({
  name: 'usage',
  kept: 'usage_counts',
  changes: 'usage_changes',
  keys: ['project_id', 'month', 'source'],
  measures: { count: 'change' },
  of: 'emails',
  facts: (rows) => sql`
    select project_id, date_trunc('month', coalesce(queued_at, created_at) at time zone 'UTC')::date as month,
      case source_type when 'TRANSACTIONAL' then 'transactional' when 'CAMPAIGN' then 'campaigns'
        when 'TEST' then 'campaigns' when 'WORKFLOW' then 'workflows' else 'inbound' end as source, count(*) as count
    from ${rows} where (scheduled_for is null or queued_at is not null) and test is not true group by 1, 2, 3`,
  keepsDropped: true,
  keepsDeleted: ['count'],
  belongsTo: OF_A_PROJECT,
  reports: sql`exists (select from billing_limits l where l.project_id = taken.project_id)`,
})

export interface Deliveries {
  allTime: DeliveryCounts
  sevenDay: DeliveryCounts
}

interface DeliveriesRow extends DeliveryCounts {
  recent_sent: number
  recent_bounces: number
  recent_complaints: number
}

/** `since` is the first recent day, YYYY-MM-DD. */
export async function findDeliveries(db: Database | Tx, projectId: string, since: string): Promise<Deliveries> {
  const { rows } = await sql<DeliveriesRow>`/* find-deliveries */
    select coalesce(sum(sent), 0)::bigint as sent, coalesce(sum(bounces), 0)::bigint as bounces,
      coalesce(sum(complaints), 0)::bigint as complaints,
      coalesce(sum(sent) filter (where day >= ${since}::date), 0)::bigint as recent_sent,
      coalesce(sum(bounces) filter (where day >= ${since}::date), 0)::bigint as recent_bounces,
      coalesce(sum(complaints) filter (where day >= ${since}::date), 0)::bigint as recent_complaints
    from (
      select day, sent, bounces, complaints from delivery_counts where project_id = ${projectId}
      union all
      select day, sent, bounces, complaints from delivery_count_changes where project_id = ${projectId}
    ) as deliveries`.execute(db)
  const { sent, bounces, complaints, recent_sent, recent_bounces, recent_complaints } = rows[0]!
  return {
    allTime: { sent, bounces, complaints },
    sevenDay: { sent: recent_sent, bounces: recent_bounces, complaints: recent_complaints },
  }
}

export async function findDisabled(db: Database, projectId: string) {
  return db
    .selectFrom('projects')
    .select(['disabled_at', 'disabled_reason'])
    .where('id', '=', projectId)
    .executeTakeFirst()
}

/**
 * A step that counts emails that were sent just now, for a statement that skips the triggers that count. `emails` has:
 * project_id.
 */
export const countDeliveriesStep = (emails: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`
      insert into delivery_count_changes (project_id, day, sent)
      select project_id, utc_day(${now}::timestamptz), count(*) from ${emails} group by project_id`

/** Deleting emails doesn't improve the reputation. Projects with new bounces or complaints are reported. */
export const deliveryTally = defineTally({
  name: 'deliveries',
  kept: 'delivery_counts',
  changes: 'delivery_count_changes',
  keys: ['project_id', 'day'],
  measures: { sent: 'sent', bounces: 'bounces', complaints: 'complaints' },
  of: 'emails',
  facts: (rows) => sql`
    select project_id, utc_day(at) as day, sent, bounces, complaints
    from ${rows} cross join lateral (values
      (coalesce(sent_at, bounced_at), 1, 0, 0), (bounced_at, 0, 1, 0), (complained_at, 0, 0, 1)
    ) as fact(at, sent, bounces, complaints)
    where at is not null and test is not true`,
  keepsDropped: true,
  keepsDeleted: ['sent', 'bounces', 'complaints'],
  belongsTo: OF_A_PROJECT,
  reports: sql`bounces > 0 or complaints > 0`,
})

export async function findName(db: Database, projectId: string): Promise<string> {
  const { name } = await db.selectFrom('projects').select('name').where('id', '=', projectId).executeTakeFirstOrThrow()
  return name
}
