/**
 * Stored counts. Triggers record differences in an append-only table, in the transaction of the data they count, so no
 * writer waits for a counter's row; folding adds them to the counts. Counts plus pending differences are always exact.
 * Each feature declares its tallies beside its SQL, and `app.ts` lists them.
 */
import type { RawBuilder } from 'kysely'
import type { Database, Tx } from './connection/connect.ts'
import { sql } from './connection/sql.ts'
import { transaction } from './connection/transaction.ts'
import type { Tables } from './tables.ts'

export interface Tally {
  name: string
  /** The table of the counts; its primary key is `keys`. */
  kept: keyof Tables
  /** The table of the differences. */
  changes: keyof Tables
  keys: readonly ['project_id', ...string[]]
  /** Columns of the counts, each with the column of the differences that is added to it. */
  measures: Readonly<Record<string, string>>
  /** The table whose rows are counted. */
  of: keyof Tables
  /** Selects keys and measures from that table or a part of it. Rows with the same keys are added up. */
  facts: (rows: RawBuilder<unknown>) => RawBuilder<unknown>
  /** Measures that are not reduced when data is deleted: rebuilding can only increase them. */
  keepsDeleted?: readonly string[]
  /** Rows that are dropped because of their age stay counted. Without this they are subtracted, like deleted ones. */
  keepsDropped?: true
  /** A condition on `counted`: whether its project or campaign still exists. Other counts are deleted. */
  belongsTo?: RawBuilder<unknown>
  /** Deletes counts that are zero. The table needs an index on them. */
  deletesZeros?: true
  /** A condition on the differences: folding returns the projects that have such a difference. */
  reports?: RawBuilder<unknown>
  /** A second table with sums of the counts. */
  rollUp?: {
    /** Adds what was folded: a statement that reads the steps `summed` (differences) and `written` (new counts). */
    fold: RawBuilder<unknown>
    /** Corrects the second table from the counts. */
    rebuild: RawBuilder<unknown>
    /** Subtracts rows that are dropped (`sign` 1), or adds rows that are restored (-1). */
    drop?: (rows: RawBuilder<unknown>, sign: 1 | -1) => RawBuilder<unknown>
  }
}

/** `server/test/database/table-owners.test.ts` finds the tables of a tally by this call. */
export const defineTally = (tally: Tally): Tally => tally

const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
const zeros = ({ measures }: Tally) => sql.join(Object.keys(measures).map(() => sql`0`))
const eachMeasure = (
  { measures }: Tally,
  make: (kept: RawBuilder<unknown>, change: RawBuilder<unknown>, name: string) => RawBuilder<unknown>,
) => sql.join(Object.entries(measures).map(([name, change]) => make(sql.ref(name), sql.ref(change), name)))

/** Serialized, because two rebuilds would both correct the same difference. */
const lockTally = (tx: Tx, { changes }: Tally) =>
  sql`select pg_advisory_xact_lock(hashtext(${`fold ${changes}`}))`.execute(tx)

/**
 * False if another process folds or rebuilds the tally. Nested loops are ruled out: the statistics of a table that is
 * emptied every minute can be based on a few rows, and then PostgreSQL would compare each of a million rows with all others.
 * Merge joins are too, because sorting the differences and the new counts takes longer than hashing them.
 */
const beginFold = async (tx: Tx, { changes }: Tally): Promise<boolean> => {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(${`fold ${changes}`})) as locked, set_config('enable_nestloop', 'off', true), set_config('enable_mergejoin', 'off', true)`.execute(
    tx,
  )
  return rows[0]!.locked
}

/**
 * Readers see the same sums before, during and after. Returns the projects that the tally reports. If another process is
 * folding, this one doesn't wait: after an import, folding can take longer than the minute until the next job.
 */
const foldTally = (db: Database, tally: Tally): Promise<string[]> =>
  transaction(db, async (tx) => {
    if (!(await beginFold(tx, tally))) return []
    const { rows } = await foldStatement(tally).execute(tx)
    if (tally.deletesZeros) {
      const measures = columns(Object.keys(tally.measures))
      await sql`delete from ${sql.table(tally.kept)} where (${measures}) = (${zeros(tally)})`.execute(tx)
    }
    return rows.map((row) => row.project_id)
  })

function foldStatement(tally: Tally) {
  const keys = columns(tally.keys)
  const measures = columns(Object.keys(tally.measures))
  const kept = sql.table(tally.kept)
  return sql<{ project_id: string }>`
    with taken as (
      delete from ${sql.table(tally.changes)} returning *
    ), summed as (
      select ${keys}, ${eachMeasure(tally, (measure, change) => sql`sum(${change})::bigint as ${measure}`)} from taken
      group by ${keys} having (${eachMeasure(tally, (_, change) => sql`sum(${change})`)}) <> (${zeros(tally)})
    ), written as (
      insert into ${kept} (${keys}, ${measures})
      select ${keys}, ${measures} from summed as counted where ${tally.belongsTo ?? sql`true`} order by ${keys}
      on conflict (${keys}) do update
      set ${eachMeasure(tally, (measure) => sql`${measure} = ${kept}.${measure} + excluded.${measure}`)}
      returning ${keys}, ${measures}
    )${tally.rollUp ? sql`, rolled_up as (${tally.rollUp.fold})` : sql``}
    select distinct project_id from taken where ${tally.reports ?? sql`false`}`
}

/**
 * Compares counts and recorded differences with the data, and records what is missing as further differences, which the
 * next fold adds. One statement sees the data and its differences together, so this is exact during concurrent writes.
 * Returns how many counts were wrong.
 */
const rebuildTally = (db: Database, tally: Tally, findDetached: FindDetached): Promise<number> =>
  transaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock_shared(hashtext(${RETIRING}))`.execute(tx)
    await lockTally(tx, tally)
    const corrected = await rebuildStatement(tally, await findDetached(tx, tally.of)).execute(tx)
    const rolledUp = await tally.rollUp?.rebuild.execute(tx)
    return Number(corrected.numAffectedRows ?? 0) + Number(rolledUp?.numAffectedRows ?? 0)
  })

function rebuildStatement(tally: Tally, uncounted: RawBuilder<unknown>[]) {
  const keys = columns(tally.keys)
  const measures = columns(Object.keys(tally.measures))
  const facts = [sql.table(tally.of), ...uncounted].map(
    (rows) => sql`select ${keys}, ${measures} from (${tally.facts(rows)}) as fact`,
  )
  const missing = (measure: RawBuilder<unknown>, name: string) =>
    tally.keepsDeleted?.includes(name) ? sql`greatest(sum(${measure}), 0)` : sql`sum(${measure})`
  return sql`
    insert into ${sql.table(tally.changes)} (${keys}, ${columns(Object.values(tally.measures))})
    select ${keys}, ${measures} from (
      select ${keys}, ${eachMeasure(tally, (measure, _, name) => sql`${missing(measure, name)} as ${measure}`)} from (
        ${sql.join(facts, sql` union all `)}
        union all
        ${droppedFacts(tally)}
        union all
        select ${keys}, ${eachMeasure(tally, (measure) => sql`-${measure}`)} from ${sql.table(tally.kept)}
        union all
        select ${keys}, ${eachMeasure(tally, (_, change) => sql`-${change}`)} from ${sql.table(tally.changes)}
      ) as parts
      group by ${keys}
    ) as counted
    where (${measures}) <> (${zeros(tally)}) and ${tally.belongsTo ?? sql`true`}`
}

/** Serializes taking old rows out of the database with rebuilding, which has to find each row in exactly one place. */
export const RETIRING = 'retire rows'
export const RETIRED_SCHEMA = 'posthorn_retired'

/** Finds the tables with old rows of this one that `countDropped` has not been called for. */
export type FindDetached = (tx: Tx, of: keyof Tables) => Promise<RawBuilder<unknown>[]>

/** What the counts contain about rows that are no longer stored. */
function droppedFacts({ kept, keys, measures }: Tally) {
  const others = keys.slice(1).map((key) => sql`fact.${sql.ref(key)}`)
  // Rows that were dropped before a measure was added don't have it.
  const counts = Object.keys(measures).map((_, i) => sql`coalesce(counts[${sql.lit(i + 1)}], 0)`)
  return sql`
    select dropped_counts.project_id, ${sql.join([...others, ...counts])}
    from dropped_counts, jsonb_populate_record(null::${sql.table(kept)}, key) as fact where kept = ${kept}`
}

/**
 * Records that rows are removed from the database (`sign` 1) or restored (-1). `rows` is a table with only these rows. The
 * caller holds the lock RETIRING, so no rebuild runs. Folding continues: only the last statements lock rows that it changes.
 */
export async function countDropped(
  tx: Tx,
  tallies: readonly Tally[],
  of: keyof Tables,
  rows: RawBuilder<unknown>,
  sign: 1 | -1,
): Promise<void> {
  const concerned = tallies.filter((each) => each.of === of)
  for (const tally of concerned) {
    await (tally.keepsDropped ? keepStatement : subtractStatement)(tally, rows, sign).execute(tx)
    if (tally.keepsDropped) await deleteOrphans(tally).execute(tx)
  }
  for (const tally of concerned) await tally.rollUp?.drop?.(rows, sign).execute(tx)
}

/** Deletes the counts of what was deleted since, such as campaigns. */
const deleteOrphans = ({ kept, keys, belongsTo = sql`true` }: Tally) => sql`
  delete from dropped_counts as old where kept = ${kept} and not exists (
    select from (
      select old.project_id, ${sql.join(keys.slice(1).map((key) => sql`fact.${sql.ref(key)}`))}
      from jsonb_populate_record(null::${sql.table(kept)}, old.key) as fact
    ) as counted where ${belongsTo})`

function keepStatement(tally: Tally, rows: RawBuilder<unknown>, sign: 1 | -1) {
  const keys = columns(tally.keys)
  const key = sql.join(tally.keys.slice(1).flatMap((name) => [sql.lit(name), sql.ref(name)]))
  return sql`
    insert into dropped_counts (project_id, kept, key, counts)
    select project_id, ${tally.kept}, jsonb_build_object(${key}),
      array[${eachMeasure(tally, (measure) => sql`${sql.lit(sign)} * sum(${measure})::bigint`)}]
    from (${tally.facts(rows)}) as counted where ${tally.belongsTo ?? sql`true`} group by ${keys} order by ${keys}
    on conflict (project_id, kept, key) do update set counts = array(
      select coalesce(a, 0) + coalesce(b, 0) from unnest(dropped_counts.counts, excluded.counts) with ordinality as sums(a, b, i) order by i)`
}

function subtractStatement(tally: Tally, rows: RawBuilder<unknown>, sign: 1 | -1) {
  const keys = columns(tally.keys)
  return sql`
    insert into ${sql.table(tally.changes)} (${keys}, ${columns(Object.values(tally.measures))})
    select ${keys}, ${eachMeasure(tally, (measure) => sql`${sql.lit(-sign)} * sum(${measure})::bigint`)}
    from (${tally.facts(rows)}) as counted where ${tally.belongsTo ?? sql`true`} group by ${keys}`
}

/** For rows that are no longer stored, but are deleted by name. A trigger subtracts them from the counts. */
export async function deleteDropped(
  db: Database,
  projectId: string,
  kept: keyof Tables,
  [key, value]: [key: string, value: string],
): Promise<void> {
  await sql`
    delete from dropped_counts
    where project_id = ${projectId} and kept = ${kept} and key ->> ${key}::text = ${value}`.execute(db)
}

/** Folds each tally, then calls `then` for the projects that it reports. A failure doesn't affect other tallies. */
export async function foldTallies(
  db: Database,
  tallies: readonly Tally[],
  then: ReadonlyMap<Tally, (projectIds: string[]) => Promise<void>> = new Map(),
): Promise<void> {
  const failures: unknown[] = []
  for (const tally of tallies) {
    try {
      const projectIds = await foldTally(db, tally)
      await then.get(tally)?.(projectIds)
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw failures[0]
}

/** Returns how many counts of each tally were wrong. */
export async function rebuildTallies(
  db: Database,
  tallies: readonly Tally[],
  findDetached: FindDetached,
): Promise<Record<string, number>> {
  const wrong: Record<string, number> = {}
  for (const tally of tallies) wrong[tally.name] = await rebuildTally(db, tally, findDetached)
  return wrong
}
