/** Workflows: creating, reading, changing and deleting them. Their graphs are changed in graph-changes.ts. */

import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { conflict, invalid, invalidField, notFound } from '../../../kernel/errors.ts'
import { requireUnchanged } from '../../../kernel/etag.ts'
import { newId } from '../../../kernel/ids.ts'
import { numberedPage, offsetOf } from '../../../kernel/pages.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { listFields } from '../../audience/contacts/fields/fields.ts'
import { listSegmentsEnteredBy } from '../../audience/segments/actions.ts'
import { type Actor, changesOf, type NewAuditEntry, recordAuditEntry, SYSTEM } from '../../record/audit/actions.ts'
import { runnable } from '../steps/registry.ts'
import { listRemovedSteps } from './draft-queries.ts'
import { entriesOf, type Graph } from './graph.ts'
import * as queries from './queries.ts'
import type { NewWorkflow, WorkflowChanges, WorkflowListQuery } from './schemas.ts'

/** How many recent events are searched for fields. */
const RECENT_EVENTS = 1_000

type TriggerInput = Partial<z.output<typeof NewWorkflow>>

export async function createWorkflow(
  ctx: Context,
  projectId: string,
  input: z.output<typeof NewWorkflow>,
  who: Actor = SYSTEM,
) {
  const now = ctx.clock.now()
  const fields = {
    name: input.name,
    description: input.description ?? null,
    trigger_type: 'EVENT',
    event_name: givenEvent(input) ?? null,
    enabled: false,
    allow_reentry: false,
    reentry_days: null,
    ...reentryColumns(input),
    goal_event: input.goal?.eventName ?? null,
    tags: input.tags ?? [],
  }
  refuseGoal(fields)
  return transaction(ctx.db, async (tx) => {
    const row = await queries.insertWorkflow(tx, projectId, newId(now), fields, now)
    await recordWorkflowAct(ctx, tx, row, { act: 'workflow.created' }, who)
    return showWorkflow(row)
  })
}

/** An entry of the audit log about a workflow. */
export function recordWorkflowAct(
  ctx: Context,
  tx: Tx,
  { project_id: projectId, id, name }: Pick<queries.WorkflowRow, 'project_id' | 'id' | 'name'>,
  { act, details }: Pick<NewAuditEntry, 'act' | 'details'>,
  who: Actor,
): Promise<void> {
  return recordAuditEntry(ctx, tx, { ...who, projectId, act, details: { workflowId: id, name, ...details } })
}

type ReentryColumns = Pick<queries.WorkflowFields, 'allow_reentry' | 'reentry_days'>

/** `allowReentry` alone means `once` or `always`. */
export function reentryColumns({
  allowReentry,
  reentry,
}: Pick<TriggerInput, 'allowReentry' | 'reentry'>): Partial<ReentryColumns> {
  if (reentry === undefined) {
    return allowReentry === undefined ? {} : { allow_reentry: allowReentry, reentry_days: null }
  }
  const allowed = reentry !== null && reentry.mode !== 'once'
  if (allowReentry !== undefined && allowReentry !== allowed) {
    throw invalidField('reentry.mode', `This contradicts \`allowReentry: ${allowReentry}\`. Leave one of them out.`)
  }
  return { allow_reentry: allowed, reentry_days: reentry?.days ?? null }
}

/** An event that starts executions would complete the ones before it at the same time. */
export function refuseGoal({ trigger_type, event_name, goal_event }: queries.WorkflowFields): void {
  if (goal_event === null || trigger_type !== 'EVENT' || goal_event !== event_name) return
  throw invalidField('goal.eventName', 'Must be another event than the one that starts the workflow.')
}

/** Undefined if the request doesn't set it. */
function givenEvent({ eventName, triggerConfig }: TriggerInput): string | null | undefined {
  if (eventName !== undefined) return eventName
  if (triggerConfig === null) return null
  return triggerConfig?.eventName
}

export async function requireWorkflow(db: Database | Tx, projectId: string, id: string): Promise<queries.WorkflowRow> {
  const row = await queries.findWorkflow(db, projectId, id)
  if (!row) throw notFound('workflow', id)
  return row
}

export async function getWorkflow(ctx: Context, projectId: string, id: string) {
  // The revision is read first: if the graph changes meanwhile, a change based on this response is refused.
  const row = await requireWorkflow(ctx.db, projectId, id)
  const [steps, transitions] = await Promise.all([
    queries.listSteps(ctx.db, projectId, id),
    queries.listTransitions(ctx.db, projectId, id),
  ])
  return {
    ...showWorkflow(row),
    revision: row.revision,
    steps: steps.map((step) => showStep(id, step)),
    transitions: transitions.map((transition) => showTransition(id, transition)),
  }
}

export async function readGraph(
  db: Database | Tx,
  projectId: string,
  workflowId: string,
): Promise<Graph<queries.StepRow, queries.NewTransition>> {
  const steps = await queries.listSteps(db, projectId, workflowId)
  const transitions = await queries.listTransitions(db, projectId, workflowId)
  return {
    steps,
    transitions: transitions.map(({ id, from_step_id, to_step_id, branch }) => ({
      id,
      fromStepId: from_step_id,
      toStepId: to_step_id,
      branch,
    })),
  }
}

export type RunnableGraph = Awaited<ReturnType<typeof readRunnableGraph>>

/** The graph for executions and simulations. */
export async function readRunnableGraph(db: Database | Tx, projectId: string, workflowId: string) {
  const { steps, transitions } = await readGraph(db, projectId, workflowId)
  const removed = await listRemovedSteps(db, projectId, workflowId)
  return { steps: steps.map(runnable), transitions, removed }
}

export async function listWorkflows(ctx: Context, projectId: string, query: z.output<typeof WorkflowListQuery>) {
  const { page, pageSize, sort, dir, ...filter } = query
  const window = { ...filter, sort, dir, limit: pageSize, offset: offsetOf(query) }
  const [rows, total] = await Promise.all([
    queries.listWorkflows(ctx.db, projectId, window),
    queries.countWorkflows(ctx.db, projectId, filter),
  ])
  return numberedPage(rows, query, total, showWorkflow)
}

export async function patchWorkflow(
  ctx: Context,
  projectId: string,
  id: string,
  input: z.output<typeof WorkflowChanges>,
  who: Actor,
  ifMatch?: string,
) {
  const now = ctx.clock.now()
  return transaction(ctx.db, async (tx) => {
    const before = await beginRevision(tx, projectId, id, now, ifMatch)
    const changed = withoutUndefined({
      name: input.name,
      description: input.description,
      trigger_type: input.triggerType,
      event_name: givenEvent(input),
      enabled: input.enabled,
      ...reentryColumns(input),
      goal_event: input.goal === undefined ? undefined : (input.goal?.eventName ?? null),
      tags: input.tags,
    })
    const after = { ...before, ...changed }
    refuseGoal(after)
    if (after.enabled) refuseUnready(after, await readGraph(tx, projectId, id), { enabling: !before.enabled })
    const hasChanges = Object.keys(changed).length > 0
    const saved = hasChanges ? await queries.updateWorkflow(tx, projectId, id, changed) : before
    await recordChanges(ctx, tx, before, saved, who)
    if (input.includeCurrentMembers) await startForCurrentMembers(ctx, tx, projectId, { before, after: saved }, who)
    return showWorkflow(saved)
  })
}

const NOT_A_SEGMENT =
  'The workflow has to start with the event segment.<slug>.entry of a segment that tracks its membership.'

/** Jobs start the executions. Contacts who enter the segment from now on are started by their event. */
async function startForCurrentMembers(
  ctx: Context,
  tx: Tx,
  projectId: string,
  { before, after }: { before: queries.WorkflowRow; after: queries.WorkflowRow },
  who: Actor,
): Promise<void> {
  const refuse = (message: string) => invalidField('includeCurrentMembers', message)
  if (before.enabled || !after.enabled) throw refuse('This can only be set by the request that enables the workflow.')
  const event = after.trigger_type === 'EVENT' ? after.event_name : null
  const segments = event === null ? [] : await listSegmentsEnteredBy(tx, projectId, event)
  if (segments.length === 0) throw refuse(NOT_A_SEGMENT)
  const now = ctx.clock.now()
  for (const { id: segmentId, name } of segments) {
    const ref = { projectId, workflowId: after.id, segmentId, startId: newId(now), after: null }
    await enqueue(tx, 'start-segment', { ...ref, joinedBefore: now.toISOString() })
    const details = { segmentId, segment: name }
    await recordWorkflowAct(ctx, tx, after, { act: 'workflow.executions-started', details }, who)
  }
}

/** Enabling and disabling have entries of their own. */
async function recordChanges(
  ctx: Context,
  tx: Tx,
  before: queries.WorkflowRow,
  after: queries.WorkflowRow,
  who: Actor,
): Promise<void> {
  const details = changesOf({ ...showWorkflow(before), enabled: after.enabled }, showWorkflow(after))
  if (details) await recordWorkflowAct(ctx, tx, after, { act: 'workflow.changed', details }, who)
  if (before.enabled === after.enabled) return
  await recordWorkflowAct(ctx, tx, after, { act: after.enabled ? 'workflow.enabled' : 'workflow.disabled' }, who)
}

/** Starts a change, unless the workflow was changed since the caller read it. */
export async function beginRevision(
  tx: Tx,
  projectId: string,
  id: string,
  now: Date,
  ifMatch?: string,
): Promise<queries.WorkflowRow> {
  if (ifMatch !== undefined) {
    const updatedAt = await queries.lockWorkflow(tx, projectId, id)
    if (updatedAt) requireUnchanged(ifMatch, updatedAt)
  }
  const workflow = await queries.beginRevision(tx, projectId, id, now)
  if (!workflow) throw notFound('workflow', id)
  return workflow
}

const withoutUndefined = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }

/** What an enabled workflow needs. Its graph can be edited while it is enabled, so that is checked only when enabling. */
export function refuseUnready(
  { trigger_type, event_name }: queries.WorkflowFields,
  graph: Graph,
  { enabling }: { enabling: boolean },
): void {
  if (trigger_type === 'EVENT' && event_name === null) {
    throw invalid([
      { field: 'eventName', message: 'Set the event that starts the workflow before you enable it.', code: 'custom' },
    ])
  }
  const message = enabling ? entryProblem(graph) : undefined
  if (message) throw invalidField('enabled', message)
}

/** Why executions can't start in a graph. */
export function entryProblem(graph: Graph): string | undefined {
  if (graph.steps.length === 0) return 'The workflow has no steps yet.'
  const { length } = entriesOf(graph)
  if (length === 1) return undefined
  return `A workflow must have exactly one first step, but ${length} steps have no step before them. Connect or delete the others.`
}

/** A job deletes the executions in batches. One that starts at this moment finds no workflow and is canceled. */
export async function deleteWorkflow(ctx: Context, projectId: string, id: string, who: Actor): Promise<void> {
  await transaction(ctx.db, async (tx) => {
    const workflow = await beginRevision(tx, projectId, id, ctx.clock.now())
    if (await queries.hasActiveExecutions(tx, projectId, id)) {
      throw conflict('The workflow has active executions.', {
        suggestion: 'Wait until they complete, or cancel them with POST /workflows/{id}/executions/cancel-all.',
      })
    }
    await queries.deleteWorkflow(tx, projectId, id)
    await enqueue(tx, 'erase-workflow', { projectId, workflowId: id })
    await recordWorkflowAct(ctx, tx, workflow, { act: 'workflow.deleted' }, who)
  })
}

/** The fields a CONDITION can use: those of contacts and of recent events. */
export async function listWorkflowFields(ctx: Context, projectId: string, eventName: string | undefined) {
  const [contact, event] = await Promise.all([
    listFields(ctx, projectId),
    queries.listEventFields(ctx.db, projectId, eventName, RECENT_EVENTS),
  ])
  return {
    fields: [
      ...contact.fields.map(({ field, type }) => ({ field, type, category: 'contact' as const })),
      ...event.map(({ key, type }) => ({ field: `event.data.${key}`, type, category: 'event' as const })),
    ],
  }
}

export const showWorkflow = (row: queries.WorkflowRow) => ({
  id: row.id,
  name: row.name,
  description: row.description,
  triggerType: row.trigger_type,
  triggerConfig: row.event_name === null ? null : { eventName: row.event_name },
  enabled: row.enabled,
  allowReentry: row.allow_reentry,
  reentry: {
    mode: !row.allow_reentry
      ? ('once' as const)
      : row.reentry_days === null
        ? ('always' as const)
        : ('interval' as const),
    days: row.allow_reentry ? row.reentry_days : null,
  },
  goal: row.goal_event === null ? null : { eventName: row.goal_event },
  tags: row.tags,
  projectId: row.project_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const showStep = (workflowId: string, row: queries.StepRow) => ({
  id: row.id,
  workflowId,
  type: row.type,
  name: row.name,
  config: row.template_id === null ? row.config : { ...row.config, templateId: row.template_id },
  templateId: row.template_id,
  position: row.position,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

export const showTransition = (workflowId: string, row: queries.TransitionRow) => ({
  id: row.id,
  workflowId,
  fromStepId: row.from_step_id,
  toStepId: row.to_step_id,
  branch: row.branch,
  condition: row.branch === null ? null : { branch: row.branch },
  createdAt: row.created_at,
})
