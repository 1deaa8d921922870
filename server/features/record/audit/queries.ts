/** SQL of the audit log. Entries are written with the action itself and never changed. */
import type { Selectable } from 'kysely'
import { firstIdAt } from '../../../kernel/ids.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import type { AuditLog } from '../../../platform/database/tables.ts'

export type AuditRow = Omit<Selectable<AuditLog>, 'project_id'>

export interface NewAuditRow {
  id: string
  act: string
  actorKind: 'USER' | 'KEY' | 'SYSTEM'
  actorUserId: string | null
  actorKey: { id: string | null; name: string } | undefined
  details: Record<string, unknown>
  ip: string | null
  now: Date
}

const COLUMNS = sql.raw(
  'project_id, id, act, actor_kind, actor_user_id, actor_email, actor_key_id, actor_key_name, details, ip, created_at',
)

/** The address or the name is copied, so that the entry stays readable after the user or the key is deleted. */
const columnsOf = (row: NewAuditRow) => sql`${row.act}, ${row.actorKind}, ${row.actorUserId}::uuid,
  (select email from users where id = ${row.actorUserId}::uuid), ${row.actorKey?.id ?? null}::uuid, ${row.actorKey?.name ?? null}, ${JSON.stringify(row.details)}::jsonb, ${row.ip},
  ${row.now}::timestamptz`

export async function insertAuditEntry(db: Database | Tx, projectId: string, row: NewAuditRow): Promise<void> {
  await sql`
    insert into audit_log (${COLUMNS})
    select ${projectId}::uuid, ${row.id}::uuid, ${columnsOf(row)}`.execute(db)
}

/** The same action in every project of a user, such as disabling two-factor sign-in. */
export async function insertAuditEntryInProjectsOf(db: Database | Tx, userId: string, row: NewAuditRow): Promise<void> {
  await sql`
    insert into audit_log (${COLUMNS})
    select members.project_id, ${row.id}::uuid, ${columnsOf(row)} from members where members.user_id = ${userId}`.execute(
    db,
  )
}

const matching = (db: Database, projectId: string, act: string | undefined) => {
  const query = db.selectFrom('audit_log').where('project_id', '=', projectId)
  return act === undefined ? query : query.where('act', '=', act)
}

/** Newest first, with one extra row that shows whether there are more. */
export async function listAuditEntries(
  db: Database,
  projectId: string,
  filter: { act?: string | undefined; before?: string | undefined; limit: number },
): Promise<AuditRow[]> {
  let query = matching(db, projectId, filter.act)
  if (filter.before !== undefined) query = query.where('id', '<', filter.before)
  return query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(filter.limit + 1)
    .execute()
}

export async function countAuditEntries(db: Database, projectId: string, act: string | undefined): Promise<number> {
  const query = matching(db, projectId, act)
  const row = await query.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return row.count
}

export async function deleteAuditEntries(db: Database, before: Date): Promise<void> {
  await db.deleteFrom('audit_log').where('id', '<', firstIdAt(before)).execute()
}
