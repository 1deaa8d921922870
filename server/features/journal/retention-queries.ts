/** Drops whole months of old events, and subtracts them from the stored counts. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'

/** The partitions whose month ended before a given time, oldest first. */
export async function listOldMonths(db: Database, before: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass('events') and c.relname ~ '^events_[0-9]{4}_[0-9]{2}$' order by 1`.execute(db)
  return rows
    .map((row) => row.name)
    .filter((name) => {
      const [year, month] = name.slice(-7).split('_').map(Number)
      return Date.UTC(year!, month!) <= before.getTime()
    })
}

/** Counts first, so that readers of other months wait only for the drop itself. */
export async function dropMonth(tx: Tx, name: string): Promise<void> {
  const month = sql.table(name)
  await sql`lock table ${month} in share row exclusive mode`.execute(tx)
  await sql`
    insert into event_day_changes (project_id, day, name, change)
    select project_id, utc_day(created_at), name, -count(*) from ${month} group by 1, 2, 3`.execute(tx)
  await sql`
    insert into event_contact_changes (project_id, name, contact_id, change)
    select project_id, name, contact_id, -count(*) from ${month} where contact_id is not null group by 1, 2, 3`.execute(
    tx,
  )
  await sql`drop table ${month}`.execute(tx)
}
