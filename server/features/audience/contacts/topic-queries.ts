/**
 * SQL on the decisions of contacts about topics, as parts of other statements. Only decisions are stored; without one, the
 * default of the topic applies. A trigger also stores them in `contacts.topics`.
 */
import type { RawBuilder } from 'kysely'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import type { TopicRule } from '../../../kernel/subscription.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { writeEvents } from '../../record/journal/queries.ts'
import { causeSql, recordConsents } from '../consents/queries.ts'
import { liftTopicSuppressionsSteps } from '../suppressions/queries.ts'

export interface TopicDecisions {
  /** Numbers of topics, negative to opt out. */
  decisions: number[]
  /** Stored decisions to reverse, as they are stored. Contacts without them stay with the default. */
  undoing?: number[]
  /** Stored opt-outs stay: the request may come from a visitor of a website. */
  keepsOptOuts: boolean
}

/** Further columns of `person`, whose rows are numbered by `nth`. */
export const decisionColumns = (topics: Array<TopicDecisions | undefined>): RawBuilder<unknown> => sql`,
        array(select jsonb_array_elements_text((${topics.map((t) => JSON.stringify(t?.decisions ?? []))}::jsonb[])[p.nth])::int) as decisions,
        array(select jsonb_array_elements_text((${topics.map((t) => JSON.stringify(t?.undoing ?? []))}::jsonb[])[p.nth])::int) as undoing,
        (${topics.map((t) => t?.keepsOptOuts ?? false)}::boolean[])[p.nth] as keeps_opt_outs`

/**
 * Steps that store and record decisions: `decided` has those that were new or different. `rows` selects: project_id,
 * contact_id, decision, cause, keeps_opt_outs, at. A topic that was deleted in the meantime is skipped.
 */
export const decideSteps = (rows: RawBuilder<unknown>): RawBuilder<unknown> => sql`
    deciding as materialized (
      select r.*, t.key, t.default_subscribed from (${rows}
      ) as r join topics t on t.project_id = r.project_id and t.number = abs(r.decision)
    ),
    keeping as materialized (select project_id, contact_id from deciding where keeps_opt_outs),
    decided as (
      insert into contact_topics as d (project_id, contact_id, topic, subscribed, subscribed_before, source, updated_at)
      select project_id, contact_id, abs(decision), decision > 0, default_subscribed, cause ->> 'source', at from deciding
      order by project_id, contact_id, abs(decision)
      on conflict (project_id, contact_id, topic) do update set
        subscribed = excluded.subscribed, subscribed_before = d.subscribed, source = excluded.source, updated_at = excluded.updated_at
      where d.subscribed <> excluded.subscribed
        and not (excluded.subscribed and (excluded.project_id, excluded.contact_id) in (select project_id, contact_id from keeping))
      returning d.project_id, d.contact_id, d.topic, d.subscribed, d.subscribed_before, d.updated_at
    ),
    ${recordConsents(
      'decision_consents',
      sql`
      select d.project_id, d.contact_id, ${KIND}, a.key, d.updated_at, a.cause
      from decided d join deciding a on a.project_id = d.project_id and a.contact_id = d.contact_id and abs(a.decision) = d.topic`,
    )}`

/** The kind of a decision, named `d`: that of its event and its record of consent. */
const KIND = sql`case when d.subscribed then 'topic.subscribed' else 'topic.unsubscribed' end`

/** Rows for `writeEvents`: the decisions that changed which topics a contact is in. */
export const decisionEvents = (emailId: RawBuilder<unknown> = sql`null::uuid`): RawBuilder<unknown> => sql`
      select d.project_id, id_at(d.updated_at, row_number() over ()),
        ${KIND}, d.contact_id, ${emailId},
        jsonb_build_object('topic', t.key), d.updated_at
      from decided d join topics t on t.project_id = d.project_id and t.number = d.topic
      where d.subscribed <> d.subscribed_before`

export interface DecisionsOfContacts extends TopicDecisions {
  projectId: string
  contactIds: string[]
  cause: ConsentCause
  now: Date
  /** The email that led to it, if any. */
  emailId?: RawBuilder<unknown> | undefined
}

/**
 * Stores the same decisions for contacts that exist, which are returned, and records the changes. Opting in to a topic removes its suppression,
 * unless the request may come from a visitor of a website. Rows are locked in order of address.
 */
export async function decideTopics(
  db: Database | Tx,
  { projectId, contactIds, decisions, keepsOptOuts, cause, now, emailId }: DecisionsOfContacts,
): Promise<Array<{ id: string; changed: boolean }>> {
  // A name belongs to one text.
  const name = sql.raw(emailId ? '/* decide-topics-in-email */' : '/* decide-topics */')
  const { rows } = await sql<{ id: string; changed: boolean }>`${name}
    with found as materialized (
      select project_id, id, email from contacts where project_id = ${projectId} and id = any(${contactIds}::uuid[])
      order by email for no key update
    ), ${decideSteps(sql`
      select found.project_id, found.id as contact_id, unnest(${decisions}::int[]) as decision, ${causeSql(cause)} as cause,
        ${keepsOptOuts}::boolean as keeps_opt_outs, ${now}::timestamptz as at
      from found`)}, ${writeEvents('decisions_recorded', decisionEvents(emailId))},
    ${liftTopicSuppressionsSteps(
      projectId,
      sql`select email, decision from found cross join unnest(${decisions}::int[]) as decision
        where decision > 0 and not ${keepsOptOuts}::boolean`,
      now,
    )}
    select id, id in (select contact_id from decided) as changed from found`.execute(db)
  return rows
}

export interface KeyedTopic extends TopicRule {
  key: string
}

/** The topics with these keys, or all of them. */
export async function findTopicsByKey(db: Database | Tx, projectId: string, keys?: string[]): Promise<KeyedTopic[]> {
  const { rows } = await sql<KeyedTopic>`/* find-topics-by-key */
    select key, number, default_subscribed as "defaultSubscribed" from topics
    where project_id = ${projectId} and key = any(coalesce(${keys ?? null}::text[], array[key])) order by position, id desc`.execute(
    db,
  )
  return rows
}

/** Deletes decisions that were stored while their contacts were deleted. Returns how many. */
export async function eraseDecisions(db: Database | Tx, projectId: string, contactIds: string[]): Promise<number> {
  const { numAffectedRows } = await sql`/* erase-decisions */
    delete from contact_topics where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[])`.execute(db)
  return Number(numAffectedRows)
}
