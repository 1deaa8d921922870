/** All SQL on contacts; SQL on their fields is in `field-queries.ts`. */
import { type RawBuilder, sql } from 'kysely'
import type { DataChange } from '../../kernel/contact-data.ts'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { liftSuppressionsStep } from '../suppressions/queries.ts'
import { keptCountSql, type ProjectId } from './field-queries.ts'
import {
  afterSql,
  appliedFilters,
  CONTACTS_ON_PAGE_MAX,
  type ContactFilter,
  type ContactSort,
  NEWEST_FIRST,
  orderSql,
} from './filter-queries.ts'
import { subscriptionSql, writeSubscriptionEventsStep } from './subscription-queries.ts'

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
  /** Keys to remove from the data of all of them. */
  removed: string[]
}

export interface Person {
  email: string
  contactId: string
  /** Id of the event in case the subscription changes. */
  eventId: string
  /** If absent, unchanged, or `subscribedByDefault` for a new contact. */
  subscribed: boolean | undefined
  /** Keys to set in the contact's data. */
  patch: Record<string, unknown>
}

/**
 * The steps of a statement that upserts contacts: CTEs up to `contact` (project_id, id, email, subscribed, data,
 * created_at, updated_at, is_new, changed). They need no explicit locks; a contact that would not change is only read.
 * Addresses are written in order, so that statements can't deadlock.
 */
export const upsertContactSteps = (upsert: ContactUpsert): RawBuilder<unknown> =>
  sql`${peopleStep([upsert])}, ${writePeopleSteps(sql`true`)}`

/** The first of these steps, for contacts of several requests: `person`, with the number of the request, from 1. */
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

/**
 * How long a statement of several requests waits for a row that another transaction is writing, such as a large import.
 */
const SHARED_LOCK_TIMEOUT = '250ms'

/**
 * A step that limits how long a statement of several requests waits for one contact: it fails, and each request is
 * retried alone (see `createBatcher`). A single request waits without a limit. Read it before writing.
 */
export const lockTimeoutStep = (shared: boolean): RawBuilder<unknown> => sql`
    lock_patience as materialized (select set_config('lock_timeout', ${shared ? SHARED_LOCK_TIMEOUT : '0'}, true))`

/**
 * The remaining steps: writes each row of `person` that meets `onlyIf`, each contact once. Requests that share a
 * contact must request the same change (see `createSameRequestCheck`).
 */
export const writePeopleSteps = (onlyIf: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    asked as (
      select distinct on (project_id, email) * from person where ${onlyIf} order by project_id, email, request
    ),
    -- Materialized: inlined, it is looked for among all who are asked, once for each contact that is written. That was
    -- most of an update of 1,000 contacts.
    removing as materialized (select project_id, email, removed from asked where removed <> '{}'),
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
        asked.subscribed_if_new, asked.subscribed_if_new, asked.patch, asked.asked_at, asked.asked_at
      from asked left join known on known.project_id = asked.project_id and known.email = asked.email
      where known.id is null
        or known.subscribed <> asked.subscribed
        or known.data <> (known.data || asked.patch) - asked.removed
      order by asked.project_id, asked.email
      on conflict (project_id, email) do update set
        ${subscriptionSql('contacts', { subscribed: WISH })},
        data = bounded_contact_data(contacts.data, (contacts.data || excluded.data) - coalesce((
          select removed from removing where removing.project_id = excluded.project_id and removing.email = excluded.email
        ), '{}')),
        updated_at = excluded.updated_at
      returning project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at, xmax = 0 as is_new
    ),
    contact as (
      select project_id, id, email, subscribed, data, created_at, updated_at, is_new, true as changed from written
      union all
      select project_id, id, email, subscribed, data, created_at, updated_at, false, false from known
      where not exists (select from written where written.project_id = known.project_id and written.email = known.email)
    ),
    flips as (${writeSubscriptionEventsStep({
      rows: sql`written c join asked on asked.project_id = c.project_id and asked.email = c.email`,
      eventId: sql`asked.event_id`,
      at: sql`asked.asked_at`,
    })}
    )`

/**
 * The requested subscription of an existing contact. Looked up by hash, because the inserted row can't express
 * "unchanged".
 */
const WISH = sql`case when (excluded.project_id, excluded.email) in (select project_id, email from asked where subscribed is null)
          then null else excluded.subscribed end`

/** Manual changes: an explicit `subscribed: true` also removes a suppression, unless asked not to. Other upserts keep suppressions. */
export async function upsertContact(
  db: Database,
  upsert: ContactUpsert,
  keepSuppression: boolean,
): Promise<ContactRow & { is_new: boolean }> {
  const { rows } = await sql<ContactRow & { is_new: boolean }>`/* upsert-contact */
    with ${upsertContactSteps(upsert)},
    lifted as (${liftSuppressionsStep(upsert.projectId, sql`select email from asked where subscribed and not ${keepSuppression}::boolean`)})
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

/** Returns the ids that existed. Other data about the contacts is erased by the feature `erasure`. */
export async function deleteContacts(tx: Tx, projectId: string, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`/* delete-contacts */
    delete from contacts where project_id = ${projectId} and id = any(${ids}::uuid[]) returning id`.execute(tx)
  return rows.map((row) => row.id)
}

export interface ContactPatch {
  email: string | undefined
  subscribed: boolean | undefined
  change: DataChange
  keepSuppression: boolean
}

/** Patches one contact, records a change of its subscription and removes a suppression, in one statement. */
export async function patchContact(
  db: Database,
  projectId: string,
  id: string,
  patch: ContactPatch,
  eventId: string,
  now: Date,
): Promise<ContactRow | undefined> {
  const { email = null, subscribed = null, change } = patch
  const lifts = subscribed === true && !patch.keepSuppression
  const { rows } = await sql<ContactRow>`/* patch-contact */
    with written as (
      update contacts set
        email = coalesce(${email}::text, email),
        ${subscriptionSql('contacts', { subscribed: sql`${subscribed}::boolean` })},
        data = bounded_contact_data(data, (data || ${JSON.stringify(change.patch)}::jsonb) - ${change.removed}::text[]),
        updated_at = ${now}::timestamptz
      where project_id = ${projectId} and id = ${id}
      returning *
    ), flips as (${writeSubscriptionEventsStep({
      rows: sql`written c`,
      eventId: sql`${eventId}::uuid`,
      at: sql`${now}::timestamptz`,
    })}
    ), lifted as (${liftSuppressionsStep(projectId, sql`select email from written where ${lifts}::boolean`)})
    select id, email, subscribed, data, created_at, updated_at from written`.execute(db)
  return rows[0]
}

/** A change that the service makes, such as a workflow step. It is not the contact's own decision. */
export interface ServiceChange {
  id: string
  change: DataChange
  /** If absent, unchanged. */
  subscribed: boolean | undefined
}

/**
 * Updates contacts if that changes anything, and records changes of their subscription. Unlike a manual change, it
 * doesn't remove suppressions. Returns the contacts that exist, in their new state and in no order. No contact may be
 * named twice. Rows are locked in order of address, as everywhere.
 */
export async function changeContacts(
  db: Database | Tx,
  projectId: string,
  changes: Array<ServiceChange & { eventId: string }>,
  now: Date,
): Promise<ContactRow[]> {
  const given = changes.map(({ id, change, subscribed = null, eventId }) => ({ id, ...change, subscribed, eventId }))
  const { rows } = await sql<ContactRow>`/* change-contacts */
    with wanted as (
      select c.*, g.subscribed as wish, (c.data || g.patch) - g.removed as new_data, g."eventId" as event_id
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as g(id uuid, patch jsonb, removed text[], subscribed boolean, "eventId" uuid)
      join contacts c on c.project_id = ${projectId} and c.id = g.id and c.id = any(${given.map(({ id }) => id)}::uuid[])
      order by c.email for update of c
    ), written as (
      update contacts c set ${subscriptionSql('c', { subscribed: sql`wanted.wish` })}, data = bounded_contact_data(c.data, wanted.new_data),
        updated_at = ${now}::timestamptz
      from wanted where c.project_id = ${projectId} and c.id = wanted.id and c.id = any(${given.map(({ id }) => id)}::uuid[])
        and (wanted.wish <> wanted.subscribed or wanted.new_data <> wanted.data)
      returning c.*, wanted.event_id
    ), flips as (${writeSubscriptionEventsStep({ rows: sql`written c`, eventId: sql`c.event_id`, at: sql`${now}::timestamptz` })}
    )
    select id, email, coalesce(wish, subscribed) as subscribed, new_data as data, created_at, updated_at from wanted`.execute(
    db,
  )
  return rows
}

export interface ContactListing extends ContactFilter {
  /** The last contact of the previous page. */
  before?: string | undefined
  sort?: ContactSort
  limit: number
}

/** On a first page with a stored total, every row includes it. */
export type ListedContact = ContactRow & { total: number | null }

/**
 * Newest first by default, with one extra row that shows whether there are more. A page and its stored total take one round trip;
 * frequent forms are prepared, because planning takes as long as running them.
 */
export async function listContacts(db: Database, projectId: string, listing: ContactListing): Promise<ListedContact[]> {
  const form = formOf(listing)
  const { rows } = await sql<ListedContact>`${sql.raw(form === undefined ? '' : `/* list-contacts${form} */`)}
    ${pageSql(projectId, listing)}`.execute(db)
  return rows
}

/** The same page for a statement that also finds out whose it is. Only for forms that one plan serves. */
export function contactPageRead(listing: ContactListing) {
  const form = formOf(listing)
  if (form === undefined) return undefined
  return { name: `list-contacts${form}`, rows: (projectId: RawBuilder<string>) => pageSql(projectId, listing) }
}

/**
 * The limit stands in the text once more, as the most it can be: for a limit that is only bound, PostgreSQL expects a tenth
 * of all contacts, and would rather plan the statement for each call.
 */
function pageSql(
  projectId: ProjectId,
  { before, limit, sort = NEWEST_FIRST, ...filter }: ContactListing,
): RawBuilder<unknown> {
  const filters = appliedFilters(filter)
  const earlier = before === undefined ? sql`` : sql`and ${afterSql(projectId, sort, before)}`
  const [only] = filters
  const kept = only ? filters.length === 1 && only.kept?.(projectId) : keptCountSql(projectId, 'contacts')
  const total = (before === undefined && kept) || sql`null::bigint`
  return sql`select page.*, ${total} as total from (
      select id, email, subscribed, data, created_at, updated_at
      from contacts where project_id = ${projectId} ${matching(filters)} ${earlier}
      order by ${orderSql(sort, 'contacts')} limit ${sql.lit(CONTACTS_ON_PAGE_MAX + 1)}
    ) as page order by ${orderSql(sort, 'page')} limit ${limit + 1}`
}

export async function countContacts(db: Database, projectId: string, filter: ContactFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from contacts where project_id = ${projectId} ${matching(appliedFilters(filter))}`.execute(
    db,
  )
  return rows[0]!.count
}

type Filters = ReturnType<typeof appliedFilters>

const matching = (filters: Filters): RawBuilder<unknown> =>
  sql.join(
    filters.map(({ condition }) => sql`and ${condition}`),
    sql` `,
  )

/** What the name of the statement ends with; nothing if it has none. */
function formOf({ before, limit: _, sort = NEWEST_FIRST, ...filter }: ContactListing): string | undefined {
  if (sort !== NEWEST_FIRST) return undefined
  const filters = appliedFilters(filter)
  if (!filters.every(({ onePlan }) => onePlan)) return undefined
  const by = filters.map(({ name }) => `-by-${name.toLowerCase()}`).join('')
  return `${by}${before === undefined ? '' : '-before'}`
}
