/** The contacts that an import asks to confirm, a part at a time: the worker locks the row of the import. */
import type { ConsentCause } from '../../../../kernel/consent/cause.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'
import type { JobRef } from '../queries.ts'

/** Adds contacts to those that an import is still to ask. One that it has queued already counts once. */
export async function queueConfirmations(
  tx: Tx,
  { projectId, jobId }: JobRef,
  contactIds: string[],
  now: Date,
): Promise<void> {
  await sql`/* queue-import-confirmations */
    with queued as (
      insert into import_confirmations (project_id, job_id, contact_id, queued_at)
      select ${projectId}, ${jobId}, id, ${now}::timestamptz from unnest(${contactIds}::uuid[]) as contact(id)
      on conflict do nothing returning contact_id
    )
    update contact_jobs set confirmations_total = confirmations_total + (select count(*)::int from queued)
    where project_id = ${projectId} and id = ${jobId}`.execute(tx)
}

/** Locks an import that asks contacts to confirm. Undefined if it was deleted, or its project is disabled. */
export async function lockConfirmations(
  tx: Tx,
  { projectId, jobId }: JobRef,
): Promise<{ perHour: number; nextAt: Date | null; cause: ConsentCause | null; disabled: boolean } | undefined> {
  const { rows } = await sql<{ perHour: number; nextAt: Date | null; cause: ConsentCause | null; disabled: boolean }>`
    /* lock-import-confirmations */
    select j.confirmations_per_hour as "perHour", j.confirm_next_at as "nextAt", j.cause, p.disabled_at is not null as disabled
    from contact_jobs j join projects p on p.id = j.project_id
    where j.project_id = ${projectId} and j.id = ${jobId} and j.confirmations_per_hour is not null for update of j`.execute(
    tx,
  )
  return rows[0]
}

/** Removes the next contacts from those that are still to be asked, and returns them. */
export async function takeConfirmations(
  tx: Tx,
  { projectId, jobId }: JobRef,
  limit: number,
): Promise<Array<{ contactId: string; at: Date }>> {
  const { rows } = await sql<{ contactId: string; at: Date }>`/* take-import-confirmations */
    delete from import_confirmations i using (
      select contact_id from import_confirmations where project_id = ${projectId} and job_id = ${jobId}
      order by contact_id limit ${limit}::int
    ) as next
    where i.project_id = ${projectId} and i.job_id = ${jobId} and i.contact_id = next.contact_id
    returning i.contact_id as "contactId", i.queued_at as at`.execute(tx)
  return rows
}

export async function moveConfirmations(
  tx: Tx,
  { projectId, jobId }: JobRef,
  { sent, skipped, nextAt }: { sent: number; skipped: number; nextAt: Date },
  now: Date,
): Promise<void> {
  await sql`/* move-import-confirmations */
    update contact_jobs set confirmations_sent = confirmations_sent + ${sent}::int, confirmations_skipped = confirmations_skipped + ${skipped}::int,
      confirm_next_at = ${nextAt}::timestamptz, updated_at = ${now}::timestamptz
    where project_id = ${projectId} and id = ${jobId}`.execute(tx)
}
