/** SQL on segments, and on the contacts that match a condition. */
import type { RawBuilder, Selectable } from 'kysely'
import { type Condition, segmentIdsOf, topicKeysOf } from '../../../kernel/conditions/condition.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { NUMBERED_PAGE_BYTES_MAX, pageTooLarge } from '../../../kernel/pages.ts'
import { changedAt } from '../../../platform/database/changed-at.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { sqlState } from '../../../platform/database/connection/transaction.ts'
import type { Segments } from '../../../platform/database/tables.ts'
import { type ContactSort, NEWEST_FIRST, orderSql } from '../contacts/list-queries.ts'
import type { ContactRow } from '../contacts/queries.ts'
import { hasFewSuppressions } from '../suppressions/queries.ts'
import { type ConditionScope, conditionSql, type NamedSegment } from './condition-queries.ts'
import { type GraphNode, refuseLargeCondition } from './graph.ts'

/** Derived from a condition and stored with it, so that references can be queried. */
export type ConditionFacts = Pick<Selectable<Segments>, 'fields' | 'event_names' | 'segment_ids' | 'filter_count'>

type SegmentColumn =
  | ('project_id' | 'id' | 'name' | 'description' | 'type' | 'tags')
  | ('track_membership' | 'member_count' | 'created_at' | 'updated_at')

export type SegmentRow = Pick<Selectable<Segments>, SegmentColumn> & { condition: Condition | null }

const COLUMNS = sql`project_id, id, name, description, type, condition, track_membership, member_count, tags, created_at, updated_at`

export async function listSegments(db: Database | Tx, projectId: string): Promise<SegmentRow[]> {
  const { rows } = await sql<SegmentRow>`/* list-segments */
    select ${COLUMNS} from segments where project_id = ${projectId} order by id desc`.execute(db)
  return rows
}

export async function findSegment(db: Database | Tx, projectId: string, id: string): Promise<SegmentRow | undefined> {
  const { rows } = await sql<SegmentRow>`/* find-segment */
    select ${COLUMNS} from segments where project_id = ${projectId} and id = ${id}`.execute(db)
  return rows[0]
}

/** Reads a segment and locks it until the transaction ends. */
export async function lockSegment(tx: Tx, projectId: string, id: string): Promise<SegmentRow | undefined> {
  const { rows } = await sql<SegmentRow>`
    select ${COLUMNS} from segments where project_id = ${projectId} and id = ${id} for update`.execute(tx)
  return rows[0]
}

export type NewSegmentRow = ConditionFacts & Omit<SegmentRow, 'project_id' | 'created_at' | 'updated_at'>

/** A tracked segment is marked as changed, so that matching contacts become members. */
export async function insertSegment(tx: Tx, projectId: string, row: NewSegmentRow, now: Date): Promise<SegmentRow> {
  const { rows } = await sql<SegmentRow>`/* insert-segment */
    insert into segments (project_id, id, name, description, type, condition, fields, event_names, segment_ids,
      filter_count, track_membership, member_count, tags, computed_at, changed_at, created_at, updated_at)
    values (${projectId}, ${row.id}, ${row.name}, ${row.description}, ${row.type}, ${jsonOf(row.condition)}::jsonb,
      ${row.fields}::text[], ${row.event_names}::text[], ${row.segment_ids}::uuid[], ${row.filter_count},
      ${row.track_membership}, ${row.member_count}, ${row.tags}::text[], ${now}, ${now}, ${now}, ${now})
    returning ${COLUMNS}`.execute(tx)
  return rows[0]!
}

const jsonOf = (condition: Condition | null): string | null => (condition === null ? null : JSON.stringify(condition))

export interface SegmentPatch {
  name?: string | undefined
  description?: string | null | undefined
  track_membership?: boolean | undefined
  tags?: string[] | undefined
  condition?: (ConditionFacts & { tree: Condition; member_count: number }) | undefined
  /** The members may no longer be the contacts that match. */
  is_stale: boolean
}

export async function updateSegment(
  tx: Tx,
  projectId: string,
  id: string,
  { condition, is_stale, ...same }: SegmentPatch,
  now: Date,
): Promise<SegmentRow | undefined> {
  const { tree, ...facts } = condition ?? {}
  const row = await tx
    .updateTable('segments')
    .set({
      ...same,
      ...facts,
      ...(tree ? { condition: JSON.stringify(tree) } : {}),
      ...(is_stale ? { changed_at: now } : {}),
      updated_at: changedAt(now),
    })
    .where('project_id', '=', projectId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  return row as SegmentRow | undefined
}

export async function deleteSegment(tx: Tx, projectId: string, id: string): Promise<void> {
  await sql`/* delete-segment */
    delete from segments where project_id = ${projectId} and id = ${id}`.execute(tx)
}

/** Stores a count. This is not a change of the segment, so `updated_at` stays. */
export async function setMemberCount(db: Database | Tx, projectId: string, id: string, count: number): Promise<void> {
  await sql`/* set-member-count */
    update segments set member_count = ${count} where project_id = ${projectId} and id = ${id} and member_count <> ${count}`.execute(
    db,
  )
}

/** Serializes changes of references between segments, so that two of them can't form a cycle. */
export async function lockGraph(tx: Tx, projectId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`segments:${projectId}`}, 0))`.execute(tx)
}

export async function readGraph(tx: Tx, projectId: string): Promise<GraphNode[]> {
  const { rows } = await sql<GraphNode>`/* read-segment-graph */
    select id, name, segment_ids as "segmentIds", filter_count as "filterCount"
    from segments where project_id = ${projectId}`.execute(tx)
  return rows
}

export interface SegmentUser {
  kind: 'segment' | 'campaign'
  id: string
  name: string
}

/** What uses a segment, oldest first: other segments, and unfinished campaigns. */
export async function listUsers(tx: Tx, projectId: string, id: string): Promise<SegmentUser[]> {
  const { rows } = await sql<SegmentUser>`
    select kind, id, name from (
      select 'segment' as kind, id, name from segments
      where project_id = ${projectId} and segment_ids @> array[${id}::uuid] and id <> ${id}
      union all
      select 'campaign', id, name from campaigns
      where project_id = ${projectId} and status in ('DRAFT', 'SCHEDULED', 'SENDING')
        and (segment_id = ${id} or segment_ids @> array[${id}::uuid])
    ) as users order by id`.execute(tx)
  return rows
}

/**
 * The segments that a condition refers to, and those that they refer to if they are evaluated. Refuses a condition that
 * is too large with them.
 */
export async function resolveSegments(
  db: Database | Tx,
  projectId: string,
  condition: Condition,
): Promise<Map<string, NamedSegment>> {
  const ids = segmentIdsOf(condition)
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; condition: Condition | null }>`/* resolve-segments */
    with recursive named as (
      select unnest(${ids}::uuid[]) as id
      union
      select unnest(s.segment_ids) from named join segments s on s.project_id = ${projectId} and s.id = named.id
      where s.type = 'DYNAMIC' and not s.track_membership
    )
    select s.id, case when not s.track_membership then s.condition end as condition
    from named join segments s on s.project_id = ${projectId} and s.id = named.id`.execute(db)
  const named = new Map<string, NamedSegment>(
    rows.map(({ id, condition: tree }) => [id, tree ? { stored: false, condition: tree } : { stored: true }]),
  )
  refuseLargeCondition(condition, named)
  return named
}

/** `someContacts`: the statement reads one contact, or the next part of all. */
type ReadOptions = Pick<ConditionScope, 'someContacts'>

/** A predicate over `contacts` with the referenced segments resolved, for any statement of this project. */
export async function audienceSql(
  db: Database | Tx,
  projectId: string,
  condition: Condition,
  now: Date,
  options: ReadOptions = {},
): Promise<RawBuilder<boolean>> {
  const segments = await resolveSegments(db, projectId, condition)
  const evaluated = [...segments.values()].flatMap((segment) => (segment.stored ? [] : [segment.condition]))
  const readsAll = !options.someContacts && [condition, ...evaluated].some((tree) => topicKeysOf(tree).length > 0)
  const fewSuppressions = readsAll && (await hasFewSuppressions(db, projectId))
  return conditionSql(condition, { projectId, now, segments, fewSuppressions, ...options })
}

/**
 * The members of a segment as a predicate over `contacts`: the list of a static one, otherwise the contacts that match
 * now.
 */
export async function segmentAudienceSql(
  db: Database | Tx,
  projectId: string,
  segment: Pick<SegmentRow, 'id' | 'condition'>,
  now: Date,
  options: ReadOptions = {},
): Promise<RawBuilder<boolean>> {
  if (segment.condition) return audienceSql(db, projectId, segment.condition, now, options)
  return sql<boolean>`exists (select from segment_members where segment_members.project_id = ${projectId}
    and segment_members.segment_id = ${segment.id} and segment_members.contact_id = contacts.id)`
}

/** Which of these contacts match. `event` is the data of the event that started a workflow. */
export async function filterMatching(
  db: Database | Tx,
  projectId: string,
  contactIds: string[],
  condition: Condition,
  { now, event }: { now: Date; event?: Record<string, unknown> | undefined },
): Promise<Set<string>> {
  const segments = await resolveSegments(db, projectId, condition)
  const { rows } = await sql<{ id: string }>`
    select id from contacts where contacts.project_id = ${projectId} and contacts.id = any(${contactIds}::uuid[])
      and ${conditionSql(condition, { projectId, now, segments, event, someContacts: true })}`.execute(db)
  return new Set(rows.map(({ id }) => id))
}

/** More than any reasonable condition needs for millions of contacts. */
const STATEMENT_TIMEOUT_MS = 30_000
const CANCELLED = '57014'

/**
 * A read for a caller who waits: it is canceled if it takes too long, with an error about the condition. PostgreSQL
 * expects half of all contacts to match a filter on data, and estimates that passing so many between processes costs
 * more than reading them in one. Without that cost, all cores are used, as for a count.
 */
export async function withStatementTimeout<T>(
  db: Database,
  read: (tx: Tx) => Promise<T>,
  timeoutMs = STATEMENT_TIMEOUT_MS,
  message = 'The condition takes too long to evaluate for the contacts of this project. Use fewer or simpler filters.',
): Promise<T> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true),
        set_config('parallel_tuple_cost', '0', true)`.execute(tx)
      return read(tx)
    })
  } catch (error) {
    if (sqlState(error) !== CANCELLED) throw error
    throw badRequest(message)
  }
}

export async function countMatching(
  db: Database | Tx,
  projectId: string,
  audience: RawBuilder<boolean>,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from contacts where contacts.project_id = ${projectId} and ${audience}`.execute(db)
  return rows[0]!.count
}

/** The contacts of an audience that are older than an id. */
export const createdBeforeSql = (audience: RawBuilder<boolean>, before: string): RawBuilder<boolean> =>
  sql<boolean>`contacts.id < ${before}::uuid and ${audience}`

/** The next ids of an audience in order, for work that proceeds part by part. */
export async function listMatchingIds(
  tx: Tx,
  projectId: string,
  audience: RawBuilder<boolean>,
  { after, before, limit }: { after: string | null; before: string; limit: number },
): Promise<string[]> {
  const later = after === null ? sql`` : sql`and contacts.id > ${after}::uuid`
  const { rows } = await sql<{ id: string }>`
    select contacts.id from contacts
    where contacts.project_id = ${projectId} and ${createdBeforeSql(audience, before)} ${later}
    order by contacts.id limit ${limit}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Each condition has its own parameters, and a statement can have at most 65,535. */
const SEGMENTS_AT_ONCE = 50

/** Which of the segments contain one contact, in their order. */
export async function findContaining(
  tx: Tx,
  projectId: string,
  contactId: string,
  segments: SegmentRow[],
  now: Date,
): Promise<boolean[]> {
  const contained: boolean[] = []
  for (let from = 0; from < segments.length; from += SEGMENTS_AT_ONCE) {
    const audiences: RawBuilder<boolean>[] = []
    for (const segment of segments.slice(from, from + SEGMENTS_AT_ONCE))
      audiences.push(await segmentAudienceSql(tx, projectId, segment, now, { someContacts: true }))
    const { rows } = await sql<{ contained: boolean[] }>`
      select array[${sql.join(audiences.map((audience) => sql`(${audience}) is true`))}] as contained
      from contacts where contacts.project_id = ${projectId} and contacts.id = ${contactId}::uuid`.execute(tx)
    contained.push(...(rows[0]?.contained ?? []))
  }
  return contained
}

/**
 * A scan from the newest contact reads at most a fiftieth of all contacts, if the matching ones are evenly distributed.
 */
const PAGES_TO_SCAN = 50

export interface PageWindow {
  limit: number
  offset: number
  /** Newest first by default. */
  sort?: ContactSort
}

const isWorthWalking = (total: number, { limit, offset }: PageWindow): boolean =>
  total >= PAGES_TO_SCAN * (offset + limit)

const PAGE_COLUMNS = sql`contacts.id, contacts.email, contacts.subscribed, contacts.paused_until, contacts.data, contacts.created_at, contacts.updated_at`
/** The columns of a page: if its data is too large, it is not sent to this process. */
const BOUNDED_COLUMNS = sql`contacts.id, contacts.email, contacts.subscribed, contacts.paused_until, contacts.created_at, contacts.updated_at,
      case when sum(octet_length(contacts.data::text)) over () <= ${sql.lit(NUMBERED_PAGE_BYTES_MAX)} then contacts.data end as data`

type BoundedRow = Omit<ContactRow, 'data'> & { data: ContactRow['data'] | null }

function refuseLargePage<R extends BoundedRow>(rows: R[]): Array<R & ContactRow> {
  if (rows.some(({ data }) => data === null)) throw pageTooLarge('contacts')
  return rows as Array<R & ContactRow>
}

/**
 * Counts the matching contacts and returns a page of them, newest first. `expected` is the previous count: if few
 * matched, the scan that counts them also finds the page, so contacts are read once instead of twice.
 */
export async function pageMatching(
  tx: Tx,
  projectId: string,
  audience: RawBuilder<boolean>,
  { expected, ...window }: PageWindow & { expected: number },
): Promise<{ rows: ContactRow[]; total: number }> {
  if (isWorthWalking(expected, window) || window.offset >= expected) {
    const total = await countMatching(tx, projectId, audience)
    return { rows: await listMatching(tx, projectId, audience, { ...window, total }), total }
  }
  const rows = await scanMatching(tx, projectId, audience, window)
  return { rows, total: rows[0]?.total ?? (await countMatching(tx, projectId, audience)) }
}

/**
 * Newest first. `total` is the number of matches: if many match, scanning from the newest contact soon fills a page; if
 * few match, it would scan all contacts.
 */
export async function listMatching(
  db: Database | Tx,
  projectId: string,
  audience: RawBuilder<boolean>,
  { total, ...window }: PageWindow & { total: number },
): Promise<ContactRow[]> {
  if (window.offset >= total) return []
  if (!isWorthWalking(total, window)) return scanMatching(db, projectId, audience, window)
  const order = window.sort ?? NEWEST_FIRST
  const { rows } = await sql<BoundedRow>`
    select ${BOUNDED_COLUMNS} from (
      select ${PAGE_COLUMNS} from contacts where contacts.project_id = ${projectId} and ${audience}
      order by ${orderSql(order, 'contacts')} limit ${window.limit} offset ${window.offset}
    ) as contacts order by ${orderSql(order, 'contacts')}`.execute(db)
  return refuseLargePage(rows)
}

/** Finds all matching contacts before it sorts them, and returns their number in each row. */
async function scanMatching(
  db: Database | Tx,
  projectId: string,
  audience: RawBuilder<boolean>,
  { limit, offset, sort = NEWEST_FIRST }: PageWindow,
): Promise<Array<ContactRow & { total: number }>> {
  const { rows } = await sql<BoundedRow & { total: number }>`
    select page.total, ${BOUNDED_COLUMNS}
    from (
      select matching.id, matching.total from (
        select contacts.id, contacts.email, count(*) over () as total from contacts where contacts.project_id = ${projectId} and ${audience}
      ) as matching order by ${orderSql(sort, 'matching')} limit ${limit} offset ${offset}
    ) as page join contacts on contacts.project_id = ${projectId} and contacts.id = page.id
    order by ${orderSql(sort, 'contacts')}`.execute(db)
  return refuseLargePage(rows)
}
