/** How the mail of projects is received, from counts kept by day. Every path that records an outcome feeds them. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'
import type { DeliveryCounts } from './reputation.ts'

export interface Deliveries {
  allTime: DeliveryCounts
  sevenDay: DeliveryCounts
}

interface DeliveriesRow extends DeliveryCounts {
  recent_sent: number
  recent_bounces: number
  recent_complaints: number
}

/** `since` is the first day, YYYY-MM-DD, that counts as recent. */
export async function findDeliveries(db: Database | Tx, projectId: string, since: string): Promise<Deliveries> {
  const { rows } = await sql<DeliveriesRow>`/* find-deliveries */
    select coalesce(sum(sent), 0)::bigint as sent, coalesce(sum(bounces), 0)::bigint as bounces,
      coalesce(sum(complaints), 0)::bigint as complaints,
      coalesce(sum(sent) filter (where day >= ${since}::date), 0)::bigint as recent_sent,
      coalesce(sum(bounces) filter (where day >= ${since}::date), 0)::bigint as recent_bounces,
      coalesce(sum(complaints) filter (where day >= ${since}::date), 0)::bigint as recent_complaints
    from (
      select day, sent, bounces, complaints from delivery_counts where project_id = ${projectId}
      union all
      select day, sent, bounces, complaints from delivery_count_changes where project_id = ${projectId}
    ) as deliveries`.execute(db)
  const { sent, bounces, complaints, recent_sent, recent_bounces, recent_complaints } = rows[0]!
  return {
    allTime: { sent, bounces, complaints },
    sevenDay: { sent: recent_sent, bounces: recent_bounces, complaints: recent_complaints },
  }
}

export async function findDisabled(db: Database, projectId: string) {
  return db
    .selectFrom('projects')
    .select(['disabled_at', 'disabled_reason'])
    .where('id', '=', projectId)
    .executeTakeFirst()
}

/** Adds the notes to the counts. Returns the projects that something came back to. */
export async function foldDeliveries(db: Database): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`/* fold-deliveries */
    with taken as (delete from delivery_count_changes returning *),
    folded as (
      insert into delivery_counts (project_id, day, sent, bounces, complaints)
      select project_id, day, sum(sent), sum(bounces), sum(complaints) from taken group by project_id, day
      order by project_id, day
      on conflict (project_id, day) do update set sent = delivery_counts.sent + excluded.sent,
        bounces = delivery_counts.bounces + excluded.bounces, complaints = delivery_counts.complaints + excluded.complaints
    )
    select distinct project_id from taken where bounces > 0 or complaints > 0`.execute(db)
  return rows.map((row) => row.project_id)
}

/** Nothing when it is disabled already. */
export async function disableProject(
  tx: Tx,
  projectId: string,
  reason: string,
  now: Date,
): Promise<{ name: string } | undefined> {
  return tx
    .updateTable('projects')
    .set({ disabled_at: now, disabled_reason: reason, updated_at: now })
    .where('id', '=', projectId)
    .where('disabled_at', 'is', null)
    .returning('name')
    .executeTakeFirst()
}

/** The people who can do something about it. */
export async function listManagers(tx: Tx, projectId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .select('users.email')
    .where('members.project_id', '=', projectId)
    .where('members.role', 'in', ['OWNER', 'ADMIN'])
    .execute()
  return rows.map((row) => row.email)
}
