/** A heading of one line. */
import { Heading as HeadingIcon } from 'lucide-react'
import { Select } from '../../../parts/field.tsx'
import { plainText } from '../document.ts'
import { useCanvas } from '../editing.ts'
import { AlignField, ColorField } from '../fields.tsx'
import { TextEditor } from '../text-editor.tsx'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'

const T = texts.blocks.heading
const SIZES = { 1: 28, 2: 22, 3: 18 }

function HeadingView({ block, isSelected, set }: BlockProps<'heading'>) {
  return (
    <div
      style={{
        fontSize: SIZES[block.level],
        lineHeight: 1.25,
        fontWeight: 700,
        textAlign: block.align ?? 'left',
        color: block.color,
      }}
    >
      <TextEditor
        label={T.title}
        placeholder={T.placeholder}
        kind="line"
        content={block.content}
        isSelected={isSelected}
        onChange={(content) => set({ content })}
      />
    </div>
  )
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
      <AlignField value={block.align} fallback="left" onChange={(align) => set({ align })} />
      <ColorField
        label={texts.fields.textColor}
        value={block.color}
        fallback={look.textColor}
        onChange={(color) => set({ color })}
      />
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
