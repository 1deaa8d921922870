/** An image, uploaded or from a URL. */
import { Image as ImageIcon } from 'lucide-react'
import { ImageLibraryButton } from '../../mail/library/image-library.tsx'
import { Checkbox, Input } from '../../ui/field.tsx'
import { ImageButton } from '../../ui/file-button.tsx'
import { AlignField, isImageUrl, NO_URL, NumberField, UrlField } from '../fields.tsx'
import { alignment } from '../look.ts'
import { texts } from '../texts.ts'
import type { BlockDefinition, BlockProps } from './block.ts'

const T = texts.blocks.image

function ImageView({ block, set }: BlockProps<'image'>) {
  if (!isImageUrl(block.src)) {
    return (
      <div className="flex flex-col items-center gap-3 rounded-part border border-dashed border-line-strong bg-panel px-4 py-7 font-sans text-sm text-soft">
        <ImageIcon className="size-6" aria-hidden />
        <ImageButton label={T.upload} onUploaded={(src) => set({ src })} />
      </div>
    )
  }
  return (
    <div style={alignment(block.align ?? 'center')}>
      {block.src.includes('{{') ? (
        <div className="w-full rounded-part bg-panel px-4 py-7 text-center font-mono text-sm text-soft">
          {block.src}
        </div>
      ) : (
        <img src={block.src} alt={block.alt} style={{ width: block.width, maxWidth: '100%', height: 'auto' }} />
      )}
    </div>
  )
}

function ImageForm({ block, set }: BlockProps<'image'>) {
  /** The alternative text that is stored with the image describes it better than that of the image before. */
  const insert = ({ url, alt }: { url: string; alt: string | null }) =>
    set({ src: url, ...(alt && !block.decorative && { alt }) })
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <ImageButton label={isImageUrl(block.src) ? T.replace : T.upload} onUploaded={(src) => set({ src })} />
        <ImageLibraryButton onChoose={insert} />
      </div>
      <UrlField label={T.src} value={block.src} onChange={(src) => set({ src: src ?? NO_URL })} />
      <Input
        label={T.alt}
        hint={T.altHint}
        value={block.alt}
        maxLength={500}
        disabled={block.decorative}
        onChange={(event) => set({ alt: event.target.value })}
      />
      <Checkbox
        label={T.decorative}
        checked={block.decorative ?? false}
        onChange={({ target: { checked } }) => set(checked ? { decorative: true, alt: '' } : { decorative: undefined })}
      />
      <UrlField label={T.url} value={block.url} isOptional onChange={(url) => set({ url })} />
      <NumberField
        label={texts.fields.width}
        value={block.width}
        min={10}
        max={800}
        onChange={(width) => set({ width })}
      />
      <AlignField value={block.align} fallback="center" onChange={(align) => set({ align })} />
    </>
  )
}

export const image: BlockDefinition<'image'> = {
  title: T.title,
  icon: ImageIcon,
  create: () => ({ src: NO_URL, alt: '' }),
  summary: ({ alt }) => alt,
  View: ImageView,
  Form: ImageForm,
}
