/**
 * The one place that deletes what other features wrote: a reset empties a project, a removal ends it. Every table
 * that belongs to projects is in one of these lists; a test compares them with the schema.
 */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'
import type { Tables } from '../../platform/database/tables.ts'

type Table = keyof Tables & string

/** Few rows, and what people look at first: gone at once, with what hangs on them. */
export const REMOVED_AT_ONCE = [
  'templates',
  'campaigns',
  'segments',
  'workflows',
  'contact_jobs',
  'contact_fields',
  'uploads',
  'campaign_count_changes',
] as const satisfies Table[]

/** Many rows, oldest first. Their ids tell when they were made, so what comes after a reset stays. */
export const REMOVED_IN_BATCHES = [
  'contacts',
  'events',
  'emails',
  'workflow_executions',
  'email_contents',
  'email_notes',
  'suppressions',
] as const satisfies Table[]

/** Many rows without an id. */
export const REMOVED_BY_AGE = { idempotency_keys: 'created_at', received_messages: 'received_at' } as const satisfies {
  [T in Table]?: keyof Tables[T]
}

/** They follow the rows they belong to: by a foreign key, a trigger, or the next fold of what a trigger noted. */
export const REMOVED_WITH_OTHERS = [
  'campaign_recipients',
  'campaign_counts',
  'segment_members',
  'workflow_steps',
  'workflow_transitions',
  'workflow_step_runs',
  'contact_job_inputs',
  'contact_counts',
  'contact_count_changes',
  'event_days',
  'event_names',
  'event_day_changes',
  'event_contacts',
  'event_contact_changes',
  'email_days',
  'email_day_changes',
] as const satisfies Table[]

/** What a reset keeps: who may come in, from where mail is sent, and what can't be undone. */
export const KEPT_BY_RESET = [
  'projects',
  'project_keys',
  'members',
  'invitations',
  'domains',
  'webhook_secrets',
  'rate_windows',
  'activity_watchers',
  'billing_limits',
  'billing_customers',
  'usage_counts',
  'usage_changes',
  'delivery_counts',
  'delivery_count_changes',
  'audit_log',
] as const satisfies Table[]

/** The log tells who removed the project; the customer goes when the subscription has ended. */
const KEPT_BY_REMOVAL = new Set<string>(['projects', 'audit_log', 'billing_customers'])

export async function removeAtOnce(tx: Tx, projectId: string): Promise<void> {
  for (const table of REMOVED_AT_ONCE) {
    await sql`delete from ${sql.table(table)} where project_id = ${projectId}`.execute(tx)
  }
}

export interface WipeRange {
  /** Rows with smaller ids. */
  beforeId: string
  /** Rows up to this moment. */
  until: string
}

const BATCH = 5_000

/** Removes a batch of every table that still has rows; returns how many rows went. */
export async function removeBatch(tx: Tx, projectId: string, { beforeId, until }: WipeRange): Promise<number> {
  let removed = 0
  for (const table of REMOVED_IN_BATCHES) removed += await removeOldest(tx, table, projectId, beforeId)
  for (const [table, column] of Object.entries(REMOVED_BY_AGE)) {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where project_id = ${projectId} and ${sql.ref(column)} <= ${until}::timestamptz limit ${BATCH}
      ))`.execute(tx)
    removed += Number(numAffectedRows)
  }
  return removed
}

async function removeOldest(tx: Tx, table: string, projectId: string, beforeId: string): Promise<number> {
  const rows = sql.table(table)
  const { numAffectedRows } = await sql`
    delete from ${rows} where project_id = ${projectId} and id = any(array(
      select id from ${rows} where project_id = ${projectId} and id < ${beforeId} order by id limit ${BATCH}))`.execute(
    tx,
  )
  return Number(numAffectedRows)
}

/** What was captured instead of being sent belongs to its email. Before the emails go, because they tell which it is. */
export async function removeCaptured(db: Database, projectId: string, beforeId: string): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from captured_messages where id = any(array(
      select m.id from captured_messages m join emails e on e.id = m.email_id
      where e.project_id = ${projectId} and e.id < ${beforeId} limit ${BATCH}))`.execute(db)
  return Number(numAffectedRows)
}

/** Emails sent before a reset no longer count for the setup. */
export async function noteReset(tx: Tx, projectId: string, now: Date): Promise<void> {
  await sql`
    update projects set updated_at = ${now}, sent_before_reset = coalesce((
      select sum(sent) from (
        select sent from delivery_counts where project_id = ${projectId}
        union all
        select sent from delivery_count_changes where project_id = ${projectId}
      ) as emails), 0)
    where id = ${projectId}`.execute(tx)
}

/** Nobody comes in any more, nothing is sent, and no mail is taken for its domains. */
export async function closeProject(tx: Tx, projectId: string, now: Date): Promise<{ name: string } | undefined> {
  for (const table of ['project_keys', 'members', 'invitations', 'domains'] as const) {
    await tx.deleteFrom(table).where('project_id', '=', projectId).execute()
  }
  return tx
    .updateTable('projects')
    .set({ disabled_at: now, disabled_reason: 'It is being deleted.', updated_at: now })
    .where('id', '=', projectId)
    .returning('name')
    .executeTakeFirst()
}

/**
 * The rest of a project, and the project itself. Its row is locked first: who would still add something waits, and
 * then finds it gone.
 */
export async function removeProject(tx: Tx, projectId: string, range: WipeRange): Promise<void> {
  await sql`select from projects where id = ${projectId} for update`.execute(tx)
  await removeAtOnce(tx, projectId)
  while ((await removeBatch(tx, projectId, range)) > 0);
  for (const table of [...REMOVED_WITH_OTHERS, ...KEPT_BY_RESET]) {
    if (KEPT_BY_REMOVAL.has(table)) continue
    await sql`delete from ${sql.table(table)} where project_id = ${projectId}`.execute(tx)
  }
  await tx.deleteFrom('projects').where('id', '=', projectId).execute()
}
