/** The statement that accepts emails. Delivery has its own statements, and so has the ledger. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { addJobSql } from '../../platform/queue/enqueue.ts'
import { type ContactUpsert, upsertContactSteps } from '../contacts/queries.ts'
import { isSuppressedSql } from '../contacts/suppression-queries.ts'
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
