/** Something while it is edited: what it was, what it is now, and a word before it is lost. */
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'

export function useDraft<T extends object>(start: T) {
  const [kept, setKept] = useState(start)
  const [draft, setDraft] = useState(start)
  const changed = JSON.stringify(draft) !== JSON.stringify(kept)
  useBlocker({
    shouldBlockFn: () => changed && !window.confirm('Leave without saving?'),
    enableBeforeUnload: () => changed,
  })
  return {
    draft,
    /** As it was last saved. */
    kept,
    changed,
    set: (changes: Partial<T>) => setDraft((now) => ({ ...now, ...changes })),
    keep: () => setKept(draft),
  }
}
