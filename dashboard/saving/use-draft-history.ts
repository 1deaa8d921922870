/** One history of everything in a form, with undo and redo. It is kept while the page is open, even after it was saved. */
import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Form } from '../data/use-draft.ts'
import { type History, historyKey, record, redo, startHistory, undo } from '../editor/document/history.ts'

export interface Steps {
  canUndo: boolean
  canRedo: boolean
  /** Returns whether there was something to undo. */
  undo(): boolean
  redo(): boolean
}

/** `onReplaced` is called when a step was undone or redone. */
export function useDraftHistory<T extends object>(form: Form<T>, onReplaced: () => void) {
  const [history, setHistory] = useState(() => startHistory(form.draft))
  const current = useRef(history)
  const store = (next: History<T>) => {
    current.current = next
    setHistory(next)
  }
  const step = (change: (history: History<T>) => History<T>) => {
    const next = change(current.current)
    if (next === current.current) return false
    store(next)
    form.change(next.present)
    return true
  }
  const replace = (change: (history: History<T>) => History<T>) => {
    const isDone = step(change)
    if (isDone) onReplaced()
    return isDone
  }
  // What is changed in another way, such as merging the changes of someone else, is a step too.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only for a draft from outside
  useEffect(() => {
    if (form.draft !== current.current.present) store(record(current.current, form.draft, undefined, Date.now()))
  }, [form.draft])
  /** Changes with the same key are undone together. Returning the same draft changes nothing. */
  const edit = (change: (draft: T) => Partial<T>, key?: string) => {
    step((before) => {
      const changes = change(before.present)
      const next = changes === before.present ? before.present : { ...before.present, ...changes }
      return record(before, next, key, Date.now())
    })
  }
  return {
    edit,
    /** The letters typed into one field are undone together. */
    set: (changes: Partial<T>) => {
      const names = Object.keys(changes)
      edit(() => changes, names.length === 1 ? names[0] : undefined)
    },
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => replace(undo),
    redo: () => replace(redo),
  }
}

/** Parts of a page that handle the keys themselves. */
const OWN_KEYS = '[data-own-history], [role=dialog], .cm-editor'

/** The keys of undo and redo in the fields of a form. */
export function useHistoryKeys(frame: RefObject<HTMLElement | null>, steps: Steps): void {
  const latest = useRef(steps)
  latest.current = steps
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const { target } = event
      if (event.isComposing || !(target instanceof HTMLElement) || target.closest(OWN_KEYS)) return
      // Without the focus in a field, the keys are for the page as a whole.
      if (target !== document.body && !frame.current?.contains(target)) return
      const direction = historyKey(event)
      if (!direction) return
      event.preventDefault()
      latest.current[direction]()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [frame])
}
