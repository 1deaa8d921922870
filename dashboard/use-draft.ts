/**
 * Form values with unsaved changes. Leaving the page asks first (unsaved.tsx), and with a `key` the values survive a
 * reload, an expired session and a crash of the browser tab.
 */
import { useEffect, useState } from 'react'
import { useUnsaved } from './unsaved.tsx'

interface Kept<T> {
  /** What was saved when these values were entered: if it has changed since, they no longer fit. */
  saved: T
  draft: T
}

const KEY_PREFIX = 'posthorn.draft.'

function readKept<T>(key: string | undefined, saved: T): T | undefined {
  if (key === undefined) return undefined
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY_PREFIX + key) ?? 'null') as Kept<T> | null
    return kept && JSON.stringify(kept.saved) === JSON.stringify(saved) ? kept.draft : undefined
  } catch {
    return undefined
  }
}

export function useDraft<T extends object>(start: T, key?: string) {
  const [saved, setSaved] = useState(start)
  const [initial] = useState(() => readKept(key, start) ?? start)
  const [draft, setDraft] = useState(initial)
  const [restored, setRestored] = useState(initial !== start)
  const changed = JSON.stringify(draft) !== JSON.stringify(saved)
  const forget = () => key !== undefined && sessionStorage.removeItem(KEY_PREFIX + key)
  useUnsaved(changed, forget)
  useEffect(() => {
    if (key === undefined) return
    if (changed) sessionStorage.setItem(KEY_PREFIX + key, JSON.stringify({ saved, draft } satisfies Kept<T>))
    else sessionStorage.removeItem(KEY_PREFIX + key)
  }, [key, changed, saved, draft])
  return {
    draft,
    /** The values with which the form was opened: those kept from before, or `start`. */
    initial,
    /** The values as last saved. */
    saved,
    changed,
    /** Unsaved values from before were restored and can still be discarded. */
    restored: restored && changed,
    set: (changes: Partial<T>) => setDraft((now) => ({ ...now, ...changes })),
    discard: () => {
      setDraft(saved)
      setRestored(false)
    },
    /** These values were saved outside of the form, for example by restoring a version. */
    replace: (values: T) => {
      forget()
      setSaved(values)
      setDraft(values)
      setRestored(false)
    },
    markSaved: () => {
      forget()
      setSaved(draft)
      setRestored(false)
    },
  }
}
