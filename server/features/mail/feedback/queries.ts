/**
 * SQL on received email (the projects it is for, and the statement that records it with its contact and event) and on SNS
 * messages: stored until they are handled, and remembered as long as they can be repeated.
 */
import { type RawBuilder, sql } from 'kysely'
import { SUBSCRIBED_IF_NEW } from '../../../kernel/subscription.ts'
import type { ContentEncryption } from '../../../platform/content-encryption.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { addJobSql } from '../../../platform/queue/job-table.ts'
import { type Person, peopleStep, writePeopleSteps } from '../../audience/contacts/queries.ts'
import { writeEvents } from '../../record/journal/queries.ts'
import { type Message, messageRows, outboxSteps, storedMessage } from '../outbox/queries.ts'

export interface ReceivingProject {
  domain: string
  projectId: string
  disabled: boolean
}

/** If several projects have verified the same domain, each receives the email. */
export async function findProjectsOfDomains(db: Database, domains: string[]): Promise<ReceivingProject[]> {
  const { rows } = await sql<ReceivingProject>`/* find-receiving-projects */
    select d.domain, d.project_id as "projectId", p.disabled_at is not null as disabled
    from domains d join projects p on p.id = d.project_id
    where d.domain = any(${domains}::text[]) and d.status = 'VERIFIED'
    order by d.project_id`.execute(db)
  return rows
}

/** The message, which is the same for every receiving project. */
export interface ReceivedMessage {
  fingerprint: Buffer
  subject: string
  html: string
  plain: string | null
  /** As JSON. */
  attachments: Buffer
  fromEmail: string
  fromName: string | null
  replyTo: string | null
  headers: Record<string, string>
  messageId: string
  /** The id of the email, if Posthorn sent it itself. */
  ownId: string | null
  /** The data of the event, except what differs between recipients. Null if there is no event. */
  event: Record<string, unknown> | null
}

/** One receiving project. */
export interface Receiver {
  projectId: string
  contentId: string
  /** Null for email without a sender. */
  sender: Person | null
  recipients: Array<{ to: string; emailId: string; eventId: string; event: Record<string, unknown> }>
}

/**
 * Records a message for each project and recipient; recipients that already have it are skipped. A message that the
 * project itself sent is stored without an event, so that no workflow reacts to its own email. Returns the projects
 * that have reached their monthly limit; nothing is written for them.
 */
export async function insertReceived(
  db: Database,
  secrets: ContentEncryption,
  message: ReceivedMessage,
  receivers: Receiver[],
  now: Date,
): Promise<string[]> {
  const messages = receivers.map((receiver) => storedMessage(secrets, messageFor(receiver, message, now)))
  const { rows } = await sql<{ request: number }>`/* insert-received */
    with ${receivedStep(receivers)},
    unseen as (
      select arrived.* from arrived where not exists (
        select from received_messages r
        where r.project_id = arrived.project_id and r.recipient = arrived.recipient and r.fingerprint = ${message.fingerprint}::bytea)
    ),
    ${outboxSteps({
      source: 'INBOUND',
      limit: {
        source: 'inbound',
        cost: sql`select project_id, request, count(*)::int, ${now}::timestamptz from unseen group by project_id, request`,
      },
      rows: sql`
    fresh as (
      insert into received_messages (project_id, recipient, fingerprint, received_at)
      select project_id, recipient, ${message.fingerprint}::bytea, ${now}::timestamptz from unseen
      where request not in (select request from over_limit) order by project_id, recipient
      on conflict do nothing
      returning project_id, recipient
    ),
    ${peopleStep(receivers.map((receiver) => upsertOf(receiver, now)))},
    ${writePeopleSteps(sql`project_id in (select project_id from fresh)`)},
    recipient as (
      select arrived.request, arrived.project_id, arrived.email_id, contact.id as contact_id, arrived.recipient as to_email,
        null::text as to_name, '{}'::jsonb as contact_data, arrived.event_id, arrived.own_event
      from arrived join fresh on fresh.project_id = arrived.project_id and fresh.recipient = arrived.recipient
      left join contact on contact.project_id = arrived.project_id
    ),
    message as (
      select message.*, r.emails from ${messageRows(messages)}
      join (select request, count(*)::int as emails from recipient group by request) as r on r.request = message.request
    )`,
      content: messages,
    })},
    events_written as (${writeEvents(sql`
      select project_id, event_id, 'email.received', contact_id, email_id, shared.event || own_event, ${now}::timestamptz
      from recipient, (select ${message.event && JSON.stringify(message.event)}::jsonb as event) as shared
      where shared.event is not null and not ${isOwnSql(message.ownId)}`)}
    )
    select request from over_limit`.execute(db)
  return rows.map((row) => receivers[row.request - 1]!.projectId)
}

const messageFor = ({ projectId, contentId }: Receiver, message: ReceivedMessage, now: Date): Message => ({
  projectId,
  now,
  content: {
    id: contentId,
    subject: message.subject,
    body: message.html,
    type: 'TRANSACTIONAL',
    attachments: message.attachments,
    literal: true,
    plain: message.plain,
  },
  envelope: {
    fromEmail: message.fromEmail,
    fromName: message.fromName,
    replyTo: message.replyTo,
    headers: message.headers,
    subject: message.subject,
    messageId: message.messageId,
  },
})

const isOwnSql = (id: string | null): RawBuilder<boolean> => sql`exists (
  select from emails e where e.project_id = recipient.project_id and e.id = ${id}::uuid and e.source_type <> 'INBOUND')`

function receivedStep(receivers: Receiver[]): RawBuilder<unknown> {
  const all = receivers.flatMap((receiver, i) =>
    receiver.recipients.map((recipient) => ({ ...receiver, ...recipient, request: i + 1 })),
  )
  return sql`
    arrived as (
      select * from unnest(
        ${all.map((one) => one.projectId)}::uuid[], ${all.map((one) => one.to)}::text[],
        ${all.map((one) => one.emailId)}::uuid[], ${all.map((one) => one.eventId)}::uuid[],
        ${all.map((one) => JSON.stringify(one.event))}::jsonb[], ${all.map((one) => one.request)}::int[]
      ) as arrived(project_id, recipient, email_id, event_id, own_event, request)
    )`
}

/** Receiving an email from a contact doesn't subscribe it. */
const upsertOf = ({ projectId, sender }: Receiver, now: Date) => ({
  projectId,
  now,
  people: sender ? [sender] : [],
  subscribedByDefault: SUBSCRIBED_IF_NEW.inbound,
  removed: [],
})

/** Which of these projects sent the email with this id. */
export async function findSentEmails(
  db: Database,
  projectIds: string[],
  emailId: string,
): Promise<Array<{ projectId: string; to: string }>> {
  const { rows } = await sql<{ projectId: string; to: string }>`/* find-sent-emails */
    select project_id as "projectId", to_email as "to" from emails
    where project_id = any(${projectIds}::uuid[]) and id = ${emailId} and source_type <> 'INBOUND'`.execute(db)
  return rows
}

export async function deleteReceivedBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('received_messages').where('received_at', '<', before).execute()
}

/** Stores a message and enqueues its job, the first time it is received. */
export async function storeMessage(
  db: Database,
  message: { id: string; topicArn: string; body: string | null; encrypted: Buffer | null },
  now: Date,
): Promise<void> {
  await sql`/* keep-sns-message */
    with kept as (
      insert into sns_messages (id, topic_arn, body, encrypted, received_at)
      values (${message.id}, ${message.topicArn}, ${message.body}::text, ${message.encrypted}::bytea, ${now}::timestamptz)
      on conflict (id) do nothing
      returning id, body, encrypted
    )
    select ${addJobSql('process-notification', sql`json_build_object('messageId', kept.id)`)} from kept
    where body is not null or encrypted is not null`.execute(db)
}

interface StoredNotification {
  /** Null if it is encrypted. */
  body: string | null
  encrypted: Buffer | null
  receivedAt: Date
}

/** Undefined if it was already handled. */
export async function findMessage(db: Database, id: string): Promise<StoredNotification | undefined> {
  const { rows } = await sql<StoredNotification>`/* find-sns-message */
    select body, encrypted, received_at as "receivedAt" from sns_messages
    where id = ${id} and (body is not null or encrypted is not null)`.execute(db)
  return rows[0]
}

/** Deletes the body and keeps the id, so that repeats are recognized. */
export async function deleteMessageBody(db: Database, id: string): Promise<void> {
  await sql`/* delete-sns-body */ update sns_messages set body = null, encrypted = null where id = ${id}`.execute(db)
}

export async function deleteMessagesBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('sns_messages').where('received_at', '<', before).execute()
}

/** By the id that the provider assigned; the email found determines the project. */
export async function findEmailByProviderId(
  db: Database,
  providerId: string,
): Promise<{ projectId: string; emailId: string } | undefined> {
  const { rows } = await sql<{ projectId: string; emailId: string }>`/* find-email-by-provider-id */
    select project_id as "projectId", id as "emailId" from emails
    where message_id = ${providerId} and strpos(message_id, '@') = 0 limit 1`.execute(db)
  return rows[0]
}

/**
 * By our own Message-ID. The primary key of emails starts with the project, so each project is looked up by its index.
 */
export async function findEmailByOwnId(
  db: Database,
  emailId: string,
  messageId: string,
): Promise<{ projectId: string; emailId: string } | undefined> {
  const { rows } = await sql<{ projectId: string; emailId: string }>`/* find-email-by-own-id */
    select e.project_id as "projectId", e.id as "emailId"
    from projects p join emails e on e.project_id = p.id and e.id = ${emailId} and e.message_id = ${messageId}
    limit 1`.execute(db)
  return rows[0]
}
