/** SQL that counts where executions are, the outcomes of their steps, and how their emails performed. */

import type { Database } from '../../../platform/database/connection/connect.ts'
import { sql } from '../../../platform/database/connection/sql.ts'

/** Executions by their IDs, which have the time of their cause. */
export interface ExecutionRange {
  first: string
  end: string
}

const within = ({ first, end }: ExecutionRange) => sql`and id >= ${first}::uuid and id < ${end}::uuid`

export interface StepCounts {
  stepId: string
  entered: number
  completed: number
  skipped: number
  failed: number
  emails: number
  delivered: number
  refused: number
  bounced: number
  opened: number
  clicked: number
  converted: number
}

/** Counts the active executions at each step. */
export async function countActive(
  db: Database,
  projectId: string,
  workflowId: string,
  range: ExecutionRange,
): Promise<Array<{ stepId: string | null; active: number }>> {
  const { rows } = await sql<{ stepId: string | null; active: number }>`/* count-active-executions */
    select current_step_id as "stepId", count(*) as active from workflow_executions
    where project_id = ${projectId} and workflow_id = ${workflowId} and status in ('RUNNING', 'WAITING') ${within(range)}
    group by current_step_id`.execute(db)
  return rows
}

/**
 * Counts the outcomes of each step in the newest executions. Emails are looked up one by one, each in its own
 * partition.
 */
export async function countStepRuns(
  db: Database,
  projectId: string,
  workflowId: string,
  range: ExecutionRange,
  newest: number,
): Promise<StepCounts[]> {
  const { rows } = await sql<StepCounts>`/* count-step-runs */
    select run.step_id as "stepId", count(*) as entered, count(*) filter (where run.status = 'COMPLETED') as completed,
      count(*) filter (where run.status = 'SKIPPED') as skipped, count(*) filter (where run.status = 'FAILED') as failed,
      count(email.sent_at) as emails, count(*) filter (where is_delivered(email.delivered_at, email.bounced_at)) as delivered,
      count(*) filter (where is_refused(email.sent_at, email.bounced_at)) as refused, count(email.bounced_at) as bounced,
      count(email.opened_at) as opened, count(email.clicked_at) as clicked,
      count(*) filter (where x.goal_reached) as converted
    from (
      select id, goal_reached from workflow_executions
      where project_id = ${projectId} and workflow_id = ${workflowId} ${within(range)}
      order by id desc limit ${newest}
    ) as x
    join workflow_step_runs run on run.project_id = ${projectId} and run.execution_id = x.id
    left join lateral (
      select sent_at, delivered_at, bounced_at, opened_at, clicked_at from emails
      where emails.project_id = ${projectId} and emails.id = (run.output ->> 'emailId')::uuid limit 1
    ) as email on run.type = 'SEND_EMAIL'
    group by run.step_id`.execute(db)
  return rows
}

export interface RunCounts {
  counted: number
  active: number
  completed: number
  failed: number
  converted: number
}

/** The outcomes of the newest executions. */
export async function countRuns(
  db: Database,
  projectId: string,
  workflowId: string,
  range: ExecutionRange,
  newest: number,
): Promise<RunCounts> {
  const { rows } = await sql<RunCounts>`/* count-runs */
    select count(*) as counted, count(*) filter (where status in ('RUNNING', 'WAITING')) as active,
      count(*) filter (where status in ('COMPLETED', 'EXITED')) as completed,
      count(*) filter (where status = 'FAILED') as failed, count(*) filter (where goal_reached) as converted
    from (
      select status, goal_reached from workflow_executions
      where project_id = ${projectId} and workflow_id = ${workflowId} ${within(range)}
      order by id desc limit ${newest}) as x`.execute(db)
  return rows[0]!
}

export interface ExecutionCounts {
  workflowId: string
  active: number
  completed: number
}

/**
 * Counts for every enabled workflow the executions that are active now, and those completed since a time: at most `most`
 * active ones of each workflow, and the newest `most` completed ones of all workflows.
 */
export async function countExecutions(
  db: Database,
  projectId: string,
  since: Date,
  most: number,
): Promise<ExecutionCounts[]> {
  const { rows } = await sql<ExecutionCounts>`/* count-executions */
    select w.id as "workflowId", coalesce(done.completed, 0) as completed, (
      select count(*) from (
        select from workflow_executions x
        where x.project_id = ${projectId} and x.workflow_id = w.id and x.status in ('RUNNING', 'WAITING') limit ${most}
      ) as found) as active
    from workflows w
    left join (
      select workflow_id, count(*) as completed from (
        select workflow_id from workflow_executions
        where project_id = ${projectId} and status in ('COMPLETED', 'EXITED')
          and feed_id(completed_at, 'workflow.completed', id) >= first_id_at(${since}::timestamptz)
        order by feed_id(completed_at, 'workflow.completed', id) desc limit ${most}
      ) as newest
      group by workflow_id
    ) as done on done.workflow_id = w.id
    where w.project_id = ${projectId} and w.enabled order by w.id`.execute(db)
  return rows
}

export interface FailureRow {
  workflowId: string
  workflowName: string
  stepId: string | null
  stepName: string | null
  type: string | null
  failed: number
  error: string | null
  lastFailedAt: Date
}

/** Counts the executions that failed since a time, by the step at which they failed. Reads at most `newest` of them. */
export async function countFailures(
  db: Database,
  projectId: string,
  since: Date,
  newest: number,
): Promise<FailureRow[]> {
  const { rows } = await sql<FailureRow>`
    select w.id as "workflowId", w.name as "workflowName", s.id as "stepId", s.name as "stepName", s.type, count(*) as failed,
      (array_agg(x.error order by x.completed_at desc))[1] as error, max(x.completed_at) as "lastFailedAt"
    from (
      select workflow_id, current_step_id, error, completed_at from workflow_executions
      where project_id = ${projectId} and status = 'FAILED'
        and feed_id(completed_at, 'workflow.failed', id) >= first_id_at(${since}::timestamptz)
      order by feed_id(completed_at, 'workflow.failed', id) desc limit ${newest}
    ) as x
    join workflows w on w.project_id = ${projectId} and w.id = x.workflow_id
    left join workflow_steps s on s.project_id = ${projectId} and s.id = x.current_step_id
    group by w.id, w.name, s.id, s.name, s.type order by failed desc, w.id, s.id`.execute(db)
  return rows
}
