/**
 * The only writer of events. `writeEvents` is part of a larger statement, so an event is recorded together with its
 * cause, and with the work of those who react to it.
 */
import type { RawBuilder } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { createFanOut } from '../../../platform/queue/fan-out.ts'
import { NAMES_MAX, type NameTally } from './tally-queries.ts'

/** Rows are events, with the columns of the table. The consumers are in app.ts. */
export const eventFanOut = createFanOut('events')

/**
 * The trigger `events_added` adds the jobs of events that a process of 0.1.0 records during a rolling upgrade. It
 * skips transactions with this setting.
 */
const FANNED_OUT = sql`(select set_config('posthorn.fanned_out', 'on', true)) is not null`

/** The trigger `events_counted` skips the statement that started at this time, because it counts its events itself. */
const COUNTED = sql`(select set_config('posthorn.events_counted_at', statement_timestamp()::text, true)) is not null`

/**
 * Steps that write events and add the work of their consumers; the last one is called `step`. `rows` selects: project_id,
 * id, name, contact_id, email_id, data, created_at.
 */
export const writeEvents = (step: string, rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  writeSteps(
    step,
    rows,
    (insert) => sql`
    ${sql.ref(step)} as (${insert}
    )`,
  )

/**
 * The same for a statement that runs often and always writes events: it also counts them as the trigger does, for less
 * processor time if the events are few.
 */
export const writeCountedEvents = (step: string, rows: RawBuilder<unknown>): RawBuilder<unknown> =>
  writeSteps(step, rows, (insert, written) => {
    const [days, contacts, watchers] = ['days', 'contacts', 'for_watchers'].map((part) => sql.ref(`${step}_${part}`))
    return sql`
    ${days} as (
      insert into event_day_changes (project_id, day, name, change)
      select project_id, utc_day(created_at), name, count(*) from ${written} group by project_id, utc_day(created_at), name
    ),
    ${contacts} as (
      insert into event_contact_changes (project_id, name, contact_id, change)
      select project_id, name, contact_id, count(*) from ${written} where contact_id is not null
      group by project_id, name, contact_id
    ),
    ${watchers} as (
      select pg_notify('posthorn_activity', r.project_id::text) from ${written} r
      where exists (select from activity_watchers w where w.project_id = r.project_id and w.until > now()) group by r.project_id
    ),
    ${sql.ref(step)} as (${insert} and ${COUNTED} and (select count(*) from ${watchers}) >= 0
    )`
  })

function writeSteps(
  step: string,
  rows: RawBuilder<unknown>,
  steps: (insert: RawBuilder<unknown>, written: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const name = `${step}_rows`
  const written = sql.ref(name)
  const insert = sql`
      insert into events (project_id, id, name, contact_id, email_id, data, created_at)
      select * from ${written} where ${FANNED_OUT} and ${eventFanOut.isAdded(name)}`
  return sql`${written} as (
      select * from (${rows}
      ) as r(project_id, id, name, contact_id, email_id, data, created_at)
    )${eventFanOut.steps(name)},${steps(insert, written)}`
}

/**
 * A step that writes events of the past, which nobody reacts to, and returns the ids of those that are new. `rows` selects
 * the same as for `writeEvents`.
 */
export const writePastEvents = (
  step: string,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`${sql.ref(step)} as (
      insert into events (project_id, id, name, contact_id, email_id, data, created_at)
      select * from (${rows}
      ) as r(project_id, id, name, contact_id, email_id, data, created_at) where ${FANNED_OUT}
      on conflict do nothing returning id
    )`

/**
 * Rows are changes that are no events, such as a new contact: project_id, id, name, contact_id, facts, created_at. They are
 * not recorded; only webhook endpoints get them.
 */
export const announcementFanOut = createFanOut('announcements')

/**
 * Steps that announce a change. `rows` selects: project_id, name, contact_id, facts, created_at. The facts are what the
 * body of a webhook shows: contact, email, data.
 */
export function announce(step: string, rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`${sql.ref(step)} as (
      select r.project_id, id_at(r.created_at, row_number() over ()) as id, r.name, r.contact_id, r.facts, r.created_at
      from (${rows}
      ) as r(project_id, name, contact_id, facts, created_at)
    )${announcementFanOut.steps(step)}`
}

/** The facts of an announcement about a contact, from a row of contacts. */
export const contactFacts = (contact: string): RawBuilder<unknown> => {
  const of = (column: string) => sql.ref(`${contact}.${column}`)
  return sql`jsonb_build_object('contact', jsonb_build_object('id', ${of('id')}, 'email', ${of('email')}, 'subscribed', ${of('subscribed')}),
        'email', null, 'data', '{}'::jsonb)`
}

/** The facts of an announcement about something else. */
export const otherFacts = (data: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`jsonb_build_object('contact', null, 'email', null, 'data', ${data})`

/** In the transaction of the change, after the statement that made it. */
export async function announceChange(
  tx: Tx,
  projectId: string,
  name: string,
  data: Record<string, unknown>,
  now: Date,
): Promise<void> {
  const facts = otherFacts(sql`${JSON.stringify(data)}::jsonb`)
  await sql`/* announce */
    with ${announce('announced', sql`select ${projectId}::uuid, ${name}::text, null::uuid, ${facts}, ${now}::timestamptz`)}
    select 1`.execute(tx)
}

export interface EventRow {
  id: string
  name: string
  contact_id: string | null
  email_id: string | null
  data: Record<string, unknown>
  created_at: Date
  contact_email: string | null
}

export interface EventFilter {
  name?: string | undefined
  contactId?: string | undefined
  before?: string | undefined
  limit: number
}

/** From an id (inclusive) to another (exclusive): a time range, because ids start with their time. */
export interface IdRange {
  first: string
  end: string
}

/** Newest first, with one extra row that shows whether there are more. */
export async function listEvents(db: Database, projectId: string, filter: EventFilter): Promise<EventRow[]> {
  let query = db
    .selectFrom('events')
    .leftJoin('contacts', (join) =>
      join.onRef('contacts.project_id', '=', 'events.project_id').onRef('contacts.id', '=', 'events.contact_id'),
    )
    .select(['events.id', 'events.name', 'events.contact_id', 'events.email_id', 'events.data', 'events.created_at'])
    .select('contacts.email as contact_email')
    .where('events.project_id', '=', projectId)
  if (filter.name !== undefined) query = query.where('events.name', '=', filter.name)
  if (filter.contactId !== undefined) query = query.where('events.contact_id', '=', filter.contactId)
  if (filter.before !== undefined) query = query.where('events.id', '<', filter.before)
  return query
    .orderBy('events.id', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

/** Events of one contact, of one name or of all. Counts of a project or a name are stored: see `readEventCount`. */
export async function countContactEvents(
  db: Database,
  projectId: string,
  contactId: string,
  name: string | undefined,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-contact-events */
    select count(*) as count from events
    where project_id = ${projectId} and contact_id = ${contactId} and name = coalesce(${name ?? null}, name)`.execute(
    db,
  )
  return rows[0]!.count
}

/** Counts the events of a time range, most frequent first. Stored counts are only by day. */
export async function countNamesBetween(
  db: Database,
  projectId: string,
  { first, end }: IdRange,
): Promise<NameTally[]> {
  const { rows } = await sql<NameTally>`
    select name, count(*) as count, count(distinct contact_id) as contacts, sum(count(*)) over ()::bigint as total
    from events where project_id = ${projectId} and id >= ${first}::uuid and id < ${end}::uuid
    group by name order by 2 desc, name limit ${NAMES_MAX}`.execute(db)
  return rows
}

/** Erases up to `most` events of contacts; returns how many. The rows are kept for the counts. */
export async function eraseEvents(
  db: Database,
  projectId: string,
  contactIds: string[],
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`/* erase-events */
    with batch as (
      select id from events where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[]) limit ${most}
    )
    update events set contact_id = null, data = '{}' from batch
    where events.project_id = ${projectId} and events.id = batch.id`.execute(db)
  return Number(numAffectedRows)
}

/** Deletes up to `most` events of a name before `end`. Returns how many. */
export async function deleteSomeEvents(
  db: Database,
  projectId: string,
  name: string,
  end: string,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* delete-events */
    with batch as materialized (
      select project_id, id from events
      where project_id = ${projectId} and name = ${name} and id < ${end}::uuid order by id limit ${most}
    ), gone as (
      delete from events using batch where events.project_id = batch.project_id and events.id = batch.id returning events.id
    )
    select count(*) as count from gone`.execute(db)
  return rows[0]!.count
}
