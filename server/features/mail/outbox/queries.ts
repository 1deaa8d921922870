/**
 * The outbox: the only place that inserts emails. `outboxSteps` is the part that every source shares (limit, content,
 * email, job): POST /v1/send (`accept-queries.ts`), campaigns, workflows and received email.
 */
import type { RawBuilder } from 'kysely'
import type { ContentType, SOURCE_TYPES } from '../../../kernel/content/mail-content.ts'
import type { ContentEncryption } from '../../../platform/content-encryption.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { textArray } from '../../../platform/database/connection/text-array.ts'
import type { StoredAttachment } from '../../../platform/mime/mime-attachment.ts'
import { textBytes, variablesKey } from '../../../platform/mime/stored-text.ts'
import { addJobsStep } from '../../../platform/queue/job-table.ts'
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
  /** The text part, if the message has its own; a template like the body. */
  plain?: string | null
  /** The number of its topic, if it has one. */
  topic?: number | null
  /** What all emails with this content have in their templates; only of a content that is shared. */
  data?: Record<string, unknown> | null
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
  const { id, body, plain = null, attachments = [], data = null } = content
  const encrypted = secrets.encryptContent(id, () => textBytes(body, plain, attachmentsJson(attachments), data))
  if (!encrypted) return { ...message, encrypted: null, encryptedVariables: null }
  const hasVariables = Object.keys(envelope.variables ?? {}).length > 0
  return {
    ...message,
    content: { ...content, body: '', plain: null, attachments: [], data: null },
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
        ${messages.map((m) => m.encryptedVariables)}::bytea[], ${messages.map((m) => m.content.topic ?? null)}::int[]
      ) as message(request, project_id, asked_at, content_id, subject, body, type, literal, plain, from_email, from_name,
        reply_to, headers, variables, known_subject, template_id, campaign_id, workflow_execution_id, message_id,
        encrypted_variables, topic)`

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
        ${content.plain ?? null}::text as plain, ${envelope.fromEmail}::text as from_email, ${envelope.fromName}::text as from_name,
        ${envelope.replyTo}::text as reply_to, '{}'::jsonb as headers, ${JSON.stringify(envelope.variables ?? {})}::jsonb as variables,
        ${envelope.subject}::text as known_subject, ${envelope.templateId ?? null}::uuid as template_id, null::uuid as campaign_id,
        ${envelope.workflowExecutionId ?? null}::uuid as workflow_execution_id, null::text as message_id,
        ${encryptedVariables}::bytea as encrypted_variables, ${content.topic ?? null}::int as topic, ${encrypted}::bytea as encrypted,
        ${content.data ? JSON.stringify(content.data) : null}::jsonb as data
      ) as message`

export interface OutboxOptions {
  source: (typeof SOURCE_TYPES)[number]
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
  /** Further columns of the emails, with their values from `m` (message) and `r` (recipient). */
  more?: MoreColumns | undefined
  /** How the emails are delivered; absent for received email. */
  job?: OutboxJob
}

export interface MoreColumns {
  columns: RawBuilder<unknown>
  values: RawBuilder<unknown>
  /** Emails get a job only if this is PENDING. */
  status: RawBuilder<unknown>
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
  | {
      all: 'send-campaign-slice' | 'send-campaign-wave'
      payload: RawBuilder<unknown>
      onlyIf: RawBuilder<unknown>
      runAt: Date | undefined
    }

/**
 * Steps that write emails: the monthly limit, the contents, the emails and their jobs. Afterwards `over_limit` has the
 * requests that exceed the limit (request, max), and `outbox` the new emails (project_id, id).
 */
export const outboxSteps = ({ source, limit, rows, content, more, job }: OutboxOptions): RawBuilder<unknown> => sql`
    ${limit ? sql`${spendSteps(limit.source, limit.cost)},` : sql``}
    ${rows},
    ${content ? sql`content as (${writeContents(content)}),` : sql``}
    outbox as (
      insert into emails (project_id, id, contact_id, content_id, to_email, to_name, subject, from_email, from_name, reply_to,
        headers, variables, encrypted_variables, contact_data, source_type, template_id, campaign_id, workflow_execution_id, message_id, status,
        created_at, updated_at${more ? sql`, ${more.columns}` : sql``})
      select m.project_id, r.email_id, r.contact_id, m.content_id, r.to_email, r.to_name, m.known_subject, m.from_email, m.from_name,
        m.reply_to, m.headers, m.variables, m.encrypted_variables, r.contact_data, ${sql.lit(source)}, m.template_id, m.campaign_id, m.workflow_execution_id,
        m.message_id, ${more ? more.status : sql.lit(source === 'INBOUND' ? 'RECEIVED' : 'PENDING')}, m.asked_at, m.asked_at${more ? sql`, ${more.values}` : sql``}
      from recipient r join message m on m.request = r.request
      returning project_id, id, status
    )${job ? sql`, ${jobsStep(job)}` : sql``}`

function jobsStep(job: OutboxJob): RawBuilder<unknown> {
  if ('all' in job) return addJobsStep(job.all, sql`select ${job.payload} where ${job.onlyIf}`, { runAt: job.runAt })
  const payloads = job.traceparents
    ? sql`
      select json_strip_nulls(json_build_object('projectId', outbox.project_id, 'emailId', outbox.id,
        'traceparent', (${job.traceparents}::text[])[recipient.request]))
      from outbox join recipient on recipient.email_id = outbox.id where outbox.status = 'PENDING'`
    : sql`select json_build_object('projectId', project_id, 'emailId', id) from outbox where status = 'PENDING'`
  return addJobsStep(job.each, payloads, { priority: job.priority })
}

function writeContents(content: NonNullable<OutboxOptions['content']>): RawBuilder<unknown> {
  const [attachments, encrypted, emails, data, onConflict] =
    content === 'shared'
      ? [sql`'[]'::jsonb`, sql`encrypted`, sql`null::int`, sql`data`, sql`on conflict do nothing`]
      : [
          sql`convert_from(${valueOfRequest(content.map((m) => attachmentsJson(m.content.attachments ?? [])))}, 'UTF8')::jsonb`,
          valueOfRequest(content.map((m) => m.encrypted)),
          sql`emails`,
          sql`null::jsonb`,
          sql``,
        ]
  return sql`
      insert into email_contents (project_id, id, subject, body, type, attachments, literal, plain, encrypted, topic, emails_left, data, created_at)
      select project_id, content_id, subject, body, type, ${attachments}, literal, plain, ${encrypted}, topic, ${emails}, ${data}, asked_at
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
  const present = values.filter((value) => value !== null)
  const together = present.length === 1 ? present[0]! : Buffer.concat(present)
  const length = sql`(${lengths}::int[])[request]`
  return sql`substring(${together}::bytea from (${ends}::int[])[request] - ${length} + 1 for ${length})`
}

/** Stores a content that emails of later statements will share. */
export async function insertSharedContent(tx: Tx, message: StoredMessage): Promise<void> {
  await sql`/* insert-shared-content */
    with message as (select * from ${messageRow(message)})
    ${writeContents('shared')}`.execute(tx)
}
