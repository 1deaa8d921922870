/** Blocks that are repeated for each item of a list in the data. */
import { Repeat } from 'lucide-react'
import { CheckedInput, ListFields } from '../../fields.tsx'
import { texts } from '../../texts.ts'
import type { BlockDefinition, BlockProps, ViewProps } from '../block.ts'
import { LogicFrame } from './logic-frame.tsx'

const T = texts.blocks.loop
const SIMPLE_NAME = /^[a-z_]\w*$/i

const LoopView = ({ block, renderList }: ViewProps<'loop'>) => (
  <LogicFrame icon={Repeat} label={T.describe(block.item, block.list)}>
    {renderList(`${block.id}.blocks`, block.blocks, T.content)}
  </LogicFrame>
)

function LoopForm({ block, set }: BlockProps<'loop'>) {
  return (
    <ListFields block={block} set={set}>
      <CheckedInput
        label={T.item}
        hint={T.itemHint(block.item)}
        value={block.item}
        maxLength={100}
        className="font-mono"
        spellCheck={false}
        check={(text) => (SIMPLE_NAME.test(text) ? undefined : T.itemError)}
        onChange={(item) => set({ item })}
      />
    </ListFields>
  )
}

export const loop: BlockDefinition<'loop'> = {
  title: T.title,
  icon: Repeat,
  create: () => ({ list: 'items', item: 'item', blocks: [] }),
  summary: ({ item, list }) => T.describe(item, list),
  View: LoopView,
  Form: LoopForm,
}
