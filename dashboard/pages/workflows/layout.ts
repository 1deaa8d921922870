/** Where steps stand that nobody has put anywhere: below what leads to them, `yes` to the left of `no`. */

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
const ACROSS = STEP_WIDTH + 48
const DOWN = STEP_HEIGHT + 64

const isPoint = (value: unknown): value is Point =>
  typeof value === 'object' &&
  value !== null &&
  Number.isFinite((value as Point).x) &&
  Number.isFinite((value as Point).y)

/** The longest way to each step from a step that nothing leads to. The graph has no loops. */
function depthsOf(steps: Placed[], transitions: Joined[]): Map<string, number> {
  const depths = new Map(steps.map(({ id }) => [id, 0]))
  for (let round = 0; round < steps.length; round++) {
    let moved = false
    for (const { fromStepId, toStepId } of transitions) {
      const depth = (depths.get(fromStepId) ?? 0) + 1
      if (depth <= (depths.get(toStepId) ?? 0)) continue
      depths.set(toStepId, depth)
      moved = true
    }
    if (!moved) break
  }
  return depths
}

export function placesOf(steps: Placed[], transitions: Joined[]): Map<string, Point> {
  const depths = depthsOf(steps, transitions)
  const places = new Map<string, Point>()
  const wish = (id: string): number => {
    const ways = transitions.filter(({ toStepId }) => toStepId === id)
    if (ways.length === 0) return 0
    const sum = ways.reduce((total, { fromStepId, branch }) => {
      const aside = branch === 'yes' ? -ACROSS / 2 : branch === 'no' ? ACROSS / 2 : 0
      return total + (places.get(fromStepId)?.x ?? 0) + aside
    }, 0)
    return sum / ways.length
  }
  for (let depth = 0; depth <= Math.max(0, ...depths.values()); depth++) {
    const layer = steps
      .filter(({ id }) => depths.get(id) === depth)
      .map((step) => ({ step, x: wish(step.id) }))
      .sort((a, b) => a.x - b.x)
    let free = Number.NEGATIVE_INFINITY
    for (const { step, x } of layer) {
      const place = isPoint(step.position) ? step.position : { x: Math.max(x, free), y: depth * DOWN }
      places.set(step.id, { x: place.x, y: place.y })
      free = Math.max(free, place.x + ACROSS)
    }
  }
  return places
}
