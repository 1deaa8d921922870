/**
 * The rules of a workflow's graph, without a database: which transitions can be added, where an execution starts, which
 * step follows a step, and how the transitions around a removed step are reconnected. A graph never has a loop, so every
 * execution ends.
 */
export interface GraphStep {
  id: string
  type: string
  config?: unknown
}

export interface Transition {
  fromStepId: string
  toStepId: string
  /** One of those that the step has. */
  branch: string | null
}

/** What happens to executions at a removed step: they move to the step that followed it, or are canceled. */
export const REMOVALS = ['move', 'cancel'] as const

export type Removal = (typeof REMOVALS)[number]

export interface RemovedStep {
  id: string
  executions: Removal
  /** The step that followed it, which may have been removed as well. */
  nextStepId: string | null
}

export interface Graph<S extends GraphStep = GraphStep, T extends Transition = Transition> {
  /** Oldest first. */
  steps: S[]
  transitions: T[]
  removed?: RemovedStep[]
}

/** Why a transition is refused, and for which of its fields. */
export interface GraphProblem {
  field: 'fromStepId' | 'toStepId' | 'branch'
  message: string
}

/** The branches that transitions from a step can have; null is a transition without a branch. */
export type BranchesOf = (step: GraphStep) => readonly (string | null)[]

/** Why a transition between two steps of the graph can't be added, or undefined if it can. */
export function refusalOf(graph: Graph, added: Transition, branchesOf: BranchesOf): GraphProblem | undefined {
  const { fromStepId, toStepId } = added
  const from = graph.steps.find((step) => step.id === fromStepId)!
  if (fromStepId === toStepId) return { field: 'toStepId', message: "A step can't lead to itself." }
  const branches = branchesOf(from)
  if (branches.length === 0) return { field: 'fromStepId', message: `No step can follow a step of type ${from.type}.` }
  const problem = branchProblem(graph, from, added, branches)
  if (problem) return problem
  if (leadsTo(graph, toStepId, fromStepId)) {
    return { field: 'toStepId', message: 'This would create a loop: that step leads back to this one.' }
  }
  return undefined
}

function branchProblem(
  graph: Graph,
  from: GraphStep,
  { branch }: Transition,
  branches: ReturnType<BranchesOf>,
): GraphProblem | undefined {
  const others = graph.transitions.filter((transition) => transition.fromStepId === from.id)
  const names = branches.filter((name) => name !== null)
  if (!branches.includes(branch)) {
    const message =
      names.length === 0
        ? `A step of type ${from.type} has no branches.`
        : `A transition from a step of type ${from.type} needs a branch: ${names.join(' or ')}.`
    return { field: 'branch', message }
  }
  if (others.some((other) => other.branch === branch)) {
    return branch === null
      ? { field: 'fromStepId', message: 'This step already has a next step.' }
      : { field: 'branch', message: `The branch ${branch} is already used.` }
  }
  if (others.some((other) => other.branch === null || branch === null)) {
    return {
      field: 'branch',
      message: `A step has either one transition without a branch, or one for ${names.join(' and one for ')}.`,
    }
  }
  return undefined
}

/** Whether one step can be reached from another. Each step is visited once. */
export function leadsTo(graph: Graph, start: string, goal: string): boolean {
  const next = new Map<string, string[]>()
  for (const { fromStepId, toStepId } of graph.transitions) {
    next.set(fromStepId, [...(next.get(fromStepId) ?? []), toStepId])
  }
  const seen = new Set<string>()
  const open = [start]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === goal) return true
    if (seen.has(id)) continue
    seen.add(id)
    open.push(...(next.get(id) ?? []))
  }
  return false
}

/** Steps without an incoming transition. */
export function entriesOf<S extends GraphStep>({ steps, transitions }: Graph<S>): S[] {
  const reached = new Set(transitions.map(({ toStepId }) => toStepId))
  return steps.filter((step) => !reached.has(step.id))
}

/** Where executions start. While a graph is being edited it can have several entries; the oldest one counts. */
export const entryOf = <S extends GraphStep>(graph: Graph<S>): S | undefined => entriesOf(graph)[0]

/** The step that follows on a branch. A transition without a branch is taken for every branch. */
export function stepAfter<S extends GraphStep>(graph: Graph<S>, stepId: string, branch: string | null): S | undefined {
  const outgoing = graph.transitions.filter(({ fromStepId }) => fromStepId === stepId)
  const followed = outgoing.find((t) => t.branch === branch) ?? outgoing.find((t) => t.branch === null)
  return followed && graph.steps.find(({ id }) => id === followed.toStepId)
}

/** The step that takes the place of a removed one: the step after it; if it has branches, the one after the first of them. */
export function replacementOf(graph: Graph, stepId: string, branchesOf: BranchesOf): string | null {
  const step = graph.steps.find(({ id }) => id === stepId)
  const outgoing = graph.transitions.filter(({ fromStepId }) => fromStepId === stepId)
  const order = step ? branchesOf(step) : []
  const [first] = outgoing.sort((a, b) => order.indexOf(a.branch) - order.indexOf(b.branch))
  return first?.toStepId ?? null
}

/**
 * The transitions that replace those around a removed step: each incoming one leads to its replacement, on its old
 * branch. If the removed step had several branches, the steps after the others stay unconnected.
 */
export function spliceOut(graph: Graph, stepId: string, branchesOf: BranchesOf): Transition[] {
  const next = replacementOf(graph, stepId, branchesOf)
  if (next === null) return []
  return graph.transitions
    .filter(({ toStepId }) => toStepId === stepId)
    .map(({ fromStepId, branch }) => ({ fromStepId, toStepId: next, branch }))
}

/**
 * Where an execution at a removed step continues. `end`: no step followed. Undefined if the step was removed without a
 * choice of what happens to its executions.
 */
export function placeAfterRemoval<S extends GraphStep>(
  graph: Graph<S>,
  stepId: string,
): S | 'end' | 'cancel' | undefined {
  const seen = new Set<string>()
  for (let id: string | null = stepId; id !== null && !seen.has(id); ) {
    const step = graph.steps.find((one) => one.id === id)
    if (step) return step
    const removed = graph.removed?.find((one) => one.id === id)
    if (removed?.executions !== 'move') return removed?.executions
    seen.add(id)
    id = removed.nextStepId
  }
  return 'end'
}
