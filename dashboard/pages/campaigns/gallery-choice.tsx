/** Starts a campaign from a design of the gallery. */
import { LayoutGrid } from 'lucide-react'
import { useState } from 'react'
import type { Schemas } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { Loading } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { GalleryCards, useGallery } from '../templates/gallery/cards.tsx'
import { texts } from './texts.ts'

/** Campaigns are mostly newsletters, so those are shown first. */
const FIRST = 'Newsletters'

interface GalleryChoiceProps {
  onChoose(design: Schemas['GalleryTemplate']): void
}

export function GalleryChoice({ onChoose }: GalleryChoiceProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <LayoutGrid aria-hidden /> {texts.editor.gallery}
      </Button>
      <Dialog
        wide
        disposable
        open={isOpen}
        onClose={() => setOpen(false)}
        title={texts.editor.galleryTitle}
        lead={texts.editor.galleryLead}
      >
        <Designs
          onChoose={(design) => {
            setOpen(false)
            onChoose(design)
          }}
        />
      </Dialog>
    </>
  )
}

function Designs({ onChoose }: GalleryChoiceProps) {
  const { api } = useApi()
  const { data: entries, error } = useGallery()
  const { run, busy, problem } = useAction()
  const [category, setCategory] = useState(FIRST)
  const choose = async (slug: string) => {
    const design = await run(api.templates.galleryTemplate(slug))
    if (design) onChoose(design.data)
  }
  if (error) return <Problem error={error} />
  if (!entries) return <Loading />
  return (
    <>
      {problem && <Problem error={problem} />}
      <GalleryCards
        entries={entries}
        category={category}
        disabled={busy}
        onCategory={setCategory}
        onUse={({ slug }) => void choose(slug)}
      />
    </>
  )
}
