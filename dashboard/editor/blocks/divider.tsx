/** A horizontal line. */
import { Minus } from 'lucide-react'
import { ColorField, NumberField } from '../fields.tsx'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'

const T = texts.blocks.divider
const COLOR = '#d1d5db'
const THICKNESS = 1

const DividerView = ({ block }: BlockProps<'divider'>) => (
  <hr style={{ border: 0, borderTop: `${block.thickness ?? THICKNESS}px solid ${block.color ?? COLOR}` }} />
)

const DividerForm = ({ block, set }: BlockProps<'divider'>) => (
  <>
    <ColorField label={T.color} value={block.color} fallback={COLOR} onChange={(color) => set({ color })} />
    <NumberField
      label={T.thickness}
      value={block.thickness}
      min={1}
      max={20}
      fallback={THICKNESS}
      onChange={(thickness) => set({ thickness })}
    />
  </>
)

export const divider: BlockDefinition<'divider'> = {
  title: T.title,
  icon: Minus,
  create: () => ({}),
  summary: () => '',
  View: DividerView,
  Form: DividerForm,
}
