/** What the checks read: the data of an audience, known fields and the sizes of images. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'
import { type Audience, recipientsSql } from '../campaigns/sending-queries.ts'

export interface Coverage {
  contacts: number
  /** How many of them have no value, in the order of the paths. */
  missing: number[]
}

/** One pass over at most `most` recipients, however large the audience is. */
export async function measureCoverage(
  db: Database,
  projectId: string,
  audience: Audience,
  paths: string[][],
  most: number,
  now: Date,
): Promise<Coverage> {
  const recipients = await recipientsSql(db, projectId, audience, now)
  const counts = paths.map(
    (path, i) =>
      sql`, count(*) filter (where coalesce(data #>> ${path}::text[], '') = '')::int as ${sql.id(`path_${i}`)}`,
  )
  const { rows } = await sql<Record<string, number>>`
    select count(*)::int as contacts ${sql.join(counts, sql``)}
    from (
      select contacts.data from contacts where contacts.project_id = ${projectId} and ${recipients} limit ${most}
    ) as audience`.execute(db)
  const row = rows[0]!
  return { contacts: row.contacts!, missing: paths.map((_path, i) => row[`path_${i}`]!) }
}

/** Which of these names at least one contact has. */
export async function findKnownNames(db: Database, projectId: string, names: string[]): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`/* find-known-names */
    select distinct path[1] as name from contact_fields
    where project_id = ${projectId} and path[1] = any(${names}::text[])`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** The sizes in bytes of the project's uploads with these storage keys. */
export async function findUploadSizes(db: Database, projectId: string, keys: string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ storage_key: string; size: number }>`/* find-upload-sizes */
    select storage_key, size from uploads
    where project_id = ${projectId} and storage_key = any(${keys}::text[])`.execute(db)
  return new Map(rows.map(({ storage_key, size }) => [storage_key, size]))
}
