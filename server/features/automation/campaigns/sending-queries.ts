/**
 * SQL on the recipients of a campaign: the audience, the frozen recipients, their emails slice by slice, and campaigns
 * that are due.
 */
import type { RawBuilder } from 'kysely'
import type { ContentType } from '../../../kernel/content/mail-content.ts'
import type { SendingSettings } from '../../../kernel/sending/settings.ts'
import type { ContentEncryption } from '../../../platform/content-encryption.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { Consumer } from '../../../platform/queue/fan-out.ts'
import { addJobSql } from '../../../platform/queue/job-table.ts'
import { type Audience, recipientsSql } from '../../audience/segments/audience-queries.ts'
import { insertSharedContent, type Message, storedMessage } from '../../mail/outbox/queries.ts'
import type { CampaignFields } from './campaign.ts'
import { announceCampaigns } from './queries.ts'

export const RECIPIENTS_KEYS = ['campaign_recipients_pkey', 'campaign_wave_recipients_pkey']

/**
 * Stores the recipients of a campaign without waves. If another process did so at the same time, it fails on one of
 * `RECIPIENTS_KEYS`. Returns how many.
 */
export async function freezeRecipients(
  tx: Tx,
  projectId: string,
  campaignId: string,
  audience: Audience,
  now: Date,
): Promise<number> {
  const recipients = await recipientsSql(tx, projectId, audience, now)
  const { numAffectedRows } = await sql`
    insert into campaign_recipients (project_id, campaign_id, contact_id)
    select contacts.project_id, ${campaignId}::uuid, contacts.id from contacts
    where contacts.project_id = ${projectId} and ${recipients}
    order by contacts.id`.execute(tx)
  return Number(numAffectedRows)
}

/** False if another process was faster, or if the campaign was canceled in the meantime. */
export async function setFrozen(
  tx: Tx,
  projectId: string,
  campaignId: string,
  { contentId, recipients, hasWaves }: { contentId: string; recipients: number; hasWaves: boolean },
  now: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`/* set-campaign-frozen */
    update campaigns set frozen_at = ${now}, moved_at = ${now}, content_id = ${contentId}, total_recipients = ${recipients},
      has_waves = ${hasWaves}::boolean
    where project_id = ${projectId} and id = ${campaignId} and status = 'SENDING' and frozen_at is null`.execute(tx)
  return Number(numAffectedRows) > 0
}

/** Completes a campaign whose cursor has passed all recipients. The caller has checked that no email is pending. */
export async function setFinished(db: Database, projectId: string, campaignId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`/* set-campaign-finished */
    with changed as (
      update campaigns c set status = 'SENT', finished_at = ${now}, paused_at = null, updated_at = ${now}
      where project_id = ${projectId} and id = ${campaignId} and status = 'SENDING' and frozen_at is not null
        and not exists (${waiting(sql`c`)})
      returning c.*
    ), ${announceCampaigns('campaign.sent', now)}
    select from changed`.execute(db)
  return rows.length > 0
}

/** Recipients after the cursor, or waves that are not complete. */
const waiting = (campaign: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select from campaign_recipients r where r.project_id = ${campaign}.project_id and r.campaign_id = ${campaign}.id
    and r.contact_id > coalesce(${campaign}.last_contact_id, '00000000-0000-0000-0000-000000000000')
  union all
  select from campaign_waves w where w.project_id = ${campaign}.project_id and w.campaign_id = ${campaign}.id and w.queued < w.recipients`

/** Whether emails of the campaign are still to be written. */
export async function hasUnwritten(db: Database, projectId: string, campaignId: string): Promise<boolean> {
  const { rows } = await sql<{ unwritten: boolean }>`/* has-unwritten-campaign-emails */
    select exists (${waiting(sql`c`)}) as unwritten from campaigns c where project_id = ${projectId} and id = ${campaignId}`.execute(
    db,
  )
  return rows[0]?.unwritten ?? false
}

/** Records that the cursor is at the end, unless the campaign was stopped before. */
export async function setAllQueued(db: Database, projectId: string, campaignId: string, now: Date): Promise<void> {
  await sql`/* set-campaign-drained */
    update campaigns c set drained_at = ${now}
    where project_id = ${projectId} and id = ${campaignId} and status = 'SENDING' and frozen_at is not null and drained_at is null
      and not exists (${waiting(sql`c`)})`.execute(db)
}

/**
 * Deletes up to `most` recipients of a completed campaign as one range, because a list of ids led to a slow join.
 * Returns how many.
 */
export async function clearRecipients(
  db: Database,
  projectId: string,
  campaignId: string,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`/* clear-campaign-recipients */
    delete from campaign_recipients r using campaigns c
    where c.project_id = ${projectId} and c.id = ${campaignId} and c.status in ('SENT', 'CANCELLED')
      and r.project_id = ${projectId} and r.campaign_id = ${campaignId} and r.contact_id <= coalesce(
        (select contact_id from campaign_recipients where project_id = ${projectId} and campaign_id = ${campaignId}
         order by contact_id offset ${most}::int - 1 limit 1),
        'ffffffff-ffff-ffff-ffff-ffffffffffff')`.execute(db)
  return Number(numAffectedRows)
}

/** The same for a campaign with waves. */
export async function clearWaveRecipients(
  db: Database,
  projectId: string,
  campaignId: string,
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`/* clear-campaign-wave-recipients */
    delete from campaign_wave_recipients r using campaigns c
    where c.project_id = ${projectId} and c.id = ${campaignId} and c.status in ('SENT', 'CANCELLED')
      and r.project_id = ${projectId} and r.campaign_id = ${campaignId} and (r.wave, r.contact_id) <= coalesce(
        (select row(wave, contact_id) from campaign_wave_recipients where project_id = ${projectId} and campaign_id = ${campaignId}
         order by wave, contact_id offset ${most}::int - 1 limit 1),
        row(2147483647, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid))`.execute(db)
  return Number(numAffectedRows)
}

export interface DueCampaign {
  project_id: string
  id: string
  status: string
  scheduled_for: Date | null
  /** Only emails that are already queued remain. */
  allQueued: boolean
  has_waves: boolean
}

/** Campaigns of all projects that should make progress and haven't for a while. */
export async function listStalled(db: Database, now: Date, idleSince: Date): Promise<DueCampaign[]> {
  const { rows } = await sql<DueCampaign>`/* list-stalled-campaigns */
    select project_id, id, status, scheduled_for, drained_at is not null as "allQueued", has_waves from campaigns
    where (status = 'SCHEDULED' and scheduled_for <= ${now} and held_reason is null)
      or (status = 'SENDING' and drained_at is not null)
      or (status = 'SENDING' and paused_at is null and coalesce(moved_at, sent_at) <= ${idleSince})
    order by project_id, id`.execute(db)
  return rows
}

export async function setMoved(db: Database, projectId: string, campaignId: string, now: Date): Promise<void> {
  await sql`/* set-campaign-moved */
    update campaigns set moved_at = ${now} where project_id = ${projectId} and id = ${campaignId}`.execute(db)
}

/** Pauses a campaign because the project has reached its monthly limit, and stores the reason. */
export async function setOverLimit(
  db: Database,
  projectId: string,
  campaignId: string,
  reason: string,
  now: Date,
): Promise<void> {
  await sql`/* set-campaign-over-limit */
    with changed as (
      update campaigns set paused_at = ${now}, held_reason = ${reason}, updated_at = ${now}
      where project_id = ${projectId} and id = ${campaignId} and status = 'SENDING' and paused_at is null
      returning *
    ), ${announceCampaigns('campaign.paused', now)}
    select from changed`.execute(db)
}

export async function findSettings(
  db: Database | Tx,
  projectId: string,
): Promise<{ isDisabled: boolean; settings: SendingSettings }> {
  const { rows } = await sql<{ isDisabled: boolean; settings: SendingSettings }>`/* find-sending-settings */
    select disabled_at is not null as "isDisabled", sending as settings from projects where id = ${projectId}`.execute(
    db,
  )
  return rows[0] ?? { isDisabled: false, settings: {} }
}

/** Pauses a campaign and what is queued of it, because of its bounces or complaints. False if it is paused already. */
export async function setGuarded(
  tx: Tx,
  projectId: string,
  campaignId: string,
  reason: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`/* set-campaign-guarded */
    with changed as (
      update campaigns set paused_at = ${now}, guarded_at = ${now}, held_reason = ${reason}, updated_at = ${now}
      where project_id = ${projectId} and id = ${campaignId} and status = 'SENDING' and paused_at is null
      returning *
    ), ${announceCampaigns('campaign.paused', now)}
    select from changed`.execute(tx)
  return rows.length > 0
}

/** True for the one caller that records it. */
export async function setGuardPassed(tx: Tx, projectId: string, campaignId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`/* set-campaign-guard-passed */
    update campaigns set guard_passed = true
    where project_id = ${projectId} and id = ${campaignId} and not guard_passed`.execute(tx)
  return Number(numAffectedRows) > 0
}

/**
 * The content of a campaign, stored once for all of its emails. It contains no personal data, so it is kept when a
 * contact is erased.
 */
export const insertCampaignContent = (
  tx: Tx,
  secrets: ContentEncryption,
  projectId: string,
  contentId: string,
  campaign: CampaignText,
  now: Date,
): Promise<void> => insertSharedContent(tx, storedMessage(secrets, messageOf(projectId, contentId, campaign, now)))

/** The body with its preheader. */
export type CampaignText = Pick<
  CampaignFields,
  'subject' | 'body' | 'plain' | 'type' | 'from_email' | 'from_name' | 'reply_to'
> & {
  /** The number of its topic. */
  topic: number | null
  /** What its template has besides the data of the recipient: its feed. */
  data: { feed: unknown } | null
}

const messageOf = (projectId: string, contentId: string, campaign: CampaignText, now: Date): Message => ({
  projectId,
  now,
  content: {
    id: contentId,
    subject: campaign.subject,
    body: campaign.body,
    plain: campaign.plain,
    type: campaign.type as ContentType,
    topic: campaign.topic,
    data: campaign.data,
  },
  envelope: {
    fromEmail: campaign.from_email,
    fromName: campaign.from_name,
    replyTo: campaign.reply_to,
    subject: null,
  },
})

/** Whether an email of the campaign is waiting or being sent. */
export async function hasPendingEmails(db: Database, projectId: string, campaignId: string): Promise<boolean> {
  const { rows } = await sql`/* has-pending-emails */
    select from emails where project_id = ${projectId} and campaign_id = ${campaignId} and status in ('PENDING', 'SENDING')
    order by id desc limit 1`.execute(db) // the last ones are the likeliest
  return rows.length > 0
}

/** The last emails of a campaign may end long after the rest: a job checks whether the campaign is complete. */
export const campaignConsumer: Consumer = {
  name: 'campaigns',
  wants: sql`r.campaign_id is not null`,
  job: (wanted) => sql`
      select ${addJobSql(
        'complete-campaign',
        sql`json_build_object('projectId', c.project_id, 'campaignId', c.campaign_id)`,
        { jobKey: sql`'complete:' || c.campaign_id` },
      )}
      from (select distinct project_id, campaign_id from ${wanted} offset 0) as c
      where awaits_last_emails(c.project_id, c.campaign_id)`,
}

/** Counts emails that were sent just now, as the trigger `campaign_emails_changed` counts every other change. */
export const sentEmailConsumer: Consumer = {
  name: 'campaign_counts',
  wants: sql`r.campaign_id is not null`,
  job: (wanted) => sql`
      insert into campaign_count_changes (project_id, campaign_id, ended, sent, delivered)
      select project_id, campaign_id, count(*), count(*), count(*) filter (where delivered) from ${wanted} group by project_id, campaign_id
      returning 1`,
}

/** Emails of a campaign that are waiting, newest first. */
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
