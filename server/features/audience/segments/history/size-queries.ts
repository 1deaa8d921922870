/** SQL on the sizes of segments by day. */
import type { RawBuilder } from 'kysely'
import type { DayRange } from '../../../../kernel/time-range.ts'
import type { Database } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'
import { keptCountSql } from '../../contacts/fields/field-queries.ts'
import type { SegmentRow } from '../queries.ts'

export interface SegmentSize {
  day: string
  contacts: number
  total: number
}

/** Oldest first. */
export async function listSizes(
  db: Database,
  projectId: string,
  segmentId: string,
  { first, last }: DayRange,
): Promise<SegmentSize[]> {
  const { rows } = await sql<SegmentSize>`/* list-segment-sizes */
    select to_char(day, 'YYYY-MM-DD') as day, contacts, all_contacts as total from segment_sizes
    where project_id = ${projectId} and segment_id = ${segmentId} and day between ${first}::date and ${last}::date
    order by day`.execute(db)
  return rows
}

const isMissing = (day: string): RawBuilder<boolean> => sql<boolean>`
  exists (select from projects p where p.id = s.project_id and p.disabled_at is null)
    and not exists (
      select from segment_sizes z where z.project_id = s.project_id and z.segment_id = s.id and z.day = ${day}::date)`

/** Records all segments whose number of members is kept: it is exact, or a few minutes old. */
export async function recordKeptSizes(db: Database, day: string): Promise<void> {
  await sql`/* record-kept-segment-sizes */
    insert into segment_sizes (project_id, segment_id, day, contacts, all_contacts)
    select s.project_id, s.id, ${day}::date, s.member_count, totals.contacts
    from segments s join (
      select t.project_id, ${keptCountSql(sql<string>`t.project_id`, 'contacts')} as contacts
      from (select distinct project_id from segments) as t
    ) as totals on totals.project_id = s.project_id
    where (s.type = 'STATIC' or s.track_membership) and ${isMissing(day)}
    order by s.project_id, s.id
    on conflict do nothing`.execute(db)
}

export interface Place {
  projectId: string
  id: string
}

/** The next segment without a size of this day whose contacts have to be counted. */
export async function findUncounted(
  db: Database,
  day: string,
  after: Place | undefined,
): Promise<SegmentRow | undefined> {
  const later = after ? sql`and (s.project_id, s.id) > (${after.projectId}::uuid, ${after.id}::uuid)` : sql``
  const { rows } = await sql<SegmentRow>`
    select s.* from segments s where s.type = 'DYNAMIC' and not s.track_membership and ${isMissing(day)} ${later}
    order by s.project_id, s.id limit 1`.execute(db)
  return rows[0]
}

export async function recordSize(
  db: Database,
  projectId: string,
  segmentId: string,
  { day, contacts }: { day: string; contacts: number },
): Promise<void> {
  await sql`/* record-segment-size */
    insert into segment_sizes (project_id, segment_id, day, contacts, all_contacts)
    select s.project_id, s.id, ${day}::date, ${contacts}::int, ${keptCountSql(projectId, 'contacts')}
    from segments s where s.project_id = ${projectId} and s.id = ${segmentId}
    on conflict do nothing`.execute(db)
}

/** Returns how many were deleted. */
export async function deleteSizesBefore(db: Database, day: string, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* delete-old-segment-sizes */
    with batch as materialized (
      select project_id, segment_id, day from segment_sizes where day < ${day}::date limit ${most}
    ), gone as (
      delete from segment_sizes z using batch b
      where z.project_id = b.project_id and z.segment_id = b.segment_id and z.day = b.day returning z.day
    )
    select count(*)::int as count from gone`.execute(db)
  return rows[0]!.count
}
