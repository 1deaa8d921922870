/** The secrets that sign webhooks, encrypted. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

export interface SecretRow {
  sealed: Buffer
  sealed_before: Buffer | null
  before_until: Date | null
  created_at: Date
}

export async function findSecret(db: Database, projectId: string): Promise<SecretRow | undefined> {
  const { rows } = await sql<SecretRow>`/* find-webhook-secret */
    select sealed, sealed_before, before_until, created_at from webhook_secrets where project_id = ${projectId}`.execute(
    db,
  )
  return rows[0]
}

/** Whoever comes second gets the first one's. */
export async function insertSecret(db: Database, projectId: string, sealed: Buffer, now: Date): Promise<SecretRow> {
  const { rows } = await sql<SecretRow>`
    insert into webhook_secrets (project_id, sealed, created_at) values (${projectId}, ${sealed}, ${now}::timestamptz)
    on conflict (project_id) do update set sealed = webhook_secrets.sealed
    returning sealed, sealed_before, before_until, created_at`.execute(db)
  return rows[0]!
}

export async function replaceSecret(
  db: Database,
  projectId: string,
  sealed: Buffer,
  now: Date,
  beforeUntil: Date,
): Promise<SecretRow> {
  const { rows } = await sql<SecretRow>`
    update webhook_secrets set sealed_before = sealed, before_until = ${beforeUntil}::timestamptz, sealed = ${sealed},
      created_at = ${now}::timestamptz
    where project_id = ${projectId}
    returning sealed, sealed_before, before_until, created_at`.execute(db)
  return rows[0]!
}
