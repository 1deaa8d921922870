/**
 * Kept counts of events and of what became of emails, per project and UTC day. Triggers note differences; what is folded
 * and what is noted since add up to the truth at any moment. See triggers.sql.
 */
import { type RawBuilder, sql } from 'kysely'
import type { DayRange } from '../../kernel/time-range.ts'
import type { Database, Tx } from '../../platform/database/connect.ts'

export const EMAIL_FACTS = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'complained'] as const
export type EmailFacts = Record<(typeof EMAIL_FACTS)[number], number>

const each = (make: (fact: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  sql.join(EMAIL_FACTS.map((fact) => make(sql.ref(fact))))

/** How many events there are, of one name or of all. */
export async function readEventCount(db: Database, projectId: string, name: string | undefined): Promise<number> {
  const named = name === undefined ? sql`` : sql`and name = ${name}`
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::bigint as count from (
      select count from event_names where project_id = ${projectId} ${named}
      union all
      select change from event_day_changes where project_id = ${projectId} ${named}
    ) as parts`.execute(db)
  return rows[0]!.count
}

/** Every name that some event has, in alphabetical order. */
export async function listNames(db: Database, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`/* list-event-names */
    select name from (
      select name, count from event_names where project_id = ${projectId}
      union all
      select name, change from event_day_changes where project_id = ${projectId}
    ) as parts
    group by name having sum(count) > 0 order by name`.execute(db)
  return rows.map((row) => row.name)
}

export interface NameTally {
  name: string
  count: number
  contacts: number
}

/** How many events each name has, and of how many contacts; most frequent first. Of one name if it is given. */
export async function readNameTallies(db: Database, projectId: string, only?: string): Promise<NameTally[]> {
  const named = only === undefined ? sql`` : sql`and name = ${only}`
  const { rows } = await sql<NameTally>`
    with noted as (
      select name, contact_id, sum(change) as change from event_contact_changes
      where project_id = ${projectId} ${named} group by name, contact_id
    )
    select name, sum(count)::bigint as count, sum(contacts)::bigint as contacts from (
      select name, count, contacts from event_names where project_id = ${projectId} ${named}
      union all
      select name, change, 0 from event_day_changes where project_id = ${projectId} ${named}
      union all
      select noted.name, 0, (coalesce(k.count, 0) + noted.change > 0)::int - (coalesce(k.count, 0) > 0)::int
      from noted left join event_contacts k
        on k.project_id = ${projectId} and k.name = noted.name and k.contact_id = noted.contact_id
    ) as parts
    group by name having sum(count) > 0
    order by count desc, name`.execute(db)
  return rows
}

const daysOf = (projectId: string, { first, last }: DayRange) =>
  sql`project_id = ${projectId} and day between ${first}::date and ${last}::date`

/** The most frequent names of some days. */
export async function readTopNames(db: Database, projectId: string, days: DayRange, limit: number) {
  const { rows } = await sql<{ name: string; count: number }>`/* read-top-names */
    select name, sum(count)::bigint as count from (
      select name, count from event_days where ${daysOf(projectId, days)}
      union all
      select name, change from event_day_changes where ${daysOf(projectId, days)}
    ) as parts
    group by name having sum(count) > 0
    order by 2 desc, name limit ${limit}`.execute(db)
  return rows
}

/** How many events some days have, of these names or of all. */
export async function readDaysCount(
  db: Database,
  projectId: string,
  days: DayRange,
  names?: string[],
): Promise<number> {
  const named = names === undefined ? sql`` : sql`and name = any(${names}::text[])`
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(count), 0)::bigint as count from (
      select count from event_days where ${daysOf(projectId, days)} ${named}
      union all
      select change from event_day_changes where ${daysOf(projectId, days)} ${named}
    ) as parts`.execute(db)
  return rows[0]!.count
}

/** What became of emails, day by day, with the empty days. */
export async function readEmailDays(
  db: Database,
  projectId: string,
  days: DayRange,
): Promise<Array<EmailFacts & { day: string }>> {
  const { rows } = await sql<EmailFacts & { day: string }>`/* read-email-days */
    with counted as (
      select day, ${each((fact) => sql`sum(${fact})::bigint as ${fact}`)} from (
        select * from email_days where ${daysOf(projectId, days)}
        union all
        select * from email_day_changes where ${daysOf(projectId, days)}
      ) as parts group by day
    )
    select to_char(series.day, 'YYYY-MM-DD') as day, ${each((fact) => sql`coalesce(${fact}, 0)::bigint as ${fact}`)}
    from generate_series(${days.first}::date::timestamp, ${days.last}::date::timestamp, interval '1 day') as series(day)
    left join counted on counted.day = series.day::date
    order by series.day`.execute(db)
  return rows
}

/** One at a time: whoever compares what is folded with the truth must not see it move. */
const lockFolding = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtext('fold-event-counts'))`.execute(tx)

/** Folds the noted differences of all projects. Readers see the same sums before, during and after. */
export async function foldTallies(tx: Tx): Promise<void> {
  await lockFolding(tx)
  await foldEventDays(tx)
  await foldEventContacts(tx)
  await foldEmailDays(tx)
  await sql`delete from event_days where count = 0`.execute(tx)
  await sql`delete from event_contacts where count = 0`.execute(tx)
}

/** Of a project that is gone nothing is kept. */
const ALIVE = sql`exists (select from projects where projects.id = summed.project_id)`

async function foldEventDays(tx: Tx): Promise<void> {
  await sql`
    with taken as (
      delete from event_day_changes returning project_id, day, name, change
    ), summed as (
      select project_id, day, name, sum(change)::bigint as change from taken
      group by project_id, day, name having sum(change) <> 0
    ), days as (
      insert into event_days (project_id, day, name, count)
      select project_id, day, name, change from summed where ${ALIVE} order by project_id, day, name
      on conflict (project_id, day, name) do update set count = event_days.count + excluded.count
    )
    insert into event_names (project_id, name, count)
    select project_id, name, sum(change)::bigint from summed where ${ALIVE}
    group by project_id, name order by project_id, name
    on conflict (project_id, name) do update set count = event_names.count + excluded.count`.execute(tx)
}

async function foldEventContacts(tx: Tx): Promise<void> {
  await sql`
    with taken as (
      delete from event_contact_changes returning project_id, name, contact_id, change
    ), summed as (
      select project_id, name, contact_id, sum(change)::bigint as change from taken
      group by project_id, name, contact_id having sum(change) <> 0
    ), written as (
      insert into event_contacts (project_id, name, contact_id, count)
      select project_id, name, contact_id, change from summed order by project_id, name, contact_id
      on conflict (project_id, name, contact_id) do update set count = event_contacts.count + excluded.count
      returning project_id, name, contact_id, count
    ), moved as (
      select project_id, name, sum((w.count > 0)::int - (w.count - s.change > 0)::int)::bigint as contacts
      from written w join summed s using (project_id, name, contact_id)
      group by project_id, name
    )
    insert into event_names (project_id, name, contacts)
    select project_id, name, contacts from moved as summed where contacts <> 0 and ${ALIVE} order by project_id, name
    on conflict (project_id, name) do update set contacts = event_names.contacts + excluded.contacts`.execute(tx)
}

async function foldEmailDays(tx: Tx): Promise<void> {
  await sql`
    with taken as (
      delete from email_day_changes returning *
    ), summed as (
      select project_id, day, ${each((fact) => sql`sum(${fact})::bigint as ${fact}`)} from taken group by project_id, day
    )
    insert into email_days (project_id, day, ${each((fact) => fact)})
    select project_id, day, ${each((fact) => fact)} from summed where ${ALIVE} order by project_id, day
    on conflict (project_id, day) do update set ${each((fact) => sql`${fact} = email_days.${fact} + excluded.${fact}`)}`.execute(
    tx,
  )
}
