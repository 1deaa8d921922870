/** All SQL on emails: the statement that accepts them, the claim of a worker, what became of them, and the lists. */
import { sql } from 'kysely'
import { firstIdAt } from '../../kernel/ids.ts'
import type { Database } from '../../platform/database/connect.ts'
import { containing } from '../../platform/database/like.ts'
import { addJobSql } from '../../platform/queue/enqueue.ts'
import { type ContactUpsert, upsertContactSteps } from '../contacts/queries.ts'
import { isSuppressedSql } from '../contacts/suppression-queries.ts'
import { writeEvents } from '../journal/queries.ts'
import { completeIdempotencyKey } from '../projects/queries.ts'
import type { StoredAttachment } from './attachments.ts'

export type ContentType = 'TRANSACTIONAL' | 'MARKETING' | 'HEADLESS'

export interface EmailContent {
  id: string
  subject: string
  body: string
  type: ContentType
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
  templateId: string | null
}

export interface Recipient {
  emailId: string
  email: string
  name: string | null
}

export type Acceptance =
  | { accepted: Array<{ emailId: string; contactId: string; email: string }> }
  /** Marketing to people who opted out: nothing was written. */
  | { optedOut: string[] }

/** Brings the contacts in, writes one email each and enqueues its delivery: all or nothing, in one round trip. */
export async function insertEmails(
  db: Database,
  upsert: ContactUpsert,
  content: EmailContent,
  envelope: EmailEnvelope,
  recipients: Recipient[],
  idempotencyKey?: string,
): Promise<Acceptance> {
  const { projectId, now, people } = upsert
  const { rows } = await sql<{ email_id: string | null; contact_id: string; email: string }>`/* insert-emails */
    with opted_out as (
      select person.email
      from unnest(${people.map((p) => p.email)}::text[], ${people.map((p) => p.subscribed ?? false)}::boolean[]) as person(email, subscribes)
      left join lateral (
        select contacts.opted_out from contacts where contacts.project_id = ${projectId} and contacts.email = person.email limit 1
      ) as c on true
      where ${content.type} = 'MARKETING' and not person.subscribes
        and (c.opted_out or ${isSuppressedSql(projectId, sql`person.email`)})
    ),
    ${upsertContactSteps(upsert, sql`not exists (select from opted_out)`)},
    content as (
      insert into email_contents (project_id, id, subject, body, type, attachments, emails_left, created_at)
      select ${projectId}, ${content.id}::uuid, ${content.subject}, ${content.body}, ${content.type},
        ${JSON.stringify(content.attachments)}::jsonb, ${recipients.length}::int, ${now}::timestamptz
      where exists (select from asked)
    ),
    recipient as (
      select * from unnest(
        ${recipients.map((r) => r.emailId)}::uuid[], ${recipients.map((r) => r.email)}::text[], ${recipients.map((r) => r.name)}::text[]
      ) with ordinality as recipient(email_id, email, name, position)
    ),
    outbox as (
      insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name,
        reply_to, headers, variables, contact_data, source_type, template_id, created_at, updated_at)
      select ${projectId}, r.email_id, contact.id, ${content.id}::uuid, r.email, r.name, ${envelope.subject}::text,
        ${envelope.fromEmail}, ${envelope.fromName}::text, ${envelope.replyTo}::text, ${JSON.stringify(envelope.headers)}::jsonb,
        ${JSON.stringify(envelope.variables)}::jsonb, contact.data, 'TRANSACTIONAL', ${envelope.templateId}::uuid,
        ${now}::timestamptz, ${now}::timestamptz
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
    select email_id, contact_id, email from (
      select position, email_id, contact_id, email from accepted where (select count(*) from jobs) > 0
      union all
      select 0, null, null, email from opted_out
    ) as outcome
    order by position`.execute(db)
  const optedOut = rows.filter((row) => row.email_id === null)
  if (optedOut.length > 0) return { optedOut: optedOut.map((row) => row.email) }
  return { accepted: rows.map((row) => ({ emailId: row.email_id!, contactId: row.contact_id, email: row.email })) }
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
    .select(['c.subject as content_subject', 'c.body as content_body', 'c.type as content_type'])
    .select((eb) => eb.ref('c.attachments').$castTo<StoredAttachment[] | null>().as('attachments'))
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

/** Forgets up to `most` contents from before a moment; returns how many. Their emails stay. */
export async function forgetContents(db: Database, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`/* forget-contents */
    with batch as (select project_id, id from email_contents where id < ${firstIdAt(before)}::uuid limit ${most})
    delete from email_contents c using batch where c.project_id = batch.project_id and c.id = batch.id`.execute(db)
  return Number(numAffectedRows)
}

/** Likewise for what was captured, and for what templates saw. */
export async function forgetCaptured(db: Database, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`/* forget-captured */
    delete from captured_messages where id in (select id from captured_messages where id < ${firstIdAt(before)}::uuid limit ${most})`.execute(
    db,
  )
  return Number(numAffectedRows)
}
