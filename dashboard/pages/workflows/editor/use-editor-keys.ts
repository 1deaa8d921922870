/** The keyboard shortcuts of the editor. While a text is edited, keys do what they always do there. */
import { useEffect, useRef } from 'react'
import type { CopiedSteps } from './graph-edits.ts'
import type { DraftEditor } from './use-draft-graph.ts'

interface EditorKeys {
  draft: DraftEditor
  selected: string[]
  /** A form or tool is open beside the graph. */
  isOpen: boolean
  onRemove(ids: string[]): void
  onCopy(ids: string[]): CopiedSteps
  onPaste(steps: CopiedSteps): void
  onSelectAll(): void
  onClose(): void
}

/** Marks copied steps in the clipboard, which is text, so that steps can be pasted into another workflow. */
const COPIED = 'posthorn.workflow-steps'

const isText = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

const isInDialog = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('[role=dialog], [role=menu]') !== null

export function useEditorKeys(keys: EditorKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { draft, selected, isOpen, onRemove, onSelectAll, onClose } = latest.current
      if (isInDialog(event.target) || event.defaultPrevented) return
      if (event.key === 'Escape' && isOpen) {
        event.preventDefault()
        return onClose()
      }
      if (isText(event.target)) return
      const key = event.key.toLowerCase()
      const withControl = event.ctrlKey || event.metaKey
      const action = withControl
        ? { z: event.shiftKey ? draft.redo : draft.undo, y: draft.redo, a: onSelectAll }[key]
        : (key === 'delete' || key === 'backspace') && selected.length > 0
          ? () => onRemove(selected)
          : undefined
      if (!action) return
      event.preventDefault()
      action()
    }
    const onCopy = (event: ClipboardEvent) => {
      const { selected, onCopy } = latest.current
      if (isText(event.target) || isInDialog(event.target) || selected.length === 0) return
      if (!document.getSelection()?.isCollapsed) return
      event.preventDefault()
      event.clipboardData?.setData('text/plain', JSON.stringify({ [COPIED]: onCopy(selected) }))
    }
    const onPaste = (event: ClipboardEvent) => {
      if (isText(event.target) || isInDialog(event.target)) return
      const steps = readCopied(event.clipboardData?.getData('text/plain') ?? '')
      if (!steps) return
      event.preventDefault()
      latest.current.onPaste(steps)
    }
    document.addEventListener('keydown', onKey)
    document.addEventListener('copy', onCopy)
    document.addEventListener('paste', onPaste)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('copy', onCopy)
      document.removeEventListener('paste', onPaste)
    }
  }, [])
}

function readCopied(text: string): CopiedSteps | undefined {
  if (!text.includes(COPIED)) return undefined
  try {
    return JSON.parse(text)[COPIED] as CopiedSteps
  } catch {
    return undefined
  }
}
