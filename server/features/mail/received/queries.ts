/** SQL on received email: the projects it is for, and the statement that records it with its contact and event. */
import type { RawBuilder } from 'kysely'
import { SUBSCRIBED_IF_NEW } from '../../../kernel/subscription.ts'
import type { ContentEncryption } from '../../../platform/content-encryption.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { changePeopleSteps, type Person, peopleStep } from '../../audience/contacts/queries.ts'
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
  /** The JSON of all attachments. */
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
    ${peopleStep(
      receivers.map((receiver) => upsertOf(receiver, now)),
      false,
    )},
    ${changePeopleSteps(sql`project_id in (select project_id from fresh)`, false)},
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
    ${writeEvents(
      'events_written',
      sql`
      select project_id, event_id, 'email.received', contact_id, email_id, shared.event || own_event, ${now}::timestamptz
      from recipient, (select ${message.event && JSON.stringify(message.event)}::jsonb as event) as shared
      where shared.event is not null and not ${isOwnSql(message.ownId)}
      union all
      select * from flips`,
    )}
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
  cause: { source: 'api' as const }, // never recorded, because nothing is subscribed
})

export async function deleteReceivedBefore(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('received_messages').where('received_at', '<', before).execute()
}
