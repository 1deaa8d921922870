/**
 * All SQL on suppressions, as functions and as parts of other statements: an address is suppressed or removed in the
 * same statement as the cause.
 */
import { type Expression, type RawBuilder, type Selectable, sql } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { containing } from '../../../platform/database/like.ts'
import type { Suppressions } from '../../../platform/database/tables.ts'
import { announce, otherFacts } from '../../record/journal/queries.ts'

export type SuppressionRow = Pick<Selectable<Suppressions>, 'id' | 'email' | 'reason' | 'created_at'>

/** A condition: this address receives no marketing email. Both sides can be columns of the surrounding statement. */
export const isSuppressedSql = (
  projectId: string | Expression<unknown>,
  email: string | Expression<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from suppressions where suppressions.project_id = ${projectId} and suppressions.email = ${email})`

/**
 * A condition: this address receives nothing at all, because it is suppressed after a permanent bounce and the project
 * doesn't send to such addresses.
 */
export const isBouncedSql = (
  projectId: Expression<unknown>,
  email: Expression<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from suppressions join projects on projects.id = suppressions.project_id and not projects.send_to_bounced
  where suppressions.project_id = ${projectId} and suppressions.email = ${email} and suppressions.reason = 'BOUNCE')`

/** Why such an email is not sent. */
export const BOUNCED = 'the address is suppressed because of a permanent bounce'

/**
 * Steps that suppress addresses and announce it; an existing suppression keeps its reason. `rows` selects: project_id,
 * email, id, reason, created_at, each address once.
 */
export const addSuppressionsSteps = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`suppressed as (
  insert into suppressions (project_id, email, id, reason, created_at) ${rows}
  on conflict (project_id, email) do nothing
  returning project_id, email, reason, created_at
), ${announceAdded(sql`suppressed s`)}`

const announceAdded = (rows: RawBuilder<unknown>) =>
  announce(
    'suppressions_announced',
    sql`
      select s.project_id, 'suppression.added', null::uuid,
        ${otherFacts(sql`jsonb_build_object('email', s.email, 'reason', s.reason)`)}, s.created_at
      from ${rows}`,
  )

/**
 * Steps that remove the suppression of the addresses that `emails` selects, because they were subscribed manually, and
 * announce it.
 */
export const liftSuppressionsSteps = (
  projectId: string,
  emails: RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> => sql`lifted as (
  delete from suppressions where project_id = ${projectId} and email in (${emails}) returning project_id, email
), ${announce(
  'lifts_announced',
  sql`
      select s.project_id, 'suppression.removed', null::uuid, ${otherFacts(sql`jsonb_build_object('email', s.email)`)}, ${now}::timestamptz
      from lifted s`,
)}`

/** Returns how many existed. */
export async function liftSuppressions(
  db: Database | Tx,
  projectId: string,
  emails: string[],
  now: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* lift-suppressions */
    with ${liftSuppressionsSteps(projectId, sql`select unnest(${emails}::text[])`, now)}
    select count(*) as count from lifted`.execute(db)
  return rows[0]!.count
}

/** Adds a suppression, or returns the existing one. */
export async function insertSuppression(
  db: Database,
  projectId: string,
  row: SuppressionRow,
): Promise<SuppressionRow & { is_new: boolean }> {
  const { rows } = await sql<SuppressionRow & { is_new: boolean }>`/* insert-suppression */
    with added as (
      insert into suppressions (project_id, email, id, reason, created_at)
      values (${projectId}, ${row.email}, ${row.id}, ${row.reason}, ${row.created_at})
      -- Changes nothing, but locks the row that is there and returns it.
      on conflict (project_id, email) do update set email = excluded.email
      returning project_id, id, email, reason, created_at, xmax = 0 as is_new
    ), ${announceAdded(sql`added s where s.is_new`)}
    select id, email, reason, created_at, is_new from added`.execute(db)
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

export async function findSuppressionOf(
  db: Database,
  projectId: string,
  contactId: string,
): Promise<SuppressionRow | undefined> {
  const { rows } = await sql<SuppressionRow>`/* find-suppression-of */
    select s.id, s.email, s.reason, s.created_at
    from contacts c join suppressions s on s.project_id = c.project_id and s.email = c.email
    where c.project_id = ${projectId} and c.id = ${contactId}`.execute(db)
  return rows[0]
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
