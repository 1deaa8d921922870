/**
 * Form values with unsaved changes. Leaving the page asks first (unsaved.tsx), and with a `key` the values survive a
 * reload, an expired session and a crash of the browser tab.
 */
import { useEffect, useState } from 'react'
import { useUnsaved } from './unsaved.tsx'

interface Kept<T> {
  /** The version that was saved when these values were entered: if there is another one, they no longer fit. */
  version?: number | undefined
  draft: T
}

interface Keeping {
  key: string
  /** The saved version; absent if nothing was saved yet. */
  version?: number | undefined
}

const KEY_PREFIX = 'posthorn.draft.'

function readKept<T>({ key, version }: Partial<Keeping>): T | undefined {
  if (key === undefined) return undefined
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY_PREFIX + key) ?? 'null') as Kept<T> | null
    return kept && kept.version === version ? kept.draft : undefined
  } catch {
    return undefined
  }
}

export function useDraft<T extends object>(start: T, keeping: Partial<Keeping> = {}) {
  const { key } = keeping
  const [saved, setSaved] = useState(start)
  const [version, setVersion] = useState(keeping.version)
  const [initial] = useState(() => readKept<T>(keeping) ?? start)
  const [draft, setDraft] = useState(initial)
  const [restored, setRestored] = useState(initial !== start)
  const changed = JSON.stringify(draft) !== JSON.stringify(saved)
  const forget = () => key !== undefined && sessionStorage.removeItem(KEY_PREFIX + key)
  useUnsaved(changed, forget)
  useEffect(() => {
    if (key === undefined) return
    if (changed) sessionStorage.setItem(KEY_PREFIX + key, JSON.stringify({ version, draft } satisfies Kept<T>))
    else sessionStorage.removeItem(KEY_PREFIX + key)
  }, [key, changed, version, draft])
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
    replace: (values: T, newVersion?: number) => {
      forget()
      setVersion(newVersion)
      setSaved(values)
      setDraft(values)
      setRestored(false)
    },
    markSaved: (newVersion?: number) => {
      forget()
      setVersion(newVersion)
      setSaved(draft)
      setRestored(false)
    },
  }
}
