/** The statement that accepts emails. Delivery has its own statements, and so has the ledger. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { addJobsStep } from '../../platform/queue/enqueue.ts'
import { type ContactUpsert, lockPatienceStep, peopleStep, writePeopleSteps } from '../contacts/queries.ts'
import { isSuppressedSql } from '../contacts/suppression-queries.ts'
import { isVerifiedSql } from '../domains/queries.ts'
import { completeIdempotencyKeys } from '../projects/queries.ts'
import { spendSteps } from '../projects/usage-queries.ts'
import type { StoredAttachment } from './attachments.ts'

export type ContentType = 'TRANSACTIONAL' | 'MARKETING' | 'HEADLESS'

export interface EmailContent {
  id: string
  subject: string
  body: string
  type: ContentType
  attachments: StoredAttachment[]
  /** It is no template. */
  literal: boolean
  /** The text part, where it came with one. */
  plain: string | null
}

export interface EmailEnvelope {
  fromEmail: string
  /** Of the sender's address, as domains are stored. */
  fromDomain: string
  fromName: string | null
  replyTo: string | null
  headers: Record<string, string>
  /** What the request brought for templates, beyond the contact's own data. */
  variables: Record<string, unknown>
  /** Names it sent as empty text: they lie under the contact's data. */
  blanks?: Record<string, ''>
  /** Known already when the subject holds no template. */
  subject: string | null
  templateId: string | null
}

export interface Recipient {
  emailId: string
  email: string
  name: string | null
}

/** One request to send: its people, one content, and an email for each recipient. */
export interface EmailsToAccept {
  upsert: ContactUpsert
  content: EmailContent
  envelope: EmailEnvelope
  recipients: Recipient[]
  idempotencyKey: string | undefined
}

export type Acceptance =
  | { accepted: Array<{ emailId: string; contactId: string; email: string }> }
  /** Nothing was written: the sender's domain is not verified, or this is marketing to people who opted out. */
  | { unverified: true }
  | { optedOut: string[] }
  /** The project's limit for the month, which this would exceed. */
  | { overLimit: number }

interface OutcomeRow {
  request: number
  email_id: string | null
  contact_id: string | null
  /** Without an address it is the sender that is refused, unless there is a limit. */
  email: string | null
  max: number | null
}

/**
 * For each request: brings the contacts in, writes one email each, enqueues its delivery and completes the request's
 * idempotency key, all or nothing. All requests in one round trip; what is wrong with one is no matter to the others.
 */
export async function insertEmails(db: Database, requests: EmailsToAccept[]): Promise<Acceptance[]> {
  const { rows } = await sql<OutcomeRow>`/* insert-emails */
    with ${lockPatienceStep(requests.length > 1)},
    ${requestStep(requests)},
    ${peopleStep(requests.map(({ upsert }) => upsert))},
    ${recipientStep(requests)},
    unverified as (
      select request from request where not ${isVerifiedSql(sql`request.project_id`, sql`request.from_domain`)}
    ),
    opted_out as (
      select request.request, person.email from request join person on person.request = request.request
      left join lateral (
        select contacts.opted_out from contacts
        where contacts.project_id = request.project_id and contacts.email = person.email limit 1
      ) as c on true
      where request.type = 'MARKETING'
        and (c.opted_out and person.subscribed is not true or ${isSuppressedSql(sql`request.project_id`, sql`person.email`)})
    ),
    welcome as (
      select * from request where (select true from lock_patience)
        and request not in (select request from unverified) and request not in (select request from opted_out)
    ),
    ${spendSteps('transactional', sql`select project_id, request, emails, asked_at from welcome`)},
    sendable as (select * from welcome where request not in (select request from over_limit)),
    ${writePeopleSteps(sql`request in (select request from sendable)`)},
    content as (
      insert into email_contents (project_id, id, subject, body, type, attachments, literal, plain, emails_left, created_at)
      select project_id, content_id, subject, body, type, ${filesOf(requests)} -> (request - 1), literal, plain, emails, asked_at
      from sendable
    ),
    accepted as (
      select r.request, r.position, r.email_id, r.email, r.name, contact.id as contact_id, contact.data as contact_data
      from recipient r join sendable s on s.request = r.request
      join contact on contact.project_id = s.project_id and contact.email = r.email
    ),
    outbox as (
      insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name,
        reply_to, headers, variables, contact_data, source_type, template_id, created_at, updated_at)
      select s.project_id, a.email_id, a.contact_id, s.content_id, a.email, a.name, s.known_subject, s.from_email, s.from_name,
        s.reply_to, s.headers, s.variables, s.blanks || a.contact_data, 'TRANSACTIONAL', s.template_id, s.asked_at, s.asked_at
      from accepted a join sendable s on s.request = a.request
      returning project_id, id
    ),
    ${addJobsStep('deliver-email', sql`select json_build_object('projectId', project_id, 'emailId', id) from outbox`)},
    completed as (${completeIdempotencyKeys(replies)})
    select request, email_id, contact_id, email, max from (
      select request, position, email_id, contact_id, email, null::bigint as max from accepted
      union all
      select request, 0, null, null, null, null from unverified
      union all
      select request, 0, null, null, email, null from opted_out where request not in (select request from unverified)
      union all
      select request, 0, null, null, null, max from over_limit
    ) as outcome
    order by request, position`.execute(db)
  return outcomesOf(requests.length, rows)
}

/** `request`: one row each, numbered from 1 as people and recipients are. */
const requestStep = (requests: EmailsToAccept[]): RawBuilder<unknown> => sql`
    request as (
      select * from unnest(
        ${requests.map((r) => r.upsert.projectId)}::uuid[], ${requests.map((r) => r.upsert.now)}::timestamptz[],
        ${requests.map((r) => r.content.id)}::uuid[], ${requests.map((r) => r.content.subject)}::text[],
        ${requests.map((r) => r.content.body)}::text[], ${requests.map((r) => r.content.type)}::text[],
        ${requests.map((r) => r.content.literal)}::boolean[], ${requests.map((r) => r.content.plain)}::text[],
        ${requests.map((r) => r.recipients.length)}::int[],
        ${requests.map((r) => r.envelope.fromEmail)}::text[], ${requests.map((r) => r.envelope.fromDomain)}::text[],
        ${requests.map((r) => r.envelope.fromName)}::text[], ${requests.map((r) => r.envelope.replyTo)}::text[],
        ${requests.map((r) => JSON.stringify(r.envelope.headers))}::jsonb[], ${requests.map((r) => JSON.stringify(r.envelope.variables))}::jsonb[],
        ${requests.map((r) => JSON.stringify(r.envelope.blanks ?? {}))}::jsonb[],
        ${requests.map((r) => r.envelope.subject)}::text[], ${requests.map((r) => r.envelope.templateId)}::uuid[],
        ${requests.map((r) => r.idempotencyKey ?? null)}::text[], ${requests.map((_, i) => i + 1)}::int[]
      ) as request(project_id, asked_at, content_id, subject, body, type, literal, plain, emails, from_email, from_domain,
        from_name, reply_to, headers, variables, blanks, known_subject, template_id, idempotency_key, request)
    )`

/** A list a request, in one value: ten megabytes would be copied once more by each step they went through. */
const filesOf = (requests: EmailsToAccept[]): RawBuilder<unknown> =>
  sql`${JSON.stringify(requests.map((r) => r.content.attachments))}::jsonb`

function recipientStep(requests: EmailsToAccept[]): RawBuilder<unknown> {
  const recipients = requests.flatMap((r, i) => r.recipients.map((recipient) => ({ ...recipient, request: i + 1 })))
  return sql`
    recipient as (
      select * from unnest(
        ${recipients.map((r) => r.request)}::int[], ${recipients.map((r) => r.emailId)}::uuid[],
        ${recipients.map((r) => r.email)}::text[], ${recipients.map((r) => r.name)}::text[]
      ) with ordinality as recipient(request, email_id, email, name, position)
    )`
}

/** What each request with a key is told: the `data` of its reply. */
const replies = sql`
    select s.project_id, s.idempotency_key, jsonb_build_object(
      'timestamp', to_char(s.asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'emails', (
        select jsonb_agg(jsonb_build_object('email', a.email_id,
          'contact', jsonb_build_object('id', a.contact_id, 'email', a.email)) order by a.position)
        from accepted a where a.request = s.request
      ))
    from sendable s where s.idempotency_key is not null`

function outcomesOf(requests: number, rows: OutcomeRow[]): Acceptance[] {
  const byRequest = Array.from({ length: requests }, (): OutcomeRow[] => [])
  for (const row of rows) byRequest[row.request - 1]!.push(row)
  return byRequest.map((own): Acceptance => {
    if (own[0]!.max !== null) return { overLimit: own[0]!.max }
    if (own[0]!.email === null) return { unverified: true }
    if (own[0]!.email_id === null) return { optedOut: own.map((row) => row.email!) }
    return {
      accepted: own.map((row) => ({ emailId: row.email_id!, contactId: row.contact_id!, email: row.email! })),
    }
  })
}
