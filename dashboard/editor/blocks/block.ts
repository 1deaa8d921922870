/** The definition of a block type in the editor. Each type is one file in this folder; `registry.ts` lists them. */
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Block, BlockOf, BlockType } from '../document/document.ts'

export interface BlockProps<T extends BlockType> {
  block: BlockOf<T>
  isSelected: boolean
  /** A field that is undefined is removed. */
  set(changes: Partial<BlockOf<T>>): void
}

export interface ViewProps<T extends BlockType> extends BlockProps<T> {
  /** The list of blocks inside this one that has this name in `edits.ts`. */
  renderList(list: string, blocks: readonly Block[], label: string): ReactNode
}

export interface BlockDefinition<T extends BlockType> {
  title: string
  icon: LucideIcon
  /** A new block, without its ID. */
  create(): Omit<BlockOf<T>, 'id' | 'type'>
  /** The content in a few words, for screen readers. */
  summary(block: BlockOf<T>): string
  /** The block on the canvas. */
  View(props: ViewProps<T>): ReactNode
  /** The properties of the block. */
  Form(props: BlockProps<T>): ReactNode
}
