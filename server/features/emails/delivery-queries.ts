/** What a worker does with emails: takes them for the time of a lease, and records what became of them. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { addJobSql } from '../../platform/queue/enqueue.ts'
import { isSuppressedSql } from '../contacts/suppression-queries.ts'
import { writeEvents } from '../journal/queries.ts'
import { among, named } from './among-queries.ts'
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
  /** The project's setting when the email was first claimed. */
  tracking: string
  content_subject: string
  content_body: string
  content_type: ContentType
  content_literal: boolean
  content_plain: string | null
  attachments: StoredAttachment[]
}

export interface EmailRef {
  projectId: string
  emailId: string
}

export interface ClaimRequest extends EmailRef {
  /** The queue hands this job out again: a lease of this process's own, or of nobody known, is over. */
  takeOver: boolean
}

export interface Claim {
  /** Absent when it is done, cancelled, or not to be had now. */
  email: ClaimedEmail | undefined
  /** Another worker has it until then. */
  leasedUntil: Date | undefined
  /** Why nothing of its kind leaves at the moment. */
  held: 'the project is disabled' | 'the campaign is paused' | undefined
}

export interface Lease {
  now: Date
  until: Date
  /** The lock by which others know that we live. */
  holder: number | null
}

/**
 * Why nobody wants this email any more, or null. Bulk mail goes to subscribers only; marketing that a request sent
 * goes to whoever has not opted out; what carries no unsubscribe link, and a test without a contact, goes out always.
 */
const UNWANTED = sql`
  case
    when c.type is null then 'Not sent: its content is no longer kept.'
    when c.type = 'TRANSACTIONAL' or e.contact_id is null then null
    when e.source_type = 'TRANSACTIONAL' and c.type <> 'MARKETING' then null
    when ${isSuppressedSql(sql`e.project_id`, sql`e.to_email`)} then 'Not sent: the address is suppressed.'
    when e.source_type = 'TRANSACTIONAL' then (
      select 'Not sent: the contact has unsubscribed since.' from contacts
      where contacts.project_id = e.project_id and contacts.id = e.contact_id and contacts.opted_out)
    else coalesce(
      (select case when contacts.subscribed then '' else 'Not sent: the contact has unsubscribed since.' end from contacts
       where contacts.project_id = e.project_id and contacts.id = e.contact_id),
      'Not sent: the contact was deleted.')
  end`

/** By the key, whatever the planner knows of the table. */
const contentOf = (email: string) => sql`(
  select subject, body, type, literal, plain, attachments from email_contents
  where email_contents.project_id = ${sql.ref(`${email}.project_id`)} and email_contents.id = ${sql.ref(`${email}.content_id`)}
  limit 1)`

/** By its author. A campaign that reached the project's limit is paused too, but what is in the outbox had room. */
const isPaused = (email: string) => sql`exists (
  select from campaigns where campaigns.project_id = ${sql.ref(`${email}.project_id`)} and campaigns.id = ${sql.ref(`${email}.campaign_id`)}
    and campaigns.paused_at is not null and campaigns.held_reason is null)`

/**
 * A claim need not be on disk before the email leaves: should the machine lose it, the email is free again, as it
 * would be after its lease. Whatever is recorded later takes it along.
 */
const LAZY_COMMIT = sql`lazy_commit as materialized (select set_config('synchronous_commit', 'off', true))`

/**
 * Takes emails for sending, each for the time of a lease. A lease is over when its time is, or when its holder is no
 * more. What nobody wants any more is cancelled instead; `offset 0` has that asked once and not for every column.
 */
export async function claimEmails(db: Database, refs: ClaimRequest[], lease: Lease): Promise<Claim[]> {
  const these = among(refs)
  const { rows } = await sql<
    ClaimedEmail & { state: string; held: Claim['held'] | null; lease_until: Date | null }
  >`${named('claim-emails', these)}
    with ${LAZY_COMMIT},
    wanted as (
      select * from unnest(
        ${refs.map((r) => r.projectId)}::uuid[], ${refs.map((r) => r.emailId)}::uuid[], ${refs.map((r) => r.takeOver)}::boolean[]
      ) as wanted(project_id, id, take_over)
    ),
    asked as (
      select wanted.*, p.disabled_at is not null as disabled, p.tracking
      from wanted join projects p on p.id = wanted.project_id
    ),
    claimed as (
      update emails e set (status, error, attempts, lease_until, lease_holder) = (
          select case when w.reason = '' then 'SENDING' else 'CANCELLED' end,
            case when w.reason = '' then e.error else w.reason end,
            case when w.reason = '' then e.attempts + 1 else e.attempts end,
            case when w.reason = '' then ${lease.until}::timestamptz end,
            case when w.reason = '' then ${lease.holder}::int end
          from (
            select coalesce(${UNWANTED}, '') as reason
            from (select) as one left join lateral ${contentOf('e')} as c on true offset 0
          ) as w),
        tracking = coalesce(e.tracking, asked.tracking), updated_at = ${lease.now}::timestamptz
      from asked, lazy_commit
      where ${these.joinedBy('asked.project_id', 'asked.id')} and ${these.condition} and not asked.disabled and not ${isPaused('e')}
        and (e.status = 'PENDING' or (e.status = 'SENDING' and (e.lease_until <= ${lease.now}::timestamptz
          or (asked.take_over and (e.lease_holder is null or e.lease_holder = ${lease.holder}::int))
          or (e.lease_holder is not null and not posthorn_queue.lives(e.lease_holder)))))
      returning e.status as state, e.lease_until, e.project_id, e.id, e.contact_id, e.to_email, e.to_name, e.from_email,
        e.from_name, e.reply_to, e.headers, e.variables, e.contact_data, e.source_type, e.template_id, e.campaign_id,
        e.attempts, e.created_at, e.tracking, e.content_id
    )
    select null as held, claimed.*,
      c.subject as content_subject, c.body as content_body, c.type as content_type, c.literal as content_literal,
      c.plain as content_plain, c.attachments
    from claimed left join lateral ${contentOf('claimed')} as c on true
    union all
    select case when asked.disabled then 'the project is disabled' when ${isPaused('e')} then 'the campaign is paused' end, 'other', e.lease_until, e.project_id, e.id, null, null, null, null, null, null, null, null, null, null, null,
      null, null, null, null, null, null, null, null, null, null, null
    from asked
    join emails e on ${these.joinedBy('asked.project_id', 'asked.id')} and ${these.condition}
      and (e.status = 'SENDING' or (e.status = 'PENDING' and (asked.disabled or ${isPaused('e')})))
    where not exists (select from claimed where claimed.id = asked.id)`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return refs.map(({ emailId }) => {
    const row = byId.get(emailId)
    if (row?.state === 'SENDING') return { email: row, leasedUntil: undefined, held: undefined }
    if (row?.state !== 'other') return { email: undefined, leasedUntil: undefined, held: undefined }
    return { email: undefined, leasedUntil: row.lease_until ?? undefined, held: row.held ?? undefined }
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
      returning o.*
    )
    ${writeEvents(sql`
      select "projectId", "sentEventId", 'email.sent', "contactId", id, facts || jsonb_build_object('sentAt', ${at}::text), ${now}::timestamptz
      from marked
      union all
      select "projectId", "deliveredEventId", 'email.delivery', "contactId", id, facts || jsonb_build_object('deliveredAt', ${at}::text), ${now}::timestamptz
      from marked where delivered`)}`.execute(db)
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
