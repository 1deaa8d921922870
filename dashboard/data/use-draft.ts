/**
 * Form values with unsaved changes. Leaving the page asks first (unsaved.tsx), and with a `key` the values survive a
 * reload, an expired session and a crash of the browser tab. They are kept together with the version they were entered
 * into, so that saving them later notices what others have saved meanwhile.
 */
import { useEffect, useMemo, useRef, useState } from 'react'
import { useUnsaved } from './unsaved.tsx'

/** What was read or saved last. */
export interface Base<T> {
  /** The values as the form had them. */
  saved: T
  /** The same values as the API returns them, which may have changed their form, such as the order of fields. */
  stored: T
  /** Its `updatedAt`; absent if nothing was saved yet. */
  readAt: string | undefined
}

interface Kept<T> extends Base<T> {
  draft: T
}

interface Keeping {
  key: string
  /** The `updatedAt` of what the form starts with; absent if nothing was saved yet. */
  readAt?: string | undefined
  /** Shows what is read again later, for example because someone else saved it, as long as nothing was entered. */
  follow?: boolean
}

export type Form<T extends object> = ReturnType<typeof useDraft<T>>

const KEY_PREFIX = 'posthorn.draft.'

function readKept<T>({ key, readAt }: Partial<Keeping>): Kept<T> | undefined {
  if (key === undefined) return undefined
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY_PREFIX + key) ?? 'null') as Kept<T> | null
    return kept && (kept.readAt === undefined) === (readAt === undefined) ? kept : undefined
  } catch {
    return undefined
  }
}

/** Without storage, or if it is full, the values are only in the form. */
function keep<T>(key: string, kept: Kept<T>): void {
  try {
    sessionStorage.setItem(KEY_PREFIX + key, JSON.stringify(kept))
  } catch {
    sessionStorage.removeItem(KEY_PREFIX + key)
  }
}

/** What a crash of the tab can lose. Storing a long email takes longer than a letter may take that is typed into it. */
const KEEP_EVERY_MS = 400

/** Keeps the latest values after a while, and at once if the page is left. */
function createKeeper<T>(key: string) {
  let waiting: Kept<T> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting) keep(key, waiting)
    waiting = undefined
  }
  return {
    keep(kept: Kept<T>) {
      waiting = kept
      timer ??= setTimeout(flush, KEEP_EVERY_MS)
    },
    forget() {
      waiting = undefined
      sessionStorage.removeItem(KEY_PREFIX + key)
    },
    flush,
  }
}

export function useDraft<T extends object>(start: T, keeping: Partial<Keeping> = {}) {
  const { key, readAt, follow } = keeping
  const [kept] = useState(() => readKept<T>(keeping))
  const [base, setBase] = useState<Base<T>>(() => {
    if (!kept) return { saved: start, stored: start, readAt }
    return kept.readAt === readAt ? { saved: start, stored: start, readAt } : kept
  })
  const { saved } = base
  const [initial] = useState(() => kept?.draft ?? start)
  const [draft, setDraft] = useState(initial)
  const [restored, setRestored] = useState(kept !== undefined)
  const changed = JSON.stringify(draft) !== JSON.stringify(saved)
  const keeper = useMemo(() => (key === undefined ? undefined : createKeeper<T>(key)), [key])
  const forget = () => keeper?.forget()
  const replace = (values: T, at?: string) => {
    forget()
    setBase({ saved: values, stored: values, readAt: at })
    setDraft(values)
    setRestored(false)
  }
  useUnsaved(changed, forget)
  useEffect(() => {
    if (changed) keeper?.keep({ ...base, draft })
    else keeper?.forget()
  }, [keeper, changed, base, draft])
  useEffect(() => {
    if (!keeper) return
    addEventListener('pagehide', keeper.flush)
    return () => {
      removeEventListener('pagehide', keeper.flush)
      keeper.flush()
    }
  }, [keeper])
  const latest = useRef({ start, changed, base, replace })
  latest.current = { start, changed, base, replace }
  useEffect(() => {
    const { start, changed, base, replace } = latest.current
    if (follow && readAt !== undefined && !changed && Date.parse(readAt) > Date.parse(base.readAt ?? ''))
      replace(start, readAt)
  }, [follow, readAt])
  return {
    draft,
    base,
    /** The values with which the form was opened: those kept from before, or `start`. */
    initial,
    /** The values as last saved. */
    saved,
    changed,
    /** Unsaved values from before were restored and can still be discarded. */
    restored: restored && changed,
    set: (changes: Partial<T>) => setDraft((now) => ({ ...now, ...changes })),
    change: setDraft,
    discard: () => {
      const isOlder = kept !== undefined && base.readAt === kept.readAt
      if (isOlder) replace(start, readAt)
      else {
        setDraft(saved)
        setRestored(false)
      }
    },
    /** These values were saved outside of the form, for example by restoring a version. */
    replace,
    /** These values were saved, and the API returned them as `stored`. */
    markSaved: (values = draft, stored = values, at?: string) => {
      forget()
      setBase({ saved: values, stored, readAt: at })
      setRestored(false)
    },
  }
}
