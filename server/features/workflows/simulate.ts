/**
 * A walk through a workflow for one contact, with nothing left of it: conditions and updates are real, in a transaction
 * that is rolled back; emails and webhooks are made and not sent; delays pass at once, on a clock of their own.
 */
import type { z } from 'zod'
import type { Context } from '../../context.ts'
import { newId } from '../../kernel/ids.ts'
import type { Tx } from '../../platform/database/connect.ts'
import { getContact } from '../contacts/actions.ts'
import { requireWorkflow } from './actions.ts'
import { configOf, performed } from './engine.ts'
import type { Simulation, SimulationRequest } from './execution-schemas.ts'
import { type Branch, entryOf, type Graph, stepAfter } from './graph.ts'
import { readGraph } from './graph-memory.ts'
import type { StepRow, WorkflowRow } from './queries.ts'
import type { Outcome, Scene } from './step-kind.ts'
import { kindOf } from './steps.ts'

type Walk = z.output<typeof Simulation>

class RolledBack extends Error {
  readonly walk: Walk

  constructor(walk: Walk) {
    super('rolled back on purpose')
    this.walk = walk
  }
}

export async function simulateWorkflow(
  ctx: Context,
  projectId: string,
  workflowId: string,
  request: z.output<typeof SimulationRequest>,
): Promise<Walk> {
  try {
    return await ctx.db.transaction().execute(async (tx): Promise<never> => {
      throw new RolledBack(await walk({ ...ctx, db: tx }, tx, projectId, workflowId, request))
    })
  } catch (error) {
    if (error instanceof RolledBack) return error.walk
    throw error
  }
}

async function walk(
  ctx: Context,
  tx: Tx,
  projectId: string,
  workflowId: string,
  request: z.output<typeof SimulationRequest>,
): Promise<Walk> {
  const workflow = await requireWorkflow(ctx, projectId, workflowId)
  const contact = await getContact(ctx, projectId, request.contactId)
  const graph = await readGraph(tx, projectId, workflow.id)
  const now = ctx.clock.now()
  const scene: Omit<Scene, 'step'> = {
    ctx,
    projectId,
    workflow: { id: workflow.id, name: workflow.name },
    execution: executionOf(workflow, request, now),
    contact: { id: contact.id, email: contact.email, subscribed: contact.subscribed, data: contact.data ?? {} },
    now,
  }
  return follow(graph, scene, { events: request.assumeEvents ?? true })
}

const executionOf = (
  workflow: WorkflowRow,
  { event, context }: z.output<typeof SimulationRequest>,
  now: Date,
): Scene['execution'] => {
  const id = newId(now)
  const byHand = !event && workflow.trigger_type === 'MANUAL'
  return { id, startedAt: now, context: context ?? {}, event: byHand ? null : (event ?? {}), seenUpTo: id }
}

async function follow(graph: Graph<StepRow>, scene: Omit<Scene, 'step'>, assume: { events: boolean }): Promise<Walk> {
  const path: Walk['path'] = []
  const end = (status: Walk['status'], more: Partial<Walk> = {}): Walk => ({
    status,
    exitReason: null,
    error: null,
    ...more,
    path,
  })
  let step = entryOf(graph)
  if (!step) return end('FAILED', { error: 'The workflow has no steps.' })
  while (step) {
    const outcome = await outcomeOf(scene, step, assume)
    path.push(shown(step, scene.now, outcome))
    if (outcome.kind === 'fails') return end('FAILED', { error: outcome.error })
    if (outcome.kind === 'exits') return end('EXITED', { exitReason: outcome.reason })
    if (outcome.kind === 'goes on') {
      if (outcome.contact) scene.contact = outcome.contact
      if (outcome.output?.until instanceof Date) scene.now = outcome.output.until
    }
    step = stepAfter(graph, step.id, branchOf(outcome))
  }
  return end('COMPLETED')
}

function outcomeOf(scene: Omit<Scene, 'step'>, step: StepRow, assume: { events: boolean }): Promise<Outcome> {
  const kind = kindOf(step.type)
  const at: Scene = { ...scene, step: { id: step.id, templateId: step.template_id } }
  return performed(async () => {
    const config = configOf(step)
    return kind.simulate ? kind.simulate(at, config, assume) : kind.run(at, config)
  })
}

const branchOf = (outcome: Outcome): Branch | null => (outcome.kind === 'goes on' && outcome.branch) || null

const shown = (step: StepRow, at: Date, outcome: Outcome): Walk['path'][number] => ({
  stepId: step.id,
  type: step.type,
  name: step.name,
  status: outcome.kind === 'fails' ? 'FAILED' : outcome.kind === 'goes on' && outcome.skipped ? 'SKIPPED' : 'COMPLETED',
  branch: branchOf(outcome),
  at,
  output: 'output' in outcome ? (outcome.output ?? null) : null,
  error: outcome.kind === 'fails' ? outcome.error : null,
})
