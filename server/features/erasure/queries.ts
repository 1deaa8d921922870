/**
 * Everything that knows a contact, and what is left of it when the contact is deleted. It reaches into tables of later
 * features on purpose: what is erased stands in one place, where it can be checked. Rows stay, so that counts stay.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { addJobSql } from '../../platform/queue/enqueue.ts'

/** What was under way while the contact was deleted has been written by then. */
const SECOND_LOOK_MS = 5 * 60_000

/**
 * Deletes contacts, stops their mail and asks for the erasure of the rest. An email that a worker has in its hands at
 * this moment is not waited for. Returns the ids that were there.
 */
export async function deleteContacts(
  db: Database | Tx,
  projectId: string,
  contactIds: string[],
  now: Date,
): Promise<string[]> {
  const payload = sql`(select json_build_object('projectId', ${projectId}::text, 'contactIds', json_agg(id)) from gone)`
  const { rows } = await sql<{ id: string }>`/* delete-contacts */
    with gone as (
      delete from contacts where project_id = ${projectId} and id = any(${contactIds}::uuid[]) returning id
    ), unsent as (
      select id from emails
      where project_id = ${projectId} and contact_id in (select id from gone) and status = 'PENDING'
      for update skip locked
    ), cancelled as (
      update emails set status = 'CANCELLED', updated_at = ${now}::timestamptz
      where project_id = ${projectId} and id in (select id from unsent)
    ), ${leaveSegmentsSteps(projectId, sql`select id from gone`)},
    ${endExecutionsSteps(projectId, sql`select id from gone`, now)}, jobs as (
      select ${addJobSql('erase-contacts', payload, { runAt: sql`look.at` })}
      from unnest(array[${now}::timestamptz, ${new Date(now.getTime() + SECOND_LOOK_MS)}::timestamptz]) as look(at)
      where exists (select from gone)
    )
    select id from gone where (select count(*) from jobs) > 0`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Steps that take contacts off every segment and keep its count. Without events: there is nobody left to tell of.
 * Segments are counted in order, so two deletions never wait for each other in a circle.
 */
const leaveSegmentsSteps = (projectId: string, contactIds: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    left_segments as (
      delete from segment_members where project_id = ${projectId} and contact_id in (${contactIds}) returning segment_id
    ), segment_losses as (
      select segment_id, count(*)::int as members from left_segments group by segment_id
    ), losing_segments as (
      select s.id, l.members from segments s join segment_losses l on l.segment_id = s.id
      where s.project_id = ${projectId} order by s.id for no key update of s
    ), counted_segments as (
      update segments s set member_count = greatest(0, s.member_count - l.members)
      from losing_segments l where s.project_id = ${projectId} and s.id = l.id
    )`

/** Steps that end the executions of contacts. One whose step is running is not waited for: it finds the contact gone. */
const endExecutionsSteps = (projectId: string, contactIds: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`
    on_their_way as (
      select id from workflow_executions
      where project_id = ${projectId} and contact_id in (${contactIds}) and status in ('RUNNING', 'WAITING')
      for update skip locked
    ), ended_executions as (
      update workflow_executions set status = 'CANCELLED', error = 'The contact was deleted.', version = version + 1,
        resume_at = null, awaited_event = null, completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
      where project_id = ${projectId} and id in (select id from on_their_way)
    ), ended_runs as (
      update workflow_step_runs set status = 'CANCELLED', completed_at = ${now}::timestamptz
      where project_id = ${projectId} and execution_id in (select id from on_their_way) and status in ('RUNNING', 'WAITING')
    )`

/** Whoever was made a member while being deleted. Returns how many memberships ended. */
export async function leaveSegments(db: Database, projectId: string, contactIds: string[]): Promise<number> {
  const { rows } = await sql<{ ended: number }>`/* leave-segments */
    with ${leaveSegmentsSteps(projectId, sql`select unnest(${contactIds}::uuid[])`)}
    select coalesce(sum(members), 0)::int as ended from segment_losses`.execute(db)
  return rows[0]!.ended
}

/** Erases up to `most` events; returns how many. */
export async function eraseEvents(
  db: Database,
  projectId: string,
  contactIds: string[],
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`/* erase-events */
    with batch as (
      select id from events where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[]) limit ${most}
    )
    update events set contact_id = null, data = '{}' from batch
    where events.project_id = ${projectId} and events.id = batch.id`.execute(db)
  return Number(numAffectedRows)
}

/**
 * Erases up to `most` emails with what was captured of them, and each content that no other email uses any more. One
 * that a worker is sending is left until it is sent or its lease is over. Returns how many.
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
    ), erased as (
      update emails e set contact_id = null, to_email = '', to_name = null, subject = '', reply_to = null, headers = '{}',
        variables = '{}', contact_data = '{}', error = null,
        from_email = case e.source_type when 'INBOUND' then '' else e.from_email end,
        from_name = case e.source_type when 'INBOUND' then null else e.from_name end,
        message_id = case e.source_type when 'INBOUND' then null else e.message_id end, lease_until = null, updated_at = ${now}::timestamptz,
        status = case when e.status in ('PENDING', 'SENDING') then 'CANCELLED' else e.status end
      from batch where e.project_id = ${projectId} and e.id = batch.id
      returning e.id, e.content_id
    ), unnoted as (
      delete from email_notes where project_id = ${projectId} and email_id in (select id from erased)
    ), uncaptured as (
      delete from captured_messages where email_id in (select id from erased) and cardinality(recipients) = 1
    ), used as (
      select content_id, count(*)::int as emails from erased group by content_id
    ), contents as (
      update email_contents c set emails_left = c.emails_left - used.emails,
        subject = case when c.emails_left > used.emails then c.subject else '' end,
        body = case when c.emails_left > used.emails then c.body else '' end,
        plain = case when c.emails_left > used.emails then c.plain end,
        attachments = case when c.emails_left > used.emails then c.attachments else '[]' end
      from used where c.project_id = ${projectId} and c.id = used.content_id and c.emails_left is not null
    )
    select count(*)::int as erased from erased`.execute(db)
  return rows[0]!.erased
}

/**
 * Erases up to `most` executions: what came with them, what their steps left, and what emails about the contact to
 * somebody else said. Returns how many.
 */
export async function eraseExecutions(
  db: Database,
  projectId: string,
  contactIds: string[],
  now: Date,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ erased: number }>`/* erase-executions */
    with batch as (
      select id from workflow_executions where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[])
      limit ${most} for update skip locked
    ), erased as (
      update workflow_executions x set contact_id = null, context = '{}', event = case when x.event is not null then '{}'::jsonb end,
        version = x.version + 1, updated_at = ${now}::timestamptz,
        status = case when x.status in ('RUNNING', 'WAITING') then 'CANCELLED' else x.status end,
        completed_at = coalesce(x.completed_at, ${now}::timestamptz), resume_at = null, awaited_event = null,
        error = case when x.error is not null then 'Erased with the contact.' end
      from batch where x.project_id = ${projectId} and x.id = batch.id
      returning x.id
    ), sent as (
      select (output ->> 'emailId')::uuid as id from workflow_step_runs
      where project_id = ${projectId} and execution_id in (select id from erased) and output ? 'emailId'
    ), emails_about as (
      update emails set variables = '{}', contact_data = '{}', subject = '', updated_at = ${now}::timestamptz
      where project_id = ${projectId} and id in (select id from sent) and contact_id is null
    ), runs as (
      update workflow_step_runs set output = null, error = case when error is not null then 'Erased with the contact.' end,
        status = case when status in ('RUNNING', 'WAITING') then 'CANCELLED' else status end,
        completed_at = coalesce(completed_at, ${now}::timestamptz)
      where project_id = ${projectId} and execution_id in (select id from erased)
    )
    select count(*)::int as erased from erased`.execute(db)
  return rows[0]!.erased
}

/** Until when a worker may still be sending to one of them. */
export async function findLease(db: Database, projectId: string, contactIds: string[]): Promise<Date | undefined> {
  const { rows } = await sql<{ lease_until: Date | null }>`/* find-lease */
    select max(lease_until) as lease_until from emails
    where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[]) and status = 'SENDING'`.execute(db)
  return rows[0]?.lease_until ?? undefined
}
