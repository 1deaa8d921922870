/** Drags blocks with a mouse, a pen or a finger: from the palette onto the canvas, and from one place to another. */
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { newBlock, titleOf } from './blocks/registry.ts'
import type { Block, EmailDocument } from './document/document.ts'
import type { DragSource, DragState } from './document/editing.ts'
import { blocksBetween, canContain, type Place, ROOT } from './document/edits.ts'

/** Smaller movements are clicks. */
const THRESHOLD_PX = 5
/** Near the upper and lower edge, the canvas scrolls. */
const EDGE_PX = 48
const SCROLL_PX = 12

interface Dragging {
  document: EmailDocument
  /** The element that scrolls and contains the canvas. */
  area: RefObject<HTMLElement | null>
  onDrop(source: DragSource, place: Place): void
}

export function useDragging(options: Dragging) {
  const [drag, setDrag] = useState<DragState>()
  const latest = useRef(options)
  latest.current = options
  const stop = useRef<() => void>(undefined)
  useEffect(() => () => stop.current?.(), [])

  const startDrag = (event: PointerEvent, source: DragSource) => {
    if (event.button !== 0) return
    const blocks =
      'ids' in source
        ? blocksBetween(latest.current.document, source.ids[0], source.ids.at(-1))
        : [newBlock(source.type)]
    const title = titleOf(blocks)
    const start = { x: event.clientX, y: event.clientY }
    let pointer = start
    let place: Place | undefined
    let timer: ReturnType<typeof setInterval> | undefined

    const follow = () => {
      const area = latest.current.area.current
      if (!area) return
      scrollAtEdges(area, pointer.y)
      place = findPlace(area, latest.current.document, blocks, pointer)
      setDrag({ title, ...pointer, place })
    }
    const move = ({ clientX: x, clientY: y }: globalThis.PointerEvent) => {
      pointer = { x, y }
      if (!timer && Math.hypot(x - start.x, y - start.y) < THRESHOLD_PX) return
      timer ??= setInterval(follow, 30)
      follow()
    }
    const drop = () => {
      stop.current?.()
      if (timer && place) latest.current.onDrop(source, place)
    }
    const cancel = (key: KeyboardEvent) => {
      if (key.key !== 'Escape' || !timer) return
      key.preventDefault()
      key.stopPropagation()
      stop.current?.()
    }
    const end = () => stop.current?.()
    stop.current = () => {
      clearInterval(timer)
      setDrag(undefined)
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', drop)
      removeEventListener('pointercancel', end)
      removeEventListener('keydown', cancel, true)
      stop.current = undefined
    }
    addEventListener('pointermove', move)
    addEventListener('pointerup', drop)
    addEventListener('pointercancel', end)
    addEventListener('keydown', cancel, true)
  }
  return { drag, startDrag }
}

function scrollAtEdges(area: HTMLElement, y: number): void {
  const { top, bottom } = area.getBoundingClientRect()
  if (y < top + EDGE_PX) area.scrollTop -= SCROLL_PX
  else if (y > bottom - EDGE_PX) area.scrollTop += SCROLL_PX
}

interface Point {
  x: number
  y: number
}

/** The innermost list under the pointer that may contain the blocks. Blocks dropped beside the email go into the email. */
function findPlace(area: HTMLElement, document: EmailDocument, blocks: Block[], point: Point): Place | undefined {
  if (!isInside(area, point)) return undefined
  const lists = [...area.querySelectorAll<HTMLElement>('[data-list]:not([inert] *)')].filter(
    (list) =>
      (list.dataset.list === ROOT || isInside(list, point)) &&
      blocks.every((block) => canContain(document, list.dataset.list!, block)),
  )
  const list = lists.at(-1)
  if (!list) return undefined
  const items = [...list.querySelectorAll<HTMLElement>(':scope > [data-item]')]
  const index = items.findIndex((one) => {
    const { top, height } = one.getBoundingClientRect()
    return point.y < top + height / 2
  })
  return { list: list.dataset.list!, index: index < 0 ? items.length : index }
}

function isInside(element: HTMLElement, { x, y }: Point): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return x >= left && x <= right && y >= top && y <= bottom
}
