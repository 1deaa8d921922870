/** A heading of one line. */
import { Heading as HeadingIcon } from 'lucide-react'
import { Select } from '../../ui/field.tsx'
import { plainText } from '../document/document.ts'
import { useCanvas } from '../document/editing.ts'
import { NumberField } from '../fields.tsx'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'
import { StyledText, StyleFields } from './styled-text.tsx'

const T = texts.blocks.heading
const SIZES = { 1: 28, 2: 22, 3: 18 }

function HeadingView(props: BlockProps<'heading'>) {
  const style = {
    fontSize: props.block.size ?? SIZES[props.block.level],
    lineHeight: 1.25,
    fontWeight: 700,
    textAlign: 'left',
  } as const
  return <StyledText {...props} kind="line" texts={T} style={style} />
}

function HeadingForm({ block, set }: BlockProps<'heading'>) {
  const { look } = useCanvas()
  return (
    <>
      <Select
        label={T.level}
        value={block.level}
        options={T.levels}
        onChange={(event) => set({ level: Number(event.target.value) as 1 | 2 | 3 })}
      />
      <NumberField
        label={T.size}
        value={block.size}
        min={12}
        max={60}
        fallback={SIZES[block.level]}
        onChange={(size) => set({ size })}
      />
      <StyleFields block={block} set={set} align="left" color={look.textColor} />
    </>
  )
}

export const heading: BlockDefinition<'heading'> = {
  title: T.title,
  icon: HeadingIcon,
  create: () => ({ level: 1, content: [] }),
  summary: ({ content }) => plainText(content),
  View: HeadingView,
  Form: HeadingForm,
}
