/** SQL of emails: status and content, resending, canceling and erasing them. */

import type { Branding } from '../../../kernel/content/branding.ts'
import type { Utm } from '../../../kernel/sending/settings.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import type { DescribedAttachment } from '../../../platform/mime/mime-attachment.ts'
import { PRIORITY } from '../../../platform/queue/catalogue.ts'
import { addJobSql } from '../../../platform/queue/job-table.ts'
import { deleteCapturedStep } from '../../../platform/transports/capture.ts'
import { unwantedSql } from '../delivery/claim-queries.ts'
import { deleteNotesStep } from '../delivery/outcome-queries.ts'
import {
  cancelStep,
  endedEmailFanOut,
  eraseContentsStep,
  eraseEmailsStep,
  eraseVariablesStep,
  requeueStep,
  stopEmailsStep,
} from '../outbox/change-queries.ts'
import { deleteTagsStep, scheduledJobKey } from '../outbox/option-queries.ts'
import { deleteTestsOfStep } from '../outbox/test-queries.ts'
import { deleteClicksStep } from '../tracking/click-queries.ts'

const REQUEUING = 'requeuing emails'

/**
 * The first statement of a transaction that requeues emails, which then need their contents again. While it waits,
 * retention removes contents; those that are left stay until the transaction ends.
 */
async function lockForRequeuing(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtext(${REQUEUING}))`.execute(tx)
}

/** No email is requeued until the transaction ends, so what unsent emails need can be read before a table is locked. */
export async function preventRequeuing(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${REQUEUING}))`.execute(tx)
}

/** Until a scheduled email is sent, it is shown with the current data of the contact. */
export const currentData = sql<
  Record<string, unknown>
>`case when e.status = 'SCHEDULED' then e.contact_data || coalesce((
  select data from contacts where contacts.project_id = e.project_id and contacts.id = e.contact_id), '{}') else e.contact_data end`

/** Emails with their contents. */
export const emailRows = (db: Database, projectId: string) =>
  db
    .selectFrom('emails as e')
    .leftJoin('email_contents as c', (join) =>
      join.onRef('c.project_id', '=', 'e.project_id').onRef('c.id', '=', 'e.content_id'),
    )
    .where('e.project_id', '=', projectId)

export async function campaignExists(db: Database, projectId: string, campaignId: string): Promise<boolean> {
  const { rows } = await sql`/* campaign-exists */
    select from campaigns where project_id = ${projectId} and id = ${campaignId}`.execute(db)
  return rows.length > 0
}

export async function findEmail(db: Database, projectId: string, id: string) {
  return emailRows(db, projectId)
    .innerJoin('projects as p', 'p.id', 'e.project_id')
    .selectAll('e')
    .select(['c.subject as content_subject', 'c.body as content_body', 'c.type as content_type'])
    .select([
      'c.literal as content_literal',
      'c.plain as content_plain',
      'c.encrypted as content_encrypted',
      'c.topic as content_topic',
      'c.data as content_data',
    ])
    .select(['p.tracking as project_tracking', 'p.language as project_language', 'p.name as project_name'])
    .select('p.disabled_at as project_disabled_at')
    .select(currentData.as('contact_data'))
    .select((eb) => eb.ref('p.branding').$castTo<Branding>().as('branding'))
    .select(campaignUtm)
    .select(describedAttachments.as('described'))
    .where('e.id', '=', id)
    .executeTakeFirst()
}

const campaignUtm = [
  sql<Partial<Utm> | null>`coalesce(
    (select utm from campaigns where campaigns.project_id = e.project_id and campaigns.id = e.campaign_id), p.sending -> 'utm')`.as(
    'utm',
  ),
  sql<string | null>`(
    select name from campaigns where campaigns.project_id = e.project_id and campaigns.id = e.campaign_id)`.as(
    'campaign_name',
  ),
]

/** Attachments without their contents, which can be many megabytes. */
const describedAttachments = sql<DescribedAttachment[] | null>`(
  select jsonb_agg((item - 'content') || jsonb_build_object('size', octet_length(item ->> 'content') / 4 * 3 - case
      when item ->> 'content' like '%==' then 2 when item ->> 'content' like '%=' then 1 else 0 end) order by position)
  from jsonb_array_elements(c.attachments) with ordinality as attachment(item, position))`

/** All attachments with their contents, as JSON; undefined if the content is no longer stored. */
export async function readAttachments(db: Database, projectId: string, contentId: string): Promise<string | undefined> {
  const { rows } = await sql<{ json: string }>`/* read-attachments */
    select attachments::text as json from email_contents where project_id = ${projectId} and id = ${contentId}`.execute(
    db,
  )
  return rows[0]?.json
}

/** The content of one attachment in base64. */
export async function readAttachment(
  db: Database,
  projectId: string,
  contentId: string,
  position: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ content: string | null }>`/* read-attachment */
    select attachments -> ${position}::int ->> 'content' as content
    from email_contents where project_id = ${projectId} and id = ${contentId}`.execute(db)
  return rows[0]?.content ?? undefined
}

export interface TimelineRow {
  /** Empty for a note without an event. */
  name: string | null
  data: Record<string, unknown> | null
  at: Date
  /** Empty for an event without a note. */
  kind: string | null
  words: string | null
}

/** The version of its template that a workflow step recorded; undefined if it is not known. */
export async function findTemplateVersion(
  db: Database,
  projectId: string,
  email: { id: string; workflow_execution_id: string | null },
): Promise<number | undefined> {
  if (email.workflow_execution_id === null) return undefined
  const { rows } = await sql<{ version: number | null }>`/* find-template-version */
    select (output ->> 'templateVersion')::int as version from workflow_step_runs
    where project_id = ${projectId} and execution_id = ${email.workflow_execution_id} and output ->> 'emailId' = ${email.id}::text
    limit 1`.execute(db)
  return rows[0]?.version ?? undefined
}

/** The events of an email with their notes, and notes without an event. */
export async function listTimeline(db: Database, projectId: string, emailId: string): Promise<TimelineRow[]> {
  const { rows } = await sql<TimelineRow>`/* list-timeline */
    select e.name, e.data, coalesce(e.created_at, n.at) as at, n.kind, n.words
    from (select * from events where project_id = ${projectId} and email_id = ${emailId}) as e
    full join (select * from email_notes where project_id = ${projectId} and email_id = ${emailId}) as n on n.id = e.id
    order by coalesce(e.id, n.id)`.execute(db)
  return rows
}

export interface ResendResult {
  requeued: boolean
  /** The reason why the email can't be sent; null or empty if it can. */
  undeliverable: string | null
}

/**
 * Transactional email requires no subscription, so `unwantedSql` alone would allow it until the erasure clears the address.
 */
const CONTACT_DELETED = sql`(e.to_email = '' or (e.contact_id is not null and not exists (
  select from contacts where contacts.project_id = e.project_id and contacts.id = e.contact_id)))`

const REQUEUED = sql`json_build_object('projectId', requeued.project_id, 'emailId', requeued.id)`

/** Requeues a failed or canceled email with a job, unless a worker would refuse to send it. */
export async function requeueEmail(
  db: Database,
  projectId: string,
  id: string,
  priority: number,
  now: Date,
): Promise<ResendResult> {
  return transaction(db, async (tx) => {
    await lockForRequeuing(tx)
    const { rows } = await sql<ResendResult>`/* requeue-email */
    with asked as (
      select case when ${CONTACT_DELETED} then 'the contact was deleted' else ${unwantedSql(now)} end as undeliverable
      from emails e where e.project_id = ${projectId} and e.id = ${id}
    ), requeued as (${requeueStep(now, {
      from: sql`asked`,
      where: sql`e.project_id = ${projectId} and e.id = ${id} and e.status || '' in ('FAILED', 'CANCELLED')
        and coalesce(asked.undeliverable, '') = ''`,
      returning: sql`e.project_id, e.id, e.status`,
    })}
    ), jobs as (
      select case requeued.status when 'SCHEDULED' then ${addJobSql('send-scheduled-email', REQUEUED, {
        jobKey: scheduledJobKey(sql`requeued.id`),
      })} else ${addJobSql('deliver-email', REQUEUED, { priority: sql`${priority}::int` })} end
      from requeued
    )
    select (select count(*) from jobs) > 0 as requeued, undeliverable from asked`.execute(tx)
    return rows[0]!
  })
}

/** Retries the failed emails of a campaign whose content still exists. Returns how many. */
export async function retryFailedEmails(tx: Tx, projectId: string, campaignId: string, now: Date): Promise<number> {
  await lockForRequeuing(tx)
  const payload = sql`json_build_object('projectId', ${projectId}::text, 'emailId', requeued.id)`
  const { rows } = await sql<{ count: number }>`/* retry-failed-emails */
    with requeued as (${requeueStep(now, {
      where: sql`e.project_id = ${projectId} and e.campaign_id = ${campaignId} and e.status = 'FAILED' and e.contact_id is not null
        and exists (select from email_contents c where c.project_id = e.project_id and c.id = e.content_id)`,
      returning: sql`e.id`,
    })}
    )
    select count(${addJobSql('deliver-email', payload, { priority: PRIORITY.campaign })}) as count from requeued`.execute(
    tx,
  )
  return rows[0]!.count
}

/** Emails that a worker has claimed at this moment are still sent. */
export async function cancelPendingEmails(tx: Tx, projectId: string, campaignId: string, now: Date): Promise<void> {
  const where = sql`e.project_id = ${projectId} and e.campaign_id = ${campaignId} and e.status = 'PENDING'`
  await sql`/* cancel-campaign-emails */ ${cancelStep(now, { where }, 'The campaign was canceled.')}`.execute(tx)
}

/** Stops unsent emails to contacts, without waiting for emails that a worker has claimed. */
export async function stopUnsent(tx: Tx, projectId: string, contactIds: string[], now: Date): Promise<void> {
  await sql`/* stop-unsent */
    with unsent as (
      select id from emails
      where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[]) and status in ('SCHEDULED', 'PENDING')
      for update skip locked
    ), cancelled as (${stopEmailsStep(now, {
      where: sql`e.project_id = ${projectId} and e.id in (select id from unsent)`,
      returning: sql`e.project_id, e.campaign_id`,
    })}
    )${endedEmailFanOut.steps('cancelled')}
    select 1 where ${endedEmailFanOut.isAdded('cancelled')}`.execute(tx)
}

/**
 * Erases up to `most` emails to contacts with their captured messages, and each content that no other email uses. An
 * email that is being sent is skipped until it is sent or its lease has expired. Returns how many.
 */
export async function eraseEmails(
  db: Database,
  projectId: string,
  contactIds: string[],
  now: Date,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ erased: number }>`/* erase-emails */
    with batch as (
      select project_id, id, tags from emails
      where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[])
        and (status <> 'SENDING' or lease_until <= ${now}::timestamptz)
      limit ${most} for update skip locked
    ), erased as (${eraseEmailsStep(now, {
      from: sql`batch`,
      where: sql`e.project_id = ${projectId} and e.id = batch.id`,
      returning: sql`e.id, e.content_id, e.project_id, e.campaign_id`,
    })}
    )${endedEmailFanOut.steps('erased')}, untagged as (${deleteTagsStep(sql`select project_id, id, tags from batch where tags is not null`)}
    ), unnoted as (${deleteNotesStep(projectId, sql`select id from erased`)}
    ), unclicked as (${deleteClicksStep(projectId, sql`select id from erased`)}
    ), uncaptured as (${deleteCapturedStep(sql`select id from erased`)}
    ), contents as (${eraseContentsStep(
      projectId,
      sql`select content_id, count(*)::int as emails from erased group by content_id`,
    )}
    )
    select count(*)::int as erased from erased where ${endedEmailFanOut.isAdded('erased')}`.execute(db)
  return rows[0]!.erased
}

/**
 * Erases the data of these contacts in test emails, which are sent to others. Returns how many.
 */
export async function eraseTestEmails(
  db: Database,
  projectId: string,
  contactIds: string[],
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ erased: number }>`/* erase-test-emails */
    with gone as (${deleteTestsOfStep(projectId, contactIds)}
    ), erased as (${eraseVariablesStep(now, {
      from: sql`gone`,
      where: sql`e.project_id = ${projectId} and e.id = gone.id`,
      returning: sql`e.id`,
    })}
    ), uncaptured as (${deleteCapturedStep(sql`select id from erased`)})
    select count(*)::int as erased from erased`.execute(db)
  return rows[0]!.erased
}

/** The latest time at which a worker may still be sending to one of these contacts. */
export async function findLease(db: Database, projectId: string, contactIds: string[]): Promise<Date | undefined> {
  const { rows } = await sql<{ lease_until: Date | null }>`/* find-lease */
    select max(lease_until) as lease_until from emails
    where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[]) and status = 'SENDING'`.execute(db)
  return rows[0]?.lease_until ?? undefined
}
