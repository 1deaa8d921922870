/** SQL on SNS messages, which are stored until they are handled and then remembered as long as they can be repeated, and on the emails that reports are about. */

import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { addJobSql } from '../../../platform/queue/job-table.ts'

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

export interface Addressed {
  to: string
  /** Whether the message has recipients in `cc` or `bcc`. */
  hasCopies: boolean
}

export async function findAddressed(
  db: Database,
  { projectId, emailId }: { projectId: string; emailId: string },
): Promise<Addressed | undefined> {
  const { rows } = await sql<Addressed>`/* find-addressed */
    select to_email as "to", coalesce(cc, bcc) is not null as "hasCopies" from emails
    where project_id = ${projectId} and id = ${emailId}`.execute(db)
  return rows[0]
}
