/** SQL that changes when the waits of executions end. */

import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'
import type { JobCatalogue } from '../../../../platform/queue/catalogue.ts'
import { addJobSql } from '../../../../platform/queue/job-table.ts'

export interface WaitRow {
  id: string
  resumeAt: Date | null
  /** When the execution reached the step. */
  since: Date
  contactId: string
  email: string
  subscribed: boolean
  data: Record<string, unknown>
}

/** The next executions that wait at a step, in the order of contacts. Waits that are over already, or were skipped, stay. */
export async function lockWaits(
  tx: Tx,
  { projectId, workflowId, stepId, after, batchMax }: JobCatalogue['change-waits'] & { batchMax: number },
  now: Date,
): Promise<WaitRow[]> {
  const { rows } = await sql<WaitRow>`/* lock-waits */
    select x.id, x.resume_at as "resumeAt", run.started_at as since, c.id as "contactId", c.email, c.subscribed, coalesce(c.data, '{}') as data
    from workflow_executions x
    join contacts c on c.project_id = x.project_id and c.id = x.contact_id
    join lateral (
      select started_at from workflow_step_runs r
      where r.project_id = x.project_id and r.execution_id = x.id and r.status = 'WAITING' order by id desc limit 1
    ) as run on true
    where x.project_id = ${projectId} and x.workflow_id = ${workflowId} and x.status = 'WAITING'
      and x.current_step_id = ${stepId}::uuid
      and (x.resume_at > ${now}::timestamptz or x.resume_at is null and x.awaited_event is not null)
      and x.contact_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
    order by x.contact_id limit ${batchMax} for update of x`.execute(tx)
  return rows
}

/** Ends waits at other times. Those that end before `soon` get their job now; an event may have just arrived for the others. */
export async function changeWaits(
  tx: Tx,
  projectId: string,
  changes: Array<{ id: string; until: Date | null }>,
  { now, soon }: { now: Date; soon: Date },
): Promise<void> {
  const payload = sql`json_build_object('projectId', due.project_id, 'executionId', due.id, 'version', due.version)`
  await sql`/* change-waits */
    with changed as (
      update workflow_executions x set resume_at = c.until, alarm_set = coalesce(c.until <= ${soon}::timestamptz, false),
        version = x.version + 1, updated_at = ${now}::timestamptz
      from unnest(${changes.map(({ id }) => id)}::uuid[], ${changes.map(({ until }) => until)}::timestamptz[]) as c(id, until)
      where x.project_id = ${projectId} and x.id = c.id and x.status = 'WAITING'
      returning x.project_id, x.id, x.version, x.resume_at, x.alarm_set, x.awaited_event
    ), runs as (
      update workflow_step_runs r set resume_at = changed.resume_at
      from changed where r.project_id = ${projectId} and r.execution_id = changed.id and r.status = 'WAITING'
    ), due as (
      select project_id, id, version, greatest(resume_at, ${now}::timestamptz) as at from changed where alarm_set
      union all
      select project_id, id, version, ${now}::timestamptz from changed where awaited_event is not null
    )
    select ${addJobSql('run-workflow-step', payload, { runAt: sql`due.at` })} from due`.execute(tx)
}
