/** SQL that changes executions when their contacts are deleted, and after a restore. */

import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { eraseVariablesStep } from '../../mail/outbox/change-queries.ts'

/** Cancels the executions of contacts. One that is locked by its runner is skipped: it is canceled when it finds no contact. */
async function cancelExecutionsOf(tx: Tx, projectId: string, contactIds: string[], now: Date): Promise<void> {
  await sql`/* end-executions */
    with active as (
      select id from workflow_executions
      where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[]) and status in ('RUNNING', 'WAITING')
      for update skip locked
    ), ended as (
      update workflow_executions set status = 'CANCELLED', error = 'The contact was deleted.', version = version + 1,
        resume_at = null, awaited_event = null, completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
      where project_id = ${projectId} and id in (select id from active)
    )
    update workflow_step_runs set status = 'CANCELLED', completed_at = ${now}::timestamptz
    where project_id = ${projectId} and execution_id in (select id from active) and status in ('RUNNING', 'WAITING')`.execute(
    tx,
  )
}

const ERASE_AT_ONCE = 500

/**
 * Erases the personal data in a batch of executions: their context and event, the output of their steps, and the
 * variables of emails about the contact to other addresses. Returns how many.
 */
async function eraseExecutions(db: Database, projectId: string, contactIds: string[], now: Date): Promise<number> {
  const { rows } = await sql<{ erased: number }>`/* erase-executions */
    with batch as (
      select id from workflow_executions where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[])
      limit ${ERASE_AT_ONCE} for update skip locked
    ), erased as (
      update workflow_executions x set contact_id = null, context = '{}', event = case when x.event is not null then '{}'::jsonb end,
        version = x.version + 1, updated_at = ${now}::timestamptz,
        status = case when x.status in ('RUNNING', 'WAITING') then 'CANCELLED' else x.status end,
        completed_at = coalesce(x.completed_at, ${now}::timestamptz), resume_at = null, awaited_event = null,
        error = case when x.error is not null then 'Erased with the contact.' end
      from batch where x.project_id = ${projectId} and x.id = batch.id
      returning x.id
    ), sent as (
      select (output ->> 'emailId')::uuid as id from workflow_step_runs
      where project_id = ${projectId} and execution_id in (select id from erased) and output ? 'emailId'
    ), emails_about as (${eraseVariablesStep(now, {
      where: sql`e.project_id = ${projectId} and e.id in (select id from sent) and e.contact_id is null`,
    })}
    ), runs as (
      update workflow_step_runs set output = null, error = case when error is not null then 'Erased with the contact.' end,
        status = case when status in ('RUNNING', 'WAITING') then 'CANCELLED' else status end,
        completed_at = coalesce(completed_at, ${now}::timestamptz)
      where project_id = ${projectId} and execution_id in (select id from erased)
    )
    select count(*)::int as erased from erased`.execute(db)
  return rows[0]!.erased
}

/**
 * Pauses executions after a restore: one whose alarm is marked as set, without a job, is never run. Runs in the schema
 * of the backup, which may be older than this version's.
 */
export const PAUSE_EXECUTIONS = `
  update workflow_executions set alarm_set = true where status in ('RUNNING', 'WAITING')`

/** Executions that wait get a job when their wait ends, the others get one now, and so do those whose step was deleted. */
export const RESUME_EXECUTIONS = `
  with paused as (
    update workflow_executions set alarm_set = false where status in ('RUNNING', 'WAITING') and alarm_set
    returning project_id, id, version, status, current_step_id
  )
  select case when status = 'RUNNING' or not exists (
      select from workflow_steps s where s.project_id = paused.project_id and s.id = paused.current_step_id
    ) then posthorn_queue.add_job('run-workflow-step',
    json_build_object('projectId', project_id, 'executionId', id, 'version', version)) end
  from paused`

/** When contacts are deleted. */
export const executionsOfContacts = { stop: cancelExecutionsOf, erase: eraseExecutions }
