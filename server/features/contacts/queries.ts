/** All SQL on contacts and their fields. */
import { type RawBuilder, sql } from 'kysely'
import type { DataChange } from '../../kernel/contact-data.ts'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { writeEvents } from '../journal/queries.ts'
import { liftSuppressionsStep } from '../suppressions/queries.ts'

export interface ContactRow {
  id: string
  email: string
  subscribed: boolean
  data: Record<string, unknown>
  created_at: Date
  updated_at: Date
}

export interface ContactUpsert {
  projectId: string
  now: Date
  /** One entry per distinct address, with ids in case they are needed. */
  people: Person[]
  subscribedByDefault: boolean
  /** Keys to remove from everyone's data. */
  removed: string[]
}

export interface Person {
  email: string
  contactId: string
  /** Of the event in case the subscription flips. */
  eventId: string
  /** Absent: kept, and `subscribedByDefault` for someone new. */
  subscribed: boolean | undefined
  /** Keys to set in their data. */
  patch: Record<string, unknown>
}

/**
 * The steps of a statement that brings contacts in: CTEs up to `contact` (project_id, id, email, subscribed, data,
 * created_at, updated_at, is_new, changed, flipped). Race-free without locks of our own; a contact that would not
 * change is only read. Addresses are written in order, so two statements never wait for each other in a circle.
 */
export const upsertContactSteps = (upsert: ContactUpsert): RawBuilder<unknown> =>
  sql`${peopleStep([upsert])}, ${writePeopleSteps(sql`true`)}`

/** The first of these steps, for people of several requests: `person`, with the number of the request, from 1. */
export function peopleStep(upserts: ContactUpsert[]): RawBuilder<unknown> {
  const people = upserts.flatMap((upsert, i) => upsert.people.map((person) => ({ ...person, request: i + 1 })))
  return sql`
    person as (
      select p.*, (${upserts.map((u) => u.projectId)}::uuid[])[p.request] as project_id,
        coalesce(p.subscribed, (${upserts.map((u) => u.subscribedByDefault)}::boolean[])[p.request]) as subscribed_if_new,
        array(select jsonb_array_elements_text((${upserts.map((u) => JSON.stringify(u.removed))}::jsonb[])[p.request])) as removed,
        (${upserts.map((u) => u.now)}::timestamptz[])[p.request] as asked_at
      from unnest(
        ${people.map((p) => p.request)}::int[], ${people.map((p) => p.email)}::text[], ${people.map((p) => p.contactId)}::uuid[],
        ${people.map((p) => p.eventId)}::uuid[], ${people.map((p) => p.subscribed ?? null)}::boolean[],
        ${people.map((p) => JSON.stringify(p.patch))}::jsonb[]
      ) as p(request, email, new_id, event_id, subscribed, patch)
    )`
}

/** How long a statement of several requests waits for a row that someone else is writing, such as a large import. */
const SHARED_PATIENCE = '250ms'

/**
 * A step that keeps a statement of several requests from waiting long for the contact of one of them: it fails, and
 * each is tried by itself (see `gather`). A request by itself waits as long as it takes. Read it before writing.
 */
export const lockPatienceStep = (shared: boolean): RawBuilder<unknown> => sql`
    lock_patience as materialized (select set_config('lock_timeout', ${shared ? SHARED_PATIENCE : '0'}, true))`

/**
 * The further steps: everyone in `person` for whom `onlyIf` holds is written, each contact once. Requests that share
 * a contact must ask the same of it (see `askSameOfContact`).
 */
export const writePeopleSteps = (onlyIf: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    asked as (
      select distinct on (project_id, email) * from person where ${onlyIf} order by project_id, email, request
    ),
    removing as (select project_id, email, removed from asked where removed <> '{}'),
    -- Lateral: a generic plan of the plain join reads every contact of the project (20 ms instead of 1 at 50,000).
    known as (
      select c.project_id, c.id, c.email, c.subscribed, c.data, c.created_at, c.updated_at
      from asked cross join lateral (
        select * from contacts where contacts.project_id = asked.project_id and contacts.email = asked.email limit 1
      ) as c
    ),
    written as (
      insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at)
      select asked.project_id, asked.new_id, asked.email,
        asked.subscribed_if_new, asked.subscribed is null, asked.patch, asked.asked_at, asked.asked_at
      from asked left join known on known.project_id = asked.project_id and known.email = asked.email
      where known.id is null
        or known.subscribed <> asked.subscribed
        or known.data <> (known.data || asked.patch) - asked.removed
      order by asked.project_id, asked.email
      on conflict (project_id, email) do update set
        -- For a row that is in the way, subscribed_before says that the request left the subscription open.
        subscribed = case when excluded.subscribed_before then contacts.subscribed else excluded.subscribed end,
        subscribed_before = contacts.subscribed,
        opted_out = case when excluded.subscribed_before then contacts.opted_out
          else not excluded.subscribed and (contacts.opted_out or contacts.subscribed) end,
        data = (contacts.data || excluded.data) - coalesce((
          select removed from removing where removing.project_id = excluded.project_id and removing.email = excluded.email
        ), '{}'),
        updated_at = excluded.updated_at
      returning project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at, xmax = 0 as is_new
    ),
    contact as (
      select project_id, id, email, subscribed, data, created_at, updated_at, is_new, true as changed,
        not is_new and subscribed <> subscribed_before as flipped
      from written
      union all
      select project_id, id, email, subscribed, data, created_at, updated_at, false, false, false from known
      where not exists (select from written where written.project_id = known.project_id and written.email = known.email)
    ),
    flips as (${writeEvents(sql`
      select contact.project_id, asked.event_id, ${subscriptionEvent('contact')}, contact.id, null::uuid, '{}'::jsonb, asked.asked_at
      from contact join asked on asked.project_id = contact.project_id and asked.email = contact.email where contact.flipped`)}
    )`

const subscriptionEvent = (table: string) =>
  sql`case when ${sql.table(table)}.subscribed then 'contact.subscribed' else 'contact.unsubscribed' end`

/** By hand: an explicit `subscribed: true` also lifts a suppression. Contacts that come in by the way keep theirs. */
export async function upsertContact(db: Database, upsert: ContactUpsert): Promise<ContactRow & { is_new: boolean }> {
  const { rows } = await sql<ContactRow & { is_new: boolean }>`/* upsert-contact */
    with ${upsertContactSteps(upsert)},
    lifted as (${liftSuppressionsStep(upsert.projectId, sql`select email from asked where subscribed`)})
    select id, email, subscribed, data, created_at, updated_at, is_new from contact`.execute(db)
  return rows[0]!
}

export async function findContact(db: Database | Tx, projectId: string, id: string): Promise<ContactRow | undefined> {
  return db
    .selectFrom('contacts')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export interface ContactPatch {
  email: string | undefined
  subscribed: boolean | undefined
  change: DataChange
}

/** Patches one contact, records a flip of its subscription and lifts a suppression, in one statement. */
export async function patchContact(
  db: Database,
  projectId: string,
  id: string,
  patch: ContactPatch,
  eventId: string,
  now: Date,
): Promise<ContactRow | undefined> {
  const { email = null, subscribed = null, change } = patch
  const { rows } = await sql<ContactRow>`/* patch-contact */
    with written as (
      update contacts set
        email = coalesce(${email}::text, email),
        subscribed = coalesce(${subscribed}::boolean, subscribed),
        subscribed_before = subscribed,
        opted_out = case coalesce(${subscribed}::boolean, subscribed) when true then false else opted_out or subscribed end,
        data = (data || ${JSON.stringify(change.patch)}::jsonb) - ${change.removed}::text[],
        updated_at = ${now}::timestamptz
      where project_id = ${projectId} and id = ${id}
      returning *
    ), flips as (${writeEvents(sql`
      select project_id, ${eventId}::uuid, ${subscriptionEvent('written')}, id, null::uuid, '{}'::jsonb, ${now}::timestamptz
      from written where subscribed <> subscribed_before`)}
    ), lifted as (${liftSuppressionsStep(projectId, sql`select email from written where ${subscribed}::boolean`)})
    select id, email, subscribed, data, created_at, updated_at from written`.execute(db)
  return rows[0]
}
