/**
 * Compares the kept counts with what they are made from, and notes every difference so that they agree. Each comparison
 * is one statement, so it sees a fact and its note together: it is exact while others write.
 */
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/connect.ts'
import { foldTallies } from './tally-queries.ts'

export interface Differences {
  eventDays: number
  eventContacts: number
  emailDays: number
  eventNames: number
}

/** Makes the kept counts true. Returns how many were not. */
export async function rebuildTallies(tx: Tx): Promise<Differences> {
  await foldTallies(tx) // and nobody else folds until this ends
  const eventDays = await noteEventDays(tx)
  const eventContacts = await noteEventContacts(tx)
  const emailDays = await noteEmailDays(tx)
  await foldTallies(tx)
  return { eventDays, eventContacts, emailDays, eventNames: await setEventNames(tx) }
}

const count = async (statement: { execute(tx: Tx): Promise<{ numAffectedRows?: bigint }> }, tx: Tx) =>
  Number((await statement.execute(tx)).numAffectedRows ?? 0)

const noteEventDays = (tx: Tx) =>
  count(
    sql`
      insert into event_day_changes (project_id, day, name, change)
      select project_id, day, name, coalesce(true_count, 0) - coalesce(kept_count, 0)
      from (
        select project_id, utc_day(created_at) as day, name, count(*) as true_count from events
        where exists (select from projects where projects.id = events.project_id)
        group by 1, 2, 3
      ) as truth
      full join (
        select project_id, day, name, sum(count) as kept_count from (
          select project_id, day, name, count from event_days
          union all select project_id, day, name, change from event_day_changes
        ) as parts group by project_id, day, name
      ) as kept using (project_id, day, name)
      where coalesce(true_count, 0) <> coalesce(kept_count, 0)`,
    tx,
  )

const noteEventContacts = (tx: Tx) =>
  count(
    sql`
      insert into event_contact_changes (project_id, name, contact_id, change)
      select project_id, name, contact_id, coalesce(true_count, 0) - coalesce(kept_count, 0)
      from (
        select project_id, name, contact_id, count(*) as true_count from events where contact_id is not null group by 1, 2, 3
      ) as truth
      full join (
        select project_id, name, contact_id, sum(count) as kept_count from (
          select project_id, name, contact_id, count from event_contacts
          union all select project_id, name, contact_id, change from event_contact_changes
        ) as parts group by project_id, name, contact_id
      ) as kept using (project_id, name, contact_id)
      where coalesce(true_count, 0) <> coalesce(kept_count, 0)`,
    tx,
  )

const noteEmailDays = (tx: Tx) =>
  count(
    sql`
      insert into email_day_changes (project_id, day, sent, delivered, opened, clicked, bounced, complained)
      select * from (
        select project_id, day, sum(sent) as sent, sum(delivered) as delivered, sum(opened) as opened,
          sum(clicked) as clicked, sum(bounced) as bounced, sum(complained) as complained
        from (
          select project_id, utc_day(at) as day, (fact = 1)::int as sent, (fact = 2)::int as delivered,
            (fact = 3)::int as opened, (fact = 4)::int as clicked, (fact = 5)::int as bounced, (fact = 6)::int as complained
          from emails cross join lateral (values (1, sent_at), (2, delivered_at), (3, opened_at), (4, clicked_at),
            (5, bounced_at), (6, complained_at)) as happened(fact, at)
          where at is not null and not is_test(source_type, campaign_id)
            and exists (select from projects where projects.id = emails.project_id)
          union all
          select project_id, day, -sent, -delivered, -opened, -clicked, -bounced, -complained from email_days
          union all
          select project_id, day, -sent, -delivered, -opened, -clicked, -bounced, -complained from email_day_changes
        ) as parts group by project_id, day
      ) as difference
      where (sent, delivered, opened, clicked, bounced, complained) <> (0, 0, 0, 0, 0, 0)`,
    tx,
  )

/** The sums over days and contacts, of what is folded: nothing else changes it while the lock is held. */
const setEventNames = (tx: Tx) =>
  count(
    sql`
      insert into event_names (project_id, name, count, contacts)
      select project_id, name, coalesce(days.count, 0), coalesce(people.contacts, 0)
      from (select project_id, name, sum(count)::bigint as count from event_days group by 1, 2) as days
      full join (
        select project_id, name, count(*) as contacts from event_contacts
        where count > 0 and exists (select from projects where projects.id = event_contacts.project_id) group by 1, 2
      ) as people using (project_id, name)
      full join event_names kept using (project_id, name)
      where (coalesce(days.count, 0), coalesce(people.contacts, 0)) is distinct from (kept.count, kept.contacts)
      on conflict (project_id, name) do update set count = excluded.count, contacts = excluded.contacts`,
    tx,
  )
