/** The end of an email: a text, the postal address and the unsubscribe link. */
import { PanelBottom } from 'lucide-react'
import { useProject } from '../../data/project.ts'
import { Checkbox } from '../../ui/field.tsx'
import { plainText } from '../document/document.ts'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'
import { StyledText, StyleFields } from './styled-text.tsx'

const T = texts.blocks.footer
const COLOR = '#6b7280'

function FooterView(props: BlockProps<'footer'>) {
  const { block } = props
  const { postalAddress } = useProject()
  const style = {
    fontSize: 13,
    textAlign: 'center',
    color: COLOR,
    ['--email-link' as string]: block.color ?? COLOR,
  } as const
  return (
    <StyledText {...props} kind="paragraphs" texts={T} style={style}>
      {(block.address ?? true) && (
        <p className="whitespace-pre-line" style={{ marginTop: 8 }}>
          {postalAddress ?? T.noAddress}
        </p>
      )}
      {(block.unsubscribe ?? true) && (
        <p style={{ marginTop: 8 }}>
          <u>{T.unsubscribe}</u> &nbsp;·&nbsp; <u>{T.preferences}</u>
        </p>
      )}
    </StyledText>
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
      <StyleFields block={block} set={set} align="center" color={COLOR} />
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
