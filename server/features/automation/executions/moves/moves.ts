/** Ends waits early: of one execution, or of all that wait at a step. They go on as planned, or at another step. */
import type { Context } from '../../../../context.ts'
import { conflict, invalidField, notFound } from '../../../../kernel/errors.ts'
import { transaction } from '../../../../platform/database/connection/transaction.ts'
import type { JobCatalogue } from '../../../../platform/queue/catalogue.ts'
import { enqueue } from '../../../../platform/queue/job-table.ts'
import type { Actor } from '../../../record/audit/actions.ts'
import { recordWorkflowAct, requireWorkflow } from '../../workflows/actions.ts'
import { getExecution } from '../actions.ts'
import * as queries from './move-queries.ts'

const MOVE_AT_ONCE = 1_000
/** Then other jobs can run. */
const BATCHES_MAX = 20

type Move = Omit<JobCatalogue['move-executions'], 'after'>

/** For the audit log: without a destination, only the wait is skipped. */
const detailsOf = (stepId: string, to: queries.Destination) => ({ stepId, ...(to !== null && { toStepId: to }) })

/** The execution continues now, as if the time of its wait were over. */
export async function skipWait(ctx: Context, projectId: string, workflowId: string, id: string, who: Actor) {
  const { status, currentStepId } = await getExecution(ctx, projectId, workflowId, id)
  if (status !== 'WAITING' || currentStepId === null) throw notWaiting(status)
  return end(ctx, { projectId, workflowId, id, stepId: currentStepId, to: null }, who)
}

/** The execution continues at another step of the workflow. */
export async function moveExecution(
  ctx: Context,
  projectId: string,
  workflowId: string,
  id: string,
  to: string,
  who: Actor,
) {
  const { status, currentStepId } = await getExecution(ctx, projectId, workflowId, id)
  await requireDestination(ctx, projectId, workflowId, to, currentStepId)
  if (status !== 'WAITING' || currentStepId === null) throw notWaiting(status)
  return end(ctx, { projectId, workflowId, id, stepId: currentStepId, to }, who)
}

async function end(ctx: Context, { projectId, workflowId, id, stepId, to }: Move & { id: string }, who: Actor) {
  const workflow = await requireWorkflow(ctx.db, projectId, workflowId)
  const isMoved = await transaction(ctx.db, async (tx) => {
    if (!(await queries.moveExecution(tx, { projectId, id, stepId }, to, ctx.clock.now()))) return false
    const details = { executionId: id, ...detailsOf(stepId, to) }
    await recordWorkflowAct(ctx, tx, workflow, { act: 'workflow.executions-moved', details }, who)
    return true
  })
  const execution = await getExecution(ctx, projectId, workflowId, id)
  if (!isMoved) throw notWaiting(execution.status)
  return execution
}

/** A job ends the waits of all executions that are at the step. */
export async function skipWaits(ctx: Context, projectId: string, workflowId: string, stepId: string, who: Actor) {
  await requireStep(ctx, projectId, workflowId, stepId)
  return moveAll(ctx, { projectId, workflowId, stepId, to: null }, who)
}

export async function moveExecutions(
  ctx: Context,
  projectId: string,
  workflowId: string,
  stepId: string,
  to: string,
  who: Actor,
) {
  await requireStep(ctx, projectId, workflowId, stepId)
  await requireDestination(ctx, projectId, workflowId, to, stepId)
  return moveAll(ctx, { projectId, workflowId, stepId, to }, who)
}

async function moveAll(ctx: Context, all: Move, who: Actor) {
  const workflow = await requireWorkflow(ctx.db, all.projectId, all.workflowId)
  await transaction(ctx.db, async (tx) => {
    await enqueue(tx, 'move-executions', { ...all, after: null })
    const details = { all: true, ...detailsOf(all.stepId, all.to) }
    await recordWorkflowAct(ctx, tx, workflow, { act: 'workflow.executions-moved', details }, who)
  })
  return { queued: true as const }
}

/** Moves a limited number of batches and then lets other jobs run. */
export async function moveWaiting(ctx: Context, job: JobCatalogue['move-executions']): Promise<void> {
  let { after } = job
  for (let batch = 0; batch < BATCHES_MAX; batch++) {
    after = await transaction(ctx.db, (tx) =>
      queries.moveSome(tx, { ...job, after, batchMax: MOVE_AT_ONCE }, ctx.clock.now()),
    )
    if (after === null) return
  }
  await enqueue(ctx.db, 'move-executions', { ...job, after })
}

async function requireDestination(
  ctx: Context,
  projectId: string,
  workflowId: string,
  to: string,
  from: string | null,
): Promise<void> {
  if (to === from) throw invalidField('stepId', 'Must be another step than the one where the execution is.')
  if (!(await queries.hasStep(ctx.db, projectId, workflowId, to)))
    throw invalidField('stepId', 'Must be a step of the published workflow.')
}

async function requireStep(ctx: Context, projectId: string, workflowId: string, id: string): Promise<void> {
  await requireWorkflow(ctx.db, projectId, workflowId)
  if (!(await queries.hasStep(ctx.db, projectId, workflowId, id))) throw notFound('step', id)
}

const notWaiting = (status: string) =>
  conflict(
    status === 'RUNNING'
      ? 'The execution is running a step at this moment. Try again when it waits.'
      : `Only an execution that waits can continue early. This one is ${status}.`,
  )
