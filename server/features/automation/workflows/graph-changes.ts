/** Changes of a workflow's graph: its steps and transitions. Each change leaves a valid graph. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { invalidField, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import type { Json } from '../../../platform/database/tables.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { refuseBrokenLiquid } from '../../../platform/rendering/renderer.ts'
import type { Actor, NewAuditEntry } from '../../record/audit/actions.ts'
import { branchesOf, definitionOf } from '../steps/registry.ts'
import type { GivenStep, StoredStep } from '../steps/step.ts'
import { beginRevision, readGraph, recordWorkflowAct, showStep, showTransition } from './actions.ts'
import { addRemovedSteps } from './draft-queries.ts'
import { type Graph, refusalOf, replacementOf, spliceOut } from './graph.ts'
import * as queries from './queries.ts'
import {
  type NewStep,
  type NewTransition,
  STEPS_MAX,
  type StepChanges,
  type StepDeletion,
  type StepType,
  validateConfig,
} from './schemas.ts'

/**
 * Runs the executions that wait at these steps again, because the steps were removed or wait for another event. There can
 * be any number of them, so a job does it.
 */
export async function wakeExecutionsAt(
  tx: Tx,
  projectId: string,
  workflowId: string,
  stepIds: string[],
): Promise<void> {
  if (stepIds.length > 0) await enqueue(tx, 'wake-executions', { projectId, workflowId, stepIds, after: null })
}

/** The new times of a step apply to the executions that wait there already. A job does it, because there can be any number. */
export async function changeWaitsAt(tx: Tx, projectId: string, workflowId: string, stepId: string): Promise<void> {
  await enqueue(tx, 'change-waits', { projectId, workflowId, stepId, after: null })
}

export type StoredGraph = Graph<queries.StepRow, queries.NewTransition>

interface GraphEntry {
  ifMatch?: string | undefined
  /** The name of the change in the audit log. */
  act?: NewAuditEntry['act']
  details?: Record<string, unknown>
}

export const changeGraph = <T>(
  ctx: Context,
  projectId: string,
  workflowId: string,
  change: (tx: Tx, graph: StoredGraph, now: Date, workflow: queries.WorkflowRow) => Promise<T>,
  who: Actor,
  { ifMatch, act = 'workflow.changed', details }: GraphEntry,
): Promise<T> =>
  transaction(ctx.db, async (tx) => {
    const now = ctx.clock.now()
    const workflow = await beginRevision(tx, projectId, workflowId, now, ifMatch)
    const result = await change(tx, await readGraph(tx, projectId, workflowId), now, workflow)
    await recordWorkflowAct(ctx, tx, workflow, { act, details }, who)
    return result
  })

function requireStep(graph: Graph<queries.StepRow>, id: string): queries.StepRow {
  const step = graph.steps.find((known) => known.id === id.toLowerCase())
  if (!step) throw notFound('step', id)
  return step
}

/** Checks a step by the rules of its type, and returns what to store. Nothing of another project is accepted. */
export async function prepareStep(
  ctx: Context,
  tx: Tx,
  projectId: string,
  type: StepType,
  given: GivenStep,
): Promise<StoredStep> {
  const { config: schema, liquid, prepare } = definitionOf(type)
  const config = validateConfig(schema, given.config) as StoredStep['config']
  const texts = Object.entries(liquid?.(config) ?? {}).map(([path, text]) => [`config.${path}`, text])
  await refuseBrokenLiquid(ctx.renderer, projectId, Object.fromEntries(texts))
  const references = await prepare?.(config, given, { ctx, tx, projectId })
  return { config, template_id: null, event_name: null, used_fields: [], ...references }
}

export const addStep = (
  ctx: Context,
  projectId: string,
  workflowId: string,
  input: z.output<typeof NewStep>,
  who: Actor,
) => {
  const add = async (tx: Tx, graph: StoredGraph, now: Date) => {
    if (graph.steps.length >= STEPS_MAX) {
      throw invalidField('type', `A workflow can have at most ${STEPS_MAX} steps.`, 'too_big')
    }
    const { type, config = {}, templateId } = input
    const stored = await prepareStep(ctx, tx, projectId, type, { config, templateId })
    const fields = { ...stored, name: input.name ?? null, position: (input.position ?? null) as Json }
    const row = await queries.insertStep(tx, projectId, workflowId, { ...fields, id: newId(now), type }, now)
    return showStep(workflowId, row!)
  }
  return changeGraph(ctx, projectId, workflowId, add, who, { details: { stepAdded: input.type } })
}

export const changeStep = (
  ctx: Context,
  projectId: string,
  workflowId: string,
  stepId: string,
  input: z.output<typeof StepChanges>,
  who: Actor,
  ifMatch?: string,
) => {
  const change = async (tx: Tx, graph: StoredGraph, now: Date) => {
    const step = requireStep(graph, stepId)
    if (input.type !== undefined && input.type !== step.type) {
      throw invalidField('type', "The type of a step can't be changed. Add another step instead.")
    }
    const given = { config: input.config ?? step.config, templateId: templateGiven(input, step) }
    const changed = input.config !== undefined || input.templateId !== undefined
    const stored = changed ? await prepareStep(ctx, tx, projectId, step.type, given) : step
    const { config, template_id, event_name, used_fields } = stored
    if (changed) refuseLostBranches(graph, { ...step, config })
    const fields = {
      config,
      template_id,
      event_name,
      used_fields,
      name: input.name === undefined ? step.name : input.name,
      position: (input.position === undefined ? step.position : input.position) as Json,
    }
    const row = await queries.updateStep(tx, projectId, step.id, fields, now)
    if (event_name !== step.event_name) await wakeExecutionsAt(tx, projectId, workflowId, [step.id])
    if (input.waiting === 'apply') await changeWaitsAt(tx, projectId, workflowId, step.id)
    return showStep(workflowId, row)
  }
  return changeGraph(ctx, projectId, workflowId, change, who, {
    ifMatch,
    details: { stepId, ...(input.waiting === 'apply' && { newTimes: [stepId] }) },
  })
}

/** A branch that leads to a step can't be renamed or removed alone; `PUT …/graph` changes both at once. */
function refuseLostBranches(graph: StoredGraph, step: queries.StepRow): void {
  const branches = branchesOf(step)
  const lost = graph.transitions.find(({ fromStepId, branch }) => fromStepId === step.id && !branches.includes(branch))
  if (!lost) return
  throw invalidField(
    'config.branches',
    `The branch "${lost.branch}" leads to another step. Delete that transition first, or change both with PUT /workflows/{id}/graph.`,
  )
}

/** A new configuration without a template keeps the current one. */
function templateGiven(input: z.output<typeof StepChanges>, step: queries.StepRow): string | null | undefined {
  if (input.templateId !== undefined && input.templateId !== null) return input.templateId
  return input.config?.templateId === undefined ? step.template_id : undefined
}

export const removeStep = (
  ctx: Context,
  projectId: string,
  workflowId: string,
  stepId: string,
  { splice, executions }: z.output<typeof StepDeletion>,
  who: Actor,
): Promise<void> => {
  const remove = async (tx: Tx, graph: StoredGraph, now: Date) => {
    const { id } = requireStep(graph, stepId)
    const joined = splice
      ? spliceOut(graph, id, branchesOf).map((transition) => ({ ...transition, id: newId(now) }))
      : []
    if (executions) {
      await addRemovedSteps(tx, projectId, workflowId, [
        { id, executions, nextStepId: replacementOf(graph, id, branchesOf) },
      ])
    }
    await queries.deleteSteps(tx, projectId, [id])
    await queries.insertTransitions(tx, projectId, workflowId, joined, now)
    await wakeExecutionsAt(tx, projectId, workflowId, [id])
  }
  return changeGraph(ctx, projectId, workflowId, remove, who, { details: { stepRemoved: stepId } })
}

export const addTransition = (
  ctx: Context,
  projectId: string,
  workflowId: string,
  input: z.output<typeof NewTransition>,
  who: Actor,
) => {
  const add = async (tx: Tx, graph: StoredGraph, now: Date) => {
    const added = {
      id: newId(now),
      fromStepId: requireStep(graph, input.fromStepId).id,
      toStepId: requireStep(graph, input.toStepId).id,
      branch: input.branch ?? input.condition?.branch ?? null,
    }
    const refusal = refusalOf(graph, added, branchesOf)
    if (refusal) throw invalidField(refusal.field, refusal.message)
    const [row] = await queries.insertTransitions(tx, projectId, workflowId, [added], now)
    return showTransition(workflowId, row!)
  }
  const { fromStepId, toStepId } = input
  return changeGraph(ctx, projectId, workflowId, add, who, { details: { transitionAdded: { fromStepId, toStepId } } })
}

export const removeTransition = (
  ctx: Context,
  projectId: string,
  workflowId: string,
  id: string,
  who: Actor,
): Promise<void> => {
  const remove = async (tx: Tx) => {
    if ((await queries.deleteTransitions(tx, projectId, workflowId, [id])) === 0) throw notFound('transition', id)
  }
  return changeGraph(ctx, projectId, workflowId, remove, who, { details: { transitionRemoved: id } })
}
