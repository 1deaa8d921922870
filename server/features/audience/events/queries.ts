/** The statement of POST /v1/track, which upserts the contact and records the event, and the uses of an event name. */

import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { completeIdempotencyKeys, type IdempotencyClaim } from '../../../platform/database/idempotency-sql.ts'
import { writeCountedEvents } from '../../record/journal/queries.ts'
import { type ContactUpsert, changePeopleSteps, hasTopics, lockTimeoutStep, peopleStep } from '../contacts/queries.ts'

export interface EventToRecord {
  /** With one contact: the one that the event is about. */
  upsert: ContactUpsert
  id: string
  name: string
  data: Record<string, unknown>
  idempotencyKey: IdempotencyClaim | undefined
}

/** Events of many requests in one round trip. Returns the ids of their contacts. */
export async function trackEvents(db: Database | Tx, events: EventToRecord[]): Promise<string[]> {
  const upserts = events.map(({ upsert }) => upsert)
  const withTopics = hasTopics(upserts)
  const { rows } = await sql<{
    contact_id: string
  }>`${sql.raw(withTopics ? '/* track-events-with-topics */' : '/* track-events */')}
    with ${lockTimeoutStep(events.length > 1)},
    ${peopleStep(upserts, withTopics)},
    ${changePeopleSteps(sql`(select true from lock_timeout_set)`, withTopics)},
    event as (
      select e.request, e.id, e.name, e.data, e.idempotency_key, e.claim_id, e.fingerprint, person.project_id, person.asked_at, contact.id as contact_id
      from unnest(
        ${events.map((_, i) => i + 1)}::int[], ${events.map((e) => e.id)}::uuid[], ${events.map((e) => e.name)}::text[],
        ${events.map((e) => JSON.stringify(e.data))}::jsonb[], ${events.map((e) => e.idempotencyKey?.key ?? null)}::text[],
        ${events.map((e) => e.idempotencyKey?.id ?? null)}::uuid[], ${events.map((e) => e.idempotencyKey?.fingerprint ?? null)}::bytea[]
      ) as e(request, id, name, data, idempotency_key, claim_id, fingerprint)
      join person on person.request = e.request
      join contact on contact.project_id = person.project_id and contact.email = person.email
    ),
    ${writeCountedEvents(
      'tracked',
      sql`
      select project_id, id, name, contact_id, null::uuid, data, asked_at from event
      union all
      select * from flips`,
    )},
    completed as (${completeIdempotencyKeys(sql`
      select project_id, idempotency_key, claim_id, jsonb_build_object('contact', contact_id, 'event', id,
        'timestamp', to_char(asked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), fingerprint
      from event where idempotency_key is not null`)})
    select contact_id from event order by request`.execute(db)
  return rows.map((row) => row.contact_id)
}

export interface EventUser {
  kind: 'segment' | 'campaign' | 'workflow'
  id: string
  name: string
}

/** Oldest first. Segments and campaigns store the event names of their conditions. */
export async function listEventUsers(db: Database, projectId: string, name: string): Promise<EventUser[]> {
  const { rows } = await sql<EventUser>`/* list-event-users */
    select kind, id, name from (
      select 'segment' as kind, id, name from segments
      where project_id = ${projectId} and event_names @> array[${name}::text]
      union all
      select 'campaign', id, name from campaigns
      where project_id = ${projectId} and event_names @> array[${name}::text]
      union all
      select 'workflow', w.id, w.name from workflows w
      where w.project_id = ${projectId} and ((w.trigger_type = 'EVENT' and w.event_name = ${name}) or exists (
        select from workflow_steps s
        where s.project_id = w.project_id and s.workflow_id = w.id and (s.event_name = ${name}
          or s.used_fields @> array['event.' || ${name}::text])))
    ) as users order by id`.execute(db)
  return rows
}

export interface EventField {
  path: string[]
  type: string
  events: number
  sampled: number
}

/** Anyone with the public key can record events with a thousand keys each. */
const FIELDS_MAX = 2_000

/** The leaves of the data of recent events with a name, each with its latest type and the number of events that have it. */
export async function listEventFields(
  db: Database,
  projectId: string,
  name: string,
  recent: number,
): Promise<EventField[]> {
  const { rows } = await sql<EventField>`/* list-event-fields */
    with recursive recent as (
      select id, case jsonb_typeof(data) when 'object' then data else '{}' end as data
      from events where project_id = ${projectId} and name = ${name} order by id desc limit ${recent}
    ), node as (
      select recent.id, array[e.key] as path, e.value from recent, jsonb_each(recent.data) e
      union all
      select n.id, n.path || e.key, e.value from node n, jsonb_each(n.value) e where jsonb_typeof(n.value) = 'object'
    ), leaf as (
      select path, (array_agg(field_type(value) order by id desc))[1] as type, count(*)::int as events
      from node where jsonb_typeof(value) not in ('object', 'null') group by path
    )
    select * from (
      select path, type, events, (select count(*) from recent)::int as sampled from leaf
      order by events desc, path limit ${FIELDS_MAX}
    ) as listed order by path`.execute(db)
  return rows
}
