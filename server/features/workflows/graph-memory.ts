/** Graphs that this process has read, by the revision of their workflow: a thousand contacts a second take one reading. */
import type { Context } from '../../context.ts'
import type { Database, Tx } from '../../platform/database/connect.ts'
import type { Graph } from './graph.ts'
import { listSteps, listTransitions, type StepRow } from './queries.ts'

const GRAPHS_MAX = 200

interface Remembered {
  revision: number
  graph: Graph<StepRow>
}

const memories = new WeakMap<object, Map<string, Remembered>>()

/** The revision comes with the execution, in the same transaction: what is remembered of another one is not used. */
export async function rememberedGraph(
  ctx: Context,
  tx: Tx,
  projectId: string,
  workflowId: string,
  revision: number,
): Promise<Graph<StepRow>> {
  const memory = memories.get(ctx.settings) ?? new Map<string, Remembered>()
  memories.set(ctx.settings, memory)
  const known = memory.get(workflowId)
  if (known?.revision === revision) return known.graph
  const graph = await readGraph(tx, projectId, workflowId)
  memory.delete(workflowId)
  memory.set(workflowId, { revision, graph })
  if (memory.size > GRAPHS_MAX) memory.delete(memory.keys().next().value!)
  return graph
}

export async function readGraph(db: Database | Tx, projectId: string, workflowId: string): Promise<Graph<StepRow>> {
  const steps = await listSteps(db, projectId, workflowId)
  const transitions = await listTransitions(db, projectId, workflowId)
  return {
    steps,
    transitions: transitions.map((row) => ({
      id: row.id,
      fromStepId: row.from_step_id,
      toStepId: row.to_step_id,
      branch: row.branch,
    })),
  }
}
