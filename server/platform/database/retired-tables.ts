/**
 * Takes old rows out of a partitioned table and puts them back. Old rows are first moved to a table in another schema, in
 * moments: a month by detaching it, others in batches. There they don't change, so they can be counted, archived and
 * dropped without locks. `retired_tables` records what remains to be done after a crash.
 */
import { type RawBuilder, sql } from 'kysely'
import { firstIdAt } from '../../kernel/ids.ts'
import type { Database, Tx } from './connect.ts'
import { makePartition } from './partitions.ts'
import { countDropped, RETIRED_SCHEMA, RETIRING, type Tally } from './tallies.ts'
import { transaction } from './transaction.ts'

export type PartitionedTable = 'events' | 'emails' | 'email_contents' | 'email_notes'

export interface RetiredTable {
  name: string
  parent: PartitionedTable
  counted: boolean
  /** The archive that it goes to before it is dropped, if there is to be one. */
  archive: string | null
}

interface Retirement {
  now: Date
  toArchive: boolean
}

/** Statements on the partitioned table wait for at most this long. */
const LOCK_TIMEOUT = '3s'
const MOVED_AT_ONCE = 5_000

const placeOf = (name: string) => sql.table(`${RETIRED_SCHEMA}.${name}`)
const stampOf = (at: Date) => at.toISOString().replace(/\D/g, '').slice(0, 14)
const lockRetiring = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtext(${RETIRING}))`.execute(tx)

/** Runs `work` unless another process does. The lock is released if this process exits. */
export const withRetentionLock = (db: Database, name: string, work: () => Promise<void>): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(hashtext(${`retention of ${name}`})) as locked`.execute(tx)
    if (rows[0]!.locked) await work()
  })

/** A condition: the id in this column is in a month of these tables that was restored and is still kept. */
export const isRestored = (parents: PartitionedTable[], column: string, now: Date): RawBuilder<boolean> => sql`exists (
  select from restored_months r where r.parent = any(${parents}::text[]) and r.keep_until > ${now}
    and ${sql.ref(column)} >= r.first_id and ${sql.ref(column)} < r.end_id)`

/** The partitions whose month ended before a given time, oldest first, except restored ones. */
export async function listOldMonths(
  db: Database,
  parent: PartitionedTable,
  before: Date,
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(${parent}) and c.relname ~ '_[0-9]{4}_[0-9]{2}$' and not exists (
      select from restored_months r where r.parent = ${parent} and r.keep_until > ${now}
        and to_char(r.month, 'YYYY_MM') = right(c.relname, 7))
    order by 1`.execute(db)
  return rows
    .map(({ name }) => name)
    .filter((name) => {
      const [year, month] = name.slice(-7).split('_').map(Number)
      return Date.UTC(year!, month!) <= before.getTime()
    })
}

/** Without an archive or counts. */
export async function dropMonth(db: Database, month: string): Promise<void> {
  await sql`drop table ${sql.table(month)}`.execute(db)
}

/** `toArchive`: the rows are not dropped before they are archived, whichever process does it. */
export async function retireMonth(
  db: Database,
  parent: PartitionedTable,
  month: string,
  { now, toArchive }: Retirement,
): Promise<void> {
  const name = `${month}_${stampOf(now)}`
  await transaction(db, async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
    await lockRetiring(tx)
    await sql`alter table ${sql.table(parent)} detach partition ${sql.table(month)}`.execute(tx)
    await sql`alter table ${sql.table(month)} rename to ${sql.ref(name)}`.execute(tx)
    await sql`alter table ${sql.table(name)} set schema ${sql.ref(RETIRED_SCHEMA)}`.execute(tx)
    await recordRetired(tx, name, parent, { now, toArchive })
  })
}

/**
 * Old rows outside of every month, in batches. A note on an email goes with the email, which can be a month older than
 * the note.
 */
export async function retireRest(
  db: Database,
  parent: PartitionedTable,
  before: Date,
  { now, toArchive }: Retirement,
): Promise<void> {
  const [column, from] =
    parent === 'email_notes' ? ['email_id', sql.table(parent)] : ['id', sql.table(`${parent}_default`)]
  const isOld = sql`${sql.ref(column)} < ${firstIdAt(before)}::uuid
    and not ${isRestored([parent, 'emails'], column, now)}`
  const name = `${parent}_rest_${stampOf(now)}`
  for (;;) {
    const { rows } = await sql`select from ${from} where ${isOld} limit 1`.execute(db)
    if (rows.length === 0) return
    await transaction(db, async (tx) => {
      await lockRetiring(tx)
      await sql`create table if not exists ${placeOf(name)} (like ${sql.table(parent)} including defaults including indexes)`.execute(
        tx,
      )
      await recordRetired(tx, name, parent, { now, toArchive })
      await sql`
        with batch as materialized (select project_id, id from ${from} where ${isOld} limit ${MOVED_AT_ONCE}),
        moved as (
          delete from ${from} as old using batch
          where old.project_id = batch.project_id and old.id = batch.id returning old.*
        )
        insert into ${placeOf(name)} select * from moved`.execute(tx)
    })
  }
}

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

/** For /metrics. */
export async function readRetention(db: Database): Promise<{ pending: number; lastRunAt: number }> {
  const { rows } = await sql<{ pending: number; lastRunAt: number }>`
    select count(*) filter (where dropped_at is null)::int as pending,
      coalesce(extract(epoch from max(dropped_at)), 0)::float8 as "lastRunAt"
    from retired_tables`.execute(db)
  return rows[0]!
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

export async function dropRetired(
  db: Database,
  name: string,
  { archive, rows, now }: { archive: string | null; rows: number | null; now: Date },
): Promise<void> {
  await transaction(db, async (tx) => {
    await sql`drop table ${placeOf(name)}`.execute(tx)
    await sql`
      update retired_tables set dropped_at = ${now}, archive = ${archive}, rows = ${rows} where name = ${name}`.execute(
      tx,
    )
  })
}

export type TextRow = Array<string | null>

const SMALLEST_BATCH = 5
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

/** All rows in the order of their keys, as PostgreSQL writes their values, a few megabytes at a time. */
export async function* readRetired(db: Database, name: string, columns: string[]): AsyncGenerator<TextRow[]> {
  const texts = sql.join(columns.map((column) => sql`${sql.ref(column)}::text`))
  const [projectAt, idAt] = [columns.indexOf('project_id'), columns.indexOf('id')]
  let after = sql`true`
  for (let size = SMALLEST_BATCH; ; ) {
    const rows = await transaction(db, async (tx) => {
      await setTextFormat(tx)
      const found = await sql<{ row: TextRow }>`
        select array[${texts}] as row from ${placeOf(name)} where ${after} order by project_id, id limit ${size}`.execute(
        tx,
      )
      return found.rows.map(({ row }) => row)
    })
    if (rows.length === 0) return
    yield rows
    const last = rows.at(-1)!
    after = sql`(project_id, id) > (${last[projectAt]}::uuid, ${last[idAt]}::uuid)`
    const characters = rows.reduce((sum, row) => row.reduce((all, value) => all + (value?.length ?? 0), sum), 0)
    if (characters > 2 * BATCH_CHARACTERS) size = Math.max(SMALLEST_BATCH, Math.floor(size / 4))
    else if (characters < BATCH_CHARACTERS / 2) size = Math.min(LARGEST_BATCH, size * 2)
  }
}

/** What the text of values depends on. */
const setTextFormat = (tx: Tx) =>
  sql`select set_config(name, value, true) from (values ('TimeZone', 'UTC'), ('DateStyle', 'ISO'),
    ('IntervalStyle', 'postgres'), ('extra_float_digits', '3'), ('bytea_output', 'hex')) as settings(name, value)`.execute(
    tx,
  )

const stagingOf = (name: string) => `restored_${name}`

export async function createStaging(db: Database, name: string, parent: PartitionedTable): Promise<void> {
  await deleteStaging(db, name)
  await sql`create table ${placeOf(stagingOf(name))} (like ${sql.table(parent)} including defaults including indexes)`.execute(
    db,
  )
}

export const deleteStaging = async (db: Database, name: string): Promise<void> => {
  await sql`drop table if exists ${placeOf(stagingOf(name))}`.execute(db)
}

export async function fillStaging(db: Database, name: string, columns: Column[], rows: TextRow[]): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column.name)))
  const values = sql.join(columns.map(({ name, type }) => sql`v.${sql.ref(name)}::${sql.raw(type)}`))
  const lists = sql.join(columns.map((_, i) => sql`${rows.map((row) => row[i] ?? null)}::text[]`))
  await transaction(db, async (tx) => {
    await setTextFormat(tx)
    await sql`insert into ${placeOf(stagingOf(name))} (${names}) select ${values} from unnest(${lists}) as v(${names})`.execute(
      tx,
    )
  })
}

/** Rows of projects that were deleted stay out, and so do rows that are stored already. */
async function prepareStaging(tx: Tx, name: string, parent: PartitionedTable): Promise<void> {
  const staging = placeOf(stagingOf(name))
  await sql`delete from ${staging} s where not exists (select from projects where projects.id = s.project_id)`.execute(
    tx,
  )
  await sql`
    delete from ${staging} s using ${sql.table(parent)} p where p.project_id = s.project_id and p.id = s.id`.execute(tx)
  // Without its row in test_emails, a test email would not be erased with the contact whose data it shows.
  if (parent === 'emails') await sql`delete from ${staging} where is_test(source_type, campaign_id)`.execute(tx)
}

export interface Restored {
  rows: number
  /** As YYYY-MM. */
  months: string[]
  /** Contacts in these rows that were deleted since, by project. */
  deletedContacts: Array<{ projectId: string; contactIds: string[] }>
}

const CONTACTS_AT_ONCE = 500

/**
 * Moves the rows to their months, all or nothing. They are written to the partitions directly, because triggers of the
 * table would count them and start workflows.
 */
export async function putBack(
  db: Database,
  tallies: readonly Tally[],
  name: string,
  parent: PartitionedTable,
  keepUntil: Date,
  then: (tx: Tx, restored: Restored) => Promise<void>,
): Promise<Restored> {
  const staging = placeOf(stagingOf(name))
  const months = await monthsIn(db, staging)
  for (const { from, to } of months) await makePartition(db, parent, from, to)
  return transaction(db, async (tx) => {
    await lockRetiring(tx)
    await prepareStaging(tx, name, parent)
    await countDropped(tx, tallies, parent, staging, -1)
    const restored: Restored = {
      rows: 0,
      months: [],
      deletedContacts: await listDeletedContacts(tx, staging, parent),
    }
    for (const { from, to } of months) {
      const month = from.toISOString().slice(0, 7)
      const [first, end] = [firstIdAt(from), firstIdAt(to)]
      const { numAffectedRows } = await sql`
        insert into ${sql.table(`${parent}_${month.replace('-', '_')}`)}
        select * from ${staging} where id >= ${first} and id < ${end}`.execute(tx)
      await sql`
        insert into restored_months (parent, month, first_id, end_id, keep_until)
        values (${parent}, ${`${month}-01`}::date, ${first}, ${end}, ${keepUntil})
        on conflict (parent, month) do update set keep_until = excluded.keep_until`.execute(tx)
      restored.rows += Number(numAffectedRows)
      restored.months.push(month)
    }
    await then(tx, restored)
    await sql`drop table ${staging}`.execute(tx)
    return restored
  })
}

async function monthsIn(db: Database, staging: RawBuilder<unknown>): Promise<Array<{ from: Date; to: Date }>> {
  const { rows } = await sql<{ month: Date }>`
    select distinct date_trunc('month', to_timestamp(
      ('x' || left(replace(id::text, '-', ''), 12))::bit(48)::bigint / 1000.0), 'UTC') as month
    from ${staging} order by 1`.execute(db)
  return rows.map(({ month }) => ({
    from: month,
    to: new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1)),
  }))
}

async function listDeletedContacts(tx: Tx, staging: RawBuilder<unknown>, parent: PartitionedTable) {
  if (parent !== 'events' && parent !== 'emails') return []
  const { rows } = await sql<{ projectId: string; contactIds: string[] }>`
    select project_id as "projectId", array_agg(contact_id) as "contactIds" from (
      select project_id, contact_id, row_number() over (partition by project_id order by contact_id) as number
      from (select distinct project_id, contact_id from ${staging} where contact_id is not null) as s
      where not exists (select from contacts c where c.project_id = s.project_id and c.id = s.contact_id)
    ) as deleted
    group by project_id, number / ${CONTACTS_AT_ONCE}`.execute(tx)
  return rows
}
