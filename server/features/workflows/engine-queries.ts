/** What the engine reads and writes while it takes an execution from step to step. */
import { sql } from 'kysely'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { addJobSql } from '../../platform/queue/enqueue.ts'

export interface ExecutionRef {
  projectId: string
  executionId: string
  /** An execution that has gone on since has a higher one. */
  turn: number
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
  /** How many workflows led to this one. */
  depth: number
  /** The project is: nothing moves. */
  disabled: boolean
  workflow_id: string
  /** Empty when the workflow is gone. */
  workflow_name: string | null
  revision: number | null
  /** Empty when the contact is gone. */
  contact_id: string | null
  email: string | null
  subscribed: boolean | null
  data: Record<string, unknown> | null
  /** The step that is under way or waited at. */
  open_run_id: string | null
  open_step_id: string | null
  open_status: 'RUNNING' | 'WAITING' | null
}

/**
 * Takes executions for this transaction, in the order of contacts, as they are changed. A statement that waited for
 * whoever had an execution sees that as it is now, but everything else as it was before: then it is asked once more.
 */
export async function takeExecutions(tx: Tx, refs: ExecutionRef[]): Promise<LoadedExecution[]> {
  const taken = await sql<LoadedExecution & { waited: boolean }>`/* take-executions */
    ${loading(
      refs,
      sql`, x.xmin <> (
      select before.xmin from workflow_executions before where before.project_id = x.project_id and before.id = x.id
    ) as waited`,
    )}
    for update of x`.execute(tx)
  return taken.rows.some(({ waited }) => waited) ? loadExecutions(tx, refs) : taken.rows
}

/** Executions that this transaction has. */
export async function loadExecutions(tx: Tx, refs: ExecutionRef[]): Promise<LoadedExecution[]> {
  const { rows } = await sql<LoadedExecution>`/* load-executions */ ${loading(refs)}`.execute(tx)
  return rows
}

/** With all that their next steps need. */
const loading = (refs: ExecutionRef[], further = sql``) => sql`
    select x.id, x.status, x.current_step_id, x.context, x.event, x.seen_up_to, x.awaited_event, x.resume_at, x.started_at,
      x.depth, x.workflow_id, p.disabled_at is not null as disabled, w.name as workflow_name, w.revision,
      c.id as contact_id, c.email, c.subscribed, c.data,
      run.id as open_run_id, run.step_id as open_step_id, run.status as open_status ${further}
    from unnest(${refs.map((r) => r.projectId)}::uuid[], ${refs.map((r) => r.executionId)}::uuid[],
      ${refs.map((r) => r.turn)}::int[]) as wanted(project_id, id, turn)
    join workflow_executions x on x.project_id = wanted.project_id and x.id = wanted.id and x.turn = wanted.turn
      and x.status in ('RUNNING', 'WAITING')
    join projects p on p.id = x.project_id
    left join workflows w on w.project_id = x.project_id and w.id = x.workflow_id
    left join contacts c on c.project_id = x.project_id and c.id = x.contact_id
    left join lateral (
      select id, step_id, status from workflow_step_runs r
      where r.project_id = x.project_id and r.execution_id = x.id and r.status in ('RUNNING', 'WAITING')
      order by id desc limit 1
    ) as run on true
    order by x.contact_id, x.id`

/** Events that the transaction records from here on know that a workflow caused them (see the trigger on events). */
export async function setChainDepth(tx: Tx, depth: number): Promise<void> {
  await sql`/* set-chain-depth */ select set_config('posthorn.chain_depth', ${String(depth)}, true)`.execute(tx)
}

export interface StepRun {
  id: string
  stepId: string
  type: string
  status: string
  output: Record<string, unknown> | null
  error: string | null
  startedAt: Date
  completedAt: Date | null
  resumeAt: Date | null
}

export interface Progress {
  status: string
  currentStepId: string | null
  exitReason: string | null
  error: string | null
  seenUpTo: string
  awaitedEvent: string | null
  resumeAt: Date | null
  /** The job for `resumeAt` is among `jobsAt`, or one exists. */
  alarmSet: boolean
  completedAt: Date | null
  /** Whoever holds the present turn goes on itself. */
  keepTurn: boolean
  /** The run that was open and is not any more. */
  closed: Omit<StepRun, 'stepId' | 'type' | 'startedAt' | 'resumeAt'> | undefined
  runs: StepRun[]
  jobsAt: Date[]
}

export interface SavedTurn {
  ref: ExecutionRef
  progress: Progress
}

/** Records what happened and asks for what comes next, for many executions in one statement. */
export async function saveTurns(tx: Tx, turns: SavedTurn[], now: Date): Promise<void> {
  const given = turns.map(({ ref, progress: { closed: _, runs: __, ...fields } }) => ({ ...keysOf(ref), ...fields }))
  const closed = turns.flatMap(({ ref, progress }) => (progress.closed ? [{ ...keysOf(ref), ...progress.closed }] : []))
  const runs = turns.flatMap(({ ref, progress }) => progress.runs.map((run) => ({ ...keysOf(ref), ...run })))
  const payload = sql`json_build_object('projectId', saved.project_id, 'executionId', saved.id, 'turn', saved.turn)`
  await sql`/* save-executions */
    with closed as (
      update workflow_step_runs r set status = c.status, output = nullif(c.output, 'null'), error = c.error,
        completed_at = c."completedAt"
      from jsonb_to_recordset(${JSON.stringify(closed)}::jsonb) as c("projectId" uuid, "executionId" uuid, id uuid, status text,
        output jsonb, error text, "completedAt" timestamptz)
      where r.project_id = c."projectId" and r.execution_id = c."executionId" and r.id = c.id
    ), runs as (
      insert into workflow_step_runs (project_id, execution_id, id, step_id, type, status, output, error, started_at,
        completed_at, resume_at)
      select "projectId", "executionId", id, "stepId", type, status, nullif(output, 'null'), error, "startedAt", "completedAt",
        "resumeAt"
      from jsonb_to_recordset(${JSON.stringify(runs)}::jsonb) as run("projectId" uuid, "executionId" uuid, id uuid, "stepId" uuid,
        type text, status text, output jsonb, error text, "startedAt" timestamptz, "completedAt" timestamptz, "resumeAt" timestamptz)
    ), saved as (
      update workflow_executions x set status = g.status, current_step_id = g."currentStepId", exit_reason = g."exitReason",
        error = g.error, seen_up_to = g."seenUpTo", awaited_event = g."awaitedEvent", resume_at = g."resumeAt",
        alarm_set = g."alarmSet", completed_at = g."completedAt", turn = x.turn + case when g."keepTurn" then 0 else 1 end,
        updated_at = ${now}::timestamptz
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g("projectId" uuid, "executionId" uuid, status text,
        "currentStepId" uuid, "exitReason" text, error text, "seenUpTo" uuid, "awaitedEvent" text, "resumeAt" timestamptz,
        "alarmSet" boolean, "completedAt" timestamptz, "keepTurn" boolean, "jobsAt" jsonb)
      where x.project_id = g."projectId" and x.id = g."executionId"
      returning x.project_id, x.id, x.turn, g."jobsAt" as jobs_at
    )
    select ${addJobSql('run-workflow-step', payload, { runAt: sql`job.at::timestamptz` })}
    from saved, jsonb_array_elements_text(saved.jobs_at) as job(at)`.execute(tx)
}

const keysOf = ({ projectId, executionId }: ExecutionRef) => ({ projectId, executionId })

/** The first event of a name that a contact had after one moment and before another. */
export async function findAwaitedEvent(
  db: Database | Tx,
  projectId: string,
  wanted: { contactId: string; name: string; after: string; before: string | null },
): Promise<{ id: string; data: Record<string, unknown>; created_at: Date } | undefined> {
  const { rows } = await sql<{ id: string; data: Record<string, unknown>; created_at: Date }>`/* find-awaited-event */
    select id, data, created_at from events
    where project_id = ${projectId} and contact_id = ${wanted.contactId} and name = ${wanted.name}
      and id > ${wanted.after}::uuid and id < coalesce(${wanted.before}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    order by id limit 1`.execute(db)
  return rows[0]
}
