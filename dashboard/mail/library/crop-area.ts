/** The rectangle of a crop in pixels of the image: moving it, and moving its edges. */

export interface Size {
  width: number
  height: number
}

export interface Area extends Size {
  x: number
  y: number
}

export const HANDLES = ['nw', 'n', 'ne', 'e', 'se', 's', 'sw', 'w'] as const
/** A corner or an edge, by the points of the compass. */
export type Handle = (typeof HANDLES)[number]

/** A smaller crop would be hard to see, and to get hold of. */
const SIDE_MIN = 8

export const whole = ({ width, height }: Size): Area => ({ x: 0, y: 0, width, height })

export const isWhole = (area: Area, image: Size): boolean => area.width === image.width && area.height === image.height

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), max)

/** Stays inside of the image. */
export function moveArea(area: Area, dx: number, dy: number, image: Size): Area {
  return {
    ...area,
    x: Math.round(clamp(area.x + dx, 0, image.width - area.width)),
    y: Math.round(clamp(area.y + dy, 0, image.height - area.height)),
  }
}

/** One side of the rectangle: the edges `from` and `to` after one of them has moved. */
function moveEdge(from: number, to: number, by: number, moved: 'from' | 'to' | undefined, max: number) {
  const least = Math.min(SIDE_MIN, max)
  if (moved === 'from') return [Math.round(clamp(from + by, 0, to - least)), to] as const
  if (moved === 'to') return [from, Math.round(clamp(to + by, from + least, max))] as const
  return [from, to] as const
}

/** The opposite corner or edge stays where it is. */
export function resizeArea(area: Area, handle: Handle, dx: number, dy: number, image: Size): Area {
  const column = handle.includes('w') ? 'from' : handle.includes('e') ? 'to' : undefined
  const row = handle.includes('n') ? 'from' : handle.includes('s') ? 'to' : undefined
  const [left, right] = moveEdge(area.x, area.x + area.width, dx, column, image.width)
  const [top, bottom] = moveEdge(area.y, area.y + area.height, dy, row, image.height)
  return { x: left, y: top, width: right - left, height: bottom - top }
}
