/**
 * Changes of a graph in the editor, as pure functions. They follow the rules of the server (features/automation/workflows/graph.ts), so
 * that every graph they return can be published as far as its transitions are concerned.
 */
import { branchesOf, inBranchOrder, STEPS } from '../steps/registry.ts'
import type { Branch, Config, StepType } from '../steps/step.ts'
import { texts } from '../texts.ts'
import { isPoint, type Point, STEP_HEIGHT, STEP_WIDTH, VERTICAL_DISTANCE } from './layout.ts'

export interface DraftStep {
  id: string
  type: StepType
  name: string | null
  config: Config
  templateId: string | null
  position: unknown
}

export interface DraftTransition {
  fromStepId: string
  toStepId: string
  branch: Branch
}

export interface DraftGraph {
  steps: DraftStep[]
  transitions: DraftTransition[]
  /** What happens to contacts at removed steps when the graph is published. */
  executions: Record<string, 'move' | 'cancel'>
}

/** Where a step is added: before the first step, on a branch of a step, or unconnected. */
export type Place = 'start' | 'unconnected' | { stepId: string; branch: Branch }

const RANDOM_BYTES = 10

/** A UUIDv7, as the server creates them: ids sort by creation. */
export function newStepId(now = Date.now()): string {
  const time = now.toString(16).padStart(12, '0')
  const random = [...crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))]
  random[0] = (random[0]! & 0x0f) | 0x70
  random[2] = (random[2]! & 0x3f) | 0x80
  const hex = random.map((byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${time.slice(0, 8)}-${time.slice(8)}-${hex.slice(0, 4)}-${hex.slice(4, 8)}-${hex.slice(8)}`
}

export const newStep = (type: StepType, position: Point | null = null): DraftStep => ({
  id: newStepId(),
  type,
  name: null,
  config: STEPS[type].defaultConfig,
  templateId: null,
  position,
})

/** The oldest step that no other step leads to. */
export function firstStep({ steps, transitions }: Pick<DraftGraph, 'steps' | 'transitions'>): DraftStep | undefined {
  const reached = new Set(transitions.map(({ toStepId }) => toStepId))
  return steps.filter(({ id }) => !reached.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1))[0]
}

/** Steps besides the first one that no other step leads to. */
export function unconnectedSteps(graph: Pick<DraftGraph, 'steps' | 'transitions'>): Set<string> {
  const reached = new Set(graph.transitions.map(({ toStepId }) => toStepId))
  const first = firstStep(graph)
  return new Set(graph.steps.filter((step) => !reached.has(step.id) && step !== first).map(({ id }) => id))
}

/** The branches of a step that lead nowhere. A step has either one transition without a branch, or one for each branch. */
export function openBranches({ transitions }: Pick<DraftGraph, 'transitions'>, step: DraftStep): Branch[] {
  const used = transitions.filter(({ fromStepId }) => fromStepId === step.id).map(({ branch }) => branch)
  return branchesOf(step).filter(
    (branch) => !used.includes(branch) && !used.includes(null) && (branch !== null || used.length === 0),
  )
}

/** Where a step goes that is added without a place: after the given step, or else at the end. */
export function defaultPlace(graph: DraftGraph, afterId: string | undefined): Place {
  const after = graph.steps.find(({ id }) => id === afterId)
  if (after) {
    const open = openBranches(graph, after)[0]
    if (open !== undefined) return { stepId: after.id, branch: open }
    const next = graph.transitions.find(({ fromStepId }) => fromStepId === after.id)
    if (next) return { stepId: after.id, branch: next.branch }
  }
  for (const step of [...graph.steps].reverse()) {
    const open = openBranches(graph, step)[0]
    if (open !== undefined) return { stepId: step.id, branch: open }
  }
  return graph.steps.length === 0 ? 'start' : 'unconnected'
}

/** Adds a step. On a transition it is inserted, and the steps below it make room. */
export function addStep(graph: DraftGraph, step: DraftStep, place: Place): DraftGraph {
  const steps = [...graph.steps, step]
  if (place === 'unconnected') return { ...graph, steps }
  const follows = branchesOf(step)[0]
  const onward = (toStepId: string): DraftTransition[] =>
    follows === undefined ? [] : [{ fromStepId: step.id, toStepId, branch: follows }]
  if (place === 'start') {
    const first = firstStep(graph)
    if (!first) return { ...graph, steps }
    return makeRoom({ ...graph, steps, transitions: [...graph.transitions, ...onward(first.id)] }, step, first.id)
  }
  const { stepId, branch } = place
  const replaced = graph.transitions.find((one) => one.fromStepId === stepId && one.branch === branch)
  const transitions = [
    ...graph.transitions.filter((one) => one !== replaced),
    { fromStepId: stepId, toStepId: step.id, branch },
    ...(replaced ? onward(replaced.toStepId) : []),
  ]
  return replaced
    ? makeRoom({ ...graph, steps, transitions }, step, replaced.toStepId)
    : { ...graph, steps, transitions }
}

/** The new step takes the position of the next one, which moves down with the steps after it. */
function makeRoom(graph: DraftGraph, added: DraftStep, nextId: string): DraftGraph {
  const next = graph.steps.find(({ id }) => id === nextId)
  if (!next || !isPoint(next.position)) return graph
  const { x, y } = next.position
  const below = reachableFrom(graph, nextId)
  return {
    ...graph,
    steps: graph.steps.map((step) => {
      if (step.id === added.id) return { ...step, position: { x, y } }
      if (!below.has(step.id) || !isPoint(step.position)) return step
      return { ...step, position: { x: step.position.x, y: step.position.y + VERTICAL_DISTANCE } }
    }),
  }
}

function reachableFrom({ transitions }: Pick<DraftGraph, 'transitions'>, start: string): Set<string> {
  const found = new Set([start])
  for (const id of found) {
    for (const { fromStepId, toStepId } of transitions) if (fromStepId === id) found.add(toStepId)
  }
  return found
}

/** Why a step can't lead to another one, or undefined if it can. */
export function connectionProblem(graph: DraftGraph, from: string, to: string): string | undefined {
  if (from === to) return texts.graph.selfConnection
  return reachableFrom(graph, to).has(from) ? texts.graph.loop : undefined
}

/** Connects two steps. A transition that can't exist beside the new one is replaced. */
export function connect(graph: DraftGraph, fromStepId: string, toStepId: string, branch: Branch): DraftGraph {
  const isReplaced = (one: DraftTransition) =>
    one.fromStepId === fromStepId && (one.branch === branch || one.branch === null || branch === null)
  const kept = graph.transitions.filter((one) => !isReplaced(one))
  return { ...graph, transitions: [...kept, { fromStepId, toStepId, branch }] }
}

export const disconnect = (graph: DraftGraph, fromStepId: string, branch: Branch): DraftGraph => ({
  ...graph,
  transitions: graph.transitions.filter((one) => one.fromStepId !== fromStepId || one.branch !== branch),
})

/** Removes steps. What led to a removed step leads to the step after it; after several branches, to the step on the first of them. */
export const removeSteps = (graph: DraftGraph, ids: string[]): DraftGraph => ids.reduce(removeStep, graph)

function removeStep({ steps, transitions, executions }: DraftGraph, id: string): DraftGraph {
  const [next] = inBranchOrder(
    transitions.filter(({ fromStepId }) => fromStepId === id),
    steps,
  )
  return {
    steps: steps.filter((step) => step.id !== id),
    transitions: transitions
      .filter(({ fromStepId }) => fromStepId !== id)
      .flatMap((one) => (one.toStepId !== id ? [one] : next ? [{ ...one, toStepId: next.toStepId }] : [])),
    executions,
  }
}

/** Transitions follow branches that are renamed, and are removed with them. */
export function updateStep(graph: DraftGraph, id: string, changes: Partial<DraftStep>): DraftGraph {
  const before = graph.steps.find((step) => step.id === id)
  if (!before) return graph
  const after = { ...before, ...changes }
  return {
    ...graph,
    steps: graph.steps.map((step) => (step === before ? after : step)),
    transitions: withBranches(graph.transitions, id, branchesOf(before), branchesOf(after)),
  }
}

function withBranches(transitions: DraftTransition[], stepId: string, before: Branch[], after: Branch[]) {
  const sameCount = before.length === after.length
  // Two branches can have the same name while one is typed.
  const seen = new Map<Branch, number>()
  return transitions.flatMap((one) => {
    if (one.fromStepId !== stepId) return [one]
    const at = before.indexOf(one.branch, seen.get(one.branch) ?? 0)
    seen.set(one.branch, at + 1)
    if (sameCount) return [at < 0 ? one : { ...one, branch: after[at]! }]
    return after.includes(one.branch) ? [one] : []
  })
}

export const moveSteps = (graph: DraftGraph, positions: ReadonlyMap<string, Point>): DraftGraph => ({
  ...graph,
  steps: graph.steps.map((step) => ({ ...step, position: positions.get(step.id) ?? step.position })),
})

/** Without saved positions, all steps are arranged automatically. */
export const tidy = (graph: DraftGraph): DraftGraph => ({
  ...graph,
  steps: graph.steps.map((step) => ({ ...step, position: null })),
})

export type CopiedSteps = Pick<DraftGraph, 'steps' | 'transitions'>

/** Some steps, where they are now, with the transitions between them. */
export function copySteps(graph: DraftGraph, ids: string[], positions: ReadonlyMap<string, Point>): CopiedSteps {
  return {
    steps: graph.steps
      .filter(({ id }) => ids.includes(id))
      .map((step) => ({ ...step, position: positions.get(step.id) ?? step.position })),
    transitions: graph.transitions.filter(
      ({ fromStepId, toStepId }) => ids.includes(fromStepId) && ids.includes(toStepId),
    ),
  }
}

/** Adds copies beside the originals. They get ids of their own. */
export function pasteSteps(graph: DraftGraph, copied: CopiedSteps): { graph: DraftGraph; ids: string[] } {
  const ids = new Map(copied.steps.map(({ id }) => [id, newStepId()]))
  const occupied = graph.steps.map(({ position }) => position).filter(isPoint)
  const offsetOf = (distance: number) => ({ x: distance * (STEP_WIDTH + 48), y: 0 })
  const covers = ({ x, y }: Point) =>
    copied.steps.some(
      ({ position }) =>
        isPoint(position) &&
        occupied.some(
          (other) =>
            Math.abs(position.x + x - other.x) < STEP_WIDTH && Math.abs(position.y + y - other.y) < STEP_HEIGHT,
        ),
    )
  let distance = 1
  while (covers(offsetOf(distance))) distance++
  const offset = offsetOf(distance)
  const steps = copied.steps.map((step) => ({
    ...step,
    id: ids.get(step.id)!,
    position: isPoint(step.position) ? { x: step.position.x + offset.x, y: step.position.y + offset.y } : null,
  }))
  const transitions = copied.transitions.map((one) => ({
    ...one,
    fromStepId: ids.get(one.fromStepId)!,
    toStepId: ids.get(one.toStepId)!,
  }))
  return {
    graph: { ...graph, steps: [...graph.steps, ...steps], transitions: [...graph.transitions, ...transitions] },
    ids: [...ids.values()],
  }
}

export interface GraphChanges {
  added: string[]
  changed: string[]
  removed: DraftStep[]
  /** Whether anything differs, including connections and positions. */
  any: boolean
}

/** Published steps have their template in the configuration as well. */
function contentOf({ name, config: { templateId: _, ...config }, templateId }: DraftStep): string {
  return JSON.stringify([name, sorted(config), templateId])
}

/** The database stores the keys of a configuration in its own order. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}

/** How a draft differs from the published graph. */
export function changesOf(published: Pick<DraftGraph, 'steps' | 'transitions'>, draft: DraftGraph): GraphChanges {
  const before = new Map(published.steps.map((step) => [step.id, step]))
  const after = new Set(draft.steps.map(({ id }) => id))
  const added = draft.steps.filter(({ id }) => !before.has(id)).map(({ id }) => id)
  const changed = draft.steps.filter(
    (step) => before.has(step.id) && contentOf(before.get(step.id)!) !== contentOf(step),
  )
  const removed = published.steps.filter(({ id }) => !after.has(id))
  const moved = draft.steps.some(
    (step) =>
      before.has(step.id) &&
      JSON.stringify(sorted(before.get(step.id)!.position)) !== JSON.stringify(sorted(step.position)),
  )
  const connections = ({ transitions }: Pick<DraftGraph, 'transitions'>) =>
    transitions
      .map(({ fromStepId, toStepId, branch }) => `${fromStepId} ${toStepId} ${branch}`)
      .sort()
      .join()
  const reconnected = connections(published) !== connections(draft)
  return {
    added,
    changed: changed.map(({ id }) => id),
    removed,
    any: added.length > 0 || changed.length > 0 || removed.length > 0 || moved || reconnected,
  }
}

/** What decides how long contacts wait at a step. */
function timesOf({ type, config }: Pick<DraftStep, 'type' | 'config'>): unknown {
  if (type === 'DELAY') return [config.amount ?? null, config.unit ?? null, config.until ?? null]
  if (type === 'WAIT_FOR_EVENT') return config.timeout ?? null
  return type === 'SEND_EMAIL' ? (config.window ?? null) : undefined
}

/** The published steps at which contacts wait until another time in the draft. */
export const stepsWithNewTimes = (
  published: Pick<DraftGraph, 'steps'>,
  { steps }: Pick<DraftGraph, 'steps'>,
): DraftStep[] =>
  steps.filter((step) => {
    const before = published.steps.find(({ id }) => id === step.id)
    return before !== undefined && JSON.stringify(timesOf(before)) !== JSON.stringify(timesOf(step))
  })
