/** Positions for steps that were not moved manually: below the step that leads to them, branches from left to right. */
import { Graph, layout } from '@dagrejs/dagre'
import { inBranchOrder } from '../steps/registry.ts'
import type { Branch, Config, StepType } from '../steps/step.ts'

interface Step {
  id: string
  type: StepType
  config: Config
  position?: unknown
}

interface Transition {
  fromStepId: string
  toStepId: string
  branch: Branch
}

export interface Point {
  x: number
  y: number
}

export const STEP_WIDTH = 256
export const STEP_HEIGHT = 96
const GAP_ACROSS = 56
const GAP_DOWN = 76
export const VERTICAL_DISTANCE = STEP_HEIGHT + GAP_DOWN

export const isPoint = (value: unknown): value is Point =>
  typeof value === 'object' &&
  value !== null &&
  Number.isFinite((value as Point).x) &&
  Number.isFinite((value as Point).y)

export function positionSteps(steps: Step[], transitions: Transition[]): Map<string, Point> {
  const arranged = arrangeSteps(steps, transitions)
  const positions = new Map<string, Point>()
  for (const { id, position } of steps) if (isPoint(position)) positions.set(id, { x: position.x, y: position.y })
  // Steps without a saved position keep their distance to the step that leads to them, even if that one was moved.
  for (const [id, at] of arranged) {
    if (positions.has(id)) continue
    const parent = transitions.find(
      ({ fromStepId, toStepId }) => toStepId === id && positions.has(fromStepId),
    )?.fromStepId
    const moved = parent ? difference(positions.get(parent)!, arranged.get(parent)!) : { x: 0, y: 0 }
    positions.set(id, findFreePosition({ x: at.x + moved.x, y: at.y + moved.y }, [...positions.values()]))
  }
  return positions
}

/** Arranges all steps from top to bottom and ignores saved positions. The first step is at 0, 0. */
function arrangeSteps(steps: Step[], transitions: Transition[]): Map<string, Point> {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ nodesep: GAP_ACROSS, ranksep: GAP_DOWN })
  for (const { id } of steps) graph.setNode(id, { width: STEP_WIDTH, height: STEP_HEIGHT })
  // The order in which edges are added determines the order of branches.
  for (const { fromStepId, toStepId, branch } of inBranchOrder(transitions, steps)) {
    graph.setEdge(fromStepId, toStepId, {}, branch ?? undefined)
  }
  // The heuristic that minimizes crossings would swap branches.
  layout(graph, { disableOptimalOrderHeuristic: true })
  const centers = steps.map(({ id }) => [id, graph.node(id) as Point] as const)
  centers.sort(([, a], [, b]) => a.y - b.y || a.x - b.x)
  const origin = centers[0]?.[1]
  return new Map(centers.map(([id, center]) => [id, difference(center, origin!)]))
}

const difference = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y })

const overlap = (a: Point, b: Point) => Math.abs(a.x - b.x) < STEP_WIDTH && Math.abs(a.y - b.y) < STEP_HEIGHT

function findFreePosition(at: Point, occupied: Point[]): Point {
  const blocking = occupied.find((other) => overlap(other, at))
  return blocking ? findFreePosition({ x: blocking.x + STEP_WIDTH + GAP_ACROSS, y: at.y }, occupied) : at
}
