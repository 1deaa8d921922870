/** Paragraphs and lists. */
import { Type } from 'lucide-react'
import { plainText } from '../document/document.ts'
import { useCanvas } from '../document/editing.ts'
import { NumberField } from '../fields.tsx'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'
import { StyledText, StyleFields } from './styled-text.tsx'

const T = texts.blocks.text
const SIZE = 16

function TextView(props: BlockProps<'text'>) {
  const style = { fontSize: props.block.size ?? SIZE, textAlign: 'left' } as const
  return <StyledText {...props} kind="text" texts={T} style={style} />
}

function TextForm({ block, set }: BlockProps<'text'>) {
  const { look } = useCanvas()
  return (
    <>
      <StyleFields block={block} set={set} align="left" color={look.textColor} />
      <NumberField
        label={T.size}
        value={block.size}
        min={10}
        max={32}
        fallback={SIZE}
        onChange={(size) => set({ size })}
      />
    </>
  )
}

export const text: BlockDefinition<'text'> = {
  title: T.title,
  icon: Type,
  create: () => ({ content: [] }),
  summary: ({ content }) => plainText(content),
  View: TextView,
  Form: TextForm,
}
