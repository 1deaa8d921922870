/** What every part of the visual editor shares: the document, the selection and the look of the email. */
import type { Editor } from '@tiptap/core'
import { createContext, useContext } from 'react'
import type { Block, EmailDocument } from './document.ts'
import type { Place } from './edits.ts'
import type { Look } from './look.ts'
import type { VariableOption } from './variables.tsx'

export interface DragState {
  title: string
  x: number
  y: number
  /** Where the block would be dropped. */
  place: Place | undefined
}

export type DragSource = { type: Block['type'] } | { id: string }

export interface Editing {
  document: EmailDocument
  selected: string | undefined
  /** By block: what the API refused. */
  problems: ReadonlyMap<string, string>
  look: Look
  isPhone: boolean
  variables: VariableOption[]
  drag: DragState | undefined
  /** The text that has the focus, or had it before the toolbar. */
  activeText: ActiveText | undefined
  /** Changes with the same key are undone together. */
  edit(change: (document: EmailDocument) => EmailDocument, key?: string): void
  update(id: string, changes: object): void
  select(id: string | undefined): void
  startDrag(event: React.PointerEvent, source: DragSource): void
  setActiveText(text: ActiveText | undefined): void
}

export interface ActiveText {
  editor: Editor
  hasLists: boolean
  /** Changes whenever the selection or the text changes, so that the toolbar follows. */
  revision: number
  /** The position of a variable to complete, for example after it was inserted. */
  variableAt: number | undefined
}

export const EditingContext = createContext<Editing | undefined>(undefined)

export function useEditing(): Editing {
  const editing = useContext(EditingContext)
  if (!editing) throw new Error('A part of the visual editor is used outside of it.')
  return editing
}
