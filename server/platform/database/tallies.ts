/**
 * Stored counts. Triggers record differences in an append-only table, in the transaction of the data they count, so no
 * writer waits for a counter's row; folding adds them to the counts. Counts plus pending differences are always exact.
 * Each feature declares its tallies beside its SQL, and `app.ts` lists them.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Database, Tx } from './connect.ts'
import type { Tables } from './tables.ts'
import { transaction } from './transaction.ts'

export interface Tally {
  name: string
  /** The table of the counts; its primary key is `keys`. */
  kept: keyof Tables
  /** The table of the differences. */
  changes: keyof Tables
  keys: readonly ['project_id', ...string[]]
  /** Columns of the counts, each with the column of the differences that is added to it. */
  measures: Readonly<Record<string, string>>
  /** Selects keys and measures from the data. Rows with the same keys are added up. */
  facts: RawBuilder<unknown>
  /** Measures that are not reduced when data is deleted: rebuilding can only increase them. */
  keepsDeleted?: readonly string[]
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
  }
}

/** `server/test/database/table-owners.test.ts` finds the tables of a tally by this call. */
export const defineTally = (tally: Tally): Tally => tally

export const OF_A_PROJECT = sql`exists (select from projects where projects.id = counted.project_id)`

const columns = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
const zeros = ({ measures }: Tally) => sql.join(Object.keys(measures).map(() => sql`0`))
const eachMeasure = (
  { measures }: Tally,
  make: (kept: RawBuilder<unknown>, change: RawBuilder<unknown>, name: string) => RawBuilder<unknown>,
) => sql.join(Object.entries(measures).map(([name, change]) => make(sql.ref(name), sql.ref(change), name)))

/** Serialized, because two rebuilds would both correct the same difference. */
const lockTally = (tx: Tx, { changes }: Tally) =>
  sql`select pg_advisory_xact_lock(hashtext(${`fold ${changes}`}))`.execute(tx)

/** Readers see the same sums before, during and after. Returns the projects that the tally reports. */
const foldTally = (db: Database, tally: Tally): Promise<string[]> =>
  transaction(db, async (tx) => {
    await lockTally(tx, tally)
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
const rebuildTally = (db: Database, tally: Tally): Promise<number> =>
  transaction(db, async (tx) => {
    await lockTally(tx, tally)
    const corrected = await rebuildStatement(tally).execute(tx)
    const rolledUp = await tally.rollUp?.rebuild.execute(tx)
    return Number(corrected.numAffectedRows ?? 0) + Number(rolledUp?.numAffectedRows ?? 0)
  })

function rebuildStatement(tally: Tally) {
  const keys = columns(tally.keys)
  const measures = columns(Object.keys(tally.measures))
  const missing = (measure: RawBuilder<unknown>, name: string) =>
    tally.keepsDeleted?.includes(name) ? sql`greatest(sum(${measure}), 0)` : sql`sum(${measure})`
  return sql`
    insert into ${sql.table(tally.changes)} (${keys}, ${columns(Object.values(tally.measures))})
    select ${keys}, ${measures} from (
      select ${keys}, ${eachMeasure(tally, (measure, _, name) => sql`${missing(measure, name)} as ${measure}`)} from (
        select ${keys}, ${measures} from (${tally.facts}) as fact
        union all
        select ${keys}, ${eachMeasure(tally, (measure) => sql`-${measure}`)} from ${sql.table(tally.kept)}
        union all
        select ${keys}, ${eachMeasure(tally, (_, change) => sql`-${change}`)} from ${sql.table(tally.changes)}
      ) as parts
      group by ${keys}
    ) as counted
    where (${measures}) <> (${zeros(tally)}) and ${tally.belongsTo ?? sql`true`}`
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
export async function rebuildTallies(db: Database, tallies: readonly Tally[]): Promise<Record<string, number>> {
  const wrong: Record<string, number> = {}
  for (const tally of tallies) wrong[tally.name] = await rebuildTally(db, tally)
  return wrong
}
