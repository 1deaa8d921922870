/** Copies of workflows in the same project. */
import type { Context } from '../../../../context.ts'
import { newId } from '../../../../kernel/ids.ts'
import { transaction } from '../../../../platform/database/connection/transaction.ts'
import { copyName } from '../../../content/templates/actions.ts'
import type { Actor } from '../../../record/audit/actions.ts'
import { getWorkflow, readGraph, recordWorkflowAct, requireWorkflow } from '../actions.ts'
import * as queries from '../queries.ts'
import { NAME_MAX } from '../schemas.ts'

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
