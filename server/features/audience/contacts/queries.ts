/** SQL on contacts: upserts, changes and subscriptions. Lists are in `list-queries.ts`, fields in `field-queries.ts`. */
import type { RawBuilder, Selectable } from 'kysely'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import type { DataChange } from '../../../kernel/contact-data.ts'
import { changedAt } from '../../../platform/database/changed-at.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { Contacts } from '../../../platform/database/tables.ts'
import { announce, contactFacts, writeEvents } from '../../record/journal/queries.ts'
import { keepObjections, recordConsents } from '../consents/queries.ts'
import { liftSuppressionsSteps } from '../suppressions/queries.ts'
import {
  CONSENT_KIND,
  publicKeyMaySubscribeSql,
  subscriptionEvents,
  subscriptionSql,
  updatedSteps,
  writeSubscriptionEventsSteps,
} from './subscription-queries.ts'
import { decideSteps, decisionColumns, decisionEvents, type TopicDecisions } from './topic-queries.ts'

export type ContactRow = Pick<
  Selectable<Contacts>,
  'id' | 'email' | 'subscribed' | 'paused_until' | 'created_at' | 'updated_at'
> & {
  data: Record<string, unknown>
} & Partial<Pick<Selectable<Contacts>, 'pending' | 'confirmation_requested_at' | 'confirmed_at'>>

/** The columns of double opt-in. */
export const CONFIRMATION = sql.raw('pending, confirmation_requested_at, confirmed_at')

export interface ContactUpsert {
  projectId: string
  now: Date
  /** One entry per distinct address, with ids in case they are needed. */
  people: Person[]
  subscribedByDefault: boolean
  /** Keys to remove from the data of all of them. */
  removed: string[]
  cause: ConsentCause
  /** Requested with a key that visitors of a website have: see `publicKeyMaySubscribe`. */
  byPublicKey?: boolean
  /** Existing contacts stay as they are. */
  onlyNew?: boolean
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
  /** Decisions about topics to store. */
  topics?: TopicDecisions | undefined
}

/** Only statements of such upserts have the steps that store decisions. */
export const hasTopics = (upserts: ContactUpsert[]): boolean =>
  upserts.some(({ people }) => people.some(({ topics }) => topics !== undefined))

/**
 * The steps of a statement that upserts contacts: CTEs up to `contact` (project_id, id, email, subscribed, data,
 * created_at, updated_at, is_new, changed). They need no explicit locks; a contact that would not change is only read.
 * Addresses are written in order, so that statements can't deadlock.
 */
export const upsertContactSteps = (upsert: ContactUpsert): RawBuilder<unknown> => {
  const withTopics = hasTopics([upsert])
  return sql`${peopleStep([upsert], withTopics)}, ${writePeopleSteps(sql`true`, withTopics)}`
}

/** The first of these steps, for contacts of several requests: `person`, with the number of the request, from 1. */
export function peopleStep(upserts: ContactUpsert[], withTopics: boolean): RawBuilder<unknown> {
  const people = upserts.flatMap((upsert, i) => upsert.people.map((person) => ({ ...person, request: i + 1 })))
  return sql`
    person as (
      select p.*, (${upserts.map((u) => u.projectId)}::uuid[])[p.request] as project_id,
        coalesce(p.subscribed, (${upserts.map((u) => u.subscribedByDefault)}::boolean[])[p.request]) as subscribed_if_new,
        array(select jsonb_array_elements_text((${upserts.map((u) => JSON.stringify(u.removed))}::jsonb[])[p.request])) as removed,
        (${upserts.map((u) => u.now)}::timestamptz[])[p.request] as asked_at,
        (${upserts.map((u) => JSON.stringify(u.cause))}::jsonb[])[p.request] as cause,
        (${upserts.map((u) => u.byPublicKey ?? false)}::boolean[])[p.request] as by_public_key,
        (${upserts.map((u) => u.onlyNew ?? false)}::boolean[])[p.request] as only_new
        ${withTopics ? decisionColumns(people.map((p) => p.topics)) : sql``}
      from unnest(
        ${people.map((p) => p.request)}::int[], ${people.map((p) => p.email)}::text[], ${people.map((p) => p.contactId)}::uuid[],
        ${people.map((p) => p.eventId)}::uuid[], ${people.map((p) => p.subscribed ?? null)}::boolean[],
        ${people.map((p) => JSON.stringify(p.patch))}::jsonb[]
      ) ${withTopics ? sql`with ordinality as p(request, email, new_id, event_id, subscribed, patch, nth)` : sql`as p(request, email, new_id, event_id, subscribed, patch)`}
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
    lock_timeout_set as materialized (select set_config('lock_timeout', ${shared ? SHARED_LOCK_TIMEOUT : '0'}, true))`

/**
 * The remaining steps: writes each row of `person` that meets `onlyIf`, each contact once, and records changes of
 * subscriptions. Requests that share a contact must request the same change (see `createSameRequestCheck`).
 */
export const writePeopleSteps = (onlyIf: RawBuilder<unknown>, withTopics: boolean): RawBuilder<unknown> =>
  sql`${changePeopleSteps(onlyIf, withTopics)}, ${writeEvents('flips_written', sql`select * from flips`)}`

/** The same for a statement that writes events of its own: it must write those in `flips` with them. */
export const changePeopleSteps = (onlyIf: RawBuilder<unknown>, withTopics: boolean): RawBuilder<unknown> => sql`
    asked as (
      select distinct on (project_id, email) * from person where ${onlyIf} order by project_id, email, request
    ),
    -- Materialized: inlined, it is looked for among all who are asked, once for each contact that is written. That was
    -- most of an update of 1,000 contacts.
    removing as materialized (select project_id, email, removed from asked where removed <> '{}'),
    -- Lateral: a generic plan of the plain join reads every contact of the project (20 ms instead of 1 at 50,000).
    known as (
      select c.project_id, c.id, c.email, c.subscribed, c.opted_out, c.opted_out_by_api, c.pending, c.confirmation_requested_at, c.confirmed_at,
        c.paused_until, c.data, c.created_at, c.updated_at${withTopics ? sql`, c.topics` : sql``}
      from asked cross join lateral (
        select * from contacts where contacts.project_id = asked.project_id and contacts.email = asked.email limit 1
      ) as c
    ),
    written as (
      insert into contacts (project_id, id, email, subscribed, subscribed_before, data, created_at, updated_at, created_by_import)
      select asked.project_id, asked.new_id, asked.email,
        asked.subscribed_if_new, asked.subscribed_if_new, asked.patch, asked.asked_at, asked.asked_at, (asked.cause ->> 'importId')::uuid
      from asked left join known on known.project_id = asked.project_id and known.email = asked.email
      where known.id is null or not asked.only_new and (
        known.subscribed <> asked.subscribed and not (asked.by_public_key and asked.subscribed and not ${publicKeyMaySubscribeSql('known')})
        or known.data <> (known.data || asked.patch) - asked.removed
        ${withTopics ? sql`or not known.topics @> asked.decisions or known.topics && asked.undoing` : sql``})
      order by asked.project_id, asked.email
      on conflict (project_id, email) do update set
        ${subscriptionSql('contacts', { subscribed: WISH })},
        data = case when ${isAsked(sql`only_new`)} then contacts.data
          else bounded_contact_data(contacts.data, (contacts.data || excluded.data) - coalesce((
            select removed from removing where removing.project_id = excluded.project_id and removing.email = excluded.email
          ), '{}')) end,
        updated_at = excluded.updated_at, updated_by_import = coalesce(excluded.created_by_import, contacts.updated_by_import)
      returning project_id, id, email, subscribed, subscribed_before, paused_until, ${CONFIRMATION}, data, created_at, updated_at, xmax = 0 as is_new
    ),
    contact as (
      select project_id, id, email, subscribed, paused_until, ${CONFIRMATION}, data, created_at, updated_at, is_new, true as changed from written
      union all
      select project_id, id, email, subscribed, paused_until, ${CONFIRMATION}, data, created_at, updated_at, false, false from known
      where not exists (select from written where written.project_id = known.project_id and written.email = known.email)
    ),
    ${announce(
      'people_announced',
      sql`
      select c.project_id, case when c.is_new then 'contact.created' else 'contact.updated' end, c.id, ${contactFacts('c')}, c.updated_at
      from written c`,
    )},
    ${withTopics ? sql`${decideSteps(PEOPLE_DECISIONS)},` : sql``}
    flips as (${subscriptionEvents({
      rows: sql`written c join asked on asked.project_id = c.project_id and asked.email = c.email`,
      eventId: sql`asked.event_id`,
      at: sql`asked.asked_at`,
    })}
    ${withTopics ? sql`union all ${decisionEvents()}` : sql``}
    ),
    ${recordConsents(
      'people_consents',
      sql`
      select c.project_id, c.id, ${CONSENT_KIND}, null, asked.asked_at, asked.cause
      from written c join asked on asked.project_id = c.project_id and asked.email = c.email
      where c.subscribed <> c.subscribed_before or c.is_new and c.subscribed`,
    )}`

/** What the requests in `asked` decide about topics. */
const PEOPLE_DECISIONS = sql`
      select contact.project_id, contact.id as contact_id, unnest(asked.decisions || array(
          select -stored from unnest(asked.undoing) as stored where stored = any(known.topics))) as decision, asked.cause,
        asked.keeps_opt_outs, asked.asked_at as at
      from asked join contact on contact.project_id = asked.project_id and contact.email = asked.email
      left join known on known.project_id = asked.project_id and known.email = asked.email
      where contact.is_new or not asked.only_new`

/** Whether the request for the contact that exists is such. Looked up by hash, because the inserted row can't express it. */
const isAsked = (such: RawBuilder<unknown>) =>
  sql`(excluded.project_id, excluded.email) in (select project_id, email from asked where ${such})`

/** The requested subscription of an existing contact; null if it is to stay as it is. */
const WISH = sql`case when ${isAsked(sql`subscribed is null or only_new`)} then null
          when excluded.subscribed and not ${publicKeyMaySubscribeSql('contacts')} and ${isAsked(sql`by_public_key`)} then null
          else excluded.subscribed end`

/** Manual changes: an explicit `subscribed: true` also removes a suppression, unless the request keeps it. Other upserts keep suppressions. */
export async function upsertContact(
  db: Database | Tx,
  upsert: ContactUpsert,
  keepSuppression: boolean,
): Promise<ContactRow & { is_new: boolean }> {
  const name = sql.raw(hasTopics([upsert]) ? '/* upsert-contact-with-topics */' : '/* upsert-contact */')
  const { rows } = await sql<ContactRow & { is_new: boolean }>`${name}
    with ${upsertContactSteps(upsert)},
    ${liftSuppressionsSteps(
      upsert.projectId,
      sql`select email from asked where subscribed and not ${keepSuppression}::boolean`,
      upsert.now,
    )}
    select id, email, subscribed, paused_until, ${CONFIRMATION}, data, created_at, updated_at, is_new from contact`.execute(
    db,
  )
  return rows[0]!
}

/** The contacts of several requests, with one address each. Suppressions stay. Returns their ids. */
export async function upsertContacts(tx: Tx, upserts: ContactUpsert[]): Promise<string[]> {
  const withTopics = hasTopics(upserts)
  const { rows } = await sql<{
    id: string
  }>`${sql.raw(withTopics ? '/* upsert-contacts-with-topics */' : '/* upsert-contacts */')}
    with ${lockTimeoutStep(upserts.length > 1)},
    ${peopleStep(upserts, withTopics)},
    ${writePeopleSteps(sql`(select true from lock_timeout_set)`, withTopics)}
    select contact.id from person join contact on contact.project_id = person.project_id and contact.email = person.email
    order by person.request`.execute(tx)
  return rows.map(({ id }) => id)
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
export async function deleteContacts(tx: Tx, projectId: string, ids: string[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`/* delete-contacts */
    with gone as (
      delete from contacts where project_id = ${projectId} and id = any(${ids}::uuid[])
      returning project_id, id, email, subscribed, opted_out, updated_at
    ), ${keepObjections(sql`select project_id, id, email, updated_at from gone where opted_out`)}, ${announce(
      'deleted',
      sql`select c.project_id, 'contact.deleted', c.id, ${contactFacts('c')}, ${now}::timestamptz from gone c`,
    )}
    select id from gone`.execute(tx)
  return rows.map((row) => row.id)
}

export interface ContactPatch {
  email: string | undefined
  subscribed: boolean | undefined
  change: DataChange
  keepSuppression: boolean
  /** Null ends a pause; absent, it stays. */
  pausedUntil: Date | null | undefined
  cause: ConsentCause
}

/** Returns when it was last changed, undefined if there is no such contact. */
export async function lockContact(tx: Tx, projectId: string, id: string): Promise<Date | undefined> {
  const { rows } = await sql<{ updated_at: Date }>`/* lock-contact */
    select updated_at from contacts where project_id = ${projectId} and id = ${id} for update`.execute(tx)
  return rows[0]?.updated_at
}

/** Patches one contact, records a change of its subscription and removes a suppression, in one statement. */
export async function patchContact(
  db: Database | Tx,
  projectId: string,
  id: string,
  patch: ContactPatch,
  eventId: string,
  now: Date,
): Promise<ContactRow | undefined> {
  const { email = null, subscribed = null, change } = patch
  const lifts = subscribed === true && !patch.keepSuppression
  const { rows } = await sql<ContactRow>`/* patch-contact */
    with before as (
      select * from contacts where project_id = ${projectId} and id = ${id} for update
    ), written as (
      update contacts set
        email = coalesce(${email}::text, email),
        ${subscriptionSql('contacts', { subscribed: sql`${subscribed}::boolean` })},
        data = bounded_contact_data(data, (data || ${JSON.stringify(change.patch)}::jsonb) - ${change.removed}::text[]),
        paused_until = case when ${patch.pausedUntil === undefined}::boolean then paused_until else ${patch.pausedUntil ?? null}::timestamptz end,
        updated_at = ${changedAt(now)}
      where project_id = ${projectId} and id = (select id from before)
      returning *
    ), changed as (
      select written.* from written join before using (id)
      where (written.email, written.subscribed, written.data, written.paused_until)
        is distinct from (before.email, before.subscribed, before.data, before.paused_until)
    ), ${writeSubscriptionEventsSteps('flips', {
      rows: sql`written c`,
      eventId: sql`${eventId}::uuid`,
      at: sql`${now}::timestamptz`,
      cause: patch.cause,
    })}, ${updatedSteps(sql`changed c`, now)},
    ${liftSuppressionsSteps(projectId, sql`select email from written where ${lifts}::boolean`, now)}
    select id, email, subscribed, paused_until, ${CONFIRMATION}, data, created_at, updated_at from written`.execute(db)
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
  cause: ConsentCause,
  now: Date,
): Promise<ContactRow[]> {
  const given = changes.map(({ id, change, subscribed = null, eventId }) => ({ id, ...change, subscribed, eventId }))
  const { rows } = await sql<ContactRow>`/* change-contacts */
    with wanted as (
      select c.*, g.subscribed as requested, (c.data || g.patch) - g.removed as new_data, g."eventId" as event_id
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as g(id uuid, patch jsonb, removed text[], subscribed boolean, "eventId" uuid)
      join contacts c on c.project_id = ${projectId} and c.id = g.id and c.id = any(${given.map(({ id }) => id)}::uuid[])
      order by c.email for update of c
    ), written as (
      update contacts c set ${subscriptionSql('c', { subscribed: sql`wanted.requested` })}, data = bounded_contact_data(c.data, wanted.new_data),
        updated_at = ${now}::timestamptz
      from wanted where c.project_id = ${projectId} and c.id = wanted.id and c.id = any(${given.map(({ id }) => id)}::uuid[])
        and (wanted.requested <> wanted.subscribed or wanted.new_data <> wanted.data)
      returning c.*, wanted.event_id
    ), ${writeSubscriptionEventsSteps('flips', { rows: sql`written c`, eventId: sql`c.event_id`, at: sql`${now}::timestamptz`, cause })},
    ${updatedSteps(sql`written c`, now)}
    select id, email, coalesce(requested, subscribed) as subscribed, paused_until, new_data as data, created_at, updated_at from wanted`.execute(
    db,
  )
  return rows
}
