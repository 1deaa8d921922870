/** Every block type, for the palette, the canvas and the properties. */
import { type Block, type BlockOf, type BlockType, newId } from '../document/document.ts'
import { texts } from '../texts.ts'
import type { BlockDefinition } from './block.ts'
import { button } from './button.tsx'
import { columns } from './columns.tsx'
import { divider } from './divider.tsx'
import { footer } from './footer.tsx'
import { heading } from './heading.tsx'
import { html } from './html.tsx'
import { image } from './image.tsx'
import { condition } from './logic/condition.tsx'
import { details } from './logic/details.tsx'
import { items } from './logic/items.tsx'
import { loop } from './logic/loop.tsx'
import { logo } from './logo.tsx'
import { social } from './social.tsx'
import { spacer } from './spacer.tsx'
import { text } from './text.tsx'

const BLOCKS: { [T in BlockType]: BlockDefinition<T> } = {
  heading,
  text,
  button,
  image,
  columns,
  divider,
  spacer,
  logo,
  social,
  footer,
  items,
  details,
  condition,
  loop,
  html,
}

export const BLOCK_TYPES = Object.keys(BLOCKS) as BlockType[]

/** The definition of a block's type. The cast is needed because TypeScript can't match it to the block in a union. */
export const definitionOf = <T extends BlockType>({ type }: { type: T }) =>
  BLOCKS[type] as unknown as BlockDefinition<BlockType>

export const newBlock = (type: BlockType): Block =>
  ({ id: newId(), type, ...definitionOf({ type }).create() }) as BlockOf<BlockType> as Block

/** The name of one block, or the number of blocks if there are several. */
export const titleOf = (blocks: readonly Block[]): string =>
  blocks.length === 1 ? definitionOf(blocks[0]!).title : texts.block.several(blocks.length)
