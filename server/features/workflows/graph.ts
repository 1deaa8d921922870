/**
 * The rules of a workflow's graph, without a database: which transition may be added, where an execution begins, where
 * it goes from a step, and what becomes of the transitions around a step that is taken out. The graph never holds a
 * loop, so every execution ends.
 */
export const STEP_TYPES = [
  'SEND_EMAIL',
  'DELAY',
  'WAIT_FOR_EVENT',
  'CONDITION',
  'WEBHOOK',
  'UPDATE_CONTACT',
  'EXIT',
] as const

export type StepType = (typeof STEP_TYPES)[number]

export const BRANCHES = ['yes', 'no'] as const

export type Branch = (typeof BRANCHES)[number]

export interface GraphStep {
  id: string
  type: StepType
}

export interface Transition {
  fromStepId: string
  toStepId: string
  branch: Branch | null
}

export interface Graph<S extends GraphStep = GraphStep, T extends Transition = Transition> {
  /** Oldest first. */
  steps: S[]
  transitions: T[]
}

/** What is wrong with a transition, and with which of its fields. */
export interface GraphProblem {
  field: 'fromStepId' | 'toStepId' | 'branch'
  message: string
}

/** A condition always takes a side; a wait may, or go on the same way whatever happened. */
const BRANCHING: Partial<Record<StepType, 'always' | 'may'>> = { CONDITION: 'always', WAIT_FOR_EVENT: 'may' }

/** Why a transition between two steps of the graph cannot be added, or nothing. */
export function refusalOf(graph: Graph, added: Transition): GraphProblem | undefined {
  const { fromStepId, toStepId } = added
  const from = graph.steps.find((step) => step.id === fromStepId)!
  if (fromStepId === toStepId) return { field: 'toStepId', message: 'A step cannot lead to itself.' }
  if (from.type === 'EXIT') return { field: 'fromStepId', message: 'Nothing follows an EXIT step.' }
  const problem = branchProblem(graph, from, added)
  if (problem) return problem
  if (leadsTo(graph, toStepId, fromStepId)) {
    return { field: 'toStepId', message: 'This would make a loop: that step leads back to this one.' }
  }
  return undefined
}

function branchProblem(graph: Graph, from: GraphStep, { branch }: Transition): GraphProblem | undefined {
  const branching = BRANCHING[from.type]
  const others = graph.transitions.filter((transition) => transition.fromStepId === from.id)
  if (!branching) {
    if (branch !== null) return { field: 'branch', message: `A ${from.type} step has no branches.` }
    if (others.length > 0) return { field: 'fromStepId', message: 'This step already leads to another one.' }
    return undefined
  }
  if (branching === 'always' && branch === null) {
    return { field: 'branch', message: `A transition from a ${from.type} step needs a branch: yes or no.` }
  }
  if (others.some((other) => other.branch === branch)) {
    const what = branch === null ? 'This step already leads to another one.' : `The branch ${branch} is already used.`
    return { field: branch === null ? 'fromStepId' : 'branch', message: what }
  }
  if (others.some((other) => other.branch === null || branch === null)) {
    return {
      field: 'branch',
      message: 'A step has either one transition without a branch, or one for yes and one for no.',
    }
  }
  return undefined
}

/** Whether one step can be reached from another. Each step is looked at once. */
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

/** Steps that nothing leads to: an execution begins at one. */
export function entriesOf<S extends GraphStep>({ steps, transitions }: Graph<S>): S[] {
  const reached = new Set(transitions.map(({ toStepId }) => toStepId))
  return steps.filter((step) => !reached.has(step.id))
}

/** Where it begins. While someone is still drawing there may be several; the oldest was the one before that. */
export const entryOf = <S extends GraphStep>(graph: Graph<S>): S | undefined => entriesOf(graph)[0]

/** What follows a step on a branch. A transition without a branch is taken whatever happened. */
export function stepAfter<S extends GraphStep>(graph: Graph<S>, stepId: string, branch: Branch | null): S | undefined {
  const outgoing = graph.transitions.filter(({ fromStepId }) => fromStepId === stepId)
  const taken = outgoing.find((t) => t.branch === branch) ?? outgoing.find((t) => t.branch === null)
  return taken && graph.steps.find(({ id }) => id === taken.toStepId)
}

/**
 * The transitions that take the place of those around a step: whatever led to it leads to what followed it, on the
 * branch it came by. Of two branches the yes is followed; what only the no led to is left standing by itself.
 */
export function spliceOut(graph: Graph, stepId: string): Transition[] {
  const outgoing = graph.transitions.filter(({ fromStepId }) => fromStepId === stepId)
  const next = outgoing.find(({ branch }) => branch !== 'no') ?? outgoing[0]
  if (!next) return []
  return graph.transitions
    .filter(({ toStepId }) => toStepId === stepId)
    .map(({ fromStepId, branch }) => ({ fromStepId, toStepId: next.toStepId, branch }))
}
