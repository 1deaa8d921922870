/** SQL on audiences: who is chosen, and who of them can be reached. */
import type { RawBuilder } from 'kysely'
import type { Condition } from '../../../kernel/conditions/condition.ts'
import type { ContentType } from '../../../kernel/content/mail-content.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { excludedFromMarketingSql, exclusionKindSql, type TopicSql } from '../contacts/marketing-queries.ts'
import { isSuppressedForTopicSql, isSuppressedSql } from '../suppressions/queries.ts'
import { findTopicRule } from '../topics/queries.ts'
import type { AUDIENCE_TYPES } from './audience-schemas.ts'
import { audienceSql, findSegment, segmentAudienceSql } from './queries.ts'

export interface Audience {
  /** The type of the content: transactional email reaches everyone. */
  type: ContentType
  audience_type: (typeof AUDIENCE_TYPES)[number]
  segment_id: string | null
  audience_condition: Condition | null
  topic_id: string | null
}

/** The audience as a predicate over `contacts`. A deleted segment has no members. */
async function chosenSql(
  db: Database | Tx,
  projectId: string,
  audience: Audience,
  now: Date,
): Promise<RawBuilder<boolean>> {
  if (audience.audience_type === 'ALL') return sql<boolean>`true`
  if (audience.audience_type === 'FILTERED') return audienceSql(db, projectId, audience.audience_condition!, now)
  const segment = audience.segment_id ? await findSegment(db, projectId, audience.segment_id) : undefined
  return segment ? segmentAudienceSql(db, projectId, segment, now) : sql<boolean>`false`
}

/** Only the copy of an old campaign can refer to a deleted segment. */
export const segmentIsGone = async (db: Database, projectId: string, audience: Audience): Promise<boolean> =>
  audience.audience_type === 'SEGMENT' && !(await findSegment(db, projectId, audience.segment_id!))

interface Exclusions {
  /** Excluded by its subscription, a pause or the topic. */
  excluded: RawBuilder<boolean>
  /** Which of these it is, or null. */
  kind: RawBuilder<string | null>
  /** By suppressions of its address. Each is a condition of its own, which the planner can join. */
  suppressed: RawBuilder<boolean>[]
  topic: TopicSql | undefined
}

/** What excludes a contact. */
async function exclusionsSql(
  db: Database | Tx,
  projectId: string,
  { topic_id }: Audience,
  now: Date,
): Promise<Exclusions> {
  const rule = topic_id ? await findTopicRule(db, projectId, topic_id) : undefined
  const topic = rule && { number: sql`${rule.number}::int`, isDefault: sql`${rule.defaultSubscribed}::boolean` }
  const address = [sql`${projectId}`, sql`contacts.email`] as const
  return {
    excluded: excludedFromMarketingSql('contacts', { by: 'audience', topic, now }),
    kind: exclusionKindSql('contacts', { by: 'audience', topic, now }),
    suppressed: [isSuppressedSql(...address), ...(topic ? [isSuppressedForTopicSql(...address, topic.number)] : [])],
    topic,
  }
}

/**
 * Transactional emails reach every contact of the audience; others reach subscribers of their topic whose address is not
 * suppressed.
 */
async function reachableSql(
  db: Database | Tx,
  projectId: string,
  audience: Audience,
  now: Date,
): Promise<RawBuilder<boolean>> {
  if (audience.type === 'TRANSACTIONAL') return sql<boolean>`true`
  const { excluded, suppressed } = await exclusionsSql(db, projectId, audience, now)
  return sql<boolean>`(not ${excluded} and not ${sql.join(suppressed, sql` and not `)})`
}

/** The recipients, as a predicate over `contacts`. */
export async function recipientsSql(
  db: Database | Tx,
  projectId: string,
  audience: Audience,
  now: Date,
): Promise<RawBuilder<boolean>> {
  const chosen = await chosenSql(db, projectId, audience, now)
  return sql<boolean>`${chosen} and ${await reachableSql(db, projectId, audience, now)}`
}

export interface AudienceSize {
  reached: number
  unsubscribed: number
  suppressed: number
  /** How many of `unsubscribed` are asked to confirm. */
  pendingConfirmation: number
  paused: number
  topic: number
}

/** A contact that is both unsubscribed and suppressed counts as suppressed. */
export async function measureAudience(
  db: Database,
  projectId: string,
  audience: Audience,
  now: Date,
): Promise<AudienceSize> {
  const chosen = await chosenSql(db, projectId, audience, now)
  const { kind, topic } = await exclusionsSql(db, projectId, audience, now)
  const everyone = audience.type === 'TRANSACTIONAL'
  // Joins, because a condition on the suppressions would be evaluated for each contact. Grouped, because PostgreSQL would evaluate
  // the kind of a contact once for each count.
  const ofTopic = sql`left join topic_suppressions t on t.project_id = ${projectId} and t.email = contacts.email and t.topic = ${topic?.number}`
  const isSuppressed = sql`(s.email is not null ${topic ? sql`or t.email is not null` : sql``})`
  const { rows } = await sql<AudienceSize>`
    with counted as (
      select ${everyone ? sql`null` : kind} as kind, ${everyone ? sql`false` : isSuppressed} as is_suppressed, count(*)::int as contacts
      from contacts
      left join suppressions s on s.project_id = ${projectId} and s.email = contacts.email
      ${topic ? ofTopic : sql``}
      where contacts.project_id = ${projectId} and ${chosen}
      group by 1, 2
    )
    select coalesce(sum(contacts) filter (where kind is null and not is_suppressed), 0)::int as reached,
      coalesce(sum(contacts) filter (where kind is not null and not is_suppressed), 0)::int as unsubscribed,
      coalesce(sum(contacts) filter (where kind = 'pendingConfirmation' and not is_suppressed), 0)::int as "pendingConfirmation",
      coalesce(sum(contacts) filter (where kind = 'paused' and not is_suppressed), 0)::int as paused,
      coalesce(sum(contacts) filter (where kind = 'topic' and not is_suppressed), 0)::int as topic,
      coalesce(sum(contacts) filter (where is_suppressed), 0)::int as suppressed
    from counted`.execute(db)
  return rows[0]!
}
