/** What workflows know of contacts: ended and erased with them, and which workflows look at a field or set it. */
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

/** Steps that end the executions of contacts. One whose step is running is not waited for: it finds the contact gone. */
export const endExecutionsSteps = (
  projectId: string,
  contactIds: RawBuilder<unknown>,
  now: Date,
): RawBuilder<unknown> => sql`
    on_their_way as (
      select id from workflow_executions
      where project_id = ${projectId} and contact_id in (${contactIds}) and status in ('RUNNING', 'WAITING')
      for update skip locked
    ), ended_executions as (
      update workflow_executions set status = 'CANCELLED', error = 'The contact was deleted.', turn = turn + 1,
        resume_at = null, awaited_event = null, completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
      where project_id = ${projectId} and id in (select id from on_their_way)
    ), ended_runs as (
      update workflow_step_runs set status = 'CANCELLED', completed_at = ${now}::timestamptz
      where project_id = ${projectId} and execution_id in (select id from on_their_way) and status in ('RUNNING', 'WAITING')
    )`

/**
 * Erases up to `most` executions: what came with them, what their steps left, and what emails about the contact to
 * somebody else said. Returns how many.
 */
export async function eraseExecutions(
  db: Database,
  projectId: string,
  contactIds: string[],
  now: Date,
  most: number,
): Promise<number> {
  const { rows } = await sql<{ erased: number }>`/* erase-executions */
    with batch as (
      select id from workflow_executions where project_id = ${projectId} and contact_id = any(${contactIds}::uuid[])
      limit ${most} for update skip locked
    ), erased as (
      update workflow_executions x set contact_id = null, context = '{}', event = case when x.event is not null then '{}'::jsonb end,
        turn = x.turn + 1, updated_at = ${now}::timestamptz,
        status = case when x.status in ('RUNNING', 'WAITING') then 'CANCELLED' else x.status end,
        completed_at = coalesce(x.completed_at, ${now}::timestamptz), resume_at = null, awaited_event = null,
        error = case when x.error is not null then 'Erased with the contact.' end
      from batch where x.project_id = ${projectId} and x.id = batch.id
      returning x.id
    ), sent as (
      select (output ->> 'emailId')::uuid as id from workflow_step_runs
      where project_id = ${projectId} and execution_id in (select id from erased) and type = 'SEND_EMAIL' and output ? 'emailId'
    ), emails_about as (
      update emails set variables = '{}', contact_data = '{}', subject = '', updated_at = ${now}::timestamptz
      where project_id = ${projectId} and id in (select id from sent) and contact_id is null
    ), runs as (
      update workflow_step_runs set output = null, error = case when error is not null then 'Erased with the contact.' end,
        status = case when status in ('RUNNING', 'WAITING') then 'CANCELLED' else status end,
        completed_at = coalesce(completed_at, ${now}::timestamptz)
      where project_id = ${projectId} and execution_id in (select id from erased)
    )
    select count(*)::int as erased from erased`.execute(db)
  return rows[0]!.erased
}

/** The workflows with a condition on a field (`data.plan`, `email`) or an update of it, oldest first. */
export async function listWorkflowsUsing(db: Database, projectId: string, field: string) {
  const path = field.replace(/^data\./, '').split('.')
  const { rows } = await sql<{ id: string; name: string }>`/* list-workflows-using-field */
    select w.id, w.name from workflows w
    where w.project_id = ${projectId} and exists (
      select from workflow_steps s
      where s.project_id = w.project_id and s.workflow_id = w.id and (
        (s.type = 'CONDITION' and jsonb_path_exists(s.config, '$.**.field ? (@ == $field)', jsonb_build_object('field', ${field}::text)))
        or (s.type = 'UPDATE_CONTACT' and case when ${field}::text like 'data.%'
          then s.config -> 'updates' ? ${path.join('.')}::text or s.config -> 'updates' #> ${path}::text[] is not null
          else s.config ? ${field}::text end)))
    order by w.id`.execute(db)
  return rows
}
