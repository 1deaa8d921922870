/**
 * Outcomes of emails: failures, and reports after they are sent. A statement for many emails first locks them in the
 * order of their ids, so that statements can't deadlock, and compares the previous state: an outcome that is already
 * recorded changes nothing and writes no event.
 */
import type { RawBuilder } from 'kysely'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import {
  changeSubscriptionsStep,
  updatedSteps,
  writeSubscriptionEventsSteps,
} from '../../audience/contacts/subscription-queries.ts'
import { addSuppressionsSteps } from '../../audience/suppressions/queries.ts'
import { writeEvents } from '../../record/journal/queries.ts'
import {
  type EmailSelection,
  endedEmailFanOut,
  markBouncedStep,
  markComplainedStep,
  markDeliveredStep,
  markNotSentStep,
  markTransientBounceStep,
} from '../outbox/change-queries.ts'
import { type Among, among, named } from './queries.ts'

export interface OutcomeRow {
  projectId: string
  emailId: string
  at: Date
  words: string | null
  /** The id of the event, and of the note with the server's response. */
  eventId: string
  /** The id of the event in case the contact is unsubscribed. */
  unsubscribeEventId: string
  suppressionId: string
  /** For an email that was rejected before it was recorded as sent. */
  subject: string | null
  messageId: string | null
}

export interface NoteRow {
  projectId: string
  emailId: string
  id: string
  at: Date
  kind: string
  words: string
}

/** The fields of every event about an email, from a row of emails. */
export const facts = (e: string) => {
  const of = (column: string) => sql.ref(`${e}.${column}`)
  return sql`jsonb_build_object('subject', coalesce(${of('subject')}, ''), 'from', ${of('from_email')}, 'fromName', ${of('from_name')},
    'messageId', ${of('message_id')}, 'emailId', ${of('id')}, 'templateId', ${of('template_id')}, 'campaignId', ${of('campaign_id')},
    'sourceType', ${of('source_type')})`
}

/** Events require a contact: a deleted contact and a test email have none. What test keys send has no events either. */
export const hasEvents = (e: string) => sql`${sql.ref(`${e}.test`)} is not true and exists (
  select from contacts c where c.project_id = ${sql.ref(`${e}.project_id`)} and c.id = ${sql.ref(`${e}.contact_id`)})`

/** In the format of JSON dates: with milliseconds and Z. */
export const moment = (at: RawBuilder<unknown>) =>
  sql`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** A step that adds notes. `rows` selects: project_id, id, email_id, kind, words, at. */
export const writeNotesStep = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into email_notes (project_id, id, email_id, kind, words, at) ${rows}
  on conflict (project_id, id) do nothing`

/** A step that deletes the notes on the emails that `emailIds` selects. */
export const deleteNotesStep = (projectId: string, emailIds: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  delete from email_notes where project_id = ${projectId} and email_id in (${emailIds})`

export async function insertNotes(db: Database, notes: NoteRow[]): Promise<void> {
  await sql`/* insert-notes */
    ${writeNotesStep(sql`
      select n."projectId", n.id, n."emailId", n.kind, n.words, n.at
      from jsonb_to_recordset(${JSON.stringify(notes)}::jsonb)
        as n("projectId" uuid, id uuid, "emailId" uuid, kind text, words text, at timestamptz)`)}`.execute(db)
}

/**
 * CTEs `reported` (the reported outcomes) and `locked` (the emails in their previous state, with the reported
 * outcomes).
 */
const lockSteps = (rows: OutcomeRow[], these: Among, isKnown: RawBuilder<unknown>, never: RawBuilder<unknown>) => sql`
    reported as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as reported("projectId" uuid, "emailId" uuid, at timestamptz,
        words text, "eventId" uuid, "unsubscribeEventId" uuid, "suppressionId" uuid, subject text, "messageId" text)
    ),
    locked as (
      select reported.* from reported join emails e on ${these.joinedBy('reported.projectId', 'reported.emailId')}
      where ${these.condition} and not (${isKnown}) and e.status || '' not in (${never})
      order by e.project_id, e.id for no key update of e
    )`

/** The emails in `locked` after the change, with the reported outcomes. */
const lockedOf = (these: Among): EmailSelection => ({
  from: sql`locked h`,
  where: sql`${these.joinedBy('h.projectId', 'h.emailId')} and ${these.condition}`,
  returning: sql`e.*, h.words, h."eventId", h."unsubscribeEventId", h."suppressionId", h.at`,
})

/** Steps that record the servers' responses and write the event of each email in `marked`. */
const eventSteps = (name: string, extra: RawBuilder<unknown>, now: Date) => sql`
    notes_written as (${writeNotesStep(sql`
      select project_id, "eventId", id, ${name}::text, words, at from marked where words is not null`)}
    ),
    ${writeEvents(
      'events_written',
      sql`
      select m.project_id, m."eventId", ${name}::text, m.contact_id, m.id, ${facts('m')} || ${extra}, ${now}::timestamptz
      from marked m where ${hasEvents('m')}`,
    )}`

/**
 * Steps that stop marketing email to the addresses of `marked`, except after a test: suppress them, and unsubscribe the contact if it still has
 * the address. Contacts are locked in the same order as everywhere.
 */
const stopSteps = (reason: 'BOUNCE' | 'COMPLAINT', now: Date, step = 'marked') => sql`
    ${addSuppressionsSteps(sql`
      select distinct on (project_id, to_email) project_id, to_email, "suppressionId", ${reason}::text, ${now}::timestamptz
      from ${sql.ref(step)} where to_email <> '' and test is not true`)},
    owner as (
      select c.project_id, c.id
      from (select distinct project_id, to_email, contact_id from ${sql.ref(step)} where test is not true order by project_id, to_email) as m
      cross join lateral (
        select project_id, id from contacts
        where contacts.project_id = m.project_id and contacts.id = m.contact_id and contacts.email = m.to_email
        limit 1 for no key update
      ) as c
    ),
    stopped as (${changeSubscriptionsStep({ subscribed: sql`false`, byContact: true }, now, {
      from: sql`owner`,
      where: sql`c.project_id = owner.project_id and c.id = owner.id`,
    })}
    ),
    ${writeSubscriptionEventsSteps('unsubscribed', {
      rows: sql`(
        select distinct on (s.project_id, s.id) s.*, m."unsubscribeEventId", m.id as email_id
        from stopped s join ${sql.ref(step)} m on m.project_id = s.project_id and m.contact_id = s.id) as c`,
      eventId: sql`c."unsubscribeEventId"`,
      emailId: sql`c.email_id`,
      data: sql`jsonb_build_object('reason', ${reason.toLowerCase()}::text)`,
      at: sql`${now}::timestamptz`,
      cause: { source: reason === 'BOUNCE' ? 'bounce' : 'complaint' },
      byContact: true,
    })},
    ${updatedSteps(sql`stopped c`, now)}`

export interface FailureRow {
  projectId: string
  emailId: string
  error: string
  eventId: string
  /** In any other status, the outcome is already known. */
  statuses: string[]
}

/** An email that won't be sent. Its subject hasn't been rendered, so the event contains the unrendered subject. */
export async function markFailed(db: Database, failure: FailureRow, now: Date): Promise<void> {
  const { projectId, emailId, error, eventId, statuses } = failure
  const subject = sql`coalesce(m.subject, (
    select c.subject from email_contents c where c.project_id = m.project_id and c.id = m.content_id), '')`
  const extra = sql`jsonb_build_object('subject', ${subject}, 'failedAt', ${moment(sql`${now}::timestamptz`)}, 'error', ${error}::text)`
  await sql`/* mark-failed */
    with marked as (${markNotSentStep({ status: 'FAILED', error, counts: true }, now, {
      where: sql`e.project_id = ${projectId} and e.id = ${emailId} and e.status || '' = any(${statuses}::text[])`,
      returning: sql`e.*`,
    })}
    )${endedEmailFanOut.steps('marked')},
    ${writeEvents(
      'events_written',
      sql`
      select m.project_id, ${eventId}::uuid, 'email.failed', m.contact_id, m.id, ${facts('m')} || ${extra}, ${now}::timestamptz
      from marked m where ${hasEvents('m')}`,
    )}
    select 1 where ${endedEmailFanOut.isAdded('marked')}`.execute(db)
}

/** Nothing was delivered, as far as we know. */
export const UNSENT = sql`'SCHEDULED', 'PENDING', 'SENDING', 'FAILED', 'CANCELLED', 'SKIPPED', 'RECEIVED'`
/**
 * Nothing can have been delivered. An attempt that seemed to fail may have succeeded, so other emails can bounce and be
 * complained about.
 */
const NEVER_SENT = sql`'SCHEDULED', 'CANCELLED', 'SKIPPED', 'RECEIVED'`

export async function markDelivered(db: Database, rows: OutcomeRow[], now: Date): Promise<void> {
  const these = among(rows)
  await sql`${named('mark-delivered', these)}
    with ${lockSteps(rows, these, sql`e.delivered_at is not null`, UNSENT)},
    marked as (${markDeliveredStep(now, lockedOf(these))}),
    ${eventSteps('email.delivery', sql`jsonb_build_object('deliveredAt', ${moment(sql`m.at`)})`, now)}
    select 1`.execute(db)
}

/** A permanent bounce, also of an email that was rejected while it was being sent. */
export async function markBounced(db: Database, rows: OutcomeRow[], now: Date): Promise<void> {
  const extra = sql`jsonb_build_object('bounceType', 'Permanent', 'bouncedAt', ${moment(sql`m.at`)})`
  const these = among(rows)
  await sql`${named('mark-bounced', these)}
    with ${lockSteps(rows, these, sql`e.bounced_at is not null`, NEVER_SENT)},
    marked as (${markBouncedStep(now, lockedOf(these))})${endedEmailFanOut.steps('marked')},
    ${eventSteps('email.bounce', extra, now)},
    ${stopSteps('BOUNCE', now)}
    select 1 where ${endedEmailFanOut.isAdded('marked')}`.execute(db)
}

/**
 * Whether `marked m` is the last of as many transient bounces in a row as the project's setting allows. An email that was sent
 * in between and did not bounce begins a new row. The emails that a contact got lately are enough to tell.
 */
const isSoftBounced = sql`p.sending ? 'softBounces' and m.test is not true and (
        select count(*) >= (p.sending -> 'softBounces' ->> 'count')::int
          and min(bounced) <= m.at - make_interval(days => (p.sending -> 'softBounces' ->> 'days')::int)
        from (
          select bounced, count(*) filter (where bounced is null) over (order by id desc) as others
          from (
            select e.id, case when e.id = m.id then m.at
                when coalesce(e.delivered_at, e.opened_at) > e.transient_bounced_at then null else e.transient_bounced_at end as bounced from emails e
            where e.project_id = m.project_id and e.contact_id = m.contact_id and e.id <= m.id and e.sent_at is not null
            order by e.id desc limit 1000
          ) as latest
        ) as in_a_row where others = 0)`

/** A transient bounce is recorded, and the last of many suppresses the address. */
export async function markTransientBounce(db: Database, rows: OutcomeRow[], now: Date): Promise<void> {
  const extra = sql`jsonb_build_object('bounceType', 'Transient', 'transientBounce', true)`
  const these = among(rows)
  await sql`${named('mark-transient-bounce', these)}
    with ${lockSteps(rows, these, sql`e.transient_bounced_at is not null`, UNSENT)},
    marked as (${markTransientBounceStep(now, lockedOf(these))}),
    ${eventSteps('email.bounce', extra, now)},
    soft_bounced as (
      select m.* from marked m join projects p on p.id = m.project_id where ${isSoftBounced}
    ),
    ${stopSteps('BOUNCE', now, 'soft_bounced')}
    select 1`.execute(db)
}

export async function markComplained(db: Database, rows: OutcomeRow[], now: Date): Promise<void> {
  const these = among(rows)
  await sql`${named('mark-complained', these)}
    with ${lockSteps(rows, these, sql`e.complained_at is not null`, NEVER_SENT)},
    marked as (${markComplainedStep(now, lockedOf(these))})${endedEmailFanOut.steps('marked')},
    ${eventSteps('email.complaint', sql`jsonb_build_object('complainedAt', ${moment(sql`m.at`)})`, now)},
    ${stopSteps('COMPLAINT', now)}
    select 1 where ${endedEmailFanOut.isAdded('marked')}`.execute(db)
}
