/** SQL on the fields of contacts: stored counts, types, values, and what uses or sets them. */
import type { RawBuilder } from 'kysely'
import type { Database, Tx } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'
import { defineTally } from '../../../../platform/database/tallies.ts'
import { OF_A_PROJECT } from '../../../record/journal/tally-queries.ts'
import { updatedSteps } from '../subscription-queries.ts'

export type Tally = 'contacts' | 'subscribed'

/** The caller's project, or an expression of the statement that looks up the caller. */
export type ProjectId = string | RawBuilder<string>

/** A stored count that is always exact: the folded count plus pending differences. */
export const keptCountSql = (projectId: ProjectId, tally: Tally): RawBuilder<number> => sql<number>`(
  select coalesce(sum(count), 0)::bigint from (
    select count from contact_counts where project_id = ${projectId} and tally = ${tally} and path = '{}'
    union all
    select change from contact_count_changes where project_id = ${projectId} and tally = ${tally}
  ) as parts)`

export async function readCount(db: Database, projectId: string, tally: Tally): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* read-contact-count */
    select ${keptCountSql(projectId, tally)} as count`.execute(db)
  return rows[0]!.count
}

export interface FieldRow {
  path: string[]
  type: string
  contacts: number
}

/**
 * Anyone with the public key can add fields, a thousand with each request, so only those that most contacts have are
 * listed.
 */
const FIELDS_MAX = 2_000

/** The custom fields that at least one contact has, by name; only those with one name if given. */
export async function listFields(db: Database, projectId: string, only?: string): Promise<FieldRow[]> {
  const name = only ?? null
  const { rows } = await sql<FieldRow>`/* list-contact-fields */
    with counted as (
      select path, sum(count)::bigint as contacts from (
        select path, count from contact_counts where project_id = ${projectId} and tally = 'field'
        union all
        select path, change from contact_count_changes where project_id = ${projectId} and tally = 'field'
      ) as parts
      group by path
    )
    select * from (
      select f.path, f.type, counted.contacts
      from contact_fields f join counted on counted.path = f.path
      where f.project_id = ${projectId} and counted.contacts > 0
        and (${name}::text is null or array_to_string(f.path, '.') = ${name}::text)
      order by counted.contacts desc, f.path limit ${FIELDS_MAX}
    ) as listed order by path`.execute(db)
  return rows
}

/** The paths that a field name can mean: a nested value, or a key that contains dots. */
export async function findPaths(db: Database | Tx, projectId: string, name: string): Promise<string[][]> {
  const { rows } = await sql<{ path: string[] }>`
    select path from contact_fields where project_id = ${projectId} and array_to_string(path, '.') = ${name}`.execute(
    db,
  )
  return rows.map((row) => row.path)
}

/** The same paths, and the objects that contain a nested value. */
export async function findObjectPaths(db: Database | Tx, projectId: string, name: string): Promise<string[][]> {
  const { rows } = await sql<{ path: string[] }>`
    select distinct path[1:depth] as path
    from contact_fields cross join lateral generate_series(1, cardinality(path)) as depth
    where project_id = ${projectId} and array_to_string(path[1:depth], '.') = ${name}`.execute(db)
  return rows.map((row) => row.path)
}

const COLUMNS: Record<string, RawBuilder<unknown>> = {
  email: sql`to_jsonb(email)`,
  subscribed: sql`to_jsonb(subscribed)`,
  createdAt: sql`to_jsonb(to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
  updatedAt: sql`to_jsonb(to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`,
}

export type FieldSource = { column: string } | { paths: string[][] }

const fieldValue = (source: FieldSource): RawBuilder<unknown> =>
  'column' in source
    ? COLUMNS[source.column]!
    : sql`coalesce(${sql.join(source.paths.map((path) => sql`nullif(data #> ${path}::text[], 'null')`))})`

/** Distinct values, most frequent first, and their number. */
export async function listValues(db: Database, projectId: string, source: FieldSource, limit: number) {
  const { rows } = await sql<{ value: unknown; total: number }>`
    with found as (
      select value, count(*) as contacts
      from (select ${fieldValue(source)} as value from contacts where project_id = ${projectId}) as each
      where value is not null
      group by value
    )
    select value, (select count(*) from found) as total from found order by contacts desc, value limit ${limit}`.execute(
    db,
  )
  return { values: rows.map((row) => row.value), count: rows[0]?.total ?? 0 }
}

/** The segments whose condition uses a field, oldest first. */
export async function listSegmentsUsing(db: Database, projectId: string, field: string) {
  const { rows } = await sql<{ id: string; name: string }>`/* list-segments-using-field */
    select id, name from segments where project_id = ${projectId} and fields @> array[${field}::text] order by id`.execute(
    db,
  )
  return rows
}

/** The campaigns whose audience uses a field, oldest first. */
export async function listCampaignsUsing(db: Database, projectId: string, field: string) {
  const { rows } = await sql<{ id: string; name: string }>`/* list-campaigns-using-field */
    select id, name from campaigns where project_id = ${projectId} and fields @> array[${field}::text] order by id`.execute(
    db,
  )
  return rows
}

/** The workflows with a step that uses a field (`data.plan`, `email`), oldest first. */
export async function listWorkflowsUsing(db: Database, projectId: string, field: string) {
  const { rows } = await sql<{ id: string; name: string }>`/* list-workflows-using-field */
    select w.id, w.name from workflows w
    where w.project_id = ${projectId} and exists (
      select from workflow_steps s
      where s.project_id = w.project_id and s.workflow_id = w.id and s.used_fields @> array[${field}::text])
    order by w.id`.execute(db)
  return rows
}

/**
 * Removes these paths, and everything below them, from all contacts, with their counts and types. The type is
 * determined again if the field is set later.
 */
export async function deleteField(tx: Tx, projectId: string, paths: string[][], now: Date): Promise<number> {
  // Only from objects: elements of a list are not fields.
  const holds = (path: string[]) =>
    sql`jsonb_typeof(data #> ${path.slice(0, -1)}::text[]) = 'object' and data #> ${path}::text[] is not null`
  const without = paths.reduce(
    (before, path) => sql`(
      select case when ${holds(path)} then data #- ${path}::text[] else data end from (select ${before} as data) as held)`,
    sql`data`,
  )
  const has = sql.join(
    paths.map((path) => sql`(${holds(path)})`),
    sql` or `,
  )
  const { rows } = await sql<{ count: number }>`
    with cleared as (
      update contacts set data = ${without}, updated_at = ${now}::timestamptz
      where project_id = ${projectId} and (${has})
      returning *
    ), ${updatedSteps(sql`cleared c`, now)}
    select count(*) as count from cleared`.execute(tx)
  for (const path of paths) {
    await sql`
      delete from contact_fields
      where project_id = ${projectId} and path[1:${path.length}::int] = ${path}::text[]`.execute(tx)
  }
  return rows[0]!.count
}

/** A field counts for each contact that has a value other than null or an object. */
export const contactTally = defineTally({
  name: 'contacts',
  kept: 'contact_counts',
  changes: 'contact_count_changes',
  keys: ['project_id', 'tally', 'path'],
  measures: { count: 'change' },
  of: 'contacts',
  facts: (rows) => sql`
    select project_id, 'contacts' as tally, '{}'::text[] as path, count(*) as count from ${rows} group by project_id
    union all
    select project_id, 'subscribed', '{}', count(*) from ${rows} where subscribed group by project_id
    union all
    select project_id, 'field', path, count(*) from (
      with recursive node as (
        select c.project_id, array[e.key] as path, e.value from ${rows} c, jsonb_each(c.data) e
        union all
        select n.project_id, n.path || e.key, e.value from node n, jsonb_each(n.value) e where jsonb_typeof(n.value) = 'object'
      )
      select project_id, path from node where jsonb_typeof(value) not in ('object', 'null')
    ) as leaf
    group by project_id, path`,
  belongsTo: OF_A_PROJECT,
})

/** Which of these addresses are contacts. */
export async function findExistingEmails(db: Database, projectId: string, emails: string[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`/* lookup-contacts */
    select email from contacts where project_id = ${projectId} and email = any(${emails}::text[])`.execute(db)
  return rows.map((row) => row.email)
}
