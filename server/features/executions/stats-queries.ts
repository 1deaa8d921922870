/** SQL that counts where executions are, what came of their steps, and how their emails performed. */
import { sql } from 'kysely'
import type { Database } from '../../platform/database/connect.ts'

export interface StepCounts {
  stepId: string
  entered: number
  completed: number
  skipped: number
  failed: number
  emails: number
  opened: number
  clicked: number
}

/** Counts the active executions at each step. */
export async function countActive(
  db: Database,
  projectId: string,
  workflowId: string,
): Promise<Array<{ stepId: string | null; active: number }>> {
  const { rows } = await sql<{ stepId: string | null; active: number }>`/* count-active-executions */
    select current_step_id as "stepId", count(*) as active from workflow_executions
    where project_id = ${projectId} and workflow_id = ${workflowId} and status in ('RUNNING', 'WAITING')
    group by current_step_id`.execute(db)
  return rows
}

/** Counts what came of each step in the newest executions. Emails are looked up one by one, each in its own partition. */
export async function countStepRuns(
  db: Database,
  projectId: string,
  workflowId: string,
  newest: number,
): Promise<StepCounts[]> {
  const { rows } = await sql<StepCounts>`/* count-step-runs */
    select run.step_id as "stepId", count(*) as entered, count(*) filter (where run.status = 'COMPLETED') as completed,
      count(*) filter (where run.status = 'SKIPPED') as skipped, count(*) filter (where run.status = 'FAILED') as failed,
      count(email.sent_at) as emails, count(email.opened_at) as opened, count(email.clicked_at) as clicked
    from (
      select id from workflow_executions where project_id = ${projectId} and workflow_id = ${workflowId}
      order by id desc limit ${newest}
    ) as x
    join workflow_step_runs run on run.project_id = ${projectId} and run.execution_id = x.id
    left join lateral (
      select sent_at, opened_at, clicked_at from emails
      where emails.project_id = ${projectId} and emails.id = (run.output ->> 'emailId')::uuid limit 1
    ) as email on run.type = 'SEND_EMAIL'
    group by run.step_id`.execute(db)
  return rows
}
