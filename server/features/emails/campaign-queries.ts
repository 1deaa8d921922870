/** The statements by which a campaign puts emails into the outbox: a slice of its recipients, a test, and failed ones again. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { PRIORITY } from '../../platform/queue/catalogue.ts'
import { addJobSql } from '../../platform/queue/enqueue.ts'
import { spendSteps } from '../projects/usage-queries.ts'

export interface CampaignText {
  subject: string
  body: string
  type: string
  from_email: string
  from_name: string | null
  reply_to: string | null
}

/** The text of a campaign, stored once for all its emails. It is nobody's own, so erasing a contact leaves it. */
export async function insertCampaignContent(
  tx: Tx,
  projectId: string,
  contentId: string,
  { subject, body, type }: Pick<CampaignText, 'subject' | 'body' | 'type'>,
  now: Date,
): Promise<void> {
  await sql`/* insert-campaign-content */
    insert into email_contents (project_id, id, subject, body, type, created_at)
    values (${projectId}, ${contentId}, ${subject}, ${body}, ${type}, ${now})`.execute(tx)
}

export interface Slice {
  size: number
  now: Date
  /** When its emails are to be delivered; now if left out. */
  deliverAt?: Date | undefined
  /** Known already when the subject holds no template. */
  subject: string | null
}

export interface WrittenSlice {
  /** How many recipients the cursor passed; 0 at the end, or when the campaign is not to go on. */
  recipients: number
  /** The project's limit for the month, if it has no room for them: then nothing was written. */
  overLimit: number | null
}

/**
 * Writes the emails of the next recipients, moves the campaign's cursor past them and enqueues their delivery: all or
 * nothing. The row of the campaign is held meanwhile, so no two statements write the same recipients, and a campaign
 * that is being cancelled is either cancelled before or cancels these emails too. Whoever is gone by now is only counted.
 */
export async function insertSlice(
  db: Database,
  projectId: string,
  campaignId: string,
  slice: Slice,
): Promise<WrittenSlice> {
  const { now } = slice
  const payload = sql`(select json_build_object('projectId', ${projectId}::text, 'campaignId', ${campaignId}::text, 'emailIds', json_agg(id order by id)) from outbox)`
  const { rows } = await sql<WrittenSlice>`/* insert-campaign-slice */
    with campaign as (
      select * from campaigns
      where project_id = ${projectId} and id = ${campaignId} and status = 'SENDING' and frozen_at is not null and paused_at is null
      for update
    ),
    upcoming as (
      select r.contact_id from campaign cross join lateral (
        select contact_id from campaign_recipients
        where project_id = ${projectId} and campaign_id = ${campaignId}
          and contact_id > coalesce(campaign.last_contact_id, '00000000-0000-0000-0000-000000000000')
        order by contact_id limit ${slice.size}
      ) as r
    ),
    ${spendSteps('campaigns', sql`select ${projectId}::uuid, 1, count(*)::int, ${now}::timestamptz from upcoming having count(*) > 0`)},
    slice as (select contact_id from upcoming where not exists (select from over_limit)),
    moved as (
      update campaigns set last_contact_id = (select contact_id from slice order by contact_id desc limit 1), moved_at = ${now}::timestamptz
      where project_id = ${projectId} and id = ${campaignId} and exists (select from slice)
    ),
    person as (
      select contacts.id, contacts.email, contacts.data, row_number() over (order by contacts.id) as place
      from slice join contacts on contacts.project_id = ${projectId} and contacts.id = slice.contact_id
    ),
    outbox as (
      insert into emails (project_id, id, contact_id, content_id, to_email, subject, from_email, from_name, reply_to,
        contact_data, source_type, template_id, campaign_id, created_at, updated_at)
      select ${projectId}, id_at(${now}::timestamptz, person.place), person.id, campaign.content_id, person.email, ${slice.subject}::text,
        campaign.from_email, campaign.from_name, campaign.reply_to, person.data, 'CAMPAIGN', campaign.template_id, campaign.id,
        ${now}::timestamptz, ${now}::timestamptz
      from person cross join campaign
      returning id
    ),
    gone as (
      insert into campaign_count_changes (project_id, campaign_id, ended)
      select ${projectId}, ${campaignId}, missing.count
      from (select (select count(*) from slice) - (select count(*) from person) as count) as missing
      where missing.count > 0
    ),
    job as (
      select ${addJobSql('send-campaign-slice', payload, { runAt: sql`${slice.deliverAt ?? null}::timestamptz` })} as id
      where exists (select from slice)
    )
    select (select count(*) from slice)::int as recipients, (select max from over_limit) as "overLimit",
      (select count(id) from job) as jobs`.execute(db)
  return { recipients: rows[0]!.recipients, overLimit: rows[0]!.overLimit }
}

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

/**
 * One email to an address of the author's choice, outside of the campaign's counts. It belongs to no contact; if the
 * address is one's, it is shown with that contact's data.
 */
export async function insertTestEmail(
  db: Database,
  projectId: string,
  ids: { contentId: string; emailId: string },
  text: CampaignText,
  to: string,
  now: Date,
): Promise<void> {
  const payload = sql`json_build_object('projectId', ${projectId}::text, 'emailId', outbox.id)`
  await sql`/* insert-test-email */
    with content as (
      insert into email_contents (project_id, id, subject, body, type, emails_left, created_at)
      values (${projectId}, ${ids.contentId}::uuid, ${text.subject}, ${text.body}, ${text.type}, 1, ${now}::timestamptz)
    ),
    outbox as (
      insert into emails (project_id, id, content_id, to_email, from_email, from_name, reply_to, contact_data, source_type, created_at, updated_at)
      select ${projectId}, ${ids.emailId}::uuid, ${ids.contentId}::uuid, ${to}, ${text.from_email}, ${text.from_name}::text, ${text.reply_to}::text,
        coalesce((select data from contacts where project_id = ${projectId} and email = ${to}), '{}'), 'CAMPAIGN', ${now}::timestamptz, ${now}::timestamptz
      returning id
    )
    select ${addJobSql('deliver-email', payload)} from outbox`.execute(db)
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
