/**
 * All SQL on suppressions, as functions and as parts of other statements: an address is suppressed or removed in the
 * same statement as the cause. `list-queries.ts` reads the list.
 */
import type { Expression, RawBuilder } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { announce, otherFacts } from '../../record/journal/queries.ts'

type Sql = string | Expression<unknown>

/** A condition: this address receives no marketing email. Both sides can be columns of the surrounding statement. */
export const isSuppressedSql = (projectId: Sql, email: Sql): RawBuilder<boolean> => sql<boolean>`exists (
  select from suppressions where suppressions.project_id = ${projectId} and suppressions.email = ${email})`

/** A condition: this address receives no marketing email of the topic with this number. False without a topic. */
export const isSuppressedForTopicSql = (
  projectId: Sql,
  email: Sql,
  topic: Expression<unknown>,
): RawBuilder<boolean> => sql<boolean>`exists (
  select from topic_suppressions where topic_suppressions.project_id = ${projectId} and topic_suppressions.email = ${email}
    and topic_suppressions.topic = ${topic})`

/** Up to so many addresses, the project's suppressions are hashed at once, with the least memory that PostgreSQL has by default. */
const HASHED_MAX = 50_000

/** Whether the project has few enough suppressions for `suppressedForTopicSql`. */
export async function hasFewSuppressions(db: Database | Tx, projectId: string): Promise<boolean> {
  const { rows } = await sql<{ few: boolean }>`/* has-few-suppressions */
    select count(*) <= ${HASHED_MAX} as few from (
      select from suppressions where project_id = ${projectId}
      union all select from topic_suppressions where project_id = ${projectId} limit ${HASHED_MAX + 1}
    ) as counted`.execute(db)
  return rows[0]!.few
}

/**
 * The addresses that receive no marketing email of the topic, for projects with few suppressions. Nothing in it depends on a
 * row of the statement, so that all cores can evaluate a condition with it. The limit has room for suppressions that were
 * added in the meantime. It keeps PostgreSQL from expecting so many that it would compare them with each row.
 */
export const suppressedForTopicSql = (projectId: string, topic: Expression<unknown>): RawBuilder<unknown> => sql`
  select email from suppressions where project_id = ${projectId}
  union all select email from topic_suppressions where project_id = ${projectId} and topic = ${topic} limit ${2 * HASHED_MAX}`

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

/** The facts name the topic of a suppression `s` only if it has one. */
const announceAdded = (rows: RawBuilder<unknown>, { step = 'suppressions_announced', topic = sql`` } = {}) =>
  announce(
    step,
    sql`
      select s.project_id, 'suppression.added', null::uuid,
        ${otherFacts(sql`jsonb_build_object('email', s.email, 'reason', s.reason)${topic}`)}, s.created_at
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

/** The same for suppressions of single topics. `pairs` selects: email, topic. */
export const liftTopicSuppressionsSteps = (
  projectId: string,
  pairs: RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> => sql`topics_lifted as (
  delete from topic_suppressions where project_id = ${projectId} and (email, topic) in (${pairs})
  returning project_id, email, topic
), ${announce(
  'topic_lifts_announced',
  sql`
      select s.project_id, 'suppression.removed', null::uuid,
        ${otherFacts(sql`jsonb_build_object('email', s.email, 'topic', ${KEY})`)}, ${now}::timestamptz
      from topics_lifted s`,
)}`

/** The key of the topic of a row `s`. */
const KEY = sql`(select t.key from topics t where t.project_id = s.project_id and t.number = s.topic)`

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

/** Returns how many existed. */
export async function liftTopicSuppressions(
  db: Database | Tx,
  projectId: string,
  { email, topics }: { email: string; topics: number[] },
  now: Date,
): Promise<number> {
  const pairs = sql`select ${email}::text, unnest(${topics}::int[])`
  const { rows } = await sql<{ count: number }>`/* lift-topic-suppressions */
    with ${liftTopicSuppressionsSteps(projectId, pairs, now)}
    select count(*) as count from topics_lifted`.execute(db)
  return rows[0]!.count
}

export interface NewSuppressionRow {
  id: string
  email: string
  reason: string
  created_at: Date
  /** The number of a topic; null for all marketing email. */
  topic: number | null
}

/**
 * Adds suppressions that don't exist yet, each address and topic once, and returns how many were new. A topic that was
 * deleted in the meantime is skipped.
 */
export async function insertSuppressions(
  db: Database | Tx,
  projectId: string,
  given: NewSuppressionRow[],
): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* insert-suppressions */
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
        as g(id uuid, email text, reason text, created_at timestamptz, topic int)
    ), ${addSuppressionsSteps(sql`
      select ${projectId}::uuid, email, id, reason, created_at from given where topic is null order by email`)},
    topics_suppressed as (
      insert into topic_suppressions (project_id, email, topic, id, reason, created_at)
      select t.project_id, g.email, g.topic, g.id, g.reason, g.created_at
      from given g join topics t on t.project_id = ${projectId} and t.number = g.topic order by g.email, g.topic
      on conflict (project_id, email, topic) do nothing
      returning project_id, email, topic, reason, created_at
    ), ${announceAdded(sql`topics_suppressed s`, {
      step: 'topic_suppressions_announced',
      topic: sql` || jsonb_build_object('topic', ${KEY})`,
    })}
    select (select count(*) from suppressed) + (select count(*) from topics_suppressed) as count`.execute(db)
  return rows[0]!.count
}

export async function isSuppressed(db: Database | Tx, projectId: string, email: string): Promise<boolean> {
  const { rows } = await sql<{ suppressed: boolean }>`/* is-suppressed */
    select ${isSuppressedSql(projectId, sql`${email}::text`)} as suppressed`.execute(db)
  return rows[0]!.suppressed
}

/** The numbers of topics, by their keys. */
export async function findTopicNumbers(
  db: Database | Tx,
  projectId: string,
  keys: string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; number: number }>`/* find-topic-numbers */
    select key, number from topics where project_id = ${projectId} and key = any(${keys}::text[])`.execute(db)
  return new Map(rows.map(({ key, number }) => [key, number]))
}
