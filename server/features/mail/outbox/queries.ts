/**
 * The outbox: the only place that inserts emails. `outboxSteps` is the part that every source shares (limit, content,
 * email, job); `insertEmails` is the statement of POST /v1/send. Campaigns, workflows and received email use the same
 * steps.
 */
import { type RawBuilder, sql } from 'kysely'
import type { ContentType } from '../../../kernel/content/mail-content.ts'
import type { ContentEncryption } from '../../../platform/content-encryption.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { textArray } from '../../../platform/database/connection/text-array.ts'
import { completeIdempotencyKeys, type IdempotencyClaim } from '../../../platform/database/idempotency-sql.ts'
import type { StoredAttachment } from '../../../platform/mime/mime-attachment.ts'
import { textBytes, variablesKey } from '../../../platform/mime/stored-text.ts'
import { addJobsStep } from '../../../platform/queue/job-table.ts'
import {
  type ContactUpsert,
  excludedFromMarketingSql,
  lockTimeoutStep,
  peopleStep,
  writePeopleSteps,
} from '../../audience/contacts/queries.ts'
import { isSuppressedSql } from '../../audience/suppressions/queries.ts'
import { isVerifiedSql } from '../../tenants/domains/queries.ts'
import { spendSteps, type UsageSource } from '../../tenants/usage/queries.ts'

export interface EmailContent {
  id: string
  subject: string
  body: string
  type: ContentType
  /** A buffer contains them as JSON. */
  attachments?: StoredAttachment[] | Buffer
  /** True if subject and body are not templates. */
  literal?: boolean
  /** The text part, if the message has its own. */
  plain?: string | null
}

export interface EmailEnvelope {
  fromEmail: string
  fromName: string | null
  replyTo: string | null
  headers?: Record<string, string>
  /** Template variables of the request, in addition to the contact's data. */
  variables?: Record<string, unknown>
  /** The rendered subject, if it is known because it contains no template code. */
  subject: string | null
  templateId?: string | null
  workflowExecutionId?: string
  /** For a received message; emails that we send get theirs when they are sent. */
  messageId?: string
}

/** One content and one envelope, for any number of recipients in the same project. */
export interface Message {
  projectId: string
  now: Date
  content: EmailContent
  envelope: EmailEnvelope
}

/** A message as it is stored: with DATA_ENCRYPTION, its contents are only in `encrypted` and `encryptedVariables`. */
export interface StoredMessage extends Message {
  encrypted: Buffer | null
  encryptedVariables: Buffer | null
}

export function storedMessage(secrets: ContentEncryption, message: Message): StoredMessage {
  const { content, envelope } = message
  const { id, body, plain = null, attachments = [] } = content
  const encrypted = secrets.encryptContent(id, () => textBytes(body, plain, attachmentsJson(attachments)))
  if (!encrypted) return { ...message, encrypted: null, encryptedVariables: null }
  const hasVariables = Object.keys(envelope.variables ?? {}).length > 0
  return {
    ...message,
    content: { ...content, body: '', plain: null, attachments: [] },
    envelope: { ...envelope, variables: {} },
    encrypted,
    encryptedVariables: hasVariables ? secrets.encryptJson(variablesKey(id), envelope.variables) : null,
  }
}

/** JSON has no escapes for base64, so contents are copied, which takes a quarter of the time of converting them. */
export function attachmentsJson(attachments: NonNullable<EmailContent['attachments']>): Buffer {
  if (Buffer.isBuffer(attachments)) return attachments
  const parts = attachments.map(({ content, ...rest }) => {
    const start = `{"content":"`
    const end = `",${JSON.stringify(rest).slice(1)}`
    const part = Buffer.allocUnsafe(start.length + content.length + Buffer.byteLength(end))
    part.write(start, 0, 'latin1')
    part.write(content, start.length, 'latin1')
    part.write(end, start.length + content.length)
    return part
  })
  if (parts.length === 0) return Buffer.from('[]')
  return Buffer.concat(parts.flatMap((part, i) => [Buffer.from(i === 0 ? '[' : ','), part]).concat(Buffer.from(']')))
}

/**
 * The columns of a message, numbered by `request` from 1: `select * from ${messageRows(…)}`. Attachments and encrypted
 * contents are not included, because each step would copy ten megabytes again.
 */
export const messageRows = (messages: StoredMessage[]): RawBuilder<unknown> => sql`
      unnest(
        ${messages.map((_, i) => i + 1)}::int[], ${messages.map((m) => m.projectId)}::uuid[], ${messages.map((m) => m.now)}::timestamptz[],
        ${messages.map((m) => m.content.id)}::uuid[], ${messages.map((m) => m.content.subject)}::text[],
        ${textArray(messages.map((m) => m.content.body))}::text[], ${messages.map((m) => m.content.type)}::text[],
        ${messages.map((m) => m.content.literal ?? false)}::boolean[], ${textArray(messages.map((m) => m.content.plain ?? null))}::text[],
        ${messages.map((m) => m.envelope.fromEmail)}::text[], ${messages.map((m) => m.envelope.fromName)}::text[],
        ${messages.map((m) => m.envelope.replyTo)}::text[], ${messages.map((m) => JSON.stringify(m.envelope.headers ?? {}))}::jsonb[],
        ${messages.map((m) => JSON.stringify(m.envelope.variables ?? {}))}::jsonb[], ${messages.map((m) => m.envelope.subject)}::text[],
        ${messages.map((m) => m.envelope.templateId ?? null)}::uuid[], null::uuid[],
        ${messages.map((m) => m.envelope.workflowExecutionId ?? null)}::uuid[], ${messages.map((m) => m.envelope.messageId ?? null)}::text[],
        ${messages.map((m) => m.encryptedVariables)}::bytea[]
      ) as message(request, project_id, asked_at, content_id, subject, body, type, literal, plain, from_email, from_name,
        reply_to, headers, variables, known_subject, template_id, campaign_id, workflow_execution_id, message_id,
        encrypted_variables)`

/**
 * The columns of `messageRows` for a single message without attachments as plain values, which are faster to read than
 * arrays of one.
 */
export const messageRow = ({
  projectId,
  now,
  content,
  envelope,
  encrypted,
  encryptedVariables,
}: StoredMessage): RawBuilder<unknown> => sql`
      (select 1 as request, ${projectId}::uuid as project_id, ${now}::timestamptz as asked_at, ${content.id}::uuid as content_id,
        ${content.subject}::text as subject, ${content.body}::text as body, ${content.type}::text as type, false as literal,
        null::text as plain, ${envelope.fromEmail}::text as from_email, ${envelope.fromName}::text as from_name,
        ${envelope.replyTo}::text as reply_to, '{}'::jsonb as headers, ${JSON.stringify(envelope.variables ?? {})}::jsonb as variables,
        ${envelope.subject}::text as known_subject, ${envelope.templateId ?? null}::uuid as template_id, null::uuid as campaign_id,
        ${envelope.workflowExecutionId ?? null}::uuid as workflow_execution_id, null::text as message_id,
        ${encryptedVariables}::bytea as encrypted_variables, ${encrypted}::bytea as encrypted
      ) as message`

export interface OutboxOptions {
  source: 'TRANSACTIONAL' | 'CAMPAIGN' | 'WORKFLOW' | 'INBOUND'
  /** Which monthly limit applies. `cost` selects: project_id, request, size, at. If absent, nothing is counted. */
  limit?: { source: UsageSource; cost: RawBuilder<unknown> }
  /**
   * Steps that end in `message` (the columns of `messageRows`, without the requests in `over_limit`) and `recipient`
   * (request, email_id, contact_id, to_email, to_name, contact_data). If contents are stored for these emails only,
   * `message` also has the number of emails of each content (emails).
   */
  rows: RawBuilder<unknown>
  /**
   * The messages given to `messageRows` or `messageRow`, by request. `shared`: emails of later statements have the same
   * content, it is kept when the last of them is deleted, and its id identifies its text. Absent if it is already
   * stored.
   */
  content?: Array<Pick<StoredMessage, 'content' | 'encrypted'>> | 'shared'
  /** How the emails are delivered; absent for received email. */
  job?: OutboxJob
}

export type OutboxJob =
  /** One job for each email. */
  | {
      each: 'deliver-email'
      priority?: number
      /** By request, so that each email is delivered in the trace that it was accepted in. Absent if nothing is traced. */
      traceparents?: Array<string | null> | undefined
    }
  /** One job for all of them, if `onlyIf` is true. The payload can refer to `outbox`. */
  | { all: 'send-campaign-slice'; payload: RawBuilder<unknown>; onlyIf: RawBuilder<unknown>; runAt: Date | undefined }

/**
 * Steps that write emails: the monthly limit, the contents, the emails and their jobs. Afterwards `over_limit` has the
 * requests that exceed the limit (request, max), and `outbox` the new emails (project_id, id).
 */
export const outboxSteps = ({ source, limit, rows, content, job }: OutboxOptions): RawBuilder<unknown> => sql`
    ${limit ? sql`${spendSteps(limit.source, limit.cost)},` : sql``}
    ${rows},
    ${content ? sql`content as (${writeContents(content)}),` : sql``}
    outbox as (
      insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name, reply_to,
        headers, variables, encrypted_variables, contact_data, source_type, template_id, campaign_id, workflow_execution_id, message_id, status,
        created_at, updated_at)
      select m.project_id, r.email_id, r.contact_id, m.content_id, r.to_email, r.to_name, m.known_subject, m.from_email, m.from_name,
        m.reply_to, m.headers, m.variables, m.encrypted_variables, r.contact_data, ${sql.lit(source)}, m.template_id, m.campaign_id, m.workflow_execution_id,
        m.message_id, ${sql.lit(source === 'INBOUND' ? 'RECEIVED' : 'PENDING')}, m.asked_at, m.asked_at
      from recipient r join message m on m.request = r.request
      returning project_id, id
    )${job ? sql`, ${jobsStep(job)}` : sql``}`

function jobsStep(job: OutboxJob): RawBuilder<unknown> {
  if ('all' in job) return addJobsStep(job.all, sql`select ${job.payload} where ${job.onlyIf}`, { runAt: job.runAt })
  const payloads = job.traceparents
    ? sql`
      select json_strip_nulls(json_build_object('projectId', outbox.project_id, 'emailId', outbox.id,
        'traceparent', (${job.traceparents}::text[])[recipient.request]))
      from outbox join recipient on recipient.email_id = outbox.id`
    : sql`select json_build_object('projectId', project_id, 'emailId', id) from outbox`
  return addJobsStep(job.each, payloads, { priority: job.priority })
}

function writeContents(content: NonNullable<OutboxOptions['content']>): RawBuilder<unknown> {
  const [attachments, encrypted, emails, onConflict] =
    content === 'shared'
      ? [sql`'[]'::jsonb`, sql`encrypted`, sql`null::int`, sql`on conflict do nothing`]
      : [
          sql`convert_from(${valueOfRequest(content.map((m) => attachmentsJson(m.content.attachments ?? [])))}, 'UTF8')::jsonb`,
          valueOfRequest(content.map((m) => m.encrypted)),
          sql`emails`,
          sql``,
        ]
  return sql`
      insert into email_contents (project_id, id, subject, body, type, attachments, literal, plain, encrypted, emails_left, created_at)
      select project_id, content_id, subject, body, type, ${attachments}, literal, plain, ${encrypted}, ${emails}, asked_at
      from message ${onConflict}`
}

/**
 * The bytes of each request, which can be many megabytes: they are passed as one value, unchanged if there is one request,
 * because arrays would be passed as text.
 */
function valueOfRequest(values: Array<Buffer | null>): RawBuilder<unknown> {
  const lengths = values.map((value) => value?.length ?? null)
  let end = 0
  const ends = lengths.map((length) => {
    end += length ?? 0
    return end
  })
  const there = values.filter((value) => value !== null)
  const together = there.length === 1 ? there[0]! : Buffer.concat(there)
  const length = sql`(${lengths}::int[])[request]`
  return sql`substring(${together}::bytea from (${ends}::int[])[request] - ${length} + 1 for ${length})`
}

/** Stores a content that emails of later statements will share. */
export async function insertSharedContent(tx: Tx, message: StoredMessage): Promise<void> {
  await sql`/* insert-shared-content */
    with message as (select * from ${messageRow(message)})
    ${writeContents('shared')}`.execute(tx)
}

export interface Recipient {
  emailId: string
  email: string
  name: string | null
}

/** One request to send: its contacts, one content, and an email for each recipient. */
export interface EmailsToAccept {
  upsert: ContactUpsert
  content: EmailContent
  envelope: EmailEnvelope & {
    /** The domain of the sender's address, as domains are stored. */
    fromDomain: string
    /** Keys that were sent as empty strings: they apply if the contact's data has no value. */
    blanks?: Record<string, ''>
  }
  recipients: Recipient[]
  idempotencyKey: IdempotencyClaim | undefined
  /** Of the delivery; see PRIORITY. */
  priority: number
  /** The trace of the request, if it has one. */
  traceparent?: string | undefined
}

export type Acceptance =
  | { accepted: Array<{ emailId: string; contactId: string; email: string }> }
  /** Nothing was written: the sender's domain is not verified, or this is marketing email to contacts who opted out. */
  | { unverified: true }
  | { optedOut: string[] }
  /** The project's monthly limit, if this would exceed it. */
  | { overLimit: number }

interface OutcomeRow {
  request: number
  email_id: string | null
  contact_id: string | null
  /** If there is neither an address nor a limit, the sender was refused. */
  email: string | null
  max: number | null
}

/**
 * For each request: upserts the contacts, writes one email each, enqueues its delivery and completes the request's
 * idempotency key, all or nothing. All requests take one round trip; an error in one does not affect the others. They
 * have the same priority.
 */
export async function insertEmails(
  db: Database,
  secrets: ContentEncryption,
  requests: EmailsToAccept[],
): Promise<Acceptance[]> {
  const messages = requests.map(({ upsert: { projectId, now }, content, envelope }) =>
    storedMessage(secrets, { projectId, now, content, envelope }),
  )
  const isTraced = requests.some((r) => r.traceparent !== undefined)
  const { rows } = await sql<OutcomeRow>`${sql.raw(isTraced ? '/* insert-emails-traced */' : '/* insert-emails */')}
    with ${lockTimeoutStep(requests.length > 1)},
    request as (
      select *, (${requests.map((r) => r.recipients.length)}::int[])[request] as emails,
        (${requests.map((r) => r.envelope.fromDomain)}::text[])[request] as from_domain,
        (${requests.map((r) => JSON.stringify(r.envelope.blanks ?? {}))}::jsonb[])[request] as blanks,
        (${requests.map((r) => r.idempotencyKey?.key ?? null)}::text[])[request] as idempotency_key,
        (${requests.map((r) => r.idempotencyKey?.id ?? null)}::uuid[])[request] as claim_id
      from ${messageRows(messages)}
    ),
    ${peopleStep(requests.map(({ upsert }) => upsert))},
    unverified as (
      select request from request where not ${isVerifiedSql(sql`request.project_id`, sql`request.from_domain`)}
    ),
    opted_out as (
      select request.request, person.email from request join person on person.request = request.request
      left join lateral (
        select ${excludedFromMarketingSql('contacts', 'request')} as excluded from contacts
        where contacts.project_id = request.project_id and contacts.email = person.email limit 1
      ) as c on true
      where request.type = 'MARKETING'
        and (c.excluded and person.subscribed is not true or ${isSuppressedSql(sql`request.project_id`, sql`person.email`)})
    ),
    accepted as (
      select * from request where (select true from lock_timeout_set)
        and request not in (select request from unverified) and request not in (select request from opted_out)
    ),
    ${outboxSteps({
      source: 'TRANSACTIONAL',
      limit: { source: 'transactional', cost: sql`select project_id, request, emails, asked_at from accepted` },
      rows: sql`
    message as (select * from accepted where request not in (select request from over_limit)),
    ${writePeopleSteps(sql`request in (select request from message)`)},
    recipient as (
      select r.request, r.position, r.email_id, contact.id as contact_id, r.to_email, r.to_name,
        m.blanks || contact.data as contact_data
      from ${recipientRows(requests)} join message m on m.request = r.request
      join contact on contact.project_id = m.project_id and contact.email = r.to_email
    )`,
      content: messages,
      job: {
        each: 'deliver-email',
        priority: requests[0]!.priority,
        traceparents: isTraced ? requests.map((r) => r.traceparent ?? null) : undefined,
      },
    })},
    completed as (${completeIdempotencyKeys(replies)})
    select request, email_id, contact_id, email, max from (
      select request, position, email_id, contact_id, to_email as email, null::bigint as max from recipient
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

function recipientRows(requests: EmailsToAccept[]): RawBuilder<unknown> {
  const recipients = requests.flatMap((r, i) => r.recipients.map((recipient) => ({ ...recipient, request: i + 1 })))
  return sql`
      unnest(
        ${recipients.map((r) => r.request)}::int[], ${recipients.map((r) => r.emailId)}::uuid[],
        ${recipients.map((r) => r.email)}::text[], ${recipients.map((r) => r.name)}::text[]
      ) with ordinality as r(request, email_id, to_email, to_name, position)`
}

/** The `data` of the response to each request with an idempotency key. */
const replies = sql`
    select m.project_id, m.idempotency_key, m.claim_id, jsonb_build_object(
      'timestamp', to_char(m.asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'emails', (
        select jsonb_agg(jsonb_build_object('email', r.email_id,
          'contact', jsonb_build_object('id', r.contact_id, 'email', r.to_email)) order by r.position)
        from recipient r where r.request = m.request
      ))
    from message m where m.idempotency_key is not null`

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
