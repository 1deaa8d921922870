/** From events to executions: what starts, what is woken, and whose time has come. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { addJobSql, addJobsStep } from '../../platform/queue/enqueue.ts'

export interface DispatchedEvent {
  projectId: string
  eventId: string
  /** How many workflows led to it. */
  depth: number
}

export interface DispatchRules {
  depthMax: number
  /** What an execution says that would be one too many. */
  tooDeep: string
  now: Date
}

/**
 * Starts what these events trigger and wakes whoever waits for them. However often it is told of an event, and
 * whatever else happens at the same time: the id of an execution is made of the event and the workflow, and two
 * unique indexes keep a contact from being in a workflow twice.
 */
export async function dispatchEvents(
  db: Database,
  events: DispatchedEvent[],
  { depthMax, tooDeep, now }: DispatchRules,
): Promise<void> {
  await sql`/* dispatch-events */
    with event as materialized (
      select e.project_id, e.id, e.name, e.contact_id, e.data, greatest(told.depth, coalesce(cause.depth + 1, 0)) as depth
      from unnest(${events.map((e) => e.projectId)}::uuid[], ${events.map((e) => e.eventId)}::uuid[],
        ${events.map((e) => e.depth)}::int[]) as told(project_id, id, depth)
      join events e on e.project_id = told.project_id and e.id = told.id
      join projects p on p.id = e.project_id and p.disabled_at is null
      left join emails on emails.project_id = e.project_id and emails.id = e.email_id
      left join workflow_executions cause on cause.project_id = emails.project_id and cause.id = emails.workflow_execution_id
    ), started as (
      insert into workflow_executions (project_id, id, workflow_id, contact_id, status, error, event, only_once, depth,
        seen_up_to, started_at, completed_at, created_at, updated_at)
      select w.project_id, id_beside(e.id, w.id::text), w.id, e.contact_id,
        case when e.depth > ${depthMax} then 'FAILED' else 'RUNNING' end,
        case when e.depth > ${depthMax} then ${tooDeep}::text end, e.data, not w.allow_reentry, e.depth, e.id, ${now}::timestamptz,
        case when e.depth > ${depthMax} then ${now}::timestamptz end, ${now}::timestamptz, ${now}::timestamptz
      from event e
      join workflows w on w.project_id = e.project_id and w.event_name = e.name and w.enabled and w.trigger_type = 'EVENT'
      join contacts c on c.project_id = e.project_id and c.id = e.contact_id
      where w.allow_reentry or not exists (
        select from workflow_executions x
        where x.project_id = w.project_id and x.contact_id = e.contact_id and x.workflow_id = w.id)
      order by e.id
      on conflict do nothing
      returning project_id, id, turn, status
    ), woken_up as (
      select distinct x.project_id, x.id, x.turn from event e
      join workflow_executions x on x.project_id = e.project_id and x.contact_id = e.contact_id
        and x.status = 'WAITING' and x.awaited_event = e.name and x.seen_up_to < e.id
    ),
    ${addJobsStep(
      'run-workflow-step',
      sql`select json_build_object('projectId', project_id, 'executionId', id, 'turn', turn) from (
        select project_id, id, turn from started where status = 'RUNNING'
        union all
        select project_id, id, turn from woken_up) as due`,
    )}
    select`.execute(db)
}

/** Sets the alarms of waits that end before `until`, up to `most` of them. Returns how many. */
export async function setAlarms(db: Database, until: Date, most: number): Promise<number> {
  const payload = sql`json_build_object('projectId', due.project_id, 'executionId', due.id, 'turn', due.turn)`
  const { rows } = await sql<{ count: number }>`/* set-workflow-alarms */
    with batch as (
      select project_id, id from workflow_executions
      where status = 'WAITING' and not alarm_set and resume_at <= ${until}::timestamptz
      order by resume_at limit ${most} for update skip locked
    ), due as (
      update workflow_executions x set alarm_set = true from batch
      where x.project_id = batch.project_id and x.id = batch.id
      returning x.project_id, x.id, x.turn, x.resume_at
    ), jobs as (
      select ${addJobSql('run-workflow-step', payload, { runAt: sql`due.resume_at` })} from due
    )
    select count(*) as count from jobs`.execute(db)
  return rows[0]!.count
}

/** Has everyone looked after who waits at a step that is changed or gone. */
export async function stirWaiting(
  tx: Tx,
  projectId: string,
  workflowId: string,
  stepId: string,
  eventName: string | null,
): Promise<void> {
  await sql`
    with waiting as (
      update workflow_executions set awaited_event = coalesce(${eventName}::text, awaited_event)
      where project_id = ${projectId} and workflow_id = ${workflowId} and current_step_id = ${stepId} and status = 'WAITING'
      returning project_id, id, turn
    ),
    ${addJobsStep(
      'run-workflow-step',
      sql`select json_build_object('projectId', project_id, 'executionId', id, 'turn', turn) from waiting`,
    )}
    select`.execute(tx)
}
