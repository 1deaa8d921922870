/** What the checks read: the data of an audience, known fields and the sizes of images. */

import type { Branding } from '../../../kernel/content/branding.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { isOutOfTime } from '../../../platform/database/connection/transaction.ts'
import { type Audience, recipientsSql } from '../../audience/segments/audience-queries.ts'

/** The author waits for the checks, and most of them need no data. */
const COVERAGE_TIMEOUT_MS = 3_000

export interface Coverage {
  contacts: number
  /** How many of them have no value, in the order of the paths. */
  missing: number[]
}

/**
 * Counts at most `most` recipients. If few contacts match, all contacts are read to find them, so the time is limited too:
 * undefined if it isn't enough.
 */
export async function measureCoverage(
  db: Database,
  projectId: string,
  audience: Audience,
  paths: string[][],
  most: number,
  now: Date,
  timeoutMs = COVERAGE_TIMEOUT_MS,
): Promise<Coverage | undefined> {
  const recipients = await recipientsSql(db, projectId, audience, now)
  const counts = paths.map(
    (path, i) =>
      sql`, count(*) filter (where coalesce(data #>> ${path}::text[], '') = '')::int as ${sql.id(`path_${i}`)}`,
  )
  const read = sql<Record<string, number>>`
    select count(*)::int as contacts ${sql.join(counts, sql``)}
    from (
      select contacts.data from contacts where contacts.project_id = ${projectId} and ${recipients} limit ${most}
    ) as audience`
  try {
    const { rows } = await db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', ${String(timeoutMs)}, true)`.execute(tx)
      return read.execute(tx)
    })
    const row = rows[0]!
    return { contacts: row.contacts!, missing: paths.map((_path, i) => row[`path_${i}`]!) }
  } catch (error) {
    if (!isOutOfTime(error)) throw error
    return undefined
  }
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

export async function findBranding(db: Database, projectId: string): Promise<Branding> {
  const { rows } = await sql<{ branding: Branding }>`/* find-checked-branding */
    select branding from projects where id = ${projectId}`.execute(db)
  return rows[0]?.branding ?? {}
}
