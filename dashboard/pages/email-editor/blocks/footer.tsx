/** The end of an email: a text, the postal address and the unsubscribe link. */
import { PanelBottom } from 'lucide-react'
import { Checkbox } from '../../../parts/field.tsx'
import { useProject } from '../../../project.ts'
import { plainText } from '../document.ts'
import { AlignField, ColorField } from '../fields.tsx'
import { TextEditor } from '../text-editor.tsx'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'

const T = texts.blocks.footer
const COLOR = '#6b7280'

function FooterView({ block, isSelected, set }: BlockProps<'footer'>) {
  const { postalAddress } = useProject()
  const color = block.color ?? COLOR
  return (
    <div style={{ fontSize: 13, textAlign: block.align ?? 'center', color }}>
      <TextEditor
        label={T.title}
        placeholder={T.placeholder}
        kind="paragraphs"
        content={block.content ?? []}
        isSelected={isSelected}
        onChange={(content) => set({ content })}
      />
      {(block.address ?? true) && <p className="whitespace-pre-line">{postalAddress ?? T.noAddress}</p>}
      {(block.unsubscribe ?? true) && <p style={{ textDecoration: 'underline' }}>{T.unsubscribe}</p>}
    </div>
  )
}

function FooterForm({ block, set }: BlockProps<'footer'>) {
  return (
    <>
      <Checkbox
        label={T.showAddress}
        checked={block.address ?? true}
        onChange={(event) => set({ address: event.target.checked ? undefined : false })}
      />
      <Checkbox
        label={T.showUnsubscribe}
        checked={block.unsubscribe ?? true}
        onChange={(event) => set({ unsubscribe: event.target.checked ? undefined : false })}
      />
      <AlignField value={block.align} fallback="center" onChange={(align) => set({ align })} />
      <ColorField
        label={texts.fields.textColor}
        value={block.color}
        fallback={COLOR}
        onChange={(color) => set({ color })}
      />
    </>
  )
}

export const footer: BlockDefinition<'footer'> = {
  title: T.title,
  icon: PanelBottom,
  create: () => ({}),
  summary: ({ content }) => plainText(content ?? []),
  View: FooterView,
  Form: FooterForm,
}
