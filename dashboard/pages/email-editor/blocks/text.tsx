/** Paragraphs and lists. */
import { Type } from 'lucide-react'
import { plainText } from '../document.ts'
import { useCanvas } from '../editing.ts'
import { AlignField, ColorField, NumberField } from '../fields.tsx'
import { TextEditor } from '../text-editor.tsx'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'

const T = texts.blocks.text
const SIZE = 16

function TextView({ block, isSelected, set }: BlockProps<'text'>) {
  return (
    <div style={{ fontSize: block.size ?? SIZE, textAlign: block.align ?? 'left', color: block.color }}>
      <TextEditor
        label={T.title}
        placeholder={T.placeholder}
        kind="text"
        content={block.content}
        isSelected={isSelected}
        onChange={(content) => set({ content })}
      />
    </div>
  )
}

function TextForm({ block, set }: BlockProps<'text'>) {
  const { look } = useCanvas()
  return (
    <>
      <AlignField value={block.align} fallback="left" onChange={(align) => set({ align })} />
      <NumberField
        label={T.size}
        value={block.size}
        min={10}
        max={32}
        fallback={SIZE}
        onChange={(size) => set({ size })}
      />
      <ColorField
        label={texts.fields.textColor}
        value={block.color}
        fallback={look.textColor}
        onChange={(color) => set({ color })}
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
