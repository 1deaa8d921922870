/** Documents of workflows become workflows. A workflow is identified by its name, so that importing a document again changes nothing. */
import type { z } from 'zod'
import type { Context } from '../../../../context.ts'
import { invalid, invalidField, Refusal } from '../../../../kernel/errors.ts'
import { newId } from '../../../../kernel/ids.ts'
import { transaction } from '../../../../platform/database/connection/transaction.ts'
import { type Actor, changesOf } from '../../../record/audit/actions.ts'
import {
  beginRevision,
  getWorkflow,
  readGraph,
  recordWorkflowAct,
  reentryColumns,
  refuseGoal,
  refuseUnready,
  showWorkflow,
} from '../actions.ts'
import { type GivenGraph, isSameGraph, replaceGraph } from '../publishing.ts'
import * as queries from '../queries.ts'
import type { WorkflowDocument } from '../schemas.ts'
import { keysOf } from './export.ts'

type Document = z.output<typeof WorkflowDocument>

/**
 * Imports the whole document or nothing. If the project has a workflow of this name, it becomes what the document says; of
 * several, the one that was changed last. A new workflow is disabled.
 */
export async function importWorkflow(ctx: Context, projectId: string, document: Document, who: Actor) {
  const { id, isNew } = await transaction(ctx.db, async (tx) => {
    const existing = await queries.lockNamed(tx, projectId, document.name)
    const isNew = !existing
    const now = ctx.clock.now()
    const fields = fieldsOf(document)
    const before =
      existing ??
      (await queries.insertWorkflow(tx, projectId, newId(now), { ...fields, name: document.name, enabled: false }, now))
    const after = { ...before, ...fields }
    refuseGoal(after)
    const graph = await readGraph(tx, projectId, before.id)
    if (before.enabled) refuseUnready(after, graph, { enabling: false })
    const { input, keys } = graphOf(document, graph.steps, now)
    const changes = changesOf(showWorkflow(before), showWorkflow({ ...after, updated_at: before.updated_at }))
    const isSame = await inDocument(() => isSameGraph(ctx, tx, projectId, graph, input))
    if (existing && !changes && isSame) return { id: before.id, isNew }

    if (existing) await beginRevision(tx, projectId, before.id, now)
    if (changes) await queries.updateWorkflow(tx, projectId, before.id, fields)
    if (!isSame) {
      const given = { workflow: after, before: graph, input, isFirst: isNew }
      await inDocument(() => replaceGraph(ctx, tx, projectId, given, now))
    }
    await queries.setStepKeys(tx, projectId, keys)
    const act = isNew ? 'workflow.created' : isSame ? 'workflow.changed' : 'workflow.published'
    const details = { ...(isNew ? {} : { imported: true, ...changes }) }
    await recordWorkflowAct(ctx, tx, after, { act, details }, who)
    return { id: before.id, isNew }
  })
  return { isNew, workflow: await getWorkflow(ctx, projectId, id) }
}

/** Everything that a document says about a workflow besides its name and its graph. What it leaves out has its default. */
function fieldsOf(document: Document) {
  return {
    description: document.description ?? null,
    trigger_type: document.triggerType ?? 'EVENT',
    event_name: document.triggerConfig?.eventName ?? null,
    allow_reentry: false,
    reentry_days: null,
    ...reentryColumns(document),
    goal_event: document.goal?.eventName ?? null,
    tags: document.tags ?? [],
  }
}

/** The graph of a document with the ids of the steps that exist already, by key and type; and the keys of all steps by id. */
function graphOf(document: Document, existing: queries.StepRow[], now: Date) {
  const { steps, transitions = [], templates = {}, executions = {}, waiting = {} } = document
  const known = keysOf(existing)
  const byKey = new Map(existing.map((step) => [known.get(step.id)!, step]))
  const ids = new Map<string, string>()
  for (const [i, { key, type }] of steps.entries()) {
    if (ids.has(key)) throw invalidField(`steps.${i}.key`, 'Each step needs a unique key.')
    const old = byKey.get(key)
    ids.set(key, old?.type === type ? old.id : newId(now))
  }
  const idOf = (field: string, key: string, of: ReadonlyMap<string, string>) => {
    const id = of.get(key)
    if (id === undefined) throw invalidField(field, 'There is no step with this key.')
    return id
  }
  const old = new Map(existing.map((step) => [known.get(step.id)!, step.id]))
  const input: GivenGraph = {
    steps: steps.map(({ key, config = {}, ...step }) => ({
      ...step,
      id: ids.get(key)!,
      config: withTemplate(config, templates),
    })),
    transitions: transitions.map(({ from, to, branch = null }, i) => ({
      fromStepId: idOf(`transitions.${i}.from`, from, ids),
      toStepId: idOf(`transitions.${i}.to`, to, ids),
      branch,
    })),
    executions: byStepId(executions, (key) => idOf(`executions.${key}`, key, old)),
    waiting: byStepId(waiting, (key) => idOf(`waiting.${key}`, key, ids)),
  }
  return { input, keys: new Map([...ids].map(([key, id]) => [id, key])) }
}

const byStepId = <T>(byKey: Record<string, T>, idOf: (key: string) => string): Record<string, T> =>
  Object.fromEntries(Object.entries(byKey).map(([key, value]) => [idOf(key), value]))

/** Templates have other ids in another project. */
function withTemplate(config: Record<string, unknown>, templates: Record<string, string>): Record<string, unknown> {
  const known = typeof config.templateId === 'string' && Object.hasOwn(templates, config.templateId)
  return known ? { ...config, templateId: templates[config.templateId as string] } : config
}

/** Problems name the fields of the document. */
async function inDocument<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof Refusal) || !error.extras.problems) throw error
    throw invalid(error.extras.problems.map((problem) => ({ ...problem, field: documentField(problem.field) })))
  }
}

const documentField = (field: string): string =>
  field
    .replace(/^(transitions\.\d+)\.fromStepId$/, '$1.from')
    .replace(/^(transitions\.\d+)\.toStepId$/, '$1.to')
    .replace(/^(steps\.\d+)\.templateId$/, '$1.config.templateId')
