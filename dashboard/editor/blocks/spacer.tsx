/** Empty space. */
import { MoveVertical } from 'lucide-react'
import { NumberField } from '../fields.tsx'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'

const T = texts.blocks.spacer
const HEIGHT = 24

export const spacer: BlockDefinition<'spacer'> = {
  title: T.title,
  icon: MoveVertical,
  create: () => ({ height: HEIGHT }),
  summary: ({ height }) => T.summary(height),
  View: ({ block, isSelected }: BlockProps<'spacer'>) => (
    <div style={{ height: block.height }} className={isSelected ? 'bg-accent-wash' : ''} />
  ),
  Form: ({ block, set }: BlockProps<'spacer'>) => (
    <NumberField
      label={T.height}
      value={block.height}
      min={4}
      max={200}
      fallback={HEIGHT}
      onChange={(height) => set({ height: height ?? HEIGHT })}
    />
  ),
}
