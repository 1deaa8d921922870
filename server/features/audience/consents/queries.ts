/**
 * All SQL on the record of consent. `recordConsents` is part of the statement that changes a subscription, so a change
 * and its record are committed together.
 */
import type { RawBuilder } from 'kysely'
import type { CONSENT_KINDS, CONSENT_SOURCES, ConsentCause } from '../../../kernel/consent/cause.ts'
import type { DayRange } from '../../../kernel/time-range.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'

/** The cause of changes, as the last column of the rows of `recordConsents`. */
export const causeSql = (cause: ConsentCause): RawBuilder<unknown> => sql`${JSON.stringify(cause)}::jsonb`

/**
 * A step that records changes of consent, any number of them. `rows` selects: project_id, contact_id, kind, topic, at,
 * cause (`ConsentCause` as jsonb).
 */
export const recordConsents = (
  step: string,
  rows: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`${sql.ref(step)} as (
      insert into consents (project_id, contact_id, id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at)
      select r.project_id, r.contact_id, id_at(r.at, row_number() over ()), r.kind, r.topic, r.cause ->> 'source', r.cause ->> 'ip',
        r.cause ->> 'userAgent', r.cause ->> 'text', r.cause -> 'by' ->> 'type', (r.cause -> 'by' ->> 'id')::uuid,
        coalesce(r.cause -> 'by' ->> 'name', (select users.email from users where users.id = (r.cause -> 'by' ->> 'id')::uuid)), r.at
      from (${rows}
      ) as r(project_id, contact_id, kind, topic, at, cause)
    )`

export interface ConsentRow {
  id: string
  contact_id: string
  kind: (typeof CONSENT_KINDS)[number]
  topic: string | null
  source: (typeof CONSENT_SOURCES)[number]
  ip: string | null
  user_agent: string | null
  text: string | null
  actor_type: 'user' | 'key' | null
  actor_id: string | null
  actor_name: string | null
  at: Date
}

const COLUMNS = sql.raw(
  'id, contact_id, kind, topic, source, ip, user_agent, text, actor_type, actor_id, actor_name, at',
)

/** Those of one contact, newest first, with one extra row that shows whether there are more. */
export async function listConsents(
  db: Database,
  projectId: string,
  contactId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ConsentRow[]> {
  const earlier = before === undefined ? sql`` : sql`and id < ${before}::uuid`
  const { rows } = await sql<ConsentRow>`
    select ${COLUMNS} from consents where project_id = ${projectId} and contact_id = ${contactId} ${earlier}
    order by id desc limit ${limit + 1}`.execute(db)
  return rows
}

export async function countConsents(db: Database, projectId: string, contactId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-consents */
    select count(*) as count from consents where project_id = ${projectId} and contact_id = ${contactId}`.execute(db)
  return rows[0]!.count
}

export async function contactExists(db: Database, projectId: string, contactId: string): Promise<boolean> {
  const { rows } = await sql`/* contact-exists */
    select from contacts where project_id = ${projectId} and id = ${contactId}`.execute(db)
  return rows.length > 0
}

export interface ConsentPlace {
  contactId: string
  id: string
}

/** Those of all contacts, by contact and oldest first, after a place. */
export async function listConsentsAfter(
  db: Database,
  projectId: string,
  after: ConsentPlace | undefined,
  limit: number,
): Promise<Array<ConsentRow & { email: string | null }>> {
  const later = after === undefined ? sql`` : sql`and (contact_id, id) > (${after.contactId}::uuid, ${after.id}::uuid)`
  const { rows } = await sql<ConsentRow & { email: string | null }>`
    select page.*, c.email
    from (
      select ${COLUMNS} from consents where project_id = ${projectId} ${later} order by contact_id, id limit ${limit}
    ) as page
    left join contacts c on c.project_id = ${projectId} and c.id = page.contact_id
    order by page.contact_id, page.id`.execute(db)
  return rows
}

/** Deletes up to `most` rows of erased contacts; returns how many. */
export async function eraseConsents(
  db: Database,
  projectId: string,
  contactIds: string[],
  most: number,
): Promise<number> {
  const { numAffectedRows } = await sql`/* erase-consents */
    delete from consents where project_id = ${projectId} and (contact_id, id) in (
      select contact_id, id from consents where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[]) limit ${most})`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** Without the address itself, and different in every project. */
const hashSql = (projectId: RawBuilder<unknown>, email: RawBuilder<unknown>) =>
  sql`sha256(convert_to(${projectId}::text || ' ' || ${email}, 'UTF8'))`

/**
 * A step that keeps the objections of contacts that are deleted. `rows` selects: project_id, id, email, objected_at, of
 * those who have objected; the time of the recorded objection is used if there is one.
 */
export const keepObjections = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`objections_kept as (
      insert into objections (project_id, email_hash, objected_at)
      select r.project_id, ${hashSql(sql`r.project_id`, sql`r.email`)}, coalesce((
        select consents.at from consents
        where consents.project_id = r.project_id and consents.contact_id = r.id and consents.kind = 'unsubscribed'
        order by consents.id desc limit 1), r.objected_at)
      from (${rows}
      ) as r(project_id, id, email, objected_at) order by 1, 2
      on conflict (project_id, email_hash) do update set objected_at = greatest(objections.objected_at, excluded.objected_at)
    )`

/** A condition: someone with this address objected before the contact was erased. */
export const objectedSql = (
  projectId: string | RawBuilder<unknown>,
  email: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from objections where objections.project_id = ${projectId}::uuid
    and objections.email_hash = ${hashSql(sql`${projectId}::uuid`, email)})`

/** When the person with this address objected, if the contact has been erased. */
export async function findObjection(db: Database | Tx, projectId: string, email: string): Promise<Date | undefined> {
  const { rows } = await sql<{ objected_at: Date }>`/* find-objection */
    select objected_at from objections
    where project_id = ${projectId} and email_hash = ${hashSql(sql`${projectId}::uuid`, sql`${email}::text`)}`.execute(
    db,
  )
  return rows[0]?.objected_at
}

export interface ConfirmationDay {
  date: string
  requested: number
  confirmed: number
}

/** How many confirmation emails were requested and how many contacts confirmed, on each day of a range. */
export async function countConfirmationDays(
  db: Database,
  projectId: string,
  { first, last }: DayRange,
): Promise<ConfirmationDay[]> {
  const { rows } = await sql<ConfirmationDay>`/* count-confirmation-days */
    with counted as (
      select (at at time zone 'UTC')::date as day, count(*) filter (where kind = 'confirmation.requested') as requested,
        count(*) filter (where kind = 'confirmed') as confirmed
      from consents where ${inRange(projectId, first, last)} group by 1
    )
    select to_char(day, 'YYYY-MM-DD') as date, coalesce(requested, 0) as requested, coalesce(confirmed, 0) as confirmed
    from (
      select generate_series(${first}::timestamp, ${last}::timestamp, interval '1 day')::date as day
    ) as days left join counted using (day) order by day`.execute(db)
  return rows
}

export interface ConfirmationTotals {
  asked: number
  confirmed: number
}

/** How many contacts were asked in a range of days, and how many of them confirmed in it. */
export async function countConfirmationTotals(
  db: Database,
  projectId: string,
  { first, last }: DayRange,
): Promise<ConfirmationTotals> {
  const { rows } = await sql<ConfirmationTotals>`/* count-confirmation-totals */
    select count(*) as asked, count(*) filter (where confirmed) as confirmed
    from (
      select bool_or(kind = 'confirmed') as confirmed from consents where ${inRange(projectId, first, last)}
      group by contact_id having bool_or(kind = 'confirmation.requested')
    ) as contact`.execute(db)
  return rows[0]!
}

/** The condition of the index `consents_confirmations`. */
const inRange = (projectId: string, first: string, last: string) => sql`project_id = ${projectId}
        and kind in ('confirmation.requested', 'confirmed')
        and at >= ${first}::timestamp at time zone 'UTC' and at < (${last}::timestamp + interval '1 day') at time zone 'UTC'`

/** How many contacts have not answered. */
export async function countPending(db: Database, projectId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-pending */
    select count(*) as count from contacts where project_id = ${projectId} and pending`.execute(db)
  return rows[0]!.count
}
