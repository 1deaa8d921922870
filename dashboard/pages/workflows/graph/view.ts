/** Which part of a workflow's graph is in view: its start, the room beside the form of a step, or all of it. */
import type { FitViewOptions, Viewport } from '@xyflow/react'
import { type Point, STEP_HEIGHT, STEP_WIDTH } from '../editor/layout.ts'

/** Below this, names of steps are hard to read. */
const READABLE_ZOOM = 0.75
/** On a phone, one step takes most of the width anyway. */
const READABLE_ZOOM_ON_PHONE = 0.9
/** Beside the form of a step, the graph may be smaller. */
const READABLE_ZOOM_BESIDE_PANEL = 0.65
/** The button below a step that nothing follows. */
const OPEN_END_HEIGHT = 48
const MARGIN = 48

/** On a wide screen, the form of the selected step is at the right side; otherwise over the lower part. */
const WIDE = '(width >= 64rem)'
const PANEL_WIDTH = 408
const PANEL_FREE_SHARE = 0.38
const PUBLISH_BAR_HEIGHT = 72
/** The tools are at the top left. On a narrow screen, they are hidden while a panel is open. */
const TOOLS_HEIGHT = 72

export const FIT_VIEW = { padding: 0.1, maxZoom: 1 }

interface Size {
  clientWidth: number
  clientHeight: number
}

interface Bounds {
  left: number
  right: number
  top: number
  bottom: number
}

const isWide = () => matchMedia(WIDE).matches
export const isPhone = () => matchMedia('(width < 40rem)').matches

const boundsOf = (steps: Point[]): Bounds => ({
  left: Math.min(...steps.map(({ x }) => x)),
  right: Math.max(...steps.map(({ x }) => x)) + STEP_WIDTH,
  top: Math.min(...steps.map(({ y }) => y)),
  bottom: Math.max(...steps.map(({ y }) => y)) + STEP_HEIGHT + OPEN_END_HEIGHT,
})

/** The whole graph if it stays readable, and its start otherwise. The first of the steps is the start. */
export function viewOfStart({ clientWidth, clientHeight }: Size, steps: Point[]): Viewport {
  const { left, right, bottom } = boundsOf(steps)
  const start = steps[0]!
  const fitting = Math.min(
    (clientWidth - 2 * MARGIN) / (right - left),
    (clientHeight - TOOLS_HEIGHT - MARGIN) / (bottom - start.y),
  )
  const fits = fitting >= READABLE_ZOOM
  const zoom = fits ? Math.min(1, fitting) : isPhone() ? READABLE_ZOOM_ON_PHONE : READABLE_ZOOM
  const center = fits ? (left + right) / 2 : start.x + STEP_WIDTH / 2
  return { x: clientWidth / 2 - center * zoom, y: TOOLS_HEIGHT - start.y * zoom, zoom }
}

interface Reveal {
  size: Size
  view: Viewport
  steps: Point[]
  /** The step whose form is open. */
  step: Point
  /** A step that is being dragged must stay under the pointer. */
  keepsZoom: boolean
}

/**
 * The view in which the form of a step covers no step, or at least not its own if the graph is too large. Undefined if it
 * can stay as it is.
 */
export function viewBesideForm({ size, view, steps, step, keepsZoom }: Reveal): Viewport | undefined {
  const { clientWidth, clientHeight } = size
  const { x, y, zoom } = view
  const room: Bounds = isWide()
    ? {
        left: MARGIN / 4,
        right: clientWidth - PANEL_WIDTH,
        top: TOOLS_HEIGHT,
        bottom: clientHeight - PUBLISH_BAR_HEIGHT,
      }
    : { left: MARGIN / 4, right: clientWidth, top: MARGIN / 4, bottom: clientHeight * PANEL_FREE_SHARE }
  const graph = boundsOf(steps)
  const isVisible =
    x + graph.left * zoom >= room.left &&
    x + graph.right * zoom <= room.right &&
    y + graph.top * zoom >= room.top &&
    y + graph.bottom * zoom <= room.bottom
  if (isVisible) return undefined
  const fitting = Math.min(
    (room.right - room.left) / (graph.right - graph.left),
    (room.bottom - room.top) / (graph.bottom - graph.top),
  )
  if (fitting >= READABLE_ZOOM_BESIDE_PANEL && !keepsZoom) {
    const fitted = Math.min(zoom, fitting)
    const center = (room.left + room.right - (graph.left + graph.right) * fitted) / 2
    return { x: center, y: room.top - graph.top * fitted, zoom: fitted }
  }
  const [left, top] = [x + step.x * zoom, y + step.y * zoom]
  const across = shift(left, left + STEP_WIDTH * zoom, room.left, room.right)
  const down = shift(top, top + STEP_HEIGHT * zoom, room.top, room.bottom)
  return across === 0 && down === 0 ? undefined : { x: x + across, y: y + down, zoom }
}

/** How far a range has to move to be between two limits; its start counts if it is too large. */
function shift(from: number, to: number, min: number, max: number): number {
  const back = Math.max(0, to - max)
  return from - back < min ? min - from : -back
}

/** Fits the graph into the part of the canvas that no panel covers, so that the buttons that add steps can be reached. */
export function roomFor(hasPanel: boolean): FitViewOptions['padding'] {
  const wide = isWide()
  return {
    top: `${hasPanel && !wide ? MARGIN / 4 : TOOLS_HEIGHT}px`,
    left: `${MARGIN}px`,
    right: `${hasPanel && wide ? PANEL_WIDTH : MARGIN}px`,
    bottom: hasPanel && !wide ? `${100 * (1 - PANEL_FREE_SHARE)}%` : `${PUBLISH_BAR_HEIGHT + MARGIN}px`,
  }
}

/** The connection point of a branch. The names of branches are free, so they can't be mistaken for the one without a branch. */
export const handleOf = (branch: string | null): string => (branch === null ? 'next' : `=${branch}`)
