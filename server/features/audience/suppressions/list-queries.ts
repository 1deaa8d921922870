/** SQL that reads the list of suppressions: those of all marketing email and those of single topics. */
import type { RawBuilder } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { containing } from '../../../platform/database/like.ts'
import { liftSuppressionsSteps, liftTopicSuppressionsSteps } from './queries.ts'

export interface SuppressionRow {
  id: string
  email: string
  reason: string
  /** The key of a topic; null for all marketing email. */
  topic: string | null
  created_at: Date
}

export interface SuppressionFilter {
  ids?: string[] | undefined
  emails?: string[] | undefined
  search?: string | undefined
  reason?: string | undefined
  topic?: string | undefined
}

/** The conditions on a table whose rows are `s`. */
function matching(projectId: string, { ids, emails, search, reason }: SuppressionFilter): RawBuilder<unknown> {
  const conditions = [sql`s.project_id = ${projectId}`]
  if (ids !== undefined) conditions.push(sql`s.id = any(${ids}::uuid[])`)
  if (emails !== undefined) conditions.push(sql`s.email = any(${emails}::text[])`)
  if (search) conditions.push(sql`s.email like ${containing(search.toLowerCase())}`)
  if (reason !== undefined) conditions.push(sql`s.reason = ${reason}`)
  return sql.join(conditions, sql` and `)
}

const ofAll = (projectId: string, filter: SuppressionFilter): RawBuilder<unknown> => sql`
      select s.id, s.email, s.reason, null::text as topic, s.created_at from suppressions s
      where ${matching(projectId, filter)} and ${filter.topic === undefined}::boolean`

const ofTopics = (projectId: string, filter: SuppressionFilter): RawBuilder<unknown> => sql`
      select s.id, s.email, s.reason, t.key as topic, s.created_at
      from topic_suppressions s join topics t on t.project_id = s.project_id and t.number = s.topic
      where ${matching(projectId, filter)} ${filter.topic === undefined ? sql`` : sql`and t.key = ${filter.topic}`}`

/** Newest first, with one extra row that shows whether there are more. Each table is read only as far as the page needs. */
export async function listSuppressions(
  db: Database | Tx,
  projectId: string,
  { before, limit, ...filter }: SuppressionFilter & { before?: string | undefined; limit: number },
): Promise<SuppressionRow[]> {
  const earlier = before === undefined ? sql`` : sql`and s.id < ${before}::uuid`
  const { rows } = await sql<SuppressionRow>`
    select * from (
      (${ofAll(projectId, filter)} ${earlier} order by s.id desc limit ${limit + 1})
      union all
      (${ofTopics(projectId, filter)} ${earlier} order by s.id desc limit ${limit + 1})
    ) as page order by id desc limit ${limit + 1}`.execute(db)
  return rows
}

export async function countSuppressions(db: Database, projectId: string, filter: SuppressionFilter): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from (${ofAll(projectId, filter)}) as a) + (select count(*) from (${ofTopics(projectId, filter)}) as b) as count`.execute(
    db,
  )
  return rows[0]!.count
}

/** The suppression of an address for a topic; without a key, for all marketing email. */
export async function findSuppression(
  db: Database | Tx,
  projectId: string,
  email: string,
  topic: string | null,
): Promise<SuppressionRow | undefined> {
  const filter = { emails: [email], topic: topic ?? undefined }
  const { rows } = await sql<SuppressionRow>`
    ${topic === null ? ofAll(projectId, filter) : ofTopics(projectId, filter)}`.execute(db)
  return rows[0]
}

/** The suppressions of a contact's address. */
export async function findSuppressionsOf(
  db: Database,
  projectId: string,
  contactId: string,
): Promise<SuppressionRow[]> {
  const { rows } = await sql<SuppressionRow>`/* find-suppressions-of */
    select s.id, s.email, s.reason, null::text as topic, s.created_at
    from contacts c join suppressions s on s.project_id = c.project_id and s.email = c.email
    where c.project_id = ${projectId} and c.id = ${contactId}
    union all
    select s.id, s.email, s.reason, t.key as topic, s.created_at
    from contacts c join topic_suppressions s on s.project_id = c.project_id and s.email = c.email
    join topics t on t.project_id = s.project_id and t.number = s.topic
    where c.project_id = ${projectId} and c.id = ${contactId}`.execute(db)
  return rows
}

/** Deletes those that match, at most `limit`, and returns how many. */
export async function liftMatching(
  tx: Tx,
  projectId: string,
  filter: SuppressionFilter,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const emails = sql`select email from matching where topic is null`
  const pairs = sql`
    select m.email, t.number from matching m join topics t on t.project_id = ${projectId} and t.key = m.topic`
  const { rows } = await sql<{ count: number }>`
    with matching as (
      select email, topic from (${ofAll(projectId, filter)} union all ${ofTopics(projectId, filter)}) as s order by id desc limit ${limit}
    ), ${liftSuppressionsSteps(projectId, emails, now)}, ${liftTopicSuppressionsSteps(projectId, pairs, now)}
    select (select count(*) from lifted) + (select count(*) from topics_lifted) as count`.execute(tx)
  return rows[0]!.count
}
