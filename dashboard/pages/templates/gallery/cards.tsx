/** The cards of the gallery by category, with live previews. */
import { useIsFetching, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type Schemas, unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { MailPreview } from '../../../mail/mail-preview.tsx'
import { MailPicture } from '../../../mail/thumbnail/thumbnail.tsx'
import { DarkSwitch, WidthSwitch } from '../../../mail/width-switch.tsx'
import { sharedTexts } from '../../../shell/texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { texts } from '../texts.ts'
import { galleryTexts } from './entry-texts.ts'

export type GalleryEntry = Schemas['GalleryEntry']

const T = texts.gallery

/** The value of the filter that shows all categories. */
const ALL = ''
const LABELS: Record<string, string> = { [ALL]: T.all, ...T.categories }

const inWords = (entries: GalleryEntry[]) => entries.map((entry) => ({ ...entry, ...galleryTexts[entry.slug] }))

export function useGallery() {
  const { projectId, api } = useApi()
  return useQuery({
    queryKey: [projectId, 'gallery'],
    queryFn: () => unwrap(api.templates.gallery()),
    select: inWords,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

interface GalleryCardsProps {
  entries: GalleryEntry[]
  /** Empty, or one that doesn't exist, shows all. */
  category: string
  disabled: boolean
  onCategory(category: string): void
  onUse(entry: GalleryEntry): void
}

export function GalleryCards({ entries, category: chosen, disabled, onCategory, onUse }: GalleryCardsProps) {
  const { projectId } = useApi()
  const category = entries.some((entry) => entry.category === chosen) ? chosen : ALL
  const categories = [...new Set(entries.map((entry) => entry.category))]
  const isLoading = useIsFetching({ queryKey: [projectId, 'gallery'] }) > 0
  return (
    <>
      <fieldset aria-label={T.category} className="mb-6 flex flex-wrap gap-2">
        {[ALL, ...categories].map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === category}
            onClick={() => onCategory(name)}
            className="h-8 rounded-full border border-line-strong bg-card px-3 text-sm text-soft transition-colors hover:text-ink aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:font-medium aria-pressed:text-ink"
          >
            {LABELS[name]}
          </button>
        ))}
      </fieldset>
      {isLoading && (
        <p role="status" className="sr-only">
          {sharedTexts.loading}
        </p>
      )}
      <div className="space-y-9">
        {categories
          .filter((name) => category === ALL || name === category)
          .map((name) => (
            <section key={name} aria-labelledby={`gallery-${name}`}>
              <h2 id={`gallery-${name}`} className="mb-3.5 font-semibold tracking-tight">
                {LABELS[name]}
              </h2>
              <ul className="grid grid-cols-2 gap-3 sm:gap-6 lg:grid-cols-3 2xl:grid-cols-4">
                {entries
                  .filter((entry) => entry.category === name)
                  .map((entry) => (
                    <GalleryCard key={entry.slug} entry={entry} disabled={disabled} onUse={() => onUse(entry)} />
                  ))}
              </ul>
            </section>
          ))}
      </div>
    </>
  )
}

interface GalleryCardProps {
  entry: GalleryEntry
  disabled: boolean
  onUse(): void
}

/** The preview is loaded before the card comes into view. */
function GalleryCard({ entry, disabled, onUse }: GalleryCardProps) {
  const { projectId, api } = useApi()
  const card = useRef<HTMLLIElement>(null)
  const [isNear, setNear] = useState(false)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const observer = new IntersectionObserver((seen) => seen.some((one) => one.isIntersecting) && setNear(true), {
      rootMargin: '1500px',
    })
    if (card.current) observer.observe(card.current)
    return () => observer.disconnect()
  }, [])
  const { data } = useQuery({
    queryKey: [projectId, 'gallery', entry.slug],
    queryFn: () => unwrap(api.templates.galleryTemplate(entry.slug)),
    enabled: isNear,
  })
  return (
    <li ref={card} className="flex flex-col overflow-hidden rounded-card border border-line bg-card shadow-lift">
      <button
        type="button"
        disabled={!data}
        aria-label={T.previewNamed(entry.name)}
        onClick={() => setOpen(true)}
        className={`h-72 cursor-zoom-in overflow-hidden border-b border-line transition-opacity hover:opacity-85 max-sm:h-40 ${data ? 'bg-white' : 'animate-pulse bg-panel motion-reduce:animate-none'}`}
      >
        {data && <MailPicture html={data.html} />}
      </button>
      <div className="flex flex-1 flex-col gap-1 p-4 max-sm:p-3">
        <h3 className="font-medium max-sm:text-sm">{entry.name}</h3>
        <p className="flex-1 text-sm text-soft max-sm:text-[0.8125rem]">{entry.description}</p>
        <div className="pt-2">
          <Button disabled={disabled} onClick={onUse} aria-label={T.useNamed(entry.name)}>
            {T.use}
          </Button>
        </div>
      </div>
      {data && (
        <Dialog wide open={isOpen} onClose={() => setOpen(false)} title={entry.name} lead={entry.description}>
          <LargePreview html={data.html} name={entry.name} disabled={disabled} onUse={onUse} />
        </Dialog>
      )}
    </li>
  )
}

interface LargePreviewProps {
  html: string
  name: string
  disabled: boolean
  onUse(): void
}

/** The whole email, as on desktop or on a phone, in light or dark mode. */
function LargePreview({ html, name, disabled, onUse }: LargePreviewProps) {
  const [phone, setPhone] = useState(false)
  const [dark, setDark] = useState(false)
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex gap-1">
          <WidthSwitch phone={phone} onChange={setPhone} />
          <DarkSwitch dark={dark} onChange={setDark} />
        </div>
        <Button kind="primary" disabled={disabled} onClick={onUse}>
          {T.use}
        </Button>
      </div>
      <div className="flex h-[60vh] overflow-hidden rounded-part border border-line">
        <MailPreview trusted fill html={html} title={texts.thumbnail(name)} phone={phone} dark={dark} />
      </div>
    </div>
  )
}
