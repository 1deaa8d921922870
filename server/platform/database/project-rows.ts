/**
 * Deletes the rows of a project from any table, as the owner of each table declares it (see table-owners.ts): a reset
 * empties a project, its deletion removes everything.
 */

import type { Tx } from './connection/connect.ts'
import { sql } from './connection/sql.ts'
import type { Tables } from './tables.ts'

/** How the rows of a table are deleted. */
export type Removal =
  /** Few rows, which users see first: within the request. */
  | 'at once'
  /** Many rows, oldest first, by id. Ids contain their time, so rows created after a reset are kept. */
  | 'in batches'
  /** Many rows without an id, by this column. */
  | { inBatchesBy: string }
  /** Deleted with other rows: by a foreign key, a trigger, or the next fold of recorded differences. */
  | 'with other rows'
  /** Kept by a reset; deleted immediately with the project, so that it can no longer be used. */
  | 'on closing'
  /** Kept by a reset; deleted with the project. */
  | 'with the project'
  /** Not deleted with the project, or not part of one. */
  | 'never'

export type Removals = { [T in keyof Tables & string]?: Removal }

export interface RowRange {
  /** Rows with smaller ids. */
  beforeId: string
  /** Rows up to this time. */
  until: string
}

export const BATCH_ROWS = 5_000

const tablesRemoved = (removals: Removals, how: Removal): string[] =>
  Object.keys(removals).filter((table) => removals[table as keyof Removals] === how)

/** All rows of the tables with one of these modes. */
export async function deleteRows(tx: Tx, projectId: string, removals: Removals, ...how: Removal[]): Promise<void> {
  for (const table of how.flatMap((each) => tablesRemoved(removals, each))) {
    await sql`delete from ${sql.table(table)} where project_id = ${projectId}`.execute(tx)
  }
}

/** Deletes a batch from every table that still has rows; returns how many rows. */
export async function deleteBatch(
  tx: Tx,
  projectId: string,
  removals: Removals,
  { beforeId, until }: RowRange,
): Promise<number> {
  let deleted = 0
  for (const [name, how] of Object.entries(removals)) {
    const table = sql.table(name)
    const batch =
      how === 'in batches'
        ? sql`id = any(array(
            select id from ${table} where project_id = ${projectId} and id < ${beforeId} order by id limit ${BATCH_ROWS}))`
        : typeof how === 'object'
          ? sql`ctid = any(array(
            select ctid from ${table}
            where project_id = ${projectId} and ${sql.ref(how.inBatchesBy)} <= ${until}::timestamptz limit ${BATCH_ROWS}))`
          : undefined
    if (!batch) continue
    const { numAffectedRows } = await sql`
      delete from ${table} where project_id = ${projectId} and ${batch}`.execute(tx)
    deleted += Number(numAffectedRows)
  }
  return deleted
}
