/** The keyboard shortcuts of the visual editor. In text and fields, only undo is handled. */
import { type RefObject, useEffect, useRef } from 'react'
import type { Block } from './document/document.ts'
import type { Direction } from './document/edits.ts'
import { historyKey } from './document/history.ts'

export type FocusDirection = 'previous' | 'next' | 'first' | 'last'

interface EditorKeys {
  /** The editor. Keys elsewhere on the page are not for it. */
  frame: RefObject<HTMLElement | null>
  selected: readonly Block[]
  onUndo(): void
  onRedo(): void
  onMove(direction: Direction): void
  onFocus(to: FocusDirection): void
  /** Extends the selection to another block. */
  onExtend(to: FocusDirection): void
  onEdit(): void
  /** From a text to the toolbar that formats it, and back. */
  onFormat(to: 'toolbar' | 'text'): void
  onDuplicate(): void
  onRemove(): void
  onCopied(isCut: boolean): void
  onPaste(blocks: Block[]): void
  /** From a text or a field back to the block, and from a block to the whole email. */
  onEscape(from: 'field' | 'block'): void
}

/** Marks copied blocks in the clipboard, which is text, so that they can be pasted into another email. */
const COPIED = 'posthorn.email-blocks'

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The code editor of an HTML block has its own history. */
const isCode = (target: EventTarget | null) => target instanceof HTMLElement && target.closest('.cm-editor') !== null

const FOCUS_KEYS = { ArrowUp: 'previous', ArrowDown: 'next', Home: 'first', End: 'last' } as const
const MOVE_KEYS = { ArrowUp: 'up', ArrowDown: 'down', ArrowRight: 'in', ArrowLeft: 'out' } as const

export function useEditorKeys(keys: EditorKeys): void {
  const latest = useRef(keys)
  latest.current = keys
  useEffect(() => {
    const isOurs = (target: EventTarget | null) => latest.current.frame.current?.contains(target as Node) ?? false
    const isBlock = (target: EventTarget | null): target is HTMLElement =>
      target instanceof HTMLElement && target.dataset.block !== undefined && isOurs(target)

    const handleKey = (event: KeyboardEvent) => {
      if (event.isComposing || !isOurs(event.target)) return
      // The editor of a text prevents the browser's undo, but has none of its own.
      if (event.defaultPrevented && !historyKey(event)) return
      if (actionFor(event, isBlock(event.target), latest.current)) event.preventDefault()
    }
    const handleCopy = (event: ClipboardEvent) => {
      const { selected, onCopied } = latest.current
      if (!isBlock(document.activeElement) || selected.length === 0) return
      event.preventDefault()
      event.clipboardData?.setData('text/plain', JSON.stringify({ [COPIED]: selected }))
      onCopied(event.type === 'cut')
    }
    const handlePaste = (event: ClipboardEvent) => {
      const { activeElement } = document
      if (isField(activeElement) || !isOurs(activeElement)) return
      const blocks = readCopied(event.clipboardData?.getData('text/plain') ?? '')
      if (!blocks) return
      event.preventDefault()
      latest.current.onPaste(blocks)
    }
    document.addEventListener('keydown', handleKey)
    document.addEventListener('copy', handleCopy)
    document.addEventListener('cut', handleCopy)
    document.addEventListener('paste', handlePaste)
    return () => {
      document.removeEventListener('keydown', handleKey)
      document.removeEventListener('copy', handleCopy)
      document.removeEventListener('cut', handleCopy)
      document.removeEventListener('paste', handlePaste)
    }
  }, [])
}

/** Returns whether the key was handled. */
function actionFor(event: KeyboardEvent, isBlock: boolean, keys: EditorKeys): boolean {
  const { key, altKey, shiftKey, target } = event
  const withControl = event.ctrlKey || event.metaKey
  if (withControl && !altKey) {
    if (isCode(target)) return false
    const direction = historyKey(event)
    if (direction === 'undo') keys.onUndo()
    else if (direction === 'redo') keys.onRedo()
    else if (isBlock && key.toLowerCase() === 'd') keys.onDuplicate()
    else return false
    return true
  }
  const isToolbar = target instanceof HTMLElement && target.closest('[data-format]') !== null
  if ((key === 'Escape' && isToolbar) || (altKey && key === 'F10' && isField(target))) {
    keys.onFormat(isToolbar ? 'text' : 'toolbar')
    return true
  }
  if (key === 'Escape') {
    if (!isBlock && !isField(target)) return false
    keys.onEscape(isBlock ? 'block' : 'field')
    return true
  }
  if (!isBlock) return false
  if (altKey) {
    const direction = MOVE_KEYS[key as keyof typeof MOVE_KEYS]
    if (direction) keys.onMove(direction)
    return direction !== undefined
  }
  const to = FOCUS_KEYS[key as keyof typeof FOCUS_KEYS]
  if (to && shiftKey) keys.onExtend(to)
  else if (to) keys.onFocus(to)
  else if (key === 'Enter' || key === 'F2') keys.onEdit()
  else if (key === 'Delete' || key === 'Backspace') keys.onRemove()
  else return key === ' ' // which would scroll the page
  return true
}

function readCopied(text: string): Block[] | undefined {
  if (!text.includes(COPIED)) return undefined
  try {
    const blocks = JSON.parse(text)[COPIED] as unknown
    return Array.isArray(blocks) ? (blocks as Block[]) : undefined
  } catch {
    return undefined
  }
}
