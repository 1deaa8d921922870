/**
 * Runs a workflow for one contact without effects: conditions and updates are real, in a transaction that is rolled back;
 * emails and webhook requests are built but not sent; delays pass at once, on a clock of their own.
 */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { getContact } from '../../audience/contacts/actions.ts'
import { simulateStep } from '../steps/registry.ts'
import type { Outcome, StepInput } from '../steps/step.ts'
import { type RunnableGraph, readRunnableGraph, requireWorkflow } from '../workflows/actions.ts'
import { entryOf, stepAfter } from '../workflows/graph.ts'
import { readDraftGraph } from '../workflows/publishing.ts'
import type { Simulation, SimulationRequest } from './schemas.ts'

type Request = z.output<typeof SimulationRequest>
type Result = z.output<typeof Simulation>

class RolledBack extends Error {
  readonly result: Result

  constructor(result: Result) {
    super('rolled back on purpose')
    this.result = result
  }
}

export async function simulateWorkflow(
  ctx: Context,
  projectId: string,
  workflowId: string,
  request: Request,
): Promise<Result> {
  try {
    return await ctx.db.transaction().execute(async (tx): Promise<never> => {
      throw new RolledBack(await simulate(ctx, tx, projectId, workflowId, request))
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.result
    throw error
  }
}

async function simulate(
  ctx: Context,
  tx: Tx,
  projectId: string,
  workflowId: string,
  request: Request,
): Promise<Result> {
  const workflow = await requireWorkflow(tx, projectId, workflowId)
  const contact = await getContact(ctx, projectId, request.contactId, tx)
  const graph = request.draft
    ? await readDraftGraph(ctx, tx, projectId, workflow.id)
    : await readRunnableGraph(tx, projectId, workflow.id)
  const now = ctx.clock.now()
  const input: Omit<StepInput, 'step'> = {
    ctx,
    db: tx,
    projectId,
    workflow: { id: workflow.id, name: workflow.name },
    execution: executionOf(workflow, request, now),
    contact: { id: contact.id, email: contact.email, subscribed: contact.subscribed, data: contact.data ?? {} },
    now,
  }
  return follow(graph, input, { events: request.assumeEvents ?? true })
}

function executionOf(
  workflow: { trigger_type: string },
  { event, context }: Request,
  now: Date,
): StepInput['execution'] {
  const id = newId(now)
  const manual = !event && workflow.trigger_type === 'MANUAL'
  return { id, startedAt: now, context: context ?? {}, event: manual ? null : (event ?? {}), seenUpTo: id }
}

async function follow(
  graph: RunnableGraph,
  input: Omit<StepInput, 'step'>,
  assume: { events: boolean },
): Promise<Result> {
  const path: Result['path'] = []
  const end = (status: Result['status'], more: Partial<Result> = {}): Result => ({
    status,
    exitReason: null,
    error: null,
    ...more,
    path,
  })
  let step = entryOf(graph)
  if (!step) return end('FAILED', { error: 'The workflow has no steps.' })
  while (step) {
    const outcome = await simulateStep(step, { ...input, step: { id: step.id, templateId: step.template_id } }, assume)
    path.push(showStep(step, input.now, outcome))
    if (outcome.kind === 'fail') return end('FAILED', { error: outcome.error })
    if (outcome.kind === 'exit') return end('EXITED', { exitReason: outcome.reason })
    if (outcome.kind === 'continue') {
      if (outcome.contact) input.contact = outcome.contact
      if (outcome.output?.until instanceof Date) input.now = outcome.output.until
    }
    step = stepAfter(graph, step.id, branchOf(outcome))
  }
  return end('COMPLETED')
}

const branchOf = (outcome: Outcome): string | null => (outcome.kind === 'continue' && outcome.branch) || null

const showStep = (step: RunnableGraph['steps'][number], at: Date, outcome: Outcome): Result['path'][number] => ({
  stepId: step.id,
  type: step.type,
  name: step.name,
  status: outcome.kind === 'fail' ? 'FAILED' : outcome.kind === 'continue' && outcome.skipped ? 'SKIPPED' : 'COMPLETED',
  branch: branchOf(outcome),
  at,
  output: 'output' in outcome ? (outcome.output ?? null) : null,
  error: outcome.kind === 'fail' ? outcome.error : null,
})
