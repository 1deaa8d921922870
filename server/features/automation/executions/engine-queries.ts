/** The engine's SQL: starting and waking executions, loading them, and saving the states they reach. */

import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'
import { addJobSql, addJobsStep } from '../../../platform/queue/job-table.ts'
import { announce } from '../../record/journal/queries.ts'
import type { State } from './advance.ts'
import { mayEnter } from './queries.ts'

export interface ExecutionRef {
  projectId: string
  executionId: string
  /** An execution that has changed since has a higher one: then there is nothing to do. */
  version: number
}

export interface LoadedExecution {
  id: string
  status: 'RUNNING' | 'WAITING'
  current_step_id: string | null
  context: Record<string, unknown>
  event: Record<string, unknown> | null
  seen_up_to: string
  awaited_event: string | null
  resume_at: Date | null
  started_at: Date
  /** How many workflows caused each other before this one. */
  depth: number
  /** The project is disabled. */
  disabled: boolean
  workflow_id: string
  /** Null if the workflow was deleted. */
  workflow_name: string | null
  revision: number | null
  /** Before its first step: the event of the workflow's goal has occurred since it was started. */
  goal_reached: boolean
  /** Null if the contact was deleted. */
  contact_id: string | null
  email: string | null
  subscribed: boolean | null
  data: Record<string, unknown> | null
  /** The run of the step that is running or waiting. */
  open_run_id: string | null
  open_step_id: string | null
  open_type: string | null
  open_status: 'RUNNING' | 'WAITING' | null
  open_started_at: Date | null
}

/**
 * Locks executions for this transaction, ordered by contact, the order in which contacts are changed. A statement that
 * had to wait for a lock sees the new state of that row but an old state of all others, so then it reads them again.
 */
export async function lockExecutions(tx: Tx, refs: ExecutionRef[]): Promise<LoadedExecution[]> {
  const locked = await sql<LoadedExecution & { waited: boolean }>`/* lock-executions */
    ${loading(
      refs,
      sql`, x.xmin <> (
      select before.xmin from workflow_executions before where before.project_id = x.project_id and before.id = x.id
    ) as waited`,
    )}
    for update of x`.execute(tx)
  return locked.rows.some(({ waited }) => waited) ? loadExecutions(tx, refs) : locked.rows
}

/** Reads executions that this transaction has locked. */
export async function loadExecutions(tx: Tx, refs: ExecutionRef[]): Promise<LoadedExecution[]> {
  const { rows } = await sql<LoadedExecution>`/* load-executions */ ${loading(refs)}`.execute(tx)
  return rows
}

/** Selects executions with everything that their next steps need. */
const loading = (refs: ExecutionRef[], further = sql``) => sql`
    select x.id, x.status, x.current_step_id, x.context, x.event, x.seen_up_to, x.awaited_event, x.resume_at, x.started_at,
      x.depth, x.workflow_id, p.disabled_at is not null as disabled, w.name as workflow_name, w.revision,
      case when w.goal_event is not null and x.current_step_id is null then exists (
        select from events e where e.project_id = x.project_id and e.contact_id = x.contact_id and e.name = w.goal_event
          and e.id > x.seen_up_to) else false end as goal_reached,
      c.id as contact_id, c.email, c.subscribed, c.data,
      run.id as open_run_id, run.step_id as open_step_id, run.type as open_type, run.status as open_status,
      run.started_at as open_started_at ${further}
    from unnest(${refs.map((r) => r.projectId)}::uuid[], ${refs.map((r) => r.executionId)}::uuid[],
      ${refs.map((r) => r.version)}::int[]) as ref(project_id, id, version)
    join workflow_executions x on x.project_id = ref.project_id and x.id = ref.id and x.version = ref.version
      and x.status in ('RUNNING', 'WAITING')
    join projects p on p.id = x.project_id
    left join workflows w on w.project_id = x.project_id and w.id = x.workflow_id
    left join contacts c on c.project_id = x.project_id and c.id = x.contact_id
    left join lateral (
      select id, step_id, type, status, started_at from workflow_step_runs r
      where r.project_id = x.project_id and r.execution_id = x.id and r.status in ('RUNNING', 'WAITING')
      order by id desc limit 1
    ) as run on true
    order by x.contact_id, x.id`

/** Stored with the job of events that the transaction records, so that a loop of workflows ends. */
export async function setChainDepth(tx: Tx, depth: number): Promise<void> {
  await sql`/* set-chain-depth */ select set_config('posthorn.chain_depth', ${String(depth)}, true)`.execute(tx)
}

export interface SavedExecution {
  ref: ExecutionRef
  state: State
  /** The run that was open when the execution was loaded. */
  loadedRunId: string | null
  /** The job for the end of the wait is among `jobsAt`. */
  alarmSet: boolean
  jobsAt: Date[]
}

/** Saves states, step runs and the jobs that follow, for many executions in one statement. */
export async function saveExecutions(tx: Tx, saved: SavedExecution[], now: Date): Promise<void> {
  const changes = saved.map(({ ref, state, alarmSet, jobsAt }) => {
    const { contact: _, openRun, endedRuns: __, ...fields } = state
    // The process that runs an external step saves its outcome with the same version.
    return { ...keysOf(ref), ...fields, alarmSet, jobsAt, keepVersion: openRun?.status === 'RUNNING' }
  })
  const runs = saved.flatMap(({ ref, state: { endedRuns, openRun }, loadedRunId }) =>
    [...endedRuns, ...(openRun ? [openRun] : [])].map((run) => ({
      ...keysOf(ref),
      ...run,
      isStored: run.id === loadedRunId,
    })),
  )
  const [storedRuns, newRuns] = [runs.filter(({ isStored }) => isStored), runs.filter(({ isStored }) => !isStored)]
  const payload = sql`json_build_object('projectId', saved.project_id, 'executionId', saved.id, 'version', saved.version)`
  await sql`/* save-executions */
    with ended as (
      update workflow_step_runs r set status = e.status, output = nullif(e.output, 'null'), error = e.error,
        completed_at = e."completedAt", resume_at = e."resumeAt"
      from jsonb_to_recordset(${JSON.stringify(storedRuns)}::jsonb) as e("projectId" uuid, "executionId" uuid, id uuid, status text,
        output jsonb, error text, "completedAt" timestamptz, "resumeAt" timestamptz)
      where r.project_id = e."projectId" and r.execution_id = e."executionId" and r.id = e.id
    ), added as (
      insert into workflow_step_runs (project_id, execution_id, id, step_id, type, status, output, error, started_at,
        completed_at, resume_at)
      select "projectId", "executionId", id, "stepId", type, status, nullif(output, 'null'), error, "startedAt", "completedAt",
        "resumeAt"
      from jsonb_to_recordset(${JSON.stringify(newRuns)}::jsonb) as run("projectId" uuid, "executionId" uuid, id uuid, "stepId" uuid,
        type text, status text, output jsonb, error text, "startedAt" timestamptz, "completedAt" timestamptz, "resumeAt" timestamptz)
    ), saved as (
      update workflow_executions x set status = c.status, current_step_id = c."currentStepId", exit_reason = c."exitReason", goal_reached = c."goalReached",
        error = c.error, seen_up_to = c."seenUpTo", awaited_event = c."awaitedEvent", resume_at = c."resumeAt",
        alarm_set = c."alarmSet", completed_at = c."completedAt",
        version = x.version + case when c."keepVersion" then 0 else 1 end, updated_at = ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as c("projectId" uuid, "executionId" uuid, status text,
        "currentStepId" uuid, "exitReason" text, "goalReached" boolean, error text, "seenUpTo" uuid, "awaitedEvent" text, "resumeAt" timestamptz,
        "alarmSet" boolean, "completedAt" timestamptz, "keepVersion" boolean, "jobsAt" jsonb)
      where x.project_id = c."projectId" and x.id = c."executionId"
      returning x.project_id, x.id, x.version, x.workflow_id, x.contact_id, x.status, x.error, c."jobsAt" as jobs_at
    ), ${announceEnded('saved', now)}
    select ${addJobSql('run-workflow-step', payload, { runAt: sql`job.at::timestamptz` })}
    from saved, jsonb_array_elements_text(saved.jobs_at) as job(at)`.execute(tx)
}

/** Announces those of the changed executions that have ended. */
const announceEnded = (changed: string, now: Date) =>
  announce(
    'announced',
    sql`
      select s.project_id, 'workflow.execution.' || case s.status when 'FAILED' then 'failed' else 'completed' end, s.contact_id,
        jsonb_build_object('contact', (
            select jsonb_build_object('id', p.id, 'email', p.email, 'subscribed', p.subscribed)
            from contacts p where p.project_id = s.project_id and p.id = s.contact_id),
          'email', null, 'data', jsonb_build_object('workflowId', s.workflow_id, 'executionId', s.id, 'status', s.status)
            || case s.status when 'FAILED' then jsonb_build_object('error', s.error) else '{}' end),
        ${now}::timestamptz
      from ${sql.ref(changed)} s where s.status in ('COMPLETED', 'EXITED', 'FAILED')`,
  )

const keysOf = ({ projectId, executionId }: ExecutionRef) => ({ projectId, executionId })

export interface DispatchedEvent {
  projectId: string
  eventId: string
  /** How many workflows caused each other before it. */
  depth: number
}

export interface DispatchRules {
  depthMax: number
  /** The error of an execution that exceeds the maximum. */
  tooDeepError: string
  now: Date
}

/**
 * Starts the workflows that these events trigger and wakes the executions that wait for them. Dispatching an event twice
 * has no further effect: the id of an execution is derived from the event and the workflow, and two unique indexes keep
 * a contact from being in a workflow twice.
 */
export async function dispatchEvents(
  db: Database,
  events: DispatchedEvent[],
  { depthMax, tooDeepError, now }: DispatchRules,
): Promise<void> {
  await sql`/* dispatch-events */
    with event as materialized (
      select e.project_id, e.id, e.name, e.contact_id, e.data, greatest(dispatched.depth, coalesce(cause.depth + 1, 0)) as depth
      from unnest(${events.map((e) => e.projectId)}::uuid[], ${events.map((e) => e.eventId)}::uuid[],
        ${events.map((e) => e.depth)}::int[]) as dispatched(project_id, id, depth)
      join events e on e.project_id = dispatched.project_id and e.id = dispatched.id
      join projects p on p.id = e.project_id and p.disabled_at is null
      left join emails on emails.project_id = e.project_id and emails.id = e.email_id
      left join workflow_executions cause on cause.project_id = emails.project_id and cause.id = emails.workflow_execution_id
    ), started as (
      insert into workflow_executions (project_id, id, workflow_id, contact_id, status, error, event, only_once, depth,
        seen_up_to, started_at, completed_at, created_at, updated_at)
      select w.project_id, derive_id(e.id, w.id::text), w.id, e.contact_id,
        case when e.depth > ${depthMax} then 'FAILED' else 'RUNNING' end,
        case when e.depth > ${depthMax} then ${tooDeepError}::text end, e.data, not w.allow_reentry, e.depth, e.id, ${now}::timestamptz,
        case when e.depth > ${depthMax} then ${now}::timestamptz end, ${now}::timestamptz, ${now}::timestamptz
      from event e
      join workflows w on w.project_id = e.project_id and w.event_name = e.name and w.enabled and w.trigger_type = 'EVENT'
      join contacts c on c.project_id = e.project_id and c.id = e.contact_id
      where ${mayEnter(sql`e.contact_id`, now)}
      order by e.id
      on conflict do nothing
      returning project_id, id, version, status
    ), woken as (
      select distinct x.project_id, x.id, x.version from event e
      join workflow_executions x on x.project_id = e.project_id and x.contact_id = e.contact_id
        and x.status = 'WAITING' and x.awaited_event = e.name and x.seen_up_to < e.id
    ),
    ${addJobsStep(
      'run-workflow-step',
      sql`select json_build_object('projectId', project_id, 'executionId', id, 'version', version) from (
        select project_id, id, version from started where status = 'RUNNING'
        union all
        select project_id, id, version from woken) as due`,
    )}
    select`.execute(db)
}

/**
 * Completes the executions of workflows whose goal one of these events is. One that is added at this moment finds the event
 * before its first step. The locks are taken in the order in which the runner takes them.
 */
export async function completeGoals(db: Database, events: DispatchedEvent[], now: Date): Promise<void> {
  await sql`/* complete-goals */
    with reached as (
      select x.project_id, x.id, w.goal_event
      from unnest(${events.map((e) => e.projectId)}::uuid[], ${events.map((e) => e.eventId)}::uuid[]) as given(project_id, id)
      join events e on e.project_id = given.project_id and e.id = given.id
      join workflows w on w.project_id = e.project_id and w.goal_event = e.name
      join workflow_executions x on x.project_id = e.project_id and x.contact_id = e.contact_id and x.workflow_id = w.id
        and x.status in ('RUNNING', 'WAITING') and left(x.id::text, 13) <= left(e.id::text, 13)
      order by x.contact_id, x.id for update of x
    ), completed as (
      update workflow_executions x set status = 'COMPLETED', goal_reached = true, version = x.version + 1, resume_at = null,
        awaited_event = null, completed_at = ${now}::timestamptz, updated_at = ${now}::timestamptz
      from reached where x.project_id = reached.project_id and x.id = reached.id
      returning x.project_id, x.id, x.workflow_id, x.contact_id, x.status, x.error, reached.goal_event
    ), runs as (
      update workflow_step_runs r set status = case r.status when 'WAITING' then 'SKIPPED' else 'CANCELLED' end,
        output = jsonb_build_object('goal', completed.goal_event), completed_at = ${now}::timestamptz
      from completed where r.project_id = completed.project_id and r.execution_id = completed.id
        and r.status in ('RUNNING', 'WAITING')
    ), ${announceEnded('completed', now)}
    select`.execute(db)
}

/** Adds the jobs for waits that end before `until`, for up to `most` executions. Returns for how many. */
export async function setAlarms(db: Database, until: Date, batchMax: number): Promise<number> {
  const payload = sql`json_build_object('projectId', due.project_id, 'executionId', due.id, 'version', due.version)`
  const { rows } = await sql<{ count: number }>`/* set-workflow-alarms */
    with batch as (
      select project_id, id from workflow_executions
      where status = 'WAITING' and not alarm_set and resume_at <= ${until}::timestamptz
      order by resume_at limit ${batchMax} for update skip locked
    ), due as (
      update workflow_executions x set alarm_set = true from batch
      where x.project_id = batch.project_id and x.id = batch.id
      returning x.project_id, x.id, x.version, x.resume_at
    ), jobs as (
      select ${addJobSql('run-workflow-step', payload, { runAt: sql`due.resume_at` })} from due
    )
    select count(*) as count from jobs`.execute(db)
  return rows[0]!.count
}
