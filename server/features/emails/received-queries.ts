/** The statement that records mail which arrived: the sender as a contact, the email, its content and the event, or nothing. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { type Person, peopleStep, writePeopleSteps } from '../contacts/queries.ts'
import { writeEvents } from '../journal/queries.ts'
import { spendSteps } from '../projects/usage-queries.ts'
import type { StoredAttachment } from './attachments.ts'

/** A message, the same for everyone who gets it. */
export interface ReceivedMessage {
  fingerprint: Buffer
  subject: string
  html: string
  plain: string | null
  attachments: StoredAttachment[]
  fromEmail: string
  fromName: string | null
  replyTo: string | null
  headers: Record<string, string>
  messageId: string
  /** The id that we would have given it, if we sent it ourselves. */
  ownId: string | null
  /** What the event says, apart from what differs from recipient to recipient. Null: it is told to nobody. */
  event: Record<string, unknown> | null
}

/** One project that gets it. */
export interface Receiver {
  projectId: string
  contentId: string
  /** Null for mail that nobody in particular sent. */
  sender: Person | null
  recipients: Array<{ to: string; emailId: string; eventId: string; event: Record<string, unknown> }>
}

/**
 * Records a message for each project and recipient, once: whoever has it already is left out. A message that the
 * project sent itself is kept without an event, so that no workflow answers its own mail. Returns the projects that
 * have had as much mail this month as they may: nothing is written for them.
 */
export async function insertReceived(
  db: Database,
  message: ReceivedMessage,
  receivers: Receiver[],
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ request: number }>`/* insert-received */
    with ${arrivedStep(receivers)},
    unseen as (
      select arrived.* from arrived where not exists (
        select from received_messages r
        where r.project_id = arrived.project_id and r.recipient = arrived.recipient and r.fingerprint = ${message.fingerprint}::bytea)
    ),
    ${spendSteps('inbound', sql`select project_id, request, count(*)::int, ${now}::timestamptz from unseen group by project_id, request`)},
    fresh as (
      insert into received_messages (project_id, recipient, fingerprint, received_at)
      select project_id, recipient, ${message.fingerprint}::bytea, ${now}::timestamptz from unseen
      where request not in (select request from over_limit) order by project_id, recipient
      on conflict do nothing
      returning project_id, recipient
    ),
    ${peopleStep(receivers.map((receiver) => upsertOf(receiver, now)))},
    ${writePeopleSteps(sql`project_id in (select project_id from fresh)`)},
    new_email as (
      select arrived.*, contact.id as contact_id from arrived
      join fresh on fresh.project_id = arrived.project_id and fresh.recipient = arrived.recipient
      left join contact on contact.project_id = arrived.project_id
    ),
    content as (
      insert into email_contents (project_id, id, subject, body, plain, literal, attachments, emails_left, created_at)
      select project_id, content_id, ${message.subject}, ${message.html}, ${message.plain}::text, true,
        ${JSON.stringify(message.attachments)}::jsonb, count(*), ${now}::timestamptz
      from new_email group by project_id, content_id
    ),
    ledger as (
      insert into emails (project_id, id, contact_id, content_id, to_email, subject, from_email, from_name, reply_to, headers,
        message_id, source_type, status, created_at, updated_at)
      select project_id, email_id, contact_id, content_id, recipient, ${message.subject}, ${message.fromEmail}, ${message.fromName}::text,
        ${message.replyTo}::text, ${JSON.stringify(message.headers)}::jsonb, ${message.messageId}, 'INBOUND', 'RECEIVED',
        ${now}::timestamptz, ${now}::timestamptz
      from new_email
    ),
    told as (${writeEvents(sql`
      select project_id, event_id, 'email.received', contact_id, email_id, shared.event || own_event, ${now}::timestamptz
      from new_email, (select ${message.event && JSON.stringify(message.event)}::jsonb as event) as shared
      where shared.event is not null and not ${isOwnSql(message.ownId)}`)}
    )
    select request from over_limit`.execute(db)
  return rows.map((row) => receivers[row.request - 1]!.projectId)
}

const isOwnSql = (id: string | null): RawBuilder<boolean> => sql`exists (
  select from emails e where e.project_id = new_email.project_id and e.id = ${id}::uuid and e.source_type <> 'INBOUND')`

function arrivedStep(receivers: Receiver[]): RawBuilder<unknown> {
  const all = receivers.flatMap((receiver, i) =>
    receiver.recipients.map((recipient) => ({ ...receiver, ...recipient, request: i + 1 })),
  )
  return sql`
    arrived as (
      select * from unnest(
        ${all.map((one) => one.projectId)}::uuid[], ${all.map((one) => one.contentId)}::uuid[], ${all.map((one) => one.to)}::text[],
        ${all.map((one) => one.emailId)}::uuid[], ${all.map((one) => one.eventId)}::uuid[],
        ${all.map((one) => JSON.stringify(one.event))}::jsonb[], ${all.map((one) => one.request)}::int[]
      ) as arrived(project_id, content_id, recipient, email_id, event_id, own_event, request)
    )`
}

/** Who writes to us has not asked for our newsletter. */
const upsertOf = ({ projectId, sender }: Receiver, now: Date) => ({
  projectId,
  now,
  people: sender ? [sender] : [],
  subscribedByDefault: false,
  removed: [],
})

/** Which of these projects sent the email with this id. */
export async function findSendingProjects(db: Database, projectIds: string[], emailId: string): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`/* find-sending-projects */
    select project_id from emails
    where project_id = any(${projectIds}::uuid[]) and id = ${emailId} and source_type <> 'INBOUND'`.execute(db)
  return rows.map((row) => row.project_id)
}

export async function forgetReceivedBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('received_messages').where('received_at', '<', before).execute()
}
