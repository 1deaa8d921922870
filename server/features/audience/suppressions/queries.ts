/**
 * All SQL on suppressions, as functions and as parts of other statements: an address is suppressed or removed in the
 * same statement as the cause.
 */
import { type Expression, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { containing } from '../../../platform/database/like.ts'
import type { Suppressions } from '../../../platform/database/tables.ts'

export type SuppressionRow = Pick<Selectable<Suppressions>, 'id' | 'email' | 'reason' | 'created_at'>

/** A condition: this address receives no marketing email. Both sides can be columns of the surrounding statement. */
export const isSuppressedSql = (
  projectId: string | Expression<unknown>,
  email: string | Expression<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from suppressions where suppressions.project_id = ${projectId} and suppressions.email = ${email})`

/**
 * A step that suppresses addresses; an existing suppression keeps its reason. `rows` selects: project_id, email, id,
 * reason, created_at, each address once.
 */
export const addSuppressionsStep = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into suppressions (project_id, email, id, reason, created_at) ${rows}
  on conflict (project_id, email) do nothing`

/**
 * A step that removes the suppression of the addresses that `emails` selects, because they were subscribed manually.
 */
export const liftSuppressionsStep = (projectId: string, emails: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  delete from suppressions where project_id = ${projectId} and email in (${emails})`

/** Returns how many existed. */
export async function liftSuppressions(db: Database | Tx, projectId: string, emails: string[]): Promise<number> {
  const { numAffectedRows } = await sql`/* lift-suppressions */
    ${liftSuppressionsStep(projectId, sql`select unnest(${emails}::text[])`)}`.execute(db)
  return Number(numAffectedRows)
}

/** Adds a suppression, or returns the existing one. */
export async function insertSuppression(
  db: Database,
  projectId: string,
  row: SuppressionRow,
): Promise<SuppressionRow & { is_new: boolean }> {
  const { rows } = await sql<SuppressionRow & { is_new: boolean }>`/* insert-suppression */
    insert into suppressions (project_id, email, id, reason, created_at)
    values (${projectId}, ${row.email}, ${row.id}, ${row.reason}, ${row.created_at})
    -- Changes nothing, but locks the row that is there and returns it.
    on conflict (project_id, email) do update set email = excluded.email
    returning id, email, reason, created_at, xmax = 0 as is_new`.execute(db)
  return rows[0]!
}

interface SuppressionFilter {
  emails?: string[] | undefined
  search?: string | undefined
}

const matching = (db: Database, projectId: string, { emails, search }: SuppressionFilter) => {
  let query = db.selectFrom('suppressions').where('project_id', '=', projectId)
  if (emails !== undefined) query = query.where(sql<boolean>`email = any(${emails}::text[])`)
  return search ? query.where('email', 'like', containing(search.toLowerCase())) : query
}

export async function isSuppressed(db: Database | Tx, projectId: string, email: string): Promise<boolean> {
  const { rows } = await sql<{ suppressed: boolean }>`/* is-suppressed */
    select ${isSuppressedSql(projectId, sql`${email}::text`)} as suppressed`.execute(db)
  return rows[0]!.suppressed
}

/** Newest first, with one extra row that shows whether there are more. */
export async function listSuppressions(
  db: Database,
  projectId: string,
  filter: SuppressionFilter & { before?: string | undefined; limit: number },
): Promise<SuppressionRow[]> {
  let query = matching(db, projectId, filter)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return query
    .select(['id', 'email', 'reason', 'created_at'])
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

export async function countSuppressions(db: Database, projectId: string, filter: SuppressionFilter): Promise<number> {
  const row = await matching(db, projectId, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}
