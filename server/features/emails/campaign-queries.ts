/** The emails of a campaign: the pending ones, cancelling them, retrying failed ones, and the list of its recipients. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { PRIORITY } from '../../platform/queue/catalogue.ts'
import { addJobSql } from '../../platform/queue/enqueue.ts'

/** Stops what has not left. What a worker has in its hands at this moment goes out. */
export async function cancelCampaignEmails(tx: Tx, projectId: string, campaignId: string, now: Date): Promise<void> {
  await sql`/* cancel-campaign-emails */
    update emails set status = 'CANCELLED', error = 'The campaign was cancelled.', updated_at = ${now}::timestamptz
    where project_id = ${projectId} and campaign_id = ${campaignId} and status = 'PENDING'`.execute(tx)
}

/** Whether an email of the campaign still waits or is being sent. */
export async function hasPendingEmails(db: Database, projectId: string, campaignId: string): Promise<boolean> {
  const { rows } = await sql`/* has-pending-emails */
    select from emails where project_id = ${projectId} and campaign_id = ${campaignId} and status in ('PENDING', 'SENDING')
    order by id desc limit 1`.execute(db) // the last ones are the likeliest
  return rows.length > 0
}

/** Emails of a campaign that wait, the newest first. */
export async function listPendingEmails(
  db: Database,
  projectId: string,
  campaignId: string,
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`/* list-pending-emails */
    select id from emails where project_id = ${projectId} and campaign_id = ${campaignId} and status = 'PENDING'
    order by id desc limit ${most}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Gives the failed emails of a campaign, whose text is still kept, a new first try each. Returns how many. */
export async function retryFailedEmails(tx: Tx, projectId: string, campaignId: string, now: Date): Promise<number> {
  const payload = sql`json_build_object('projectId', ${projectId}::text, 'emailId', revived.id)`
  const { rows } = await sql<{ count: number }>`/* retry-failed-emails */
    with revived as (
      update emails set status = 'PENDING', attempts = 0, error = null, updated_at = ${now}::timestamptz
      where project_id = ${projectId} and campaign_id = ${campaignId} and status = 'FAILED' and contact_id is not null
        and exists (select from email_contents c where c.project_id = emails.project_id and c.id = emails.content_id)
      returning id
    )
    select count(${addJobSql('deliver-email', payload, { priority: PRIORITY.campaign })}) as count from revived`.execute(
    tx,
  )
  return rows[0]!.count
}

export interface RecipientRow {
  id: string
  contact_id: string | null
  to_email: string
  status: string
  error: string | null
  attempts: number
  opens: number
  clicks: number
  sent_at: Date | null
  delivered_at: Date | null
  opened_at: Date | null
  clicked_at: Date | null
  bounced_at: Date | null
  complained_at: Date | null
  created_at: Date
}

/** Newest first; one row more than asked tells that there is more. */
export async function listRecipients(
  db: Database,
  projectId: string,
  campaignId: string,
  { status, before, limit }: { status?: string | undefined; before?: string | undefined; limit: number },
): Promise<RecipientRow[]> {
  let query = db
    .selectFrom('emails')
    .select(['id', 'contact_id', 'to_email', 'status', 'error', 'attempts', 'opens', 'clicks', 'created_at'])
    .select(['sent_at', 'delivered_at', 'opened_at', 'clicked_at', 'bounced_at', 'complained_at'])
    .where('project_id', '=', projectId)
    .where('campaign_id', '=', campaignId)
  if (status !== undefined) query = query.where('status', '=', status)
  if (before !== undefined) query = query.where('id', '<', before)
  return query
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
}

export async function countRecipients(
  db: Database,
  projectId: string,
  campaignId: string,
  status: string | undefined,
): Promise<number> {
  let query = db.selectFrom('emails').where('project_id', '=', projectId).where('campaign_id', '=', campaignId)
  if (status !== undefined) query = query.where('status', '=', status)
  const row = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return row.count
}
