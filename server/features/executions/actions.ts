/** Executions, one for each contact in a workflow: starting, listing, canceling and retrying them. */
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { refuseTooMuchData } from '../../kernel/contact-data.ts'
import { badRequest, conflict, notFound } from '../../kernel/errors.ts'
import { isId, newId } from '../../kernel/ids.ts'
import { numberedPage, offsetOf } from '../../kernel/pages.ts'
import { violatedConstraint } from '../../platform/database/transaction.ts'
import { TryAgainAt } from '../../platform/queue/try-again.ts'
import { getContact } from '../contacts/actions.ts'
import { requireWorkflow } from '../workflows/actions.ts'
import * as queries from './queries.ts'
import { EXECUTION_STATUSES, type ExecutionListQuery, type NewExecution } from './schemas.ts'

const CANCEL_AT_ONCE = 2_000
const DELETE_AT_ONCE = 1_000
/** Then other jobs can run. */
const BATCHES_MAX = 20

const ALREADY_ACTIVE = 'The contact is already in this workflow.'

export async function startExecution(
  ctx: Context,
  projectId: string,
  workflowId: string,
  { contactId, context = {} }: z.output<typeof NewExecution>,
) {
  refuseTooMuchData(context ?? {}, 'context')
  const workflow = await requireWorkflow(ctx.db, projectId, workflowId)
  const contact = await getContact(ctx, projectId, contactId)
  if (!workflow.enabled) throw conflict('The workflow is disabled. Enable it to start executions.')
  const now = ctx.clock.now()
  const start = { id: newId(now), workflowId: workflow.id, contactId: contact.id, context: context ?? {} }
  const row = await queries.startManually(ctx.db, projectId, start, now)
  if (!row) {
    throw conflict(
      workflow.allow_reentry
        ? ALREADY_ACTIVE
        : 'The contact has been in this workflow before, and the workflow does not allow re-entry.',
    )
  }
  return showExecution(row)
}

export async function listExecutions(
  ctx: Context,
  projectId: string,
  workflowId: string,
  query: z.output<typeof ExecutionListQuery>,
) {
  const { status, contactId, pageSize } = query
  if (status !== undefined && !EXECUTION_STATUSES.some((known) => known === status)) {
    throw badRequest(`status must be one of ${EXECUTION_STATUSES.join(', ')}.`)
  }
  await requireWorkflow(ctx.db, projectId, workflowId)
  if (contactId !== undefined) {
    if (!isId(contactId)) throw notFound('contact', contactId)
    await getContact(ctx, projectId, contactId)
  }
  const filter = { status, contactId }
  const [rows, total] = await Promise.all([
    queries.listExecutions(ctx.db, projectId, workflowId, { ...filter, limit: pageSize, offset: offsetOf(query) }),
    queries.countExecutions(ctx.db, projectId, workflowId, filter),
  ])
  return numberedPage(rows, query, total, showExecution)
}

export async function getExecution(ctx: Context, projectId: string, workflowId: string, id: string) {
  await requireWorkflow(ctx.db, projectId, workflowId)
  const row = await queries.findExecution(ctx.db, projectId, workflowId, id)
  if (!row) throw notFound('execution', id)
  return { ...showExecution(row), steps: (await queries.listStepRuns(ctx.db, projectId, row.id)).map(showStepRun) }
}

export async function cancelExecution(ctx: Context, projectId: string, workflowId: string, id: string) {
  const { status } = await getExecution(ctx, projectId, workflowId, id)
  if (!(await queries.cancelExecution(ctx.db, projectId, workflowId, id, ctx.clock.now()))) {
    throw conflict(`The execution has already ended (${status}).`)
  }
  return getExecution(ctx, projectId, workflowId, id)
}

/** In batches, so that no statement is slow. Executions that start meanwhile are not cancelled. */
export async function cancelAllExecutions(ctx: Context, projectId: string, workflowId: string) {
  const workflow = await requireWorkflow(ctx.db, projectId, workflowId)
  const now = ctx.clock.now()
  const upTo = newId(now)
  let cancelled = 0
  for (let batch = CANCEL_AT_ONCE; batch === CANCEL_AT_ONCE; cancelled += batch) {
    batch = await queries.cancelSome(ctx.db, projectId, workflow.id, upTo, CANCEL_AT_ONCE, now)
  }
  return { cancelled }
}

/** Resumes at the step that failed. */
export async function retryExecution(ctx: Context, projectId: string, workflowId: string, id: string) {
  const { status } = await getExecution(ctx, projectId, workflowId, id)
  try {
    if (!(await queries.retryExecution(ctx.db, projectId, workflowId, id, ctx.clock.now()))) {
      throw conflict(`Only failed executions can be retried. This one is ${status}.`)
    }
  } catch (error) {
    if (violatedConstraint(error) === 'workflow_executions_active') throw conflict(ALREADY_ACTIVE)
    throw error
  }
  return getExecution(ctx, projectId, workflowId, id)
}

/** Deletes the executions of a deleted workflow. */
export async function eraseWorkflow(
  ctx: Context,
  { projectId, workflowId }: { projectId: string; workflowId: string },
): Promise<void> {
  for (let batch = 1; (await queries.deleteExecutions(ctx.db, projectId, workflowId, DELETE_AT_ONCE)) > 0; batch++) {
    if (batch === BATCHES_MAX) {
      throw new TryAgainAt(ctx.clock.now(), { countsAsAttempt: false, reason: 'there is more to delete' })
    }
  }
}

const showExecution = (row: queries.ExecutionRow) => ({
  id: row.id,
  workflowId: row.workflow_id,
  contactId: row.contact_id,
  status: row.status,
  currentStepId: row.current_step_id,
  exitReason: row.exit_reason,
  error: row.error,
  context: row.context,
  event: row.event,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const showStepRun = (row: queries.StepRunRow) => ({
  id: row.id,
  stepId: row.step_id,
  type: row.type,
  status: row.status,
  output: row.output,
  error: row.error,
  startedAt: row.started_at,
  completedAt: row.completed_at,
  resumeAt: row.resume_at,
})
