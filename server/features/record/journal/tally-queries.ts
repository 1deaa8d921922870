/** Stored counts of events and of emails by status, per project and UTC day. See triggers.sql. */
import type { RawBuilder } from 'kysely'
import { EMAIL_COUNTS, type EmailCounts } from '../../../kernel/sending/email-rates.ts'
import type { DayRange } from '../../../kernel/time-range.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { defineTally } from '../../../platform/database/tallies.ts'

/** A condition on counts: their project still exists. */
export const OF_A_PROJECT = sql`exists (select from projects where projects.id = counted.project_id)`

const each = (make: (fact: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  sql.join(EMAIL_COUNTS.map((fact) => make(sql.ref(fact))))

/** The number of events of one name, or of all. */
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

/** Anyone with the public key can record events with new names, so only the most frequent ones are listed. */
export const NAMES_MAX = 2_000

/** The event names in use, in alphabetical order. */
export async function listNames(db: Database, projectId: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`/* list-event-names */
    select name from (
      select name from (
        select name, count from event_names where project_id = ${projectId}
        union all
        select name, change from event_day_changes where project_id = ${projectId}
      ) as parts
      group by name having sum(count) > 0 order by sum(count) desc, name limit ${NAMES_MAX}
    ) as listed order by name`.execute(db)
  return rows.map((row) => row.name)
}

export interface NameTally {
  name: string
  count: number
  contacts: number
  /** The number of events of all names, including those that are not listed. */
  total: number
}

/** The number of events and contacts of each name, most frequent first; of one name if given. */
export async function readNameTallies(db: Database, projectId: string, only?: string): Promise<NameTally[]> {
  const named = only === undefined ? sql`` : sql`and name = ${only}`
  const { rows } = await sql<NameTally>`
    with noted as (
      select name, contact_id, sum(change) as change from event_contact_changes
      where project_id = ${projectId} ${named} group by name, contact_id
    )
    select name, sum(count)::bigint as count, sum(contacts)::bigint as contacts,
      sum(sum(count)) over ()::bigint as total from (
      select name, count, contacts from event_names where project_id = ${projectId} ${named}
      union all
      select name, change, 0 from event_day_changes where project_id = ${projectId} ${named}
      union all
      select noted.name, 0, (coalesce(k.count, 0) + noted.change > 0)::int - (coalesce(k.count, 0) > 0)::int
      from noted left join event_contacts k
        on k.project_id = ${projectId} and k.name = noted.name and k.contact_id = noted.contact_id
    ) as parts
    group by name having sum(count) > 0
    order by count desc, name limit ${NAMES_MAX}`.execute(db)
  return rows
}

const daysOf = (projectId: string, { first, last }: DayRange) =>
  sql`project_id = ${projectId} and day between ${first}::date and ${last}::date`

/** The most frequent names of a range of days. */
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

/** The number of events of a range of days, of these names or of all. */
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

/** Emails by status per day, including days without emails. */
export async function readEmailDays(
  db: Database,
  projectId: string,
  days: DayRange,
): Promise<Array<EmailCounts & { day: string }>> {
  const { rows } = await sql<EmailCounts & { day: string }>`/* read-email-days */
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

/** The events of a name per day, including days without any. */
export async function readEventDays(
  db: Database,
  projectId: string,
  name: string,
  days: DayRange,
): Promise<Array<{ day: string; count: number }>> {
  const { rows } = await sql<{ day: string; count: number }>`/* read-event-days */
    with counted as (
      select day, sum(count)::bigint as count from (
        select day, count from event_days where ${daysOf(projectId, days)} and name = ${name}
        union all
        select day, change from event_day_changes where ${daysOf(projectId, days)} and name = ${name}
      ) as parts group by day
    )
    select to_char(series.day, 'YYYY-MM-DD') as day, coalesce(counted.count, 0)::bigint as count
    from generate_series(${days.first}::date::timestamp, ${days.last}::date::timestamp, interval '1 day') as series(day)
    left join counted on counted.day = series.day::date
    order by series.day`.execute(db)
  return rows
}

/**
 * A step that counts emails that were sent just now, for a statement that skips the triggers that count. `emails` has:
 * project_id, delivered.
 */
export const countSentEmailsStep = (emails: RawBuilder<unknown>, now: Date): RawBuilder<unknown> => sql`
      insert into email_day_changes (project_id, day, sent, delivered, opened, clicked, bounced, complained)
      select project_id, utc_day(${now}::timestamptz), count(*), count(*) filter (where delivered), 0, 0, 0, 0 from ${emails} group by project_id`

const eventDays = defineTally({
  name: 'events by day',
  kept: 'event_days',
  changes: 'event_day_changes',
  keys: ['project_id', 'day', 'name'],
  measures: { count: 'change' },
  of: 'events',
  facts: (rows) => sql`
    select project_id, utc_day(created_at) as day, name, count(*) as count from ${rows} group by 1, 2, 3`,
  keepsDropped: true,
  belongsTo: OF_A_PROJECT,
  deletesZeros: true,
  rollUp: {
    fold: sql`
      insert into event_names (project_id, name, count)
      select project_id, name, sum(count)::bigint from summed as counted where ${OF_A_PROJECT}
      group by project_id, name order by project_id, name
      on conflict (project_id, name) do update set count = event_names.count + excluded.count`,
    rebuild: sql`
      insert into event_names (project_id, name, count)
      select project_id, name, coalesce(days.count, 0)
      from (
        select project_id, name, sum(count)::bigint as count from (
          select project_id, name, count from event_days
          union all
          select project_id, key ->> 'name', -counts[1] from dropped_counts where kept = 'event_days'
        ) as parts
        group by 1, 2
      ) as days
      full join event_names kept using (project_id, name)
      where coalesce(days.count, 0) is distinct from kept.count
      order by project_id, name
      on conflict (project_id, name) do update set count = excluded.count`,
    // The list of events shows this count, so it contains only events that are stored.
    drop: (rows, sign) => sql`
      insert into event_names (project_id, name, count)
      select project_id, name, ${sql.lit(-sign)} * count(*) from ${rows} as counted where ${OF_A_PROJECT}
      group by project_id, name order by project_id, name
      on conflict (project_id, name) do update set count = event_names.count + excluded.count`,
  },
})

/**
 * Not deleted with its project: deleting the events reduces these counts to zero. Dropped events are subtracted, because
 * a record of what a contact once did would outlive the retention period.
 */
const eventContacts = defineTally({
  name: 'events by contact',
  kept: 'event_contacts',
  changes: 'event_contact_changes',
  keys: ['project_id', 'name', 'contact_id'],
  measures: { count: 'change' },
  of: 'events',
  facts: (rows) => sql`
    select project_id, name, contact_id, count(*) as count from ${rows} where contact_id is not null group by 1, 2, 3`,
  deletesZeros: true,
  rollUp: {
    fold: sql`
      insert into event_names (project_id, name, contacts)
      select project_id, name, contacts from (
        select project_id, name, sum((w.count > 0)::int - (w.count - s.count > 0)::int)::bigint as contacts
        from written w join summed s using (project_id, name, contact_id)
        group by project_id, name
      ) as counted
      where contacts <> 0 and ${OF_A_PROJECT} order by project_id, name
      on conflict (project_id, name) do update set contacts = event_names.contacts + excluded.contacts`,
    rebuild: sql`
      insert into event_names (project_id, name, contacts)
      select project_id, name, coalesce(people.contacts, 0)
      from (
        select project_id, name, count(*) as contacts from event_contacts as counted
        where count > 0 and ${OF_A_PROJECT} group by 1, 2
      ) as people
      full join event_names kept using (project_id, name)
      where coalesce(people.contacts, 0) is distinct from kept.contacts
      order by project_id, name
      on conflict (project_id, name) do update set contacts = excluded.contacts`,
  },
})

const emailDays = defineTally({
  name: 'emails by day',
  kept: 'email_days',
  changes: 'email_day_changes',
  keys: ['project_id', 'day'],
  measures: Object.fromEntries(EMAIL_COUNTS.map((fact) => [fact, fact])),
  of: 'emails',
  facts: (rows) => sql`
    select project_id, utc_day(at) as day, ${sql.join(
      EMAIL_COUNTS.map((fact) => sql`(fact = ${sql.lit(fact)})::int as ${sql.ref(fact)}`),
    )}
    from ${rows} cross join lateral email_facts(sent_at, delivered_at, opened_at, clicked_at, bounced_at, complained_at)
    where at is not null and not is_test(source_type, campaign_id) and test is not true`,
  keepsDropped: true,
  belongsTo: OF_A_PROJECT,
})

export const journalTallies = [eventDays, eventContacts, emailDays]
