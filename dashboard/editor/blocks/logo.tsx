/** The logo of the project, or another one. */
import { Stamp } from 'lucide-react'
import { useProject } from '../../data/project.ts'
import { Input } from '../../ui/field.tsx'
import { ImageButton } from '../../ui/file-button.tsx'
import { AlignField, isImageUrl, NumberField, UrlField } from '../fields.tsx'
import { alignment } from '../look.ts'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'

const T = texts.blocks.logo
const WIDTH = 160

function LogoView({ block }: BlockProps<'logo'>) {
  const project = useProject()
  const src = block.src ?? project.logoUrl
  return (
    <div style={alignment(block.align ?? 'center')}>
      {src && isImageUrl(src) && !src.includes('{{') ? (
        <img src={src} alt={block.alt ?? project.name} style={{ width: block.width ?? WIDTH, height: 'auto' }} />
      ) : (
        <span style={{ fontSize: 20, fontWeight: 700 }}>{block.alt ?? project.name}</span>
      )}
    </div>
  )
}

function LogoForm({ block, set }: BlockProps<'logo'>) {
  return (
    <>
      <ImageButton label={T.upload} onUploaded={(src) => set({ src })} />
      <UrlField label={T.src} value={block.src} isOptional onChange={(src) => set({ src })} />
      <Input
        label={T.alt}
        value={block.alt ?? ''}
        maxLength={500}
        onChange={(event) => set({ alt: event.target.value || undefined })}
      />
      <UrlField label={T.url} value={block.url} isOptional onChange={(url) => set({ url })} />
      <NumberField
        label={texts.fields.width}
        value={block.width}
        min={10}
        max={800}
        fallback={WIDTH}
        onChange={(width) => set({ width })}
      />
      <AlignField value={block.align} fallback="center" onChange={(align) => set({ align })} />
    </>
  )
}

export const logo: BlockDefinition<'logo'> = {
  title: T.title,
  icon: Stamp,
  create: () => ({}),
  summary: ({ alt }) => alt ?? '',
  View: LogoView,
  Form: LogoForm,
}
