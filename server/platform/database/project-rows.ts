/**
 * Deletes the rows of a project from any table, as the owner of each table declares it (see table-owners.ts): a reset
 * empties a project, its deletion leaves nothing of it.
 */
import { sql } from 'kysely'
import type { Tx } from './connect.ts'
import type { Tables } from './tables.ts'

/** How the rows of a table are deleted. */
export type Removal =
  /** Few rows, and what people look at first: with the request. */
  | 'at once'
  /** Many rows, oldest first. Their ids tell when they were made, so what comes after a reset stays. */
  | 'in batches'
  /** Many rows without an id, by this column. */
  | { inBatchesBy: string }
  /** They follow other rows: by a foreign key, a trigger, or the next fold of what a trigger noted. */
  | 'with other rows'
  /** Kept by a reset; deleted as soon as a person deletes the project, so that nobody can use it any longer. */
  | 'on closing'
  /** Kept by a reset; deleted with the project. */
  | 'with the project'
  /** Not deleted with the project, or not part of one. */
  | 'never'

export type Removals = { [T in keyof Tables & string]?: Removal }

export interface RowRange {
  /** Rows with smaller ids. */
  beforeId: string
  /** Rows up to this moment. */
  until: string
}

export const BATCH_ROWS = 5_000

export const tablesRemoved = (removals: Removals, how: Removal): string[] =>
  Object.keys(removals).filter((table) => removals[table as keyof Removals] === how)

/** All rows of the tables that are removed in one of these ways. */
export async function deleteRows(tx: Tx, projectId: string, removals: Removals, ...how: Removal[]): Promise<void> {
  for (const table of how.flatMap((each) => tablesRemoved(removals, each))) {
    await sql`delete from ${sql.table(table)} where project_id = ${projectId}`.execute(tx)
  }
}

/** A batch of every table that still has rows; returns how many rows it deleted. */
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
