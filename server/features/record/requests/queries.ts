/** SQL of the request log. */
import type { RawBuilder, Selectable } from 'kysely'
import { msOfId } from '../../../kernel/ids.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { startingWith } from '../../../platform/database/like.ts'
import type { ApiRequests } from '../../../platform/database/tables.ts'

export interface RequestError {
  message: string
  errors?: Array<{ field: string; message: string; code: string }> | undefined
  suggestion?: string | undefined
}

/** One request of a row. */
export type RequestRow = Omit<Selectable<ApiRequests>, RowField | 'error'> & {
  id: string
  path: string
  duration_ms: number
  error: RequestError | null
}

type RowField = 'project_id' | 'second' | 'first_id' | 'ids' | 'paths' | 'durations_ms'

/** Requests that began in the same second and differ only in their IDs, paths and durations. They are one row. */
export interface RequestGroup extends Omit<RequestRow, 'id' | 'path' | 'duration_ms'> {
  project_id: string
  second: Date
  ids: string[]
  /** One for each request. Stored once if all are equal. */
  paths: string[]
  durationsMs: number[]
}

/**
 * A log entry that PostgreSQL loses in a crash is not worth a write to disk. Requests of a project that was deleted in the
 * meantime are left out.
 */
export async function insertRequests(db: Database, groups: RequestGroup[]): Promise<void> {
  const all = <K extends keyof RequestGroup>(name: K): Array<RequestGroup[K]> => groups.map((group) => group[name])
  await sql`/* insert-requests */
    with lazy_commit as materialized (select set_config('synchronous_commit', 'off', true)),
    existing as materialized (select id from projects where id = any(${all('project_id')}::uuid[]) for key share)
    insert into api_requests (project_id, second, first_id, method, status, code, key_type, key_id, key_name, ip, error,
      ignored_fields, ids, paths, durations_ms)
    select g.project_id, g.second, g.first_id, g.method, g.status, g.code, g.key_type, g.key_id, g.key_name, g.ip, g.error,
      case when g.ignored_fields is not null then array(select jsonb_array_elements_text(g.ignored_fields)) end,
      g.ids::uuid[], g.paths::text[], g.durations::int[]
    from lazy_commit, unnest(
      ${all('project_id')}::uuid[], ${all('second')}::timestamptz[], ${groups.map(({ ids }) => ids[0])}::uuid[], ${all('method')}::text[], ${all('status')}::smallint[],
      ${all('code')}::text[], ${all('key_type')}::text[], ${all('key_id')}::uuid[], ${all('key_name')}::text[], ${all('ip')}::text[],
      ${groups.map(({ error }) => error && JSON.stringify(error))}::jsonb[],
      ${groups.map(({ ignored_fields: ignored }) => ignored && JSON.stringify(ignored))}::jsonb[],
      ${groups.map(({ ids }) => `{${ids.join()}}`)}::text[],
      ${groups.map(({ paths }) => textArray(paths.every((path) => path === paths[0]) ? paths.slice(0, 1) : paths))}::text[],
      ${groups.map(({ durationsMs }) => `{${durationsMs.join()}}`)}::text[]
    ) as g(project_id, second, first_id, method, status, code, key_type, key_id, key_name, ip, error, ignored_fields, ids, paths, durations)
    join existing on existing.id = g.project_id`.execute(db)
}

/** How PostgreSQL writes an array of texts. */
const textArray = (items: string[]): string =>
  `{${items.map((item) => `"${item.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`

export interface RequestFilter {
  method?: string | undefined
  /** A path, or its beginning with a star at the end. */
  path?: string | undefined
  /** The lowest and the highest. */
  status?: [number, number] | undefined
  code?: string | undefined
  /** `secret`, `public`, or the ID of an API key. */
  key?: string | undefined
  /** The first id of the range of time. */
  from?: string | undefined
  /** The first id after the range of time, or the cursor. */
  before?: string | undefined
}

/** One page reads at most this many requests; the next page goes on with older ones. */
const READ_MAX = 20_000
const COUNTED_MAX = 10_000

/** Whether a condition remains that no index answers. */
export const isSearch = ({ method, path, status, code, key }: RequestFilter): boolean =>
  [method, path, status, code, key].some((value) => value !== undefined)

/** Refused requests are few, and have an index of their own. */
const isRefused = ({ status, code }: RequestFilter): boolean => code !== undefined || (status?.[0] ?? 0) >= 400

/** The second in which a request with this id began. */
export const secondOf = (id: string): Date => new Date(Math.floor(msOfId(id) / 1000) * 1000)

/** The requests of the time that is asked for, newest first. */
function read(db: Database, projectId: string, filter: RequestFilter) {
  const { from, before } = filter
  let query = db
    .selectFrom('api_requests as g')
    .innerJoinLateral(
      sql<Pick<RequestRow, 'id' | 'path' | 'duration_ms'>>`(
        select u.id, coalesce(u.path, g.paths[1]) as path, u.duration_ms
        from unnest(g.ids, g.paths, g.durations_ms) as u(id, path, duration_ms)
      )`.as('r'),
      (join) => join.onTrue(),
    )
    .where('g.project_id', '=', projectId)
  if (isRefused(filter)) query = query.where('g.status', '>=', sql.lit(400))
  if (from !== undefined) query = query.where('g.second', '>=', secondOf(from)).where('r.id', '>=', from)
  if (before !== undefined) query = query.where('g.second', '<=', secondOf(before)).where('r.id', '<', before)
  return query
    .select(['r.id', 'r.path', 'r.duration_ms'])
    .select([
      'g.method',
      'g.status',
      'g.code',
      'g.key_type',
      'g.key_id',
      'g.key_name',
      'g.ip',
      'g.error',
      'g.ignored_fields',
    ])
    .orderBy('g.second', 'desc')
    .orderBy('r.id', 'desc')
}

const keyIs = (key: string): RawBuilder<boolean> =>
  key === 'secret' || key === 'public' ? sql`r.key_type = ${key}` : sql`r.key_id = ${key}::uuid`

const found = (db: Database, projectId: string, filter: RequestFilter, limit: number) => {
  const { method, path, status, code, key } = filter
  let query = db.selectFrom(read(db, projectId, filter).limit(READ_MAX).as('r'))
  if (method !== undefined) query = query.where('r.method', '=', method)
  if (path?.endsWith('*')) query = query.where('r.path', 'like', startingWith(path.slice(0, -1)))
  else if (path !== undefined) query = query.where('r.path', '=', path)
  if (status) query = query.where('r.status', '>=', status[0]).where('r.status', '<=', status[1])
  if (code !== undefined) query = query.where('r.code', '=', code)
  if (key !== undefined) query = query.where(keyIs(key))
  return query.limit(limit)
}

/** Newest first, with one extra row that shows whether there are more. */
export const listRequests = (db: Database, projectId: string, filter: RequestFilter & { limit: number }) =>
  found(db, projectId, filter, filter.limit + 1)
    .selectAll('r')
    .orderBy('r.id', 'desc')
    .$castTo<RequestRow>()
    .execute()

/** At most 10,000, of those that the first page reads. */
export async function countRequests(db: Database, projectId: string, filter: RequestFilter): Promise<number> {
  const row = await db
    .selectFrom(found(db, projectId, filter, COUNTED_MAX).select('r.id').as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** The last request that a page reads; undefined if there are no older ones. */
export async function endOfRead(db: Database, projectId: string, filter: RequestFilter): Promise<string | undefined> {
  const older = await read(db, projectId, filter)
    .clearSelect()
    .select('r.id')
    .offset(READ_MAX - 1)
    .limit(2)
    .execute()
  return older.length === 2 ? older[0]!.id : undefined
}

export const findRequest = (db: Database, projectId: string, id: string): Promise<RequestRow | undefined> =>
  read(db, projectId, {})
    .where('g.second', '=', secondOf(id))
    .where('r.id', '=', id)
    .$castTo<RequestRow>()
    .executeTakeFirst()

/** Deletes up to `most` rows of all projects from before a second, along the key of each project. Returns how many. */
export async function deleteRequestsBefore(db: Database, end: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`/* delete-requests-before */
    with recursive owner as (
      (select project_id from api_requests order by project_id limit 1)
      union all
      select (select r.project_id from api_requests r where r.project_id > owner.project_id order by r.project_id limit 1)
      from owner where owner.project_id is not null
    )
    delete from api_requests r using (
      select old.project_id, old.second, old.first_id from owner cross join lateral (
        select project_id, second, first_id from api_requests
        where api_requests.project_id = owner.project_id and second < ${end}::timestamptz
        order by second limit ${most}
      ) as old limit ${most}
    ) as old
    where r.project_id = old.project_id and r.second = old.second and r.first_id = old.first_id`.execute(db)
  return Number(numAffectedRows)
}
