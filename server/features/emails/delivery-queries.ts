/** What became of an email that was sent, or could not be; and what sending it needs besides. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { addJobSql } from '../../platform/queue/enqueue.ts'
import { writeEvents } from '../journal/queries.ts'
import { among, named } from './among-queries.ts'

export interface EmailRef {
  projectId: string
  emailId: string
}

export interface SentEmail {
  projectId: string
  id: string
  contactId: string | null
  subject: string
  messageId: string
  delivered: boolean
  sentEventId: string
  deliveredEventId: string
  /** The fields that every event about this email carries. */
  facts: Record<string, unknown>
}

/** Marks emails as sent and records it in the journal, once, however often it is told. A test leaves no trace there. */
export async function recordSent(db: Database, sent: SentEmail[], now: Date): Promise<void> {
  const at = now.toISOString()
  const these = among(sent.map(({ projectId, id }) => ({ projectId, emailId: id })))
  await sql`${named('record-sent', these)}
    with outcome as (
      select * from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb) as outcome("projectId" uuid, id uuid, "contactId" uuid,
        subject text, "messageId" text, delivered boolean, "sentEventId" uuid, "deliveredEventId" uuid, facts jsonb)
    ),
    marked as (
      update emails e set status = case when o.delivered then 'DELIVERED' else 'SENT' end, subject = o.subject,
        message_id = o."messageId", error = null, lease_until = null, lease_holder = null, sent_at = ${now}::timestamptz,
        delivered_at = case when o.delivered then ${now}::timestamptz end, updated_at = ${now}::timestamptz
      from outcome o
      where ${these.joinedBy('o.projectId', 'o.id')} and ${these.condition} and e.status = 'SENDING'
      returning o.*, not is_test(e.source_type, e.campaign_id) as counts
    )
    ${writeEvents(sql`
      select "projectId", "sentEventId", 'email.sent', "contactId", id, facts || jsonb_build_object('sentAt', ${at}::text), ${now}::timestamptz
      from marked where counts
      union all
      select "projectId", "deliveredEventId", 'email.delivery', "contactId", id, facts || jsonb_build_object('deliveredAt', ${at}::text), ${now}::timestamptz
      from marked where delivered and counts`)}`.execute(db)
}

export interface NotSent {
  status: 'FAILED' | 'PENDING'
  error: string
  /** False when the try was no fault of the email's and doesn't count. */
  counts: boolean
}

/** Ends an email that can't be sent, or puts it back for another try. */
export async function recordNotSent(db: Database, ref: EmailRef, outcome: NotSent, now: Date): Promise<void> {
  await sql`/* record-not-sent */
    update emails set status = ${outcome.status}, error = ${outcome.error}, lease_until = null, lease_holder = null,
      attempts = attempts - ${outcome.counts ? 0 : 1}::int, updated_at = ${now}::timestamptz
    where project_id = ${ref.projectId} and id = ${ref.emailId} and status || '' = 'SENDING'`.execute(db)
}

/** Each email as a job of its own, at its time. */
export async function enqueueDeliveries(
  db: Database,
  deliveries: Array<EmailRef & { at: Date }>,
  priority: number,
): Promise<void> {
  const job = addJobSql(
    'deliver-email',
    sql`json_build_object('projectId', d."projectId"::text, 'emailId', d."emailId"::text)`,
    { runAt: sql`d.at`, priority },
  )
  await sql`/* enqueue-deliveries */
    select count(${job}) from jsonb_to_recordset(${JSON.stringify(deliveries)}::jsonb)
      as d("projectId" uuid, "emailId" uuid, at timestamptz)`.execute(db)
}

/** The key that signs for a sender's domain, encrypted as it is stored. */
export async function findDkimKey(
  db: Database,
  projectId: string,
  domain: string,
): Promise<{ selector: string; sealed: Buffer } | undefined> {
  const { rows } = await sql<{ selector: string; sealed: Buffer }>`/* find-dkim-key */
    select dkim_selector as selector, dkim_private_key as sealed from domains
    where project_id = ${projectId} and domain = ${domain}`.execute(db)
  return rows[0]
}
