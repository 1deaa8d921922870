/** SQL on recurrences and what happened each time. */
import type { Selectable } from 'kysely'
import type { RecurrenceRule } from '../../../../kernel/time/recurrence.ts'
import type { Database, Tx } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'
import type { CampaignOccurrences, CampaignRecurrences } from '../../../../platform/database/tables.ts'

export type RecurrenceStatus = 'active' | 'paused' | 'ended'

export interface RecurrenceRow extends Omit<Selectable<CampaignRecurrences>, 'rule' | 'status'> {
  rule: RecurrenceRule
  status: RecurrenceStatus
}

export type OccurrenceRow = Pick<Selectable<CampaignOccurrences>, 'id' | 'at' | 'sent_campaign_id' | 'reason'>

export async function findRecurrence(
  db: Database | Tx,
  projectId: string,
  campaignId: string,
): Promise<RecurrenceRow | undefined> {
  const { rows } = await sql<RecurrenceRow>`/* find-recurrence */
    select * from campaign_recurrences where project_id = ${projectId} and campaign_id = ${campaignId}`.execute(db)
  return rows[0]
}

/** Locked until the transaction ends. */
export async function lockRecurrence(
  tx: Tx,
  projectId: string,
  campaignId: string,
): Promise<RecurrenceRow | undefined> {
  const { rows } = await sql<RecurrenceRow>`/* lock-recurrence */
    select * from campaign_recurrences where project_id = ${projectId} and campaign_id = ${campaignId} for update`.execute(
    tx,
  )
  return rows[0]
}

export interface RecurrenceFields {
  rule: RecurrenceRule
  usesTemplate: boolean
  status: RecurrenceStatus
  nextAt: Date | null
}

export async function saveRecurrence(
  tx: Tx,
  projectId: string,
  campaignId: string,
  { rule, usesTemplate, status, nextAt }: RecurrenceFields,
  now: Date,
): Promise<void> {
  await sql`/* save-recurrence */
    insert into campaign_recurrences (project_id, campaign_id, rule, uses_template, status, next_at, created_at, updated_at)
    values (${projectId}, ${campaignId}, ${JSON.stringify(rule)}::jsonb, ${usesTemplate}, ${status}, ${nextAt}, ${now}, ${now})
    on conflict (project_id, campaign_id) do update set rule = excluded.rule, uses_template = excluded.uses_template,
      status = excluded.status, next_at = excluded.next_at, updated_at = excluded.updated_at`.execute(tx)
}

export async function setRecurrenceStatus(
  tx: Tx,
  projectId: string,
  campaignId: string,
  { status, nextAt }: Pick<RecurrenceFields, 'status' | 'nextAt'>,
  now: Date,
): Promise<void> {
  await sql`/* set-recurrence-status */
    update campaign_recurrences set status = ${status}, next_at = ${nextAt}, updated_at = ${now}
    where project_id = ${projectId} and campaign_id = ${campaignId}`.execute(tx)
}

export async function deleteRecurrence(tx: Tx, projectId: string, campaignId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`/* delete-recurrence */
    delete from campaign_recurrences where project_id = ${projectId} and campaign_id = ${campaignId}`.execute(tx)
  return Number(numAffectedRows) > 0
}

export interface Outcome {
  id: string
  at: Date
  /** The campaign that was made; null if there is a reason why not. */
  sentCampaignId: string | null
  reason: string | null
  /** The ids of the items in the feed that are no longer new. */
  seen: string[]
}

/** Feeds repeat items for a while; ids of older ones are forgotten. */
const SEEN_MAX = 5_000

/** The row is locked. */
export async function recordOutcome(
  tx: Tx,
  projectId: string,
  campaignId: string,
  { id, at, sentCampaignId, reason, seen }: Outcome,
): Promise<void> {
  await sql`/* record-occurrence */
    with recorded as (
      insert into campaign_occurrences (project_id, id, campaign_id, at, sent_campaign_id, reason)
      values (${projectId}, ${id}, ${campaignId}, ${at}, ${sentCampaignId}::uuid, ${reason})
    )
    update campaign_recurrences set sent = sent + (${sentCampaignId}::uuid is not null)::int,
      seen_items = (${seen}::text[] || array(select item from unnest(seen_items) as item where item <> all(${seen}::text[])))[1:${SEEN_MAX}::int]
    where project_id = ${projectId} and campaign_id = ${campaignId}`.execute(tx)
}

/** The new campaign is sent at its time, as every scheduled one. */
export async function scheduleOccurrence(
  tx: Tx,
  projectId: string,
  id: string,
  { of, at, now }: { of: string; at: Date; now: Date },
): Promise<void> {
  await sql`/* schedule-occurrence */
    update campaigns set status = 'SCHEDULED', scheduled_for = ${at}, scheduled_at = ${now}, recurrence_of = ${of}::uuid
    where project_id = ${projectId} and id = ${id}`.execute(tx)
}

/** Newest first, with one extra row that shows whether there are more. */
export async function listOccurrences(
  db: Database | Tx,
  projectId: string,
  campaignId: string,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<OccurrenceRow[]> {
  const { rows } = await sql<OccurrenceRow>`/* list-occurrences */
    select id, at, sent_campaign_id, reason from campaign_occurrences
    where project_id = ${projectId} and campaign_id = ${campaignId} and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
    order by id desc limit ${limit + 1}::int`.execute(db)
  return rows
}

export async function countOccurrences(db: Database, projectId: string, campaignId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-occurrences */
    select count(*)::int as count from campaign_occurrences where project_id = ${projectId} and campaign_id = ${campaignId}`.execute(
    db,
  )
  return rows[0]!.count
}

/** Recurrences of all projects whose time has come. */
export async function listDueRecurrences(
  db: Database,
  now: Date,
): Promise<Array<Pick<RecurrenceRow, 'project_id' | 'campaign_id'> & { next_at: Date }>> {
  const { rows } = await sql<
    Pick<RecurrenceRow, 'project_id' | 'campaign_id'> & { next_at: Date }
  >`/* list-due-recurrences */
    select project_id, campaign_id, next_at from campaign_recurrences
    where next_at <= ${now} order by project_id, campaign_id`.execute(db)
  return rows
}

/** After a restore: nothing is sent until a user resumes it. */
export const PAUSE_RECURRENCES = `update campaign_recurrences set status = 'paused', next_at = null where status = 'active'`
