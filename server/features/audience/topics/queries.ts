/** SQL on topics. The decisions of contacts are in `contacts/topic-queries.ts`. */
import type { Selectable } from 'kysely'
import type { TopicRule } from '../../../kernel/subscription.ts'
import { changedAt } from '../../../platform/database/changed-at.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { Topics } from '../../../platform/database/tables.ts'
import { excludedFromMarketingSql, isInTopicSql } from '../contacts/marketing-queries.ts'
import { isSuppressedSql } from '../suppressions/queries.ts'

export type TopicRow = Selectable<Topics>

/** By position, and newest first if it is the same. */
export async function listTopics(db: Database | Tx, projectId: string): Promise<TopicRow[]> {
  return db
    .selectFrom('topics')
    .selectAll()
    .where('project_id', '=', projectId)
    .orderBy('position')
    .orderBy('id', 'desc')
    .execute()
}

export async function findTopic(
  db: Database | Tx,
  projectId: string,
  id: string,
  lock?: 'change' | 'use',
): Promise<TopicRow | undefined> {
  const query = db.selectFrom('topics').selectAll().where('project_id', '=', projectId).where('id', '=', id)
  if (lock === 'change') return query.forUpdate().executeTakeFirst()
  return (lock === 'use' ? query.forKeyShare() : query).executeTakeFirst()
}

export async function findTopicRule(db: Database | Tx, projectId: string, id: string): Promise<TopicRule | undefined> {
  const row = await findTopic(db, projectId, id)
  return row && { number: row.number, defaultSubscribed: row.default_subscribed }
}

/** Locks the list of topics until the transaction ends. Returns how many there are. */
export async function lockTopics(tx: Tx, projectId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`topics:${projectId}`}, 0))`.execute(tx)
  const { rows } = await sql<{ count: number }>`/* count-topics */
    select count(*) as count from topics where project_id = ${projectId}`.execute(tx)
  return rows[0]!.count
}

export type TopicFields = Pick<TopicRow, 'name' | 'description' | 'default_subscribed' | 'is_public' | 'position'>

/** Undefined if the key is taken. */
export async function insertTopic(
  tx: Tx,
  projectId: string,
  row: TopicFields & { id: string; key: string; number: number },
  now: Date,
): Promise<TopicRow | undefined> {
  return tx
    .insertInto('topics')
    .values({ project_id: projectId, ...row, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.constraint('topics_key_once').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function updateTopic(
  tx: Tx,
  projectId: string,
  id: string,
  fields: Partial<TopicFields>,
  now: Date,
): Promise<TopicRow> {
  return tx
    .updateTable('topics')
    .set({ ...fields, updated_at: changedAt(now) })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteTopic(tx: Tx, projectId: string, id: string): Promise<void> {
  await tx.deleteFrom('topics').where('project_id', '=', projectId).where('id', '=', id).execute()
}

export interface TopicUser {
  kind: 'template' | 'campaign' | 'form' | 'segment' | 'workflow'
  id: string
  name: string
}

/** What uses a topic, oldest first: one select for each kind, joined by `union all`. Conditions name it as a field. */
export async function listUsers(tx: Tx, projectId: string, { id, key }: TopicRow): Promise<TopicUser[]> {
  const field = `topics.${key}`
  const { rows } = await sql<TopicUser>`
    select kind, id, name from (
      select 'template' as kind, id, name from templates where project_id = ${projectId} and topic_id = ${id}
      union all
      select 'campaign', id, name from campaigns
      where project_id = ${projectId} and status in ('DRAFT', 'SCHEDULED', 'SENDING')
        and (topic_id = ${id} or fields @> array[${field}::text])
      union all
      select 'form', id, name from forms where project_id = ${projectId} and ${key}::text = any(topics)
      union all
      select 'segment', id, name from segments where project_id = ${projectId} and fields @> array[${field}::text]
      union all
      select 'workflow', w.id, w.name from workflows w
      where w.project_id = ${projectId} and exists (
        select from workflow_steps s
        where s.project_id = w.project_id and s.workflow_id = w.id and s.used_fields @> array[${field}::text])
    ) as users order by id`.execute(tx)
  return rows
}

const RULE = { number: sql`t.number`, isDefault: sql`t.default_subscribed` }

/**
 * How many contacts would receive each topic now, by its number. Many contacts made the same decisions, so contacts are
 * counted by their decisions first.
 */
export async function countSubscribers(db: Database | Tx, projectId: string, now: Date): Promise<Map<number, number>> {
  const { rows } = await sql<{ number: number; count: number }>`/* count-topic-subscribers */
    with readers as materialized (
      select topics, count(*) as count from contacts
      where project_id = ${projectId} and not ${excludedFromMarketingSql('contacts', { by: 'audience', now })}
        and not ${isSuppressedSql(sql`contacts.project_id`, sql`contacts.email`)}
      group by topics
    ), chosen as (
      select decision, sum(readers.count) as count from readers cross join unnest(readers.topics) as decision group by decision
    ), suppressed as (
      select s.topic, count(*) as count
      from topic_suppressions s
      join topics t on t.project_id = s.project_id and t.number = s.topic
      join contacts on contacts.project_id = s.project_id and contacts.email = s.email
      where s.project_id = ${projectId} and ${isInTopicSql('contacts', RULE)}
        and not ${excludedFromMarketingSql('contacts', { by: 'audience', now })}
        and not ${isSuppressedSql(sql`contacts.project_id`, sql`contacts.email`)}
      group by s.topic
    )
    select t.number, (case
        when t.default_subscribed then coalesce((select sum(count) from readers), 0) - coalesce((select count from chosen where decision = -t.number), 0)
        else coalesce((select count from chosen where decision = t.number), 0)
      end - coalesce((select count from suppressed where suppressed.topic = t.number), 0))::bigint as count
    from topics t where t.project_id = ${projectId}`.execute(db)
  return new Map(rows.map(({ number, count }) => [number, count]))
}

export interface ContactTopicRow {
  key: string
  name: string
  description: string | null
  number: number
  is_public: boolean
  /** The contact's choice, or the default. */
  chosen: boolean
  /** Chosen, and the address isn't suppressed for the topic. */
  subscribed: boolean
  source: string | null
  updated_at: Date | null
}

/** All topics with the choice of a contact, or with the default. */
export async function listContactTopics(
  db: Database | Tx,
  projectId: string,
  contactId: string,
): Promise<ContactTopicRow[]> {
  const { rows } = await sql<ContactTopicRow>`/* list-contact-topics */
    select t.key, t.name, t.description, t.number, t.is_public, d.source, d.updated_at,
      coalesce(d.subscribed, t.default_subscribed) as chosen,
      coalesce(d.subscribed, t.default_subscribed) and s.email is null as subscribed
    from topics t
    left join contact_topics d on d.project_id = t.project_id and d.contact_id = ${contactId} and d.topic = t.number
    left join contacts c on c.project_id = t.project_id and c.id = ${contactId}
    left join topic_suppressions s on s.project_id = t.project_id and s.email = c.email and s.topic = t.number
    where t.project_id = ${projectId} order by t.position, t.id desc`.execute(db)
  return rows
}
