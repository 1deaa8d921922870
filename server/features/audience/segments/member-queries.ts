/**
 * SQL on the members of segments. Members change in the same statement as the event that records it, so there is
 * exactly one event per change.
 */
import type { RawBuilder } from 'kysely'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { writeEvents } from '../../record/journal/queries.ts'
import { type ContactUpsert, upsertContactSteps } from '../contacts/queries.ts'
import type { SegmentRow } from './queries.ts'

/** A segment in the data of its events. */
export interface EventSource {
  projectId: string
  segmentId: string
  entry: string
  exit: string
  data: { segmentId: string; segmentName: string }
  /** Whether events are recorded. */
  tracked: boolean
}

/** `changes` selects: contact_id, name. */
const recordEventsSteps = (source: EventSource, changes: RawBuilder<unknown>, now: Date) => sql`
  changes as (${changes}),
  ${writeEvents(
    'events_written',
    sql`
    select ${source.projectId}::uuid, id_at(${now}::timestamptz, row_number() over ()), changes.name, changes.contact_id,
      null::uuid, ${JSON.stringify(source.data)}::jsonb, ${now}::timestamptz
    from changes where ${source.tracked}::boolean`,
  )}`

/** Locks the segment against deletion until the transaction ends. */
export async function lockSegment(tx: Tx, projectId: string, id: string): Promise<boolean> {
  const { rows } = await sql`/* lock-segment */
    select from segments where project_id = ${projectId} and id = ${id} for key share`.execute(tx)
  return rows.length > 0
}

export interface AddedMember {
  id: string
  email: string
  is_new: boolean
  entered: boolean
}

/** Adds the contacts with these addresses or ids; `upsert` also creates missing contacts. */
export async function addMembers(
  tx: Tx,
  source: EventSource,
  people: { emails: string[] } | { contactIds: string[] } | { upsert: ContactUpsert },
  now: Date,
): Promise<AddedMember[]> {
  const { projectId, segmentId } = source
  const contactSteps =
    'upsert' in people
      ? upsertContactSteps(people.upsert)
      : sql`contact as (select id, email, false as is_new from contacts
          where project_id = ${projectId} and ${
            'contactIds' in people
              ? sql`id = any(${people.contactIds}::uuid[])`
              : sql`email = any(${people.emails}::text[])`
          })`
  const { rows } = await sql<AddedMember>`
    with ${contactSteps},
    entered as (
      insert into segment_members (project_id, segment_id, contact_id, created_at)
      select ${projectId}::uuid, ${segmentId}::uuid, contact.id, ${now}::timestamptz from contact order by contact.id
      on conflict do nothing
      returning contact_id
    ),
    ${recordEventsSteps(source, sql`select contact_id, ${source.entry}::text as name from entered`, now)}
    select contact.id, contact.email, contact.is_new, entered.contact_id is not null as entered
    from contact left join entered on entered.contact_id = contact.id`.execute(tx)
  return rows
}

/** Returns how many were members. */
export async function removeMembers(tx: Tx, source: EventSource, emails: string[], now: Date): Promise<number> {
  const { projectId, segmentId } = source
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from segment_members m using contacts c
      where m.project_id = ${projectId} and m.segment_id = ${segmentId} and m.contact_id = c.id
        and c.project_id = ${projectId} and c.email = any(${emails}::text[])
      returning m.contact_id
    ),
    ${recordEventsSteps(source, sql`select contact_id, ${source.exit}::text as name from gone`, now)}
    select count(*) as removed from gone`.execute(tx)
  return rows[0]!.removed
}

/**
 * Removes deleted contacts from all segments, without events, and updates the counts. Segments are updated in order, so
 * that two deletions can't deadlock. Returns how many memberships ended.
 */
export async function leaveSegments(db: Database | Tx, projectId: string, contactIds: string[]): Promise<number> {
  const { rows } = await sql<{ ended: number }>`/* leave-segments */
    with gone as (
      delete from segment_members where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[])
      returning segment_id
    ), losses as (
      select segment_id, count(*)::int as members from gone group by segment_id
    ), losing as (
      select s.id, l.members from segments s join losses l on l.segment_id = s.id
      where s.project_id = ${projectId} order by s.id for no key update of s
    ), counted as (
      update segments s set member_count = greatest(0, s.member_count - l.members)
      from losing l where s.project_id = ${projectId} and s.id = l.id
    )
    select coalesce(sum(members), 0)::int as ended from losses`.execute(db)
  return rows[0]!.ended
}

/** Last, so that every deletion of contacts takes the same locks in the same order. */
export async function addToMemberCount(tx: Tx, projectId: string, id: string, change: number): Promise<void> {
  if (change === 0) return
  await sql`/* add-to-member-count */
    update segments set member_count = greatest(0, member_count + ${change})
    where project_id = ${projectId} and id = ${id}`.execute(tx)
}

/**
 * Ensures that one worker at a time computes a segment. Without waiting, returns false if another worker is computing
 * it.
 */
export async function lockMembers(tx: Tx, segmentId: string, { wait }: { wait: boolean }): Promise<boolean> {
  const key = sql`hashtextextended(${`segment:${segmentId}`}, 0)`
  if (wait) {
    await sql`select pg_advisory_xact_lock(${key})`.execute(tx)
    return true
  }
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_xact_lock(${key}) as taken`.execute(tx)
  return rows[0]!.taken
}

export interface Computed {
  added: number
  removed: number
  total: number
}

/**
 * Sets the members to the contacts that match, in one statement. Contacts that were deleted are removed without an
 * event. Requires the lock of `lockMembers`.
 */
export async function computeMembers(
  tx: Tx,
  source: EventSource,
  audience: RawBuilder<boolean>,
  now: Date,
): Promise<Computed> {
  const { projectId, segmentId } = source
  const own = sql`m.project_id = ${projectId} and m.segment_id = ${segmentId}`
  const { rows } = await sql<Computed>`
    with matching as materialized (
      select contacts.id from contacts where contacts.project_id = ${projectId} and ${audience}
    ),
    gone as (
      delete from segment_members m
      where ${own} and not exists (select from matching where matching.id = m.contact_id)
      returning m.contact_id
    ),
    entered as (
      insert into segment_members (project_id, segment_id, contact_id, created_at)
      select ${projectId}::uuid, ${segmentId}::uuid, matching.id, ${now}::timestamptz from matching
      where not exists (select from segment_members m where ${own} and m.contact_id = matching.id)
      returning contact_id
    ),
    ${recordEventsSteps(
      source,
      sql`
        select contact_id, ${source.entry}::text as name from entered
        union all
        select gone.contact_id, ${source.exit}::text from gone
        join contacts on contacts.project_id = ${projectId} and contacts.id = gone.contact_id`,
      now,
    )}
    select (select count(*) from entered) as added, (select count(*) from gone) as removed,
      (select count(*) from matching) as total`.execute(tx)
  return rows[0]!
}

export async function deleteMembers(tx: Tx, projectId: string, segmentId: string): Promise<void> {
  await sql`/* delete-members */
    delete from segment_members where project_id = ${projectId} and segment_id = ${segmentId}`.execute(tx)
}

/** Marks tracked segments that depend on this one for another computation. */
export async function markDependents(db: Database | Tx, projectId: string, now: Date): Promise<void> {
  await sql`/* mark-dependent-segments */
    update segments set changed_at = ${now} from (
      select id from segments s where s.project_id = ${projectId} and s.track_membership and s.type = 'DYNAMIC'
        and s.changed_at is null and s.segment_ids <> '{}'
      for update skip locked
    ) as stale
    where segments.project_id = ${projectId} and segments.id = stale.id`.execute(db)
}

/** Later changes of contacts make the segment due again. */
export async function startComputing(db: Database, projectId: string, id: string, now: Date): Promise<void> {
  await sql`/* start-computing */
    update segments set changed_at = null, computed_at = ${now} where project_id = ${projectId} and id = ${id}`.execute(
    db,
  )
}

export interface DueTimes {
  /** Changes before this time have waited long enough. */
  changedBefore: Date
  /** Segments computed before this time are due in any case, because conditions on time change without events. */
  computedBefore: Date
}

/** An event can be recorded slightly later than its timestamp. */
const EVENT_MARGIN = '10 seconds'

/**
 * Claims the tracked segment that has waited longest among those that are due: a contact of the project changed, an
 * event occurred that the condition uses, or the maximum age is reached. Two workers never claim the same one.
 */
export async function claimDueSegment(db: Database, due: DueTimes, now: Date): Promise<SegmentRow | undefined> {
  const { rows } = await sql<SegmentRow>`/* claim-due-segment */
    update segments set changed_at = null, computed_at = ${now} from (
      select s.project_id, s.id from segments s join projects on projects.id = s.project_id
      where s.track_membership and s.type = 'DYNAMIC' and projects.disabled_at is null and (
        s.changed_at <= ${due.changedBefore}::timestamptz
        or s.computed_at <= ${due.computedBefore}::timestamptz
        or (s.computed_at <= ${due.changedBefore}::timestamptz and exists (
          select from events where events.project_id = s.project_id and events.name = any(s.event_names)
            and events.id >= first_id_at(s.computed_at - ${EVENT_MARGIN}::interval)))
      )
      order by s.computed_at limit 1 for update of s skip locked
    ) as next
    where segments.project_id = next.project_id and segments.id = next.id
    returning segments.*`.execute(db)
  return rows[0]
}
