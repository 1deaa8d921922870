/** Form values with unsaved changes: warns before leaving the page would lose them. */
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { sharedTexts } from './parts/texts.ts'

export function useDraft<T extends object>(start: T) {
  const [saved, setSaved] = useState(start)
  const [draft, setDraft] = useState(start)
  const changed = JSON.stringify(draft) !== JSON.stringify(saved)
  useBlocker({
    shouldBlockFn: () => changed && !window.confirm(sharedTexts.confirmUnsaved),
    enableBeforeUnload: () => changed,
  })
  return {
    draft,
    /** The values as last saved. */
    saved,
    changed,
    set: (changes: Partial<T>) => setDraft((now) => ({ ...now, ...changes })),
    markSaved: () => setSaved(draft),
  }
}
