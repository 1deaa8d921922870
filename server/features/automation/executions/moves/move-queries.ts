/** SQL that ends waits early: executions go on as if their time had come, or at another step. */
import type { RawBuilder } from 'kysely'
import { newId } from '../../../../kernel/ids.ts'
import type { Database, Tx } from '../../../../platform/database/connection/connect.ts'
import { sql } from '../../../../platform/database/connection/sql.ts'
import type { JobCatalogue } from '../../../../platform/queue/catalogue.ts'
import { addJobsStep } from '../../../../platform/queue/job-table.ts'

/** The step at which waiting executions continue; null skips only the wait. */
export type Destination = string | null

/** Moves the executions that `batch` selects (project_id, id); nothing changes if the destination no longer exists. */
function moveSteps(projectId: string, batch: RawBuilder<unknown>, to: Destination, now: Date): RawBuilder<unknown> {
  // A wait that was skipped has no end, so an email doesn't wait for its window again. Events count up to its end.
  const skipped = sql`case when x.awaited_event is not null then least(x.resume_at, ${now}::timestamptz) end`
  const change =
    to === null
      ? sql`resume_at = ${skipped}, alarm_set = true`
      : sql`status = 'RUNNING', current_step_id = ${to}::uuid, resume_at = null, awaited_event = null,
        seen_up_to = greatest(x.seen_up_to, ${newId(now)}::uuid)`
  const runChange =
    to === null
      ? sql`resume_at = moved.resume_at`
      : sql`status = 'SKIPPED', output = jsonb_build_object('movedTo', ${to}::text), completed_at = ${now}::timestamptz`
  const exists =
    to === null
      ? sql`true`
      : sql`exists (select from workflow_steps s where s.project_id = ${projectId} and s.id = ${to}::uuid)`
  return sql`
    batch as materialized (${batch}),
    moved as (
      update workflow_executions x set ${change}, version = x.version + 1, updated_at = ${now}::timestamptz
      from batch where x.project_id = batch.project_id and x.id = batch.id and x.status = 'WAITING' and ${exists}
      returning x.project_id, x.id, x.version, x.resume_at
    ),
    runs as (
      update workflow_step_runs r set ${runChange}
      from moved where r.project_id = moved.project_id and r.execution_id = moved.id and r.status = 'WAITING'
    ),
    ${addJobsStep(
      'run-workflow-step',
      sql`select json_build_object('projectId', project_id, 'executionId', id, 'version', version) from moved`,
    )}`
}

/** Whether it is a published step of the workflow. */
export async function hasStep(db: Database, projectId: string, workflowId: string, id: string): Promise<boolean> {
  const { rows } = await sql`/* has-step */
    select from workflow_steps where project_id = ${projectId} and workflow_id = ${workflowId} and id = ${id}`.execute(
    db,
  )
  return rows.length > 0
}

/** False if the execution no longer waits at the step. */
export async function moveExecution(
  db: Database | Tx,
  { projectId, id, stepId }: { projectId: string; id: string; stepId: string },
  to: Destination,
  now: Date,
): Promise<boolean> {
  const one = sql`select project_id, id from workflow_executions
    where project_id = ${projectId} and id = ${id} and current_step_id = ${stepId}::uuid and status = 'WAITING' for update`
  const { rows } = await sql`with ${moveSteps(projectId, one, to, now)} select from moved`.execute(db)
  return rows.length > 0
}

/** The next executions at a step in the order of contacts. Returns the last contact, or null after the last batch. */
export async function moveSome(
  tx: Tx,
  { projectId, workflowId, stepId, to, after, batchMax }: JobCatalogue['move-executions'] & { batchMax: number },
  now: Date,
): Promise<string | null> {
  const some = sql`select project_id, id, contact_id from workflow_executions
    where project_id = ${projectId} and workflow_id = ${workflowId} and status = 'WAITING'
      and current_step_id = ${stepId}::uuid and contact_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
    order by contact_id limit ${batchMax} for update`
  const { rows } = await sql<{ last: string; count: number }>`
    with ${moveSteps(projectId, some, to, now)}
    select contact_id as last, count(*) over () as count from batch order by contact_id desc limit 1`.execute(tx)
  return rows[0]?.count === batchMax ? rows[0].last : null
}
