/** Workflows as JSON documents. Equal workflows have equal documents, and a change of a step is a change of its lines alone. */
import type { Context } from '../../../../context.ts'
import { branchesOf } from '../../steps/registry.ts'
import { readGraph, requireWorkflow, showStep, showWorkflow } from '../actions.ts'
import { entryOf, type Graph } from '../graph.ts'
import type { NewTransition, StepRow } from '../queries.ts'
import { FORMAT } from '../schemas.ts'

export async function exportWorkflow(ctx: Context, projectId: string, id: string) {
  const workflow = showWorkflow(await requireWorkflow(ctx.db, projectId, id))
  const graph = await readGraph(ctx.db, projectId, id)
  const { name, description, triggerType, triggerConfig, allowReentry, reentry, goal, tags } = workflow
  const keys = keysOf(graph.steps)
  const steps = inOrder(graph)
  const place = new Map(steps.map((step, i) => [step.id, i]))
  const rank = ({ fromStepId, branch }: NewTransition) => {
    const from = place.get(fromStepId)!
    return [from, branchesOf(steps[from]!).indexOf(branch)] as const
  }
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
    steps: steps
      .map((step) => showStep(id, step))
      .map((step) => ({
        key: keys.get(step.id)!,
        type: step.type,
        name: step.name,
        config: sorted(step.config) as Record<string, unknown>,
        position: sorted(step.position),
      })),
    transitions: graph.transitions
      .map((transition) => ({ transition, rank: rank(transition) }))
      .sort((a, b) => a.rank[0] - b.rank[0] || a.rank[1] - b.rank[1])
      .map(({ transition: { fromStepId, toStepId, branch } }) => ({
        from: keys.get(fromStepId)!,
        to: keys.get(toStepId)!,
        branch,
      })),
  }
}

const ID_PART = 8

/**
 * The keys of steps in documents, by id: the one with which a step was imported, or one made of its type and its id, which
 * never change.
 */
export function keysOf(steps: StepRow[]): Map<string, string> {
  const given = new Set(steps.map(({ key }) => key))
  return new Map(
    steps.map(({ id, type, key }) => {
      const type_ = type.toLowerCase().replaceAll('_', '-')
      const short = `${type_}-${id.slice(-ID_PART)}`
      return [id, key ?? (given.has(short) ? `${type_}-${id}` : short)]
    }),
  )
}

/** As executions follow them, the branches of a step one after the other; unconnected steps last. */
function inOrder(graph: Graph<StepRow, NewTransition>): StepRow[] {
  const ordered = new Map<string, StepRow>()
  const byId = new Map(graph.steps.map((step) => [step.id, step]))
  const first = entryOf(graph)
  const open = first ? [first] : []
  for (const other of [undefined, ...graph.steps]) {
    if (other && !ordered.has(other.id)) open.push(other)
    for (let step = open.pop(); step; step = open.pop()) {
      if (ordered.has(step.id)) continue
      ordered.set(step.id, step)
      const branches = branchesOf(step)
      const next = graph.transitions
        .filter(({ fromStepId }) => fromStepId === step!.id)
        .sort((a, b) => branches.indexOf(b.branch) - branches.indexOf(a.branch))
      open.push(...next.map(({ toStepId }) => byId.get(toStepId)!))
    }
  }
  return [...ordered.values()]
}

/** With the fields of objects in alphabetical order. */
const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value)
            .toSorted(([a], [b]) => (a < b ? -1 : 1))
            .map(([name, inner]) => [name, sorted(inner)]),
        )
      : value
