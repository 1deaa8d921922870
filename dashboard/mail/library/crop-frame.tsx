/** An image with a rectangle that is moved and resized with a pointer or with the arrow keys. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { type Area, HANDLES, type Handle, moveArea, resizeArea, type Size } from './crop-area.ts'
import { imageTexts as T } from './texts.ts'

interface CropProps {
  image: Size
  area: Area
  onChange(area: Area): void
}

const ARROWS: Record<string, [x: number, y: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

const PLACES: Record<Handle, string> = {
  nw: 'left-0 top-0 cursor-nwse-resize',
  n: 'left-1/2 top-0 cursor-ns-resize',
  ne: 'left-full top-0 cursor-nesw-resize',
  e: 'left-full top-1/2 cursor-ew-resize',
  se: 'left-full top-full cursor-nwse-resize',
  s: 'left-1/2 top-full cursor-ns-resize',
  sw: 'left-0 top-full cursor-nesw-resize',
  w: 'left-0 top-1/2 cursor-ew-resize',
}

const percent = (part: number, of: number) => `${(part / of) * 100}%`

export function CropFrame({ image, area, onChange }: CropProps) {
  const frame = useRef<HTMLDivElement>(null)
  /** Where the pointer went down, and the rectangle at that time. */
  const start = useRef<{ x: number; y: number; area: Area }>(undefined)

  const change = (from: Area, handle: Handle | undefined, dx: number, dy: number) =>
    onChange(handle ? resizeArea(from, handle, dx, dy, image) : moveArea(from, dx, dy, image))

  const handlersOf = (handle?: Handle) => ({
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return
      event.stopPropagation()
      event.currentTarget.setPointerCapture(event.pointerId)
      start.current = { x: event.clientX, y: event.clientY, area }
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const width = frame.current?.clientWidth
      if (!start.current || !width) return
      event.stopPropagation()
      const scale = image.width / width
      const { x, y, area: from } = start.current
      change(from, handle, (event.clientX - x) * scale, (event.clientY - y) * scale)
    },
    onPointerUp() {
      start.current = undefined
    },
    onPointerCancel() {
      start.current = undefined
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const arrow = ARROWS[event.key]
      if (!arrow) return
      event.preventDefault()
      event.stopPropagation()
      const step = Math.max(1, Math.round((Math.max(image.width, image.height) * (event.shiftKey ? 10 : 1)) / 100))
      change(area, handle, arrow[0] * step, arrow[1] * step)
    },
  })

  return (
    <div ref={frame} className="absolute inset-0 overflow-visible">
      <div className="pointer-events-none absolute inset-0 overflow-hidden">
        <div className="absolute shadow-[0_0_0_9999px_rgb(0_0_0/0.55)]" style={boxOf(area, image)} />
      </div>
      <div className="absolute touch-none" style={boxOf(area, image)}>
        <button
          type="button"
          aria-label={T.frame(area.width, area.height)}
          className="absolute inset-0 cursor-move touch-none border-2 border-white outline-1 outline-black focus-visible:outline-3 focus-visible:outline-accent"
          {...handlersOf()}
        />
        {HANDLES.map((handle) => (
          <button
            key={handle}
            type="button"
            aria-label={T.handles[handle]}
            className={`absolute size-3.5 -translate-1/2 touch-none rounded-full border border-black bg-white after:absolute after:-inset-2 ${PLACES[handle]}`}
            {...handlersOf(handle)}
          />
        ))}
      </div>
    </div>
  )
}

const boxOf = (area: Area, image: Size) => ({
  left: percent(area.x, image.width),
  top: percent(area.y, image.height),
  width: percent(area.width, image.width),
  height: percent(area.height, image.height),
})
