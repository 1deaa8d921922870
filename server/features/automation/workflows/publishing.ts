/**
 * Changes of a whole graph. A draft can be incomplete and has no effect on executions. Publishing replaces the graph in
 * one transaction: steps keep their ids, so executions stay where they are.
 */
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { conflict, type FieldProblem, invalid, invalidField, notFound, Refusal } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import type { Json } from '../../../platform/database/tables.ts'
import type { Actor } from '../../record/audit/actions.ts'
import { branchesOf, runnable } from '../steps/registry.ts'
import { entryProblem, getWorkflow, type RunnableGraph, readGraph, requireWorkflow, showStep } from './actions.ts'
import * as drafts from './draft-queries.ts'
import { type Graph, refusalOf, replacementOf } from './graph.ts'
import { changeGraph, changeWaitsAt, prepareStep, type StoredGraph, wakeExecutionsAt } from './graph-changes.ts'
import * as queries from './queries.ts'
import type { DraftInput, GraphInput, StepType } from './schemas.ts'

/** How many versions of a workflow are kept. */
const VERSIONS_MAX = 100

export type GivenGraph = Pick<z.output<typeof GraphInput>, 'steps' | 'transitions' | 'executions' | 'waiting'>
type GivenStep = GivenGraph['steps'][number]

/** A graph as drafts, versions and responses contain it. */
interface GraphDocument {
  steps: ReturnType<typeof documentStep>[]
  transitions: Array<Pick<queries.NewTransition, 'fromStepId' | 'toStepId' | 'branch'>>
}

interface DraftDocument extends GraphDocument {
  executions: Record<string, 'move' | 'cancel'>
}

interface StoredDraft extends DraftDocument {
  /** Identifies the published graph that the draft was started from. */
  base: string
}

const hashOf = (graph: StoredGraph): string =>
  createHash('sha256')
    .update(JSON.stringify(storedDocument(graph)))
    .digest('hex')

/** The template of a step can also be given in its configuration. */
function documentStep({ id, type, name = null, config = {}, templateId, position = null }: GivenStep) {
  const { templateId: inConfig, ...rest } = config
  return { id, type, name, config: rest, templateId: templateId ?? (isText(inConfig) ? inConfig : null), position }
}

const isText = (value: unknown): value is string => typeof value === 'string'

const documentOf = ({ steps, transitions }: Pick<GivenGraph, 'steps' | 'transitions'>): GraphDocument => ({
  steps: steps.map(documentStep),
  transitions: transitions.map(({ fromStepId, toStepId, branch = null }) => ({ fromStepId, toStepId, branch })),
})

const storedDocument = ({ steps, transitions }: StoredGraph): GraphDocument =>
  documentOf({ steps: steps.map((step) => showStep('', step)), transitions })

/** The draft; if there is none, the published graph as version 0. */
export async function getDraft(ctx: Context, projectId: string, workflowId: string) {
  const workflow = await requireWorkflow(ctx.db, projectId, workflowId)
  return transaction(ctx.db, async (tx) => {
    const graph = await readGraph(tx, projectId, workflow.id)
    const draft = await drafts.findDraft<StoredDraft>(tx, projectId, workflow.id)
    if (draft) return showDraft(ctx, tx, projectId, graph, draft)
    const document = { ...storedDocument(graph), executions: {}, base: hashOf(graph) }
    const none = { graph: document, version: 0, updated_at: workflow.updated_at }
    return showDraft(ctx, tx, projectId, graph, none)
  })
}

export async function saveDraft(
  ctx: Context,
  projectId: string,
  workflowId: string,
  input: z.output<typeof DraftInput>,
) {
  const workflow = await requireWorkflow(ctx.db, projectId, workflowId)
  return transaction(ctx.db, async (tx) => {
    const graph = await readGraph(tx, projectId, workflow.id)
    const before = await drafts.findDraft<StoredDraft>(tx, projectId, workflow.id)
    const base = before?.graph.base ?? hashOf(graph)
    const document: StoredDraft = { ...documentOf(input), executions: input.executions ?? {}, base }
    const change = { graph: document, basedOn: input.version }
    const saved = await drafts.saveDraft(tx, projectId, workflow.id, change, ctx.clock.now())
    if (!saved) {
      throw conflict('The draft was changed by someone else.', { suggestion: 'Get it again and repeat your change.' })
    }
    return showDraft(ctx, tx, projectId, graph, saved)
  })
}

async function showDraft(
  ctx: Context,
  tx: Tx,
  projectId: string,
  published: StoredGraph,
  { graph, version, updated_at }: drafts.DraftRow<StoredDraft>,
) {
  const { base, ...document } = graph
  const { problems } = await checkGraph(ctx, tx, projectId, published, document)
  return { ...document, version, updatedAt: updated_at, outdated: base !== hashOf(published), problems }
}

export async function discardDraft(ctx: Context, projectId: string, workflowId: string): Promise<void> {
  const { id } = await requireWorkflow(ctx.db, projectId, workflowId)
  await drafts.deleteDraft(ctx.db, projectId, id)
}

/** The draft as a simulation follows it. */
export async function readDraftGraph(
  ctx: Context,
  tx: Tx,
  projectId: string,
  workflowId: string,
): Promise<RunnableGraph> {
  const stored = await readGraph(tx, projectId, workflowId)
  const draft = await drafts.findDraft<StoredDraft>(tx, projectId, workflowId)
  const document = draft?.graph ?? storedDocument(stored)
  const { steps, transitions, problems } = await checkGraph(ctx, tx, projectId, stored, document)
  if (problems.length > 0) throw invalid(problems)
  const now = ctx.clock.now()
  const rows = steps.map(({ step }) => runnable({ ...step, key: null, created_at: now, updated_at: now }))
  return { steps: rows, transitions, removed: [] }
}

export { EVERY_ID } from './draft-queries.ts'

export const listVersionRanges = (ctx: Context, projectId: string, id: string) =>
  drafts.listVersionRanges(ctx.db, projectId, id)

export async function listVersions(ctx: Context, projectId: string, workflowId: string) {
  const { id } = await requireWorkflow(ctx.db, projectId, workflowId)
  const rows = await drafts.listVersions(ctx.db, projectId, id)
  return {
    data: rows.map(({ number, published_at, step_count }) => ({
      number,
      publishedAt: published_at,
      stepCount: step_count,
    })),
  }
}

export async function getVersion(ctx: Context, projectId: string, workflowId: string, number: string) {
  const { id } = await requireWorkflow(ctx.db, projectId, workflowId)
  const known = /^[0-9]{1,9}$/.test(number)
  const row = known ? await drafts.findVersion<GraphDocument>(ctx.db, projectId, id, Number(number)) : undefined
  if (!row) throw notFound('version', number)
  return { number: row.number, publishedAt: row.published_at, ...row.graph }
}

/** Replaces the graph and deletes the draft. Changes nothing if any part of it is refused. */
export async function publishGraph(
  ctx: Context,
  projectId: string,
  workflowId: string,
  input: z.output<typeof GraphInput>,
  who: Actor,
  ifMatch?: string,
) {
  const publish = async (tx: Tx, before: StoredGraph, now: Date, workflow: queries.WorkflowRow) => {
    if (input.revision !== undefined && input.revision !== workflow.revision - 1) {
      throw conflict('The workflow was changed by someone else.', {
        suggestion: 'Get it again and repeat your change.',
      })
    }
    await replaceGraph(ctx, tx, projectId, { workflow, before, input }, now)
  }
  const applied = appliedSteps(input)
  const details = { steps: input.steps.length, ...(applied.length > 0 && { newTimes: applied }) }
  await changeGraph(ctx, projectId, workflowId, publish, who, { ifMatch, act: 'workflow.published', details })
  return getWorkflow(ctx, projectId, workflowId)
}

interface GraphChange {
  workflow: Pick<queries.WorkflowRow, 'id' | 'enabled'>
  before: StoredGraph
  input: GivenGraph
  /** It is the graph of a new workflow, which has no version yet. */
  isFirst?: boolean
}

/** Replaces the graph, in the transaction that began the revision. */
export async function replaceGraph(
  ctx: Context,
  tx: Tx,
  projectId: string,
  { workflow: { id, enabled }, before, input, isFirst = false }: GraphChange,
  now: Date,
): Promise<void> {
  const checked = await checkGraph(ctx, tx, projectId, before, input)
  const entry = enabled ? entryProblem({ ...checked, steps: checked.steps.map(({ step }) => step) }) : undefined
  if (entry) checked.problems.push({ field: 'steps', message: entry, code: 'custom' })
  if (checked.problems.length > 0) throw invalid(checked.problems)

  const removed = await removedSteps(tx, projectId, id, before, input)
  await saveSteps(tx, projectId, id, checked, now)
  const gone = before.transitions.filter((one) => !checked.transitions.includes(one)).map((one) => one.id)
  if (gone.length > 0) await queries.deleteTransitions(tx, projectId, id, gone)
  const removedIds = removed.map((step) => step.id)
  if (removed.length > 0) {
    await drafts.addRemovedSteps(tx, projectId, id, removed)
    await queries.deleteSteps(tx, projectId, removedIds)
  }
  const added = checked.transitions.filter((one) => !before.transitions.includes(one))
  await queries.insertTransitions(tx, projectId, id, added, now)
  const changed = checked.steps.filter(({ step, before: old }) => old && old.event_name !== step.event_name)
  await wakeExecutionsAt(tx, projectId, id, [...changed.map(({ step }) => step.id), ...removedIds])
  for (const stepId of appliedSteps(input)) await changeWaitsAt(tx, projectId, id, stepId)
  if (isFirst) return
  const versions = {
    first: before.steps.length > 0 ? storedDocument(before) : null,
    graph: documentOf(input),
    keep: VERSIONS_MAX,
  }
  await drafts.addVersion(tx, projectId, id, versions, now)
  await drafts.deleteDraft(tx, projectId, id)
}

/** The steps whose new times apply to the executions that wait there already. */
const appliedSteps = ({ steps, waiting = {} }: GivenGraph): string[] =>
  steps.flatMap(({ id }) => (waiting[id] === 'apply' ? [id] : []))

/** Whether publishing this graph would change nothing. Refuses it if it can't be published. */
export async function isSameGraph(
  ctx: Context,
  tx: Tx,
  projectId: string,
  before: StoredGraph,
  input: GivenGraph,
): Promise<boolean> {
  const { steps, transitions, problems, refusal } = await checkGraph(ctx, tx, projectId, before, input)
  if (refusal) throw refusal
  if (problems.length > 0) throw invalid(problems)
  return (
    steps.length === before.steps.length &&
    steps.every((step) => step.before && !step.changed) &&
    transitions.length === before.transitions.length &&
    transitions.every((one) => before.transitions.includes(one))
  )
}

/** Refuses to remove steps with executions unless it was chosen what happens to them. */
async function removedSteps(tx: Tx, projectId: string, workflowId: string, before: StoredGraph, input: GivenGraph) {
  const kept = new Set(input.steps.map(({ id }) => id))
  const gone = before.steps.filter(({ id }) => !kept.has(id)).map(({ id }) => id)
  if (gone.length === 0) return []
  const undecided = gone.filter((id) => !input.executions?.[id])
  const occupied = undecided.length > 0 ? await queries.countExecutionsAt(tx, projectId, workflowId, undecided) : []
  if (occupied.length > 0) {
    throw conflict('Contacts are at steps that this change removes.', {
      details: { steps: occupied },
      suggestion: 'Choose in `executions` whether they move to the next step or are canceled.',
    })
  }
  // An execution that arrives at a removed step at this moment moves on.
  return gone.map((id) => ({
    id,
    executions: input.executions?.[id] ?? 'move',
    nextStepId: replacementOf(before, id, branchesOf),
  }))
}

interface CheckedStep {
  step: queries.StepFields & { id: string; type: StepType }
  before: queries.StepRow | undefined
  changed: boolean
}

interface CheckedGraph {
  steps: CheckedStep[]
  /** Transitions that exist already are those of the stored graph. */
  transitions: queries.NewTransition[]
  problems: FieldProblem[]
  /** The first one that isn't about a field, such as a template that doesn't exist. It is among the problems too. */
  refusal: Refusal | undefined
}

/** Checks a graph against the stored one. Steps that haven't changed are accepted as they are. */
async function checkGraph(
  ctx: Context,
  tx: Tx,
  projectId: string,
  before: StoredGraph,
  { steps, transitions }: Pick<GivenGraph, 'steps' | 'transitions'>,
): Promise<CheckedGraph> {
  const problems: FieldProblem[] = []
  let first: Refusal | undefined
  const checked: CheckedStep[] = []
  for (const [i, given] of steps.entries()) {
    try {
      if (checked.some(({ step }) => step.id === given.id)) throw invalidField('id', 'Each step needs a unique id.')
      checked.push(await checkStep(ctx, tx, projectId, before, given))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const found = error.extras.problems?.map((one) => ({ ...one, field: `steps.${i}.${one.field}` }))
      problems.push(...(found ?? [{ field: `steps.${i}`, message: error.message, code: 'custom' }]))
      if (!found) first ??= error
    }
  }
  const graph: Graph<GivenStep, queries.NewTransition> = { steps, transitions: [] }
  for (const [i, given] of transitions.entries()) {
    const { fromStepId, toStepId, branch = null } = given
    const unknown = (['fromStepId', 'toStepId'] as const).find((field) => !steps.some(({ id }) => id === given[field]))
    const existing = before.transitions.find(
      (one) => one.fromStepId === fromStepId && one.toStepId === toStepId && one.branch === branch,
    )
    const transition = existing ?? { id: newId(ctx.clock.now()), fromStepId, toStepId, branch }
    const problem = unknown
      ? { field: unknown, message: 'There is no step with this ID.' }
      : refusalOf(graph, transition, branchesOf)
    if (problem) problems.push({ ...problem, field: `transitions.${i}.${problem.field}`, code: 'custom' })
    else graph.transitions.push(transition)
  }
  return { steps: checked, transitions: graph.transitions, problems, refusal: first }
}

async function checkStep(
  ctx: Context,
  tx: Tx,
  projectId: string,
  before: StoredGraph,
  given: GivenStep,
): Promise<CheckedStep> {
  const { id, type, name, config, templateId, position } = documentStep(given)
  const old = before.steps.find((step) => step.id === id)
  if (old && old.type !== type) {
    throw invalidField('type', "The type of a step can't be changed. Add another step instead.")
  }
  const shown = old && documentStep(showStep('', old))
  const isKnown = shown !== undefined && isDeepStrictEqual(shown.config, config) && shown.templateId === templateId
  const stored = isKnown ? old! : await prepareStep(ctx, tx, projectId, type, { config, templateId })
  const { config: parsed, template_id, event_name, used_fields } = stored
  const sameConfig = isKnown || (isSameJson(old?.config, parsed) && old?.template_id === template_id)
  const step = { id, type, name, config: parsed, template_id, event_name, used_fields, position: position as Json }
  const changed = !sameConfig || old!.name !== name || !isDeepStrictEqual(old!.position, position)
  return { step, before: old, changed }
}

/** What is left out when it is stored makes no difference. */
const isSameJson = (a: unknown, b: unknown): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(a ?? null)), JSON.parse(JSON.stringify(b ?? null)))

async function saveSteps(tx: Tx, projectId: string, workflowId: string, { steps }: CheckedGraph, now: Date) {
  const added = steps.filter(({ before }) => !before).map(({ step }) => step.id)
  if (added.length > 0) await drafts.deleteRemovedSteps(tx, projectId, workflowId, added)
  for (const [i, { step, before, changed }] of steps.entries()) {
    if (before) {
      if (changed) await queries.updateStep(tx, projectId, step.id, step, now)
    } else if (!(await queries.insertStep(tx, projectId, workflowId, step, now))) {
      throw invalidField(`steps.${i}.id`, 'Another workflow has a step with this ID. Use a new UUID.')
    }
  }
}
