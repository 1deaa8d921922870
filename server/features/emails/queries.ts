/** All SQL on emails: the statement that accepts them, the claim of a worker, what became of them, and the lists. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { containing } from '../../platform/database/like.ts'
import { addJobSql } from '../../platform/queue/enqueue.ts'
import { type ContactUpsert, upsertContactSteps } from '../contacts/queries.ts'
import { writeEvents } from '../journal/queries.ts'
import { completeIdempotencyKey } from '../projects/queries.ts'
import type { StoredAttachment } from './attachments.ts'

export interface EmailContent {
  id: string
  subject: string
  body: string
  attachments: StoredAttachment[]
}

export interface EmailEnvelope {
  fromEmail: string
  fromName: string | null
  replyTo: string | null
  headers: Record<string, string>
  /** What the request brought for templates, beyond the contact's own data. */
  variables: Record<string, unknown>
  /** Known already when the subject holds no template. */
  subject: string | null
}

export interface Recipient {
  emailId: string
  email: string
  name: string | null
}

/** Brings the contacts in, writes one email each and enqueues its delivery: all or nothing, in one round trip. */
export async function insertEmails(
  db: Database,
  upsert: ContactUpsert,
  content: EmailContent,
  envelope: EmailEnvelope,
  recipients: Recipient[],
  idempotencyKey?: string,
): Promise<Array<{ email_id: string; contact_id: string; email: string }>> {
  const { projectId, now } = upsert
  const { rows } = await sql<{ email_id: string; contact_id: string; email: string }>`/* insert-emails */
    with ${upsertContactSteps(upsert)},
    content as (
      insert into email_contents (project_id, id, subject, body, attachments, created_at)
      values (${projectId}, ${content.id}::uuid, ${content.subject}, ${content.body}, ${JSON.stringify(content.attachments)}::jsonb, ${now}::timestamptz)
    ),
    recipient as (
      select * from unnest(
        ${recipients.map((r) => r.emailId)}::uuid[], ${recipients.map((r) => r.email)}::text[], ${recipients.map((r) => r.name)}::text[]
      ) with ordinality as recipient(email_id, email, name, position)
    ),
    outbox as (
      insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name,
        reply_to, headers, variables, contact_data, source_type, created_at, updated_at)
      select ${projectId}, r.email_id, contact.id, ${content.id}::uuid, r.email, r.name, ${envelope.subject}::text,
        ${envelope.fromEmail}, ${envelope.fromName}::text, ${envelope.replyTo}::text, ${JSON.stringify(envelope.headers)}::jsonb,
        ${JSON.stringify(envelope.variables)}::jsonb, contact.data, 'TRANSACTIONAL', ${now}::timestamptz, ${now}::timestamptz
      from recipient r join contact on contact.email = r.email
      returning id
    ),
    jobs as (
      select ${addJobSql('deliver-email', sql`json_build_object('projectId', ${projectId}::text, 'emailId', outbox.id)`)} from outbox
    ),
    accepted as (
      select r.position, r.email_id, contact.id as contact_id, contact.email
      from recipient r join contact on contact.email = r.email
    ),
    completed as (${completeIdempotencyKey(projectId, idempotencyKey, replyOf(now))})
    select email_id, contact_id, email from accepted where (select count(*) from jobs) > 0 order by position`.execute(
    db,
  )
  return rows
}

const replyOf = (now: Date) => sql`(
  select jsonb_build_object('timestamp', ${now.toISOString()}::text, 'emails', jsonb_agg(jsonb_build_object(
    'email', email_id, 'contact', jsonb_build_object('id', contact_id, 'email', email)) order by position))
  from accepted)`

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
}

const COMPOSABLE = sql`
  e.project_id, e.id, e.contact_id, e.to_email, e.to_name, e.from_email, e.from_name, e.reply_to, e.headers, e.variables,
  e.contact_data, e.source_type, e.template_id, e.campaign_id, e.attempts, e.created_at,
  c.subject as content_subject, c.body as content_body, c.attachments`

/** Takes emails for sending, each for the time of a lease. A lease that ran out belongs to a crash and may be taken over. */
export async function claimEmails(db: Database, refs: ClaimRequest[], now: Date, leaseUntil: Date): Promise<Claim[]> {
  const { rows } = await sql<ClaimedEmail & { claimed: boolean; lease_until: Date | null }>`/* claim-emails */
    with asked as (
      select * from unnest(
        ${refs.map((r) => r.projectId)}::uuid[], ${refs.map((r) => r.emailId)}::uuid[], ${refs.map((r) => r.takeOver)}::boolean[]
      ) as asked(project_id, id, take_over)
    ),
    claimed as (
      update emails e set status = 'SENDING', attempts = e.attempts + 1, lease_until = ${leaseUntil}::timestamptz, updated_at = ${now}::timestamptz
      from asked
      where e.project_id = asked.project_id and e.id = asked.id
        and (e.status = 'PENDING' or (e.status = 'SENDING' and (asked.take_over or e.lease_until <= ${now}::timestamptz)))
      returning e.*
    )
    select true as claimed, e.lease_until, ${COMPOSABLE}
    from claimed e join email_contents c on c.project_id = e.project_id and c.id = e.content_id
    union all
    select false, e.lease_until, ${COMPOSABLE}
    from asked
    join emails e on e.project_id = asked.project_id and e.id = asked.id and e.status = 'SENDING' and e.lease_until > ${now}::timestamptz
    join email_contents c on c.project_id = e.project_id and c.id = e.content_id
    where not exists (select from claimed where claimed.id = asked.id)`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return refs.map(({ emailId }) => {
    const row = byId.get(emailId)
    return { email: row?.claimed ? row : undefined, leasedUntil: row && !row.claimed ? row.lease_until! : undefined }
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
      where e.project_id = o."projectId" and e.id = o.id and e.status = 'SENDING'
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

export interface EmailFilter {
  contactId?: string | undefined
  campaignId?: string | undefined
  status?: string | undefined
  search?: string | undefined
}

const ledger = (db: Database, projectId: string) =>
  db
    .selectFrom('emails as e')
    .innerJoin('email_contents as c', (join) =>
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
    query = query.where((eb) => eb.or([eb('e.to_email', 'ilike', pattern), eb('e.subject', 'ilike', pattern)]))
  }
  return query
}

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
    .select(['c.subject as content_subject'])
    .where('e.id', 'in', ids)
    .orderBy('e.id', 'desc')
    .execute()
}

export async function countEmails(db: Database, projectId: string, filter: EmailFilter): Promise<number> {
  const row = await matching(db, projectId, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findEmail(db: Database, projectId: string, id: string) {
  return ledger(db, projectId)
    .selectAll('e')
    .select(['c.subject as content_subject', 'c.body as content_body', 'c.attachments'])
    .where('e.id', '=', id)
    .executeTakeFirst()
}

export async function listEmailEvents(db: Database, projectId: string, emailId: string) {
  return db
    .selectFrom('events')
    .select(['name', 'created_at', 'data'])
    .where('project_id', '=', projectId)
    .where('email_id', '=', emailId)
    .orderBy('id')
    .execute()
}
