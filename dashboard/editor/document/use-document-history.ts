/** The document of an email with undo and redo. It is kept while the page is open, even if another editor is shown. */
import { useEffect, useRef, useState } from 'react'
import type { EmailDocument } from './document.ts'
import { type History, record, redo, startHistory, undo } from './history.ts'

export type DocumentHistory = NonNullable<ReturnType<typeof useDocumentHistory>>

/**
 * `document` is the value of the page. If something else changes it, such as applying a template, that is a step too.
 */
export function useDocumentHistory(document: EmailDocument | null, onChange: (document: EmailDocument) => void) {
  const [history, setHistory] = useState<History<EmailDocument> | undefined>(
    () => (document && startHistory(document)) || undefined,
  )
  const current = useRef(history)
  const notify = useRef(onChange)
  notify.current = onChange
  const apply = (next: History<EmailDocument>, isOurs = true) => {
    if (next === current.current) return false
    current.current = next
    setHistory(next)
    if (isOurs) notify.current(next.present)
    return true
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a document from outside
  useEffect(() => {
    if (!document || document === current.current?.present) return
    apply(current.current ? record(current.current, document, undefined, Date.now()) : startHistory(document), false)
  }, [document])
  if (!history) return undefined
  return {
    document: history.present,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    edit: (change: (document: EmailDocument) => EmailDocument, key?: string) => {
      const before = current.current!
      apply(record(before, change(before.present), key, Date.now()))
    },
    undo: () => apply(undo(current.current!)),
    redo: () => apply(redo(current.current!)),
  }
}
