/** What a worker does with emails: takes them for the time of a lease, and records what became of them. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { writeEvents } from '../journal/queries.ts'
import type { StoredAttachment } from './attachments.ts'
import type { ContentType } from './queries.ts'

/** Everything a worker needs to compose and send one email. */
export interface ClaimedEmail {
  project_id: string
  id: string
  contact_id: string | null
  to_email: string
  to_name: string | null
  from_email: string
  from_name: string | null
  reply_to: string | null
  headers: Record<string, string>
  variables: Record<string, unknown>
  contact_data: Record<string, unknown>
  source_type: string
  template_id: string | null
  campaign_id: string | null
  attempts: number
  created_at: Date
  content_subject: string
  content_body: string
  content_type: ContentType
  attachments: StoredAttachment[]
}

export interface EmailRef {
  projectId: string
  emailId: string
}

export interface ClaimRequest extends EmailRef {
  /** The queue hands this job out again, so whoever held the lease is gone. */
  takeOver: boolean
}

export interface Claim {
  email: ClaimedEmail | undefined
  /** Another worker has it until then. */
  leasedUntil: Date | undefined
  /** Its project is disabled: nothing leaves. */
  disabled: boolean
}

const COMPOSABLE = sql`
  e.project_id, e.id, e.contact_id, e.to_email, e.to_name, e.from_email, e.from_name, e.reply_to, e.headers, e.variables,
  e.contact_data, e.source_type, e.template_id, e.campaign_id, e.attempts, e.created_at,
  c.subject as content_subject, c.body as content_body, c.type as content_type, c.attachments`

/** Takes emails for sending, each for the time of a lease. A lease that ran out belongs to a crash and may be taken over. */
export async function claimEmails(db: Database, refs: ClaimRequest[], now: Date, leaseUntil: Date): Promise<Claim[]> {
  const { rows } = await sql<
    ClaimedEmail & { claimed: boolean; disabled: boolean; lease_until: Date | null }
  >`/* claim-emails */
    with wanted as (
      select * from unnest(
        ${refs.map((r) => r.projectId)}::uuid[], ${refs.map((r) => r.emailId)}::uuid[], ${refs.map((r) => r.takeOver)}::boolean[]
      ) as wanted(project_id, id, take_over)
    ),
    asked as (
      select wanted.*, p.disabled_at is not null as disabled from wanted join projects p on p.id = wanted.project_id
    ),
    claimed as (
      update emails e set status = 'SENDING', attempts = e.attempts + 1, lease_until = ${leaseUntil}::timestamptz, updated_at = ${now}::timestamptz
      from asked
      where e.project_id = asked.project_id and e.id = asked.id and not asked.disabled
        and (e.status = 'PENDING' or (e.status = 'SENDING' and (asked.take_over or e.lease_until <= ${now}::timestamptz)))
      returning e.*
    )
    select true as claimed, e.lease_until, false as disabled, ${COMPOSABLE}
    from claimed e join email_contents c on c.project_id = e.project_id and c.id = e.content_id
    union all
    select false, e.lease_until, asked.disabled, ${COMPOSABLE}
    from asked
    join emails e on e.project_id = asked.project_id and e.id = asked.id
      and (e.status = 'SENDING' or (e.status = 'PENDING' and asked.disabled))
    join email_contents c on c.project_id = e.project_id and c.id = e.content_id
    where not exists (select from claimed where claimed.id = asked.id)`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return refs.map(({ emailId }) => {
    const row = byId.get(emailId)
    if (!row || row.claimed) return { email: row, leasedUntil: undefined, disabled: false }
    return { email: undefined, leasedUntil: row.lease_until ?? undefined, disabled: row.disabled }
  })
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

/** Marks emails as sent and records it in the journal, once, however often it is told. */
export async function recordSent(db: Database, sent: SentEmail[], now: Date): Promise<void> {
  const at = now.toISOString()
  await sql`/* record-sent */
    with outcome as (
      select * from jsonb_to_recordset(${JSON.stringify(sent)}::jsonb) as outcome("projectId" uuid, id uuid, "contactId" uuid,
        subject text, "messageId" text, delivered boolean, "sentEventId" uuid, "deliveredEventId" uuid, facts jsonb)
    ),
    marked as (
      update emails e set status = case when o.delivered then 'DELIVERED' else 'SENT' end, subject = o.subject,
        message_id = o."messageId", error = null, lease_until = null, sent_at = ${now}::timestamptz,
        delivered_at = case when o.delivered then ${now}::timestamptz end, updated_at = ${now}::timestamptz
      from outcome o
      where e.project_id = o."projectId" and e.id = o.id and e.status || '' = 'SENDING' -- by the key, not by the index on status
      returning o.*
    )
    ${writeEvents(sql`
      select "projectId", "sentEventId", 'email.sent', "contactId", id, facts || jsonb_build_object('sentAt', ${at}::text), ${now}::timestamptz
      from marked
      union all
      select "projectId", "deliveredEventId", 'email.delivery', "contactId", id, facts || jsonb_build_object('deliveredAt', ${at}::text), ${now}::timestamptz
      from marked where delivered`)}`.execute(db)
}

/** Ends an email that can't be sent, or puts it back for another try. */
export async function recordNotSent(
  db: Database,
  { projectId, emailId }: EmailRef,
  outcome: { status: 'FAILED' | 'PENDING'; error: string },
  now: Date,
): Promise<void> {
  await db
    .updateTable('emails')
    .set({ status: outcome.status, error: outcome.error, lease_until: null, updated_at: now })
    .where('project_id', '=', projectId)
    .where('id', '=', emailId)
    .where('status', '=', 'SENDING')
    .execute()
}
