/** SQL of the export of a project, page by page in the order of IDs. It reads tables of other features and writes none. */

import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'

export { type ConsentPlace, listConsentsAfter } from '../../audience/consents/queries.ts'

/** So that a page of contacts with much data doesn't take much memory. */
const PAGE_BYTES = 1024 * 1024

export interface ExportedContact {
  id: string
  email: string
  subscribed: boolean
  opted_out: boolean
  pending: boolean
  paused_until: Date | null
  confirmed_at: Date | null
  data: Record<string, unknown>
  /** The decisions about topics, by their keys. */
  topics: Record<string, boolean>
  created_at: Date
  updated_at: Date
}

export async function listContactsAfter(
  db: Database,
  projectId: string,
  after: string | undefined,
  limit: number,
): Promise<ExportedContact[]> {
  const later = after === undefined ? sql`` : sql`and id > ${after}::uuid`
  const { rows } = await sql<ExportedContact>`
    with next as (
      select *, pg_column_size(data) as size from contacts where project_id = ${projectId} ${later} order by id limit ${limit}
    ), measured as (
      select *, sum(size) over (order by id) - size as before from next
    )
    select id, email, subscribed, opted_out, pending, paused_until, confirmed_at, data, created_at, updated_at,
      coalesce((
        select jsonb_object_agg(t.key, decision > 0) from unnest(topics) as decision
        join topics t on t.project_id = ${projectId} and t.number = abs(decision)
      ), '{}') as topics
    from measured where before < ${PAGE_BYTES} order by id`.execute(db)
  return rows
}

export interface Membership {
  segment_id: string
  contact_id: string
  email: string
  created_at: Date
}

/** The members of static segments. */
export async function listMembersAfter(
  db: Database,
  projectId: string,
  after: Membership | undefined,
  limit: number,
): Promise<Membership[]> {
  const later = after
    ? sql`and (m.segment_id, m.contact_id) > (${after.segment_id}::uuid, ${after.contact_id}::uuid)`
    : sql``
  const { rows } = await sql<Membership>`
    select m.segment_id, m.contact_id, c.email, m.created_at
    from segment_members m
    join segments s on s.project_id = m.project_id and s.id = m.segment_id and s.type = 'STATIC'
    join contacts c on c.project_id = m.project_id and c.id = m.contact_id
    where m.project_id = ${projectId} ${later}
    order by m.segment_id, m.contact_id limit ${limit}`.execute(db)
  return rows
}

export async function findProject(
  db: Database,
  projectId: string,
): Promise<{ id: string; name: string; language: string; created_at: Date } | undefined> {
  const { rows } = await sql<{
    id: string
    name: string
    language: string
    created_at: Date
  }>`
    select id, name, language, created_at from projects where id = ${projectId}`.execute(db)
  return rows[0]
}
