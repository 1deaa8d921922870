/** Where steps are drawn that nobody has placed: below the steps that lead to them, `yes` to the left of `no`. */
import { Graph, layout } from '@dagrejs/dagre'

interface Placed {
  id: string
  position?: unknown
}

interface Joined {
  fromStepId: string
  toStepId: string
  branch: 'yes' | 'no' | null
}

export interface Point {
  x: number
  y: number
}

export const STEP_WIDTH = 232
export const STEP_HEIGHT = 76
const GAP_ACROSS = 48
const GAP_DOWN = 64

const isPoint = (value: unknown): value is Point =>
  typeof value === 'object' &&
  value !== null &&
  Number.isFinite((value as Point).x) &&
  Number.isFinite((value as Point).y)

export function placesOf(steps: Placed[], transitions: Joined[]): Map<string, Point> {
  const drawn = draw(steps, transitions)
  const places = new Map<string, Point>()
  for (const { id, position } of steps) if (isPoint(position)) places.set(id, { x: position.x, y: position.y })
  // Steps without a place keep their distance to the step that leads to them, wherever that was moved.
  for (const [id, at] of drawn) {
    if (places.has(id)) continue
    const parent = transitions.find(({ fromStepId, toStepId }) => toStepId === id && places.has(fromStepId))?.fromStepId
    const moved = parent ? difference(places.get(parent)!, drawn.get(parent)!) : { x: 0, y: 0 }
    places.set(id, firstFree({ x: at.x + moved.x, y: at.y + moved.y }, [...places.values()]))
  }
  return places
}

/** Every step as if none had a place, from top to bottom. The first is at 0, 0. */
function draw(steps: Placed[], transitions: Joined[]): Map<string, Point> {
  const graph = new Graph({ multigraph: true })
  graph.setGraph({ nodesep: GAP_ACROSS, ranksep: GAP_DOWN })
  for (const { id } of steps) graph.setNode(id, { width: STEP_WIDTH, height: STEP_HEIGHT })
  // The order of edges is the order of branches.
  for (const { fromStepId, toStepId, branch } of [...transitions].sort(yesFirst)) {
    graph.setEdge(fromStepId, toStepId, {}, branch ?? undefined)
  }
  // Without its search for fewer crossings, which swaps branches.
  layout(graph, { disableOptimalOrderHeuristic: true })
  const centres = steps.map(({ id }) => [id, graph.node(id) as Point] as const)
  centres.sort(([, a], [, b]) => a.y - b.y || a.x - b.x)
  const origin = centres[0]?.[1]
  return new Map(centres.map(([id, centre]) => [id, difference(centre, origin!)]))
}

const yesFirst = (a: Joined, b: Joined) => Number(a.branch === 'no') - Number(b.branch === 'no')

const difference = (a: Point, b: Point): Point => ({ x: a.x - b.x, y: a.y - b.y })

const overlap = (a: Point, b: Point) => Math.abs(a.x - b.x) < STEP_WIDTH && Math.abs(a.y - b.y) < STEP_HEIGHT

function firstFree(at: Point, taken: Point[]): Point {
  const blocking = taken.find((place) => overlap(place, at))
  return blocking ? firstFree({ x: blocking.x + STEP_WIDTH + GAP_ACROSS, y: at.y }, taken) : at
}
