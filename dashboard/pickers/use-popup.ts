/** A list below a field, or above it where there is more space. It is in the top layer, so that nothing covers or cuts it. */
import { useLayoutEffect, useRef } from 'react'

const GAP = 4
/** To the edges of the window. */
const MARGIN = 8
const HEIGHT_MAX = 340
/** With less space below, the list opens above the field if there is more. */
const HEIGHT_MIN = 200
const WIDTH_MIN = 280

export function usePopup(isOpen: boolean) {
  const field = useRef<HTMLInputElement>(null)
  const popup = useRef<HTMLDivElement>(null)
  // After each render, because the number of rows changes its height.
  useLayoutEffect(() => {
    const element = popup.current
    if (!element || !field.current) return
    if ('showPopover' in element && !element.matches(':popover-open')) element.showPopover()
    place(element, field.current)
  })
  useLayoutEffect(() => {
    if (!isOpen) return
    const update = () => popup.current && field.current && place(popup.current, field.current)
    const observer = new ResizeObserver(update)
    if (field.current) observer.observe(field.current)
    window.addEventListener('scroll', update, { capture: true, passive: true })
    window.addEventListener('resize', update)
    window.visualViewport?.addEventListener('resize', update)
    return () => {
      observer.disconnect()
      window.removeEventListener('scroll', update, { capture: true })
      window.removeEventListener('resize', update)
      window.visualViewport?.removeEventListener('resize', update)
    }
  }, [isOpen])
  return [field, popup] as const
}

function place(popup: HTMLElement, field: HTMLElement): void {
  const at = field.getBoundingClientRect()
  const { width: windowWidth } = document.documentElement.getBoundingClientRect()
  // Without the keyboard of a phone.
  const bottom = window.visualViewport?.height ?? window.innerHeight
  const below = bottom - at.bottom - GAP - MARGIN
  const above = at.top - GAP - MARGIN
  const isAbove = below < HEIGHT_MIN && above > below
  const width = Math.min(Math.max(at.width, WIDTH_MIN), windowWidth - 2 * MARGIN)
  Object.assign(popup.style, {
    width: `${width}px`,
    maxHeight: `${Math.max(Math.min(HEIGHT_MAX, isAbove ? above : below), 80)}px`,
    left: `${Math.max(MARGIN, Math.min(at.left, windowWidth - width - MARGIN))}px`,
    top: isAbove ? 'auto' : `${at.bottom + GAP}px`,
    bottom: isAbove ? `${window.innerHeight - at.top + GAP}px` : 'auto',
  })
}
