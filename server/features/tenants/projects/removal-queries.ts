/**
 * How resetting and deleting change the project itself. All other tables are emptied as declared in table-owners.ts.
 */

import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { deleteCaptured } from '../../../platform/transports/capture.ts'

/** Emails sent before a reset no longer count for the setup, and old rows with smaller ids are not archived. */
export async function recordReset(tx: Tx, projectId: string, beforeId: string, now: Date): Promise<void> {
  await sql`
    update projects set updated_at = ${now}, reset_before_id = ${beforeId}, sent_before_reset = coalesce((
      select sum(sent) from (
        select sent from delivery_counts where project_id = ${projectId}
        union all
        select sent from delivery_count_changes where project_id = ${projectId}
      ) as emails), 0)
    where id = ${projectId}`.execute(tx)
}

/** Stops all sending. */
export async function closeProject(tx: Tx, projectId: string, now: Date): Promise<{ name: string } | undefined> {
  return tx
    .updateTable('projects')
    .set({ disabled_at: now, disabled_reason: 'It is being deleted.', updated_at: now })
    .where('id', '=', projectId)
    .returning('name')
    .executeTakeFirst()
}

/** Blocks concurrent writers until the project is deleted. */
export async function lockProject(tx: Tx, projectId: string): Promise<void> {
  await sql`select from projects where id = ${projectId} for update`.execute(tx)
}

export async function deleteProject(tx: Tx, projectId: string): Promise<void> {
  await tx.deleteFrom('projects').where('id', '=', projectId).execute()
}

/** Up to `most`, of the emails with smaller ids. Called before the emails are deleted, which identify the project. */
export const deleteCapturedMessages = (
  db: Database,
  projectId: string,
  beforeId: string,
  most: number,
): Promise<number> =>
  deleteCaptured(
    db,
    sql`
      select m.id from captured_messages m join emails e on e.id = m.email_id
      where e.project_id = ${projectId} and e.id < ${beforeId} limit ${most}`,
  )
