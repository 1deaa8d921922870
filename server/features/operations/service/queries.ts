/** SQL about the installation as a whole. Only its operator sees the results; they contain no data of projects. */

import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'

export interface SystemMessage {
  id: string
  recipients: string[]
  raw: Buffer
  /** Whether `raw` is encrypted. */
  encrypted: boolean
  created_at: Date
}

/** Captured account and notification emails, newest first, with one extra row that shows whether there are more. */
export async function listSystemMail(
  db: Database,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<SystemMessage[]> {
  const { rows } = await sql<SystemMessage>`/* list-system-mail */
    select id, recipients, raw, encrypted, created_at from captured_messages
    where system and (${before ?? null}::uuid is null or id < ${before ?? null}::uuid)
    order by id desc limit ${limit + 1}`.execute(db)
  return rows
}

export async function countSystemMail(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`/* count-system-mail */
    select count(*)::int as count from captured_messages where system`.execute(db)
  return rows[0]!.count
}

export async function findSystemMessage(db: Database, id: string): Promise<SystemMessage | undefined> {
  const { rows } = await sql<SystemMessage>`/* find-system-message */
    select id, recipients, raw, encrypted, created_at from captured_messages where system and id = ${id}::uuid`.execute(
    db,
  )
  return rows[0]
}

export interface DatabaseFacts {
  version: string
  bytes: number
  connections: number
  accounts: number
  projects: number
}

export async function readDatabaseFacts(db: Database): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`/* read-database-facts */
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as bytes,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
      (select count(*)::int from users) as accounts, (select count(*)::int from projects) as projects`.execute(db)
  return rows[0]!
}
