/**
 * State shared by the parts of the visual editor. The part for the canvas stays the same object while you type, so that
 * only the block that changes is rendered.
 */
import type { Editor } from '@tiptap/core'
import { createContext, type PointerEvent, useContext } from 'react'
import type { Look } from '../look.ts'
import type { TextKind } from '../text/text-schema.ts'
import type { VariableOption } from '../text/variables.tsx'
import type { Block, BlockType, EmailDocument } from './document.ts'
import type { Place } from './edits.ts'

export interface DragState {
  title: string
  x: number
  y: number
  /** Where the block would be dropped. */
  place: Place | undefined
}

export type DragSource = { type: BlockType } | { ids: string[] }

export interface ActiveText {
  editor: Editor
  kind: TextKind
  /** Changes whenever the selection or the text changes, so that the toolbar follows. */
  revision: number
  /** The position of a variable to complete, for example after it was inserted. */
  variableAt: number | undefined
}

export interface CanvasState {
  look: Look
  isPhone: boolean
  variables: VariableOption[]
  /** Changes fields of a block. */
  update(id: string, changes: object): void
  select(id: string | undefined): void
  /** If the block is one of several that are selected, all of them are dragged. */
  startDrag(event: PointerEvent, source: { type: BlockType } | { id: string }): void
  setActiveText(text: ActiveText | undefined): void
}

export interface Editing {
  document: EmailDocument
  /** Adjacent blocks of one list, in order. */
  selected: readonly Block[]
  /** The selected block that has the focus. */
  active: string | undefined
  /** What the API refused, by block. */
  problems: ReadonlyMap<string, string>
  drag: DragState | undefined
  /** The text that has the focus, or had it before the toolbar. */
  activeText: ActiveText | undefined
  /** Changes with the same key are undone together. */
  edit(change: (document: EmailDocument) => EmailDocument, key?: string): void
}

export const CanvasContext = createContext<CanvasState | undefined>(undefined)
export const EditingContext = createContext<Editing | undefined>(undefined)

const OUTSIDE = 'A part of the visual editor is used outside of it.'

export function useCanvas(): CanvasState {
  const canvas = useContext(CanvasContext)
  if (!canvas) throw new Error(OUTSIDE)
  return canvas
}

export function useEditing(): Editing {
  const editing = useContext(EditingContext)
  if (!editing) throw new Error(OUTSIDE)
  return editing
}
