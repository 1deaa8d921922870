/**
 * Removes old rows from a partitioned table. They are first moved to a table in another schema, which is fast: a month by
 * detaching it, others in batches. There they don't change, so they can be counted, archived and dropped without locks.
 * `retired_tables` records what remains to be done after a crash.
 */
import type { RawBuilder } from 'kysely'
import { firstIdAt } from '../../../kernel/ids.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { lockingTransaction, transaction } from '../../../platform/database/connection/transaction.ts'
import {
  countDropped,
  type FindDetached,
  RETIRED_SCHEMA,
  RETIRING,
  type Tally,
} from '../../../platform/database/tallies.ts'
import { preventRequeuing } from '../../mail/emails/queries.ts'
import type { PartitionedTable } from './partition-queries.ts'

export interface RetiredTable {
  name: string
  parent: PartitionedTable
  counted: boolean
  /** The archive that it goes to before it is dropped, if there is to be one. */
  archive: string | null
}

/** Selects the keys (project_id, id) of the rows of a table that stay, however old they are. */
export type KeptRows = (table: RawBuilder<unknown>) => RawBuilder<unknown>

interface Retirement {
  now: Date
  /** The rows are not dropped before they are archived, whichever process does it. */
  toArchive: boolean
  keep: KeptRows | undefined
}

const MOVED_AT_ONCE = 5_000
const MOVED_BYTES_AT_ONCE = 50_000_000

export const placeOf = (name: string) => sql.table(`${RETIRED_SCHEMA}.${name}`)
const defaultOf = (parent: PartitionedTable) => sql.table(`${parent}_default`)
const stampOf = (at: Date) => at.toISOString().replace(/\D/g, '').slice(0, 14)

/** Without a time limit: the lock can be held for minutes, and statements on the tables don't wait for it. */
export async function lockRetiring(tx: Tx): Promise<void> {
  const { rows } = await sql<{ lock_timeout: string }>`show lock_timeout`.execute(tx)
  await sql`set local lock_timeout = 0`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtext(${RETIRING}))`.execute(tx)
  await sql`set local lock_timeout = ${sql.lit(rows[0]!.lock_timeout)}`.execute(tx)
}

/** Runs `work` unless another process does. The lock is released if this process exits. */
export const withRetentionLock = (db: Database, name: string, work: () => Promise<void>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(hashtext(${`retention of ${name}`})) as locked`.execute(tx)
    if (rows[0]!.locked) await work()
  })

/** A condition: the id in this column is in a month of this table that was restored and is still kept. */
export const isRestored = (parent: PartitionedTable, column: string, now: Date): RawBuilder<boolean> => sql`exists (
  select from restored_months r where r.parent = ${parent} and r.keep_until > ${now}
    and ${sql.ref(column)} >= r.first_id and ${sql.ref(column)} < r.end_id)`

/** All months that have a partition, oldest first. */
export async function listMonths(db: Database, parent: PartitionedTable): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(${parent}) and c.relname ~ '_[0-9]{4}_[0-9]{2}$' order by 1`.execute(db)
  return rows.map(({ name }) => name)
}

/** The partitions whose month ended before a given time, oldest first, except restored ones. */
export async function listOldMonths(
  db: Database,
  parent: PartitionedTable,
  before: Date,
  now: Date,
): Promise<string[]> {
  const { rows: restored } = await sql<{ month: string }>`
    select to_char(month, 'YYYY_MM') as month from restored_months where parent = ${parent} and keep_until > ${now}`.execute(
    db,
  )
  return (await listMonths(db, parent)).filter((name) => {
    const [year, month] = name.slice(-7).split('_').map(Number)
    return Date.UTC(year!, month!) <= before.getTime() && !restored.some((each) => each.month === name.slice(-7))
  })
}

/** Without an archive or counts. Returns false if too much data stays; then nothing is changed. */
export const dropMonth = (db: Database, parent: PartitionedTable, month: string, keep: KeptRows): Promise<boolean> =>
  lockingTransaction(db, async (tx) => {
    if (!(await detachMonth(tx, parent, month, keep))) return false
    await sql`drop table ${sql.table(month)}`.execute(tx)
    return true
  })

/** Returns false if too much data stays; then nothing is changed. */
export async function retireMonth(
  db: Database,
  parent: PartitionedTable,
  month: string,
  retirement: Retirement,
): Promise<boolean> {
  const name = `${month}_${stampOf(retirement.now)}`
  return lockingTransaction(db, async (tx) => {
    await lockRetiring(tx)
    if (!(await detachMonth(tx, parent, month, retirement.keep))) return false
    await sql`alter table ${sql.table(month)} rename to ${sql.ref(name)}`.execute(tx)
    await sql`alter table ${sql.table(name)} set schema ${sql.ref(RETIRED_SCHEMA)}`.execute(tx)
    await recordRetired(tx, name, parent, retirement)
    return true
  })
}

interface Key {
  project_id: string
  id: string
}

/** Undefined if there are too many: other statements on the table wait while rows are moved. */
async function readKept(
  tx: Tx,
  parent: PartitionedTable,
  month: string,
  keep: KeptRows | undefined,
): Promise<Key[] | undefined> {
  if (!keep) return []
  await preventRequeuing(tx)
  // By column, because the size of a whole row is known only after its large values are read.
  const sizes = (await listColumns(tx, parent)).map(
    ({ name }) => sql`coalesce(pg_column_size(${sql.ref(`old.${name}`)}), 0)`,
  )
  const { rows } = await sql<Key & { size: number }>`
    select project_id, id, ${sql.join(sizes, sql` + `)} as size
    from ${sql.table(month)} as old join (${keep(sql.table(month))}) as kept using (project_id, id)
    limit ${MOVED_AT_ONCE + 1}`.execute(tx)
  const bytes = rows.reduce((sum, { size }) => sum + size, 0)
  return rows.length <= MOVED_AT_ONCE && bytes <= MOVED_BYTES_AT_ONCE ? rows : undefined
}

/**
 * Rows that stay are moved to the default partition, directly, because triggers of the table would count them again.
 * Which ones is read before the table is locked: that can take long if many emails are unsent.
 */
async function detachMonth(
  tx: Tx,
  parent: PartitionedTable,
  month: string,
  keep: KeptRows | undefined,
): Promise<boolean> {
  const kept = await readKept(tx, parent, month, keep)
  if (!kept) return false
  await sql`alter table ${sql.table(parent)} detach partition ${sql.table(month)}`.execute(tx)
  if (kept.length === 0) return true
  await sql`
    with moved as (
      delete from ${sql.table(month)} as old
      using unnest(${kept.map((key) => key.project_id)}::uuid[], ${kept.map((key) => key.id)}::uuid[]) as kept(project_id, id)
      where old.project_id = kept.project_id and old.id = kept.id returning old.*
    )
    insert into ${defaultOf(parent)} select * from moved`.execute(tx)
  return true
}

/** Moves old rows outside all monthly partitions, in batches. */
export async function retireRest(
  db: Database,
  parent: PartitionedTable,
  before: Date,
  retirement: Retirement,
): Promise<void> {
  const from = parent === 'email_notes' ? sql.table(parent) : defaultOf(parent)
  const batch = parent === 'email_notes' ? oldNotes(before, retirement) : oldRest(parent, before, retirement)
  const name = `${parent}_rest_${stampOf(retirement.now)}`
  const { rows } = await sql`select from (${batch}) as batch limit 1`.execute(db)
  if (rows.length === 0) return
  const moveBatch = () =>
    transaction(db, async (tx) => {
      await lockRetiring(tx)
      if (retirement.keep) await preventRequeuing(tx)
      await sql`create table if not exists ${placeOf(name)} (like ${sql.table(parent)} including defaults including indexes)`.execute(
        tx,
      )
      await recordRetired(tx, name, parent, retirement)
      const { numAffectedRows } = await sql`
        with batch as materialized (${batch}),
        moved as (
          delete from ${from} as old using batch
          where old.project_id = batch.project_id and old.id = batch.id returning old.*
        )
        insert into ${placeOf(name)} select * from moved`.execute(tx)
      return Number(numAffectedRows)
    })
  while ((await moveBatch()) === MOVED_AT_ONCE);
}

const oldRest = (parent: PartitionedTable, before: Date, { now, keep }: Retirement) => sql`
  select project_id, id from ${defaultOf(parent)} as old
  where id < ${firstIdAt(before)}::uuid and not ${isRestored(parent, 'id', now)}
    ${keep ? sql`and not exists (select from (${keep(defaultOf(parent))}) as kept where kept.project_id = old.project_id and kept.id = old.id)` : sql``}
  limit ${MOVED_AT_ONCE}`

/**
 * A note is removed with its email, which can be a month older than the note. By project, because the index on
 * emails begins with it.
 */
const oldNotes = (before: Date, { now }: Retirement) => sql`
  select n.project_id, n.id from projects cross join lateral (
    select project_id, id from email_notes
    where project_id = projects.id and email_id < ${firstIdAt(before)}::uuid and not ${isRestored('emails', 'email_id', now)}
    limit ${MOVED_AT_ONCE}
  ) as n
  limit ${MOVED_AT_ONCE}`

async function recordRetired(
  tx: Tx,
  name: string,
  parent: PartitionedTable,
  { now, toArchive }: Retirement,
): Promise<void> {
  await sql`
    insert into retired_tables (name, parent, retired_at, archive)
    values (${name}, ${parent}, ${now}, ${toArchive ? name : null})
    on conflict (name) do nothing`.execute(tx)
}

/** Tables that were not dropped yet, oldest first. */
export async function listRetired(db: Database, parents: PartitionedTable[], now: Date): Promise<RetiredTable[]> {
  // In a database that was restored from a backup, these tables don't exist.
  await sql`
    update retired_tables set dropped_at = ${now}, counted = true
    where dropped_at is null and to_regclass(${RETIRED_SCHEMA} || '.' || name) is null`.execute(db)
  const { rows } = await sql<RetiredTable>`
    select name, parent, counted, archive from retired_tables
    where dropped_at is null and parent = any(${parents}::text[]) order by retired_at, name`.execute(db)
  return rows
}

/** The numbers that /metrics reports. */
export async function readRetention(db: Database): Promise<{ pending: number; lastRunAt: number }> {
  const { rows } = await sql<{ pending: number; lastRunAt: number }>`
    select count(*) filter (where dropped_at is null)::int as pending,
      coalesce(extract(epoch from max(dropped_at)), 0)::float8 as "lastRunAt"
    from retired_tables`.execute(db)
  return rows[0]!
}

export interface PendingTable {
  name: string
  since: Date
  error: string | null
}

/** Detached tables that haven't been dropped yet, oldest first. */
export async function listPending(db: Database): Promise<PendingTable[]> {
  const { rows } = await sql<PendingTable>`
    select name, retired_at as since, error from retired_tables where dropped_at is null order by retired_at, name`.execute(
    db,
  )
  return rows
}

export interface LastArchive {
  name: string
  rows: number
  at: Date
}

export async function findLastArchive(db: Database): Promise<LastArchive | undefined> {
  const { rows } = await sql<LastArchive>`
    select archive as name, rows, dropped_at as at from retired_tables
    where dropped_at is not null and archive is not null and rows is not null order by dropped_at desc, name limit 1`.execute(
    db,
  )
  return rows[0]
}

export async function recordError(db: Database, name: string, error: string): Promise<void> {
  await sql`update retired_tables set error = ${error} where name = ${name}`.execute(db)
}

/** The tables that `countRetired` has not counted. A backup doesn't contain the tables themselves. */
export const findUncounted: FindDetached = async (tx, of) => {
  const { rows } = await sql<{ name: string }>`
    select name from retired_tables
    where parent = ${of} and not counted and to_regclass(${RETIRED_SCHEMA} || '.' || name) is not null`.execute(tx)
  return rows.map(({ name }) => placeOf(name))
}

export async function countRetired(
  db: Database,
  tallies: readonly Tally[],
  { name, parent }: RetiredTable,
): Promise<void> {
  await transaction(db, async (tx) => {
    await lockRetiring(tx)
    const { numAffectedRows } = await sql`
      update retired_tables set counted = true where name = ${name} and not counted`.execute(tx)
    if (Number(numAffectedRows) === 1) await countDropped(tx, tallies, parent, placeOf(name), 1)
  })
}

/** A condition: the project of `old` was deleted, or reset after the row was written. */
export const isOfRemovedProject = (old: string): RawBuilder<boolean> => sql`not exists (
  select from projects p where p.id = ${sql.ref(`${old}.project_id`)}
    and (p.reset_before_id is null or ${sql.ref(`${old}.id`)} >= p.reset_before_id))`

/** `archived` is null without an archive. Returns false if a project was removed since the archive was written. */
export async function dropRetired(
  db: Database,
  { name }: RetiredTable,
  archived: number | null,
  now: Date,
): Promise<boolean> {
  return transaction(db, async (tx) => {
    await sql`lock table ${placeOf(name)} in access exclusive mode`.execute(tx)
    if (archived) {
      const { rows } = await sql`
        select from ${placeOf(name)} as old where ${isOfRemovedProject('old')} limit 1`.execute(tx)
      if (rows.length > 0) return false
    }
    await sql`drop table ${placeOf(name)}`.execute(tx)
    await sql`
      update retired_tables set dropped_at = ${now}, archive = ${archived ? name : null}, rows = ${archived}, error = null
      where name = ${name}`.execute(tx)
    return true
  })
}

export type TextRow = Array<string | null>

const LARGEST_BATCH = 2_000
const BATCH_CHARACTERS = 4_000_000

export interface Column {
  name: string
  type: string
}

export async function listColumns(db: Database, parent: PartitionedTable): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
    where attrelid = to_regclass(${parent}) and attnum > 0 and not attisdropped order by attnum`.execute(db)
  return rows
}

/**
 * All rows in the order of their keys, as PostgreSQL writes their values. A batch ends with the row that exceeds a few
 * megabytes. The next batch looks at twice as many rows at most, because measuring large rows takes as long as reading them.
 */
export async function* readRetired(db: Database, name: string, columns: string[]): AsyncGenerator<TextRow[]> {
  const texts = sql.join(columns.map((column) => sql`${sql.ref(column)}::text`))
  const [projectAt, idAt] = [columns.indexOf('project_id'), columns.indexOf('id')]
  let after = sql`true`
  for (let most = LARGEST_BATCH; ; ) {
    const rows = await transaction(db, async (tx) => {
      await setTextFormat(tx)
      const found = await sql<{ row: TextRow }>`
        with sized as materialized (
          select project_id, id, octet_length(t::text) as size from ${placeOf(name)} as t
          where ${after} order by project_id, id limit ${most}
        ), summed as (
          select project_id, id, sum(size) over (order by project_id, id) - size as before from sized
        )
        select array[${texts}] as row from summed join ${placeOf(name)} as t using (project_id, id)
        where before < ${BATCH_CHARACTERS} order by project_id, id`.execute(tx)
      return found.rows.map(({ row }) => row)
    })
    if (rows.length === 0) return
    yield rows
    const last = rows.at(-1)!
    after = sql`(project_id, id) > (${last[projectAt]}::uuid, ${last[idAt]}::uuid)`
    most = Math.min(LARGEST_BATCH, 2 * rows.length)
  }
}

/** What the text of values depends on. */
export const setTextFormat = (tx: Tx) =>
  sql`select set_config(name, value, true) from (values ('TimeZone', 'UTC'), ('DateStyle', 'ISO'),
    ('IntervalStyle', 'postgres'), ('extra_float_digits', '3'), ('bytea_output', 'hex')) as settings(name, value)`.execute(
    tx,
  )
