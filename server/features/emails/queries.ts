/** SQL of the ledger: lists of emails and what became of each, retrying, cancelling and erasing them, and retention. */
import { sql } from 'kysely'
import { firstIdAt } from '../../kernel/ids.ts'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { containing } from '../../platform/database/like.ts'
import { deleteCapturedStep } from '../../platform/mail/capture.ts'
import type { StoredAttachment } from '../../platform/mail/mime-attachment.ts'
import { PRIORITY } from '../../platform/queue/catalogue.ts'
import { addJobSql } from '../../platform/queue/enqueue.ts'
import { UNWANTED } from '../delivery/claim-queries.ts'
import { deleteNotesStep } from '../delivery/outcome-queries.ts'
import {
  cancelStep,
  deleteContentsStep,
  eraseContentsStep,
  eraseEmailsStep,
  reviveStep,
} from '../outbox/change-queries.ts'

export interface EmailFilter {
  contactId?: string | undefined
  campaignId?: string | undefined
  status?: string | undefined
  search?: string | undefined
}

const ledger = (db: Database, projectId: string) =>
  db
    .selectFrom('emails as e')
    .leftJoin('email_contents as c', (join) =>
      join.onRef('c.project_id', '=', 'e.project_id').onRef('c.id', '=', 'e.content_id'),
    )
    .where('e.project_id', '=', projectId)

const matching = (db: Database, projectId: string, filter: EmailFilter) => {
  let query = db.selectFrom('emails as e').where('e.project_id', '=', projectId)
  if (filter.contactId !== undefined) query = query.where('e.contact_id', '=', filter.contactId)
  if (filter.campaignId !== undefined) query = query.where('e.campaign_id', '=', filter.campaignId)
  if (filter.status !== undefined) query = query.where('e.status', '=', filter.status)
  if (filter.search) {
    const pattern = containing(filter.search)
    query = query.where((eb) =>
      eb.or([eb('e.to_email', 'ilike', pattern), eb('e.subject', 'ilike', pattern), pendingSubject(pattern)]),
    )
  }
  return query
}

/** A subject that is not rendered yet is found by its text before rendering. */
const pendingSubject = (pattern: string) => sql<boolean>`(e.subject is null and exists (
  select from email_contents c where c.project_id = e.project_id and c.id = e.content_id and c.subject ilike ${pattern}))`

export type EmailRow = Awaited<ReturnType<typeof listEmails>>[number]

/** Newest first; one row more than asked tells that there is more. The content is joined for subjects not rendered yet. */
export async function listEmails(
  db: Database,
  projectId: string,
  filter: EmailFilter & { before?: string | undefined; limit: number },
) {
  let page = matching(db, projectId, filter)
  if (filter.before !== undefined) page = page.where('e.id', '<', filter.before)
  const ids = page
    .select('e.id')
    .orderBy('e.id', 'desc')
    .limit(filter.limit + 1)
  return ledger(db, projectId)
    .selectAll('e')
    .select(['c.subject as content_subject', 'c.literal as content_literal'])
    .where('e.id', 'in', ids)
    .orderBy('e.id', 'desc')
    .execute()
}

export async function campaignExists(db: Database, projectId: string, campaignId: string): Promise<boolean> {
  const { rows } = await sql`/* campaign-exists */
    select from campaigns where project_id = ${projectId} and id = ${campaignId}`.execute(db)
  return rows.length > 0
}

export async function countEmails(db: Database, projectId: string, filter: EmailFilter): Promise<number> {
  const row = await matching(db, projectId, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findEmail(db: Database, projectId: string, id: string) {
  return ledger(db, projectId)
    .innerJoin('projects as p', 'p.id', 'e.project_id')
    .selectAll('e')
    .select(['c.subject as content_subject', 'c.body as content_body', 'c.type as content_type'])
    .select(['c.literal as content_literal', 'c.plain as content_plain'])
    .select(['p.tracking as project_tracking', 'p.language as project_language', 'p.name as project_name'])
    .select((eb) => eb.ref('c.attachments').$castTo<StoredAttachment[] | null>().as('attachments'))
    .where('e.id', '=', id)
    .executeTakeFirst()
}

export interface TimelineRow {
  /** Empty for a note of its own. */
  name: string | null
  data: Record<string, unknown> | null
  at: Date
  /** Empty for an event about which nobody said anything. */
  kind: string | null
  words: string | null
}

/** The events of an email with the words that belong to them, and the notes that belong to no event. */
export async function listTimeline(db: Database, projectId: string, emailId: string): Promise<TimelineRow[]> {
  const { rows } = await sql<TimelineRow>`/* list-timeline */
    select e.name, e.data, coalesce(e.created_at, n.at) as at, n.kind, n.words
    from (select * from events where project_id = ${projectId} and email_id = ${emailId}) as e
    full join (select * from email_notes where project_id = ${projectId} and email_id = ${emailId}) as n on n.id = e.id
    order by coalesce(e.id, n.id)`.execute(db)
  return rows
}

export interface Revival {
  revived: boolean
  /** Why the email must not be sent; null or empty if it may. */
  unwanted: string | null
}

/** Transactional email needs no subscription, so UNWANTED alone would allow it until the erasure clears the address. */
const CONTACT_DELETED = sql`(e.to_email = '' or (e.contact_id is not null and not exists (
  select from contacts where contacts.project_id = e.project_id and contacts.id = e.contact_id)))`

/** Puts a failed or canceled email back into the outbox, with a job, unless a worker would refuse to send it. */
export async function reviveEmail(
  db: Database,
  projectId: string,
  id: string,
  priority: number,
  now: Date,
): Promise<Revival> {
  const { rows } = await sql<Revival>`/* revive-email */
    with asked as (
      select case when ${CONTACT_DELETED} then 'the contact was deleted' else ${UNWANTED} end as unwanted
      from emails e where e.project_id = ${projectId} and e.id = ${id}
    ), revived as (${reviveStep(now, {
      from: sql`asked`,
      where: sql`e.project_id = ${projectId} and e.id = ${id} and e.status || '' in ('FAILED', 'CANCELLED')
        and coalesce(asked.unwanted, '') = ''`,
      returning: sql`e.id`,
    })}
    ), jobs as (
      select ${addJobSql(
        'deliver-email',
        sql`json_build_object('projectId', ${projectId}::text, 'emailId', revived.id)`,
        { priority: sql`${priority}::int` },
      )} from revived
    )
    select (select count(*) from jobs) > 0 as revived, unwanted from asked`.execute(db)
  return rows[0]!
}

/** Retries the failed emails of a campaign whose text is still kept. Returns how many. */
export async function retryFailedEmails(tx: Tx, projectId: string, campaignId: string, now: Date): Promise<number> {
  const payload = sql`json_build_object('projectId', ${projectId}::text, 'emailId', revived.id)`
  const { rows } = await sql<{ count: number }>`/* retry-failed-emails */
    with revived as (${reviveStep(now, {
      where: sql`e.project_id = ${projectId} and e.campaign_id = ${campaignId} and e.status = 'FAILED' and e.contact_id is not null
        and exists (select from email_contents c where c.project_id = e.project_id and c.id = e.content_id)`,
      returning: sql`e.id`,
    })}
    )
    select count(${addJobSql('deliver-email', payload, { priority: PRIORITY.campaign })}) as count from revived`.execute(
    tx,
  )
  return rows[0]!.count
}

/** Emails of the campaign that a worker has claimed at this moment are still sent. */
export async function cancelPendingEmails(tx: Tx, projectId: string, campaignId: string, now: Date): Promise<void> {
  const where = sql`e.project_id = ${projectId} and e.campaign_id = ${campaignId} and e.status = 'PENDING'`
  await sql`/* cancel-campaign-emails */ ${cancelStep(now, { where }, 'The campaign was canceled.')}`.execute(tx)
}

/** Cancels what contacts have not been sent yet. An email that a worker has claimed is not waited for. */
export async function cancelUnsent(tx: Tx, projectId: string, contactIds: string[], now: Date): Promise<void> {
  await sql`/* cancel-unsent */
    with unsent as (
      select id from emails
      where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[]) and status = 'PENDING'
      for update skip locked
    )
    ${cancelStep(now, { where: sql`e.project_id = ${projectId} and e.id in (select id from unsent)` })}`.execute(tx)
}

/**
 * Erases up to `most` emails to contacts with what was captured of them, and each content that no other email uses any
 * more. One that a worker is sending is left until it is sent or its lease has expired. Returns how many.
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
      select id from emails
      where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[])
        and (status <> 'SENDING' or lease_until <= ${now}::timestamptz)
      limit ${most} for update skip locked
    ), erased as (${eraseEmailsStep(now, {
      from: sql`batch`,
      where: sql`e.project_id = ${projectId} and e.id = batch.id`,
      returning: sql`e.id, e.content_id`,
    })}
    ), unnoted as (${deleteNotesStep(projectId, sql`select id from erased`)}
    ), uncaptured as (${deleteCapturedStep(sql`select id from erased`)}
    ), contents as (${eraseContentsStep(
      projectId,
      sql`select content_id, count(*)::int as emails from erased group by content_id`,
    )}
    )
    select count(*)::int as erased from erased`.execute(db)
  return rows[0]!.erased
}

/** Until when a worker may still be sending to one of these contacts. */
export async function findLease(db: Database, projectId: string, contactIds: string[]): Promise<Date | undefined> {
  const { rows } = await sql<{ lease_until: Date | null }>`/* find-lease */
    select max(lease_until) as lease_until from emails
    where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[]) and status = 'SENDING'`.execute(db)
  return rows[0]?.lease_until ?? undefined
}

/** Deletes up to `most` contents from before a moment; returns how many. Their emails stay. */
export async function forgetContents(db: Database, before: Date, most: number): Promise<number> {
  const batch = sql`select project_id, id from email_contents where id < ${firstIdAt(before)}::uuid limit ${most}`
  const { numAffectedRows } = await sql`/* forget-contents */ ${deleteContentsStep(batch)}`.execute(db)
  return Number(numAffectedRows)
}
