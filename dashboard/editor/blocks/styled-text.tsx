/** Shared by headings, texts and footers: text that is edited in place, with an alignment and a color. */
import type { CSSProperties, ReactNode } from 'react'
import type { Align, TextNode } from '../document/document.ts'
import { AlignField, ColorField } from '../fields.tsx'
import { TextEditor } from '../text/text-editor.tsx'
import type { TextKind } from '../text/text-schema.ts'
import { texts } from '../texts.ts'

interface StyledBlock {
  content?: TextNode[]
  align?: Align
  color?: string
}

interface StyledTextProps {
  block: StyledBlock
  isSelected: boolean
  set(changes: StyledBlock): void
  kind: TextKind
  texts: { title: string; placeholder: string }
  /** The style of a block without its own alignment and color. */
  style: CSSProperties
  children?: ReactNode
}

export const StyledText = ({ block, isSelected, set, kind, texts: T, style, children }: StyledTextProps) => (
  <div style={{ ...style, textAlign: block.align ?? style.textAlign, color: block.color ?? style.color }}>
    <TextEditor
      label={T.title}
      placeholder={T.placeholder}
      kind={kind}
      content={block.content ?? []}
      isSelected={isSelected}
      onChange={(content) => set({ content })}
    />
    {children}
  </div>
)

interface StyleFieldsProps {
  block: StyledBlock
  set(changes: StyledBlock): void
  align: Align
  color: string
}

/** `align` and `color` are the defaults. */
export const StyleFields = ({ block, set, align, color }: StyleFieldsProps) => (
  <>
    <AlignField value={block.align} fallback={align} onChange={(value) => set({ align: value })} />
    <ColorField
      label={texts.fields.textColor}
      value={block.color}
      fallback={color}
      onChange={(value) => set({ color: value })}
    />
  </>
)
