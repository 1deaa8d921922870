/**
 * Tables that grow over time are partitioned by month. Their ids are UUIDv7, so a range of ids is a range of time and
 * the primary key stays (project_id, id). A default partition has rows outside of every month, so no insert fails.
 */

import { firstIdAt } from '../../../kernel/ids.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { lockingTransaction } from '../../../platform/database/connection/transaction.ts'

export const PARTITIONED = ['events', 'emails', 'email_contents', 'email_notes'] as const
export type PartitionedTable = (typeof PARTITIONED)[number]
/** One, because every statement plans and locks each of them, although there is nothing in it yet. */
const MONTHS_AHEAD = 1

/** Creates missing partitions of this month and the next. */
export async function makePartitions(db: Database, now: Date): Promise<void> {
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead))
    const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + ahead + 1))
    for (const table of PARTITIONED) await makePartition(db, table, from, to)
  }
}

export async function makePartition(db: Database, table: string, from: Date, to: Date): Promise<void> {
  const name = `${table}_${from.toISOString().slice(0, 7).replace('-', '_')}`
  const exists = await sql<{ found: string | null }>`select to_regclass(${name}) as found`.execute(db)
  if (exists.rows[0]?.found) return

  const [parent, rest, partition] = [sql.table(table), sql.table(`${table}_default`), sql.table(name)]
  const [first, end] = [firstIdAt(from), firstIdAt(to)]
  await lockingTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('make-partitions'))`.execute(tx)
    await sql`create table if not exists ${partition} (like ${parent} including defaults including constraints including storage)`.execute(
      tx,
    )
    if (await isAttached(tx as Database, name)) return
    // Rows that were inserted while the month had no partition are moved first.
    await sql`lock table ${rest} in access exclusive mode`.execute(tx)
    await sql`with moved as (delete from ${rest} where id >= ${first} and id < ${end} returning *) insert into ${partition} select * from moved`.execute(
      tx,
    )
    await sql`alter table ${parent} attach partition ${partition} for values from (${sql.lit(first)}) to (${sql.lit(end)})`.execute(
      tx,
    )
  })
}

async function isAttached(db: Database, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_inherits where inhrelid = to_regclass(${name})`.execute(db)
  return rows.length > 0
}
