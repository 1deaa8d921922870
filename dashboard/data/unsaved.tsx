/** Asks before a page with unsaved changes is left. Each form reports whether it has any; one dialog serves them all. */
import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef } from 'react'

const LeaveDialog = lazy(() =>
  import('../shell/leave-dialog.tsx').then(({ LeaveDialog }) => ({ default: LeaveDialog })),
)

/** The forms with unsaved changes, and how each forgets them. */
const unsaved = new Map<symbol, () => void>()

export function useUnsaved(changed: boolean, forget: () => void = () => {}): void {
  const latest = useRef(forget)
  latest.current = forget
  useEffect(() => {
    if (!changed) return
    const form = Symbol('form')
    unsaved.set(form, () => latest.current())
    return () => void unsaved.delete(form)
  }, [changed])
}

export function UnsavedGuard() {
  const { status, proceed, reset } = useBlocker({
    // Filters, tabs and pages of a list are part of the address, and changing them leaves no form.
    shouldBlockFn: ({ current, next }) => unsaved.size > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => unsaved.size > 0,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  const leave = () => {
    for (const forget of unsaved.values()) forget()
    proceed()
  }
  return (
    <Suspense>
      <LeaveDialog onStay={reset} onLeave={leave} />
    </Suspense>
  )
}
