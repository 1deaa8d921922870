/** Workflows as JSON documents: exported, imported (into any project) and duplicated. */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { invalidField, Refusal } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import type { Json } from '../../../platform/database/tables.ts'
import { copyName } from '../../content/templates/actions.ts'
import type { Actor } from '../../record/audit/actions.ts'
import { branchesOf } from '../steps/registry.ts'
import { getWorkflow, readGraph, recordWorkflowAct, reentryColumns, refuseGoal, requireWorkflow } from './actions.ts'
import { type Graph, refusalOf } from './graph.ts'
import { prepareStep } from './graph-changes.ts'
import * as queries from './queries.ts'
import { FORMAT, NAME_MAX, type WorkflowDocument } from './schemas.ts'

type Document = z.output<typeof WorkflowDocument>

export async function exportWorkflow(ctx: Context, projectId: string, id: string) {
  const { steps, transitions, ...workflow } = await getWorkflow(ctx, projectId, id)
  const { name, description, triggerType, triggerConfig, allowReentry, reentry, goal, tags } = workflow
  const keys = new Map(steps.map((step, i) => [step.id, `step${i + 1}`]))
  return {
    format: FORMAT,
    name,
    description,
    triggerType,
    triggerConfig,
    allowReentry,
    reentry,
    goal,
    tags,
    steps: steps.map((step) => ({
      key: keys.get(step.id)!,
      type: step.type,
      name: step.name,
      config: step.config,
      position: step.position,
    })),
    transitions: transitions.map(({ fromStepId, toStepId, branch }) => ({
      from: keys.get(fromStepId)!,
      to: keys.get(toStepId)!,
      branch,
    })),
  }
}

/** Imports the whole document or nothing. The workflow is disabled. */
export async function importWorkflow(ctx: Context, projectId: string, document: Document, who: Actor) {
  const id = await transaction(ctx.db, async (tx) => {
    const now = ctx.clock.now()
    const row = await queries.insertWorkflow(tx, projectId, newId(now), fieldsOf(document), now)
    const steps = await importSteps(ctx, tx, projectId, row.id, document, now)
    await importTransitions(tx, projectId, row.id, document, steps, now)
    await recordWorkflowAct(ctx, tx, row, { act: 'workflow.created' }, who)
    return row.id
  })
  return getWorkflow(ctx, projectId, id)
}

function fieldsOf(document: Document): queries.WorkflowFields {
  const fields = {
    name: document.name,
    description: document.description ?? null,
    trigger_type: document.triggerType ?? 'EVENT',
    event_name: document.triggerConfig?.eventName ?? null,
    enabled: false,
    allow_reentry: false,
    reentry_days: null,
    ...reentryColumns(document),
    goal_event: document.goal?.eventName ?? null,
    tags: document.tags ?? [],
  }
  refuseGoal(fields)
  return fields
}

async function importSteps(
  ctx: Context,
  tx: Tx,
  projectId: string,
  workflowId: string,
  { steps, templates }: Document,
  now: Date,
): Promise<Map<string, queries.StepRow>> {
  const byKey = new Map<string, queries.StepRow>()
  for (const [i, { key, type, name = null, config: given = {}, position }] of steps.entries()) {
    if (byKey.has(key)) throw invalidField(`steps.${i}.key`, 'Each step needs a unique key.')
    const config = withTemplate(given, templates ?? {})
    const stored = await prepareStep(ctx, tx, projectId, type, { config, templateId: undefined }).catch(
      (error: unknown) => {
        throw within(`steps.${i}`, error)
      },
    )
    const step = { ...stored, id: newId(now), type, name, position: (position ?? null) as Json }
    byKey.set(key, (await queries.insertStep(tx, projectId, workflowId, step, now))!)
  }
  return byKey
}

/** Templates have other ids in another project. */
function withTemplate(config: Record<string, unknown>, templates: Record<string, string>): Record<string, unknown> {
  const known = typeof config.templateId === 'string' && Object.hasOwn(templates, config.templateId)
  return known ? { ...config, templateId: templates[config.templateId as string] } : config
}

export function within(place: string, error: unknown): unknown {
  if (!(error instanceof Refusal) || !error.extras.problems) return error
  const problems = error.extras.problems.map((problem) => ({ ...problem, field: `${place}.${problem.field}` }))
  return new Refusal(error.kind, error.code, error.message, { ...error.extras, problems })
}

async function importTransitions(
  tx: Tx,
  projectId: string,
  workflowId: string,
  { transitions = [] }: Document,
  steps: Map<string, queries.StepRow>,
  now: Date,
): Promise<void> {
  const graph: Graph<queries.StepRow, queries.NewTransition> = { steps: [...steps.values()], transitions: [] }
  for (const [i, { from, to, branch = null }] of transitions.entries()) {
    const find = (field: 'from' | 'to', key: string) => {
      const step = steps.get(key)
      if (!step) throw invalidField(`transitions.${i}.${field}`, 'There is no step with this key.')
      return step.id
    }
    const added = { id: newId(now), fromStepId: find('from', from), toStepId: find('to', to), branch }
    const refusal = refusalOf(graph, added, branchesOf)
    if (refusal) throw invalidField(`transitions.${i}.${PLACES[refusal.field]}`, refusal.message)
    graph.transitions.push(added)
  }
  await queries.insertTransitions(tx, projectId, workflowId, graph.transitions, now)
}

const PLACES = { fromStepId: 'from', toStepId: 'to', branch: 'branch' } as const

/** The copy is disabled. References are copied without a check, even if their target was deleted. */
export async function duplicateWorkflow(ctx: Context, projectId: string, id: string, who: Actor) {
  const copyId = await transaction(ctx.db, async (tx) => {
    const now = ctx.clock.now()
    const original = await requireWorkflow(tx, projectId, id)
    const { description, trigger_type, event_name, allow_reentry, reentry_days, goal_event, tags } = original
    const fields = {
      name: copyName(original.name, NAME_MAX),
      description,
      trigger_type,
      event_name,
      allow_reentry,
      reentry_days,
      goal_event,
      tags,
      enabled: false,
    }
    const copy = await queries.insertWorkflow(tx, projectId, newId(now), fields, now)
    const graph = await readGraph(tx, projectId, id)
    const copies = new Map(graph.steps.map((step) => [step.id, newId(now)]))
    for (const step of graph.steps) {
      await queries.insertStep(tx, projectId, copy.id, { ...step, id: copies.get(step.id)! }, now)
    }
    const transitions = graph.transitions.map(({ fromStepId, toStepId, branch }) => ({
      id: newId(now),
      fromStepId: copies.get(fromStepId)!,
      toStepId: copies.get(toStepId)!,
      branch,
    }))
    await queries.insertTransitions(tx, projectId, copy.id, transitions, now)
    await recordWorkflowAct(ctx, tx, copy, { act: 'workflow.created' }, who)
    return copy.id
  })
  return getWorkflow(ctx, projectId, copyId)
}
