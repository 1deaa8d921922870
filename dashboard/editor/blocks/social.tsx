/** Links to profiles in social networks: those of the project, or those of this block. */
import { Plus, Share2, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/field.tsx'
import { useCanvas } from '../document/editing.ts'
import { AlignField, NO_URL, UrlField } from '../fields.tsx'
import { alignment } from '../look.ts'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'

const T = texts.blocks.social
const LINKS_MAX = 12

const networkName = (network: string) => T.networks[network as keyof typeof T.networks] ?? network

function SocialView({ block }: BlockProps<'social'>) {
  const { look } = useCanvas()
  return (
    <div style={{ ...alignment(block.align ?? 'center'), flexWrap: 'wrap', gap: '4px 16px', fontSize: 14 }}>
      {block.links === undefined && <span style={{ opacity: 0.8 }}>{T.fromBrand}</span>}
      {block.links?.map(({ network }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: links have no other identity
        <span key={i} style={{ color: look.linkColor, textDecoration: 'underline' }}>
          {networkName(network)}
        </span>
      ))}
      {block.links?.length === 0 && <span style={{ opacity: 0.8 }}>{T.empty}</span>}
    </div>
  )
}

function SocialForm({ block, set }: BlockProps<'social'>) {
  const links = block.links ?? []
  const setLink = (at: number, changes: object) =>
    set({ links: links.map((link, i) => (i === at ? { ...link, ...changes } : link)) })
  return (
    <>
      <Checkbox
        label={T.useBrand}
        checked={block.links === undefined}
        onChange={(event) => set({ links: event.target.checked ? undefined : [{ network: 'website', url: NO_URL }] })}
      />
      {links.map((link, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: links have no other identity
        <div key={i} className="space-y-2 rounded-part border border-line p-3">
          <div className="flex items-end gap-1">
            <div className="flex-1">
              <Select
                label={T.network}
                value={link.network}
                options={T.networks}
                onChange={(event) => setLink(i, { network: event.target.value })}
              />
            </div>
            <IconButton
              label={T.remove(networkName(link.network))}
              onClick={() => set({ links: links.filter((_, n) => n !== i) })}
            >
              <Trash2 />
            </IconButton>
          </div>
          <UrlField label={T.url} value={link.url} onChange={(url) => setLink(i, { url: url ?? NO_URL })} />
        </div>
      ))}
      {block.links && links.length < LINKS_MAX && (
        <Button onClick={() => set({ links: [...links, { network: 'website', url: NO_URL }] })}>
          <Plus aria-hidden /> {T.add}
        </Button>
      )}
      <AlignField value={block.align} fallback="center" onChange={(align) => set({ align })} />
    </>
  )
}

export const social: BlockDefinition<'social'> = {
  title: T.title,
  icon: Share2,
  create: () => ({}),
  summary: ({ links }) => links?.map(({ network }) => networkName(network)).join(', ') ?? T.fromBrand,
  View: SocialView,
  Form: SocialForm,
}
