/** Projects with their settings, and the setup steps of a new project. */
import type { Selectable } from 'kysely'
import type { Branding } from '../../../kernel/content/branding.ts'
import { changedAt } from '../../../platform/database/changed-at.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { Json, Projects } from '../../../platform/database/tables.ts'

export type ProjectRow = Omit<
  Selectable<Projects>,
  'sent_before_reset' | 'reset_before_id' | 'branding' | 'double_opt_in' | 'preference_page' | 'sending'
> & {
  branding: unknown
  sending: unknown
  double_opt_in: unknown
  preference_page: unknown
}

export async function insertProject(
  tx: Tx,
  project: { id: string; name: string; publicKey: string; secretKeyHint: string; now: Date },
) {
  return tx
    .insertInto('projects')
    .values({
      id: project.id,
      name: project.name,
      public_key: project.publicKey,
      secret_key_hint: project.secretKeyHint,
      created_at: project.now,
      updated_at: project.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function showNewKeys(
  tx: Tx,
  projectId: string,
  keys: { publicKey: string; secretKeyHint: string },
  now: Date,
) {
  return tx
    .updateTable('projects')
    .set({ public_key: keys.publicKey, secret_key_hint: keys.secretKeyHint, updated_at: now })
    .where('id', '=', projectId)
    .returningAll()
    .executeTakeFirst()
}

export async function listProjectsOf(db: Database, userId: string) {
  return db
    .selectFrom('members')
    .innerJoin('projects', 'projects.id', 'members.project_id')
    .selectAll('projects')
    .select('members.role')
    .where('members.user_id', '=', userId)
    .orderBy('projects.id')
    .execute()
}

export const ARCHIVE_SLUG_KEY = 'projects_archive_slug'

export interface ProjectChange {
  name?: string | undefined
  tracking?: 'ENABLED' | 'DISABLED' | 'MARKETING_ONLY' | undefined
  public_key_updates?: 'all' | 'new' | 'none' | undefined
  language?: string | undefined
  send_to_bounced?: boolean | undefined
  /** Only these parts change; null clears one. */
  doubleOptIn?: Record<string, unknown> | null
  /** Only these parts change; null clears all. */
  preferencePage?: Record<string, unknown> | null
  /** Only these parts change; null clears one. */
  branding?: { [K in keyof Branding]?: Branding[K] | null }
  /** Only these settings change; null clears one. */
  sending?: Record<string, unknown>
  archive_slug?: string | null
}

export async function updateProject(
  tx: Tx,
  projectId: string,
  { branding, doubleOptIn, preferencePage, sending, ...settings }: ProjectChange,
  now: Date,
) {
  return tx
    .updateTable('projects')
    .set({
      ...settings,
      ...(branding ? { branding: sql`jsonb_strip_nulls(branding || ${JSON.stringify(branding)}::jsonb)` } : {}),
      ...(doubleOptIn === undefined ? {} : { double_opt_in: partsSql('double_opt_in', doubleOptIn) }),
      ...(preferencePage === undefined ? {} : { preference_page: partsSql('preference_page', preferencePage) }),
      ...(sending ? { sending: sql<Json>`jsonb_strip_nulls(sending || ${JSON.stringify(sending)}::jsonb)` } : {}),
      updated_at: changedAt(now),
    })
    .where('id', '=', projectId)
    .returningAll()
    .executeTakeFirst()
}

/** A column with parts of which only some change; null clears all. */
const partsSql = (column: string, change: Record<string, unknown> | null) =>
  change === null
    ? sql<Json>`'{}'::jsonb`
    : sql<Json>`jsonb_strip_nulls(${sql.ref(column)} || ${JSON.stringify(change)}::jsonb)`

/** Whether a template has a link to confirm with; undefined if there is no such template. */
export async function hasConfirmUrl(tx: Tx, projectId: string, templateId: string): Promise<boolean | undefined> {
  const { rows } = await sql<{ has: boolean }>`
    select body like '%confirmUrl%' as has from templates where project_id = ${projectId} and id = ${templateId}`.execute(
    tx,
  )
  return rows[0]?.has
}

/** The project as it is, locked until the transaction ends. */
export async function lockProject(tx: Tx, projectId: string) {
  return tx.selectFrom('projects').selectAll().where('id', '=', projectId).forUpdate().executeTakeFirst()
}

export async function findName(db: Database | Tx, projectId: string): Promise<string | undefined> {
  const row = await db.selectFrom('projects').select('name').where('id', '=', projectId).executeTakeFirst()
  return row?.name
}

/** Undefined if it is already disabled. */
export async function disableProject(
  tx: Tx,
  projectId: string,
  reason: string,
  now: Date,
): Promise<{ name: string } | undefined> {
  return tx
    .updateTable('projects')
    .set({ disabled_at: now, disabled_reason: reason, updated_at: now })
    .where('id', '=', projectId)
    .where('disabled_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
}

export interface SetupState {
  hasVerifiedDomain: boolean
  contactCount: number
  emailsSent: number
  hasTemplate: boolean
  hasCampaignSent: boolean
  hasEnabledWorkflow: boolean
}

/** From stored counts and one index lookup each, whatever the size of the project. */
export async function findSetupState(db: Database, projectId: string): Promise<SetupState> {
  const { rows } = await sql<SetupState>`/* find-setup-state */
    select
      exists (select from domains where project_id = ${projectId} and status = 'VERIFIED') as "hasVerifiedDomain",
      greatest(0, (
        select coalesce(sum(count), 0) from (
          select count from contact_counts where project_id = ${projectId} and tally = 'contacts'
          union all
          select change from contact_count_changes where project_id = ${projectId} and tally = 'contacts'
        ) as contacts))::bigint as "contactCount",
      greatest(0, (
        select coalesce(sum(sent), 0) from (
          select sent from delivery_counts where project_id = ${projectId}
          union all
          select sent from delivery_count_changes where project_id = ${projectId}
        ) as emails) - (select sent_before_reset from projects where id = ${projectId}))::bigint as "emailsSent",
      exists (select from templates where project_id = ${projectId}) as "hasTemplate",
      exists (select from campaigns where project_id = ${projectId} and status in ('SENDING', 'SENT')) as "hasCampaignSent",
      exists (select from workflows where project_id = ${projectId} and enabled) as "hasEnabledWorkflow"`.execute(db)
  return rows[0]!
}
