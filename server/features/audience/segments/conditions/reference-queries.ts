/** SQL on what conditions refer to: which workflows and campaigns exist. */

import type { Database, Tx } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'

export async function findWorkflowIds(db: Database | Tx, projectId: string, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`/* find-workflows-of-condition */
    select id from workflows where project_id = ${projectId} and id = any(${ids}::uuid[])`.execute(db)
  return rows.map(({ id }) => id)
}

export async function findCampaignIds(db: Database | Tx, projectId: string, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`/* find-campaigns-of-condition */
    select id from campaigns where project_id = ${projectId} and id = any(${ids}::uuid[])`.execute(db)
  return rows.map(({ id }) => id)
}
