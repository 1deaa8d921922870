/** Ready-made templates to start from, with live previews. */
import { useQueryClient } from '@tanstack/react-query'
import { FilePlus2 } from 'lucide-react'
import { type Address, projectPage } from '../../../addresses.ts'
import { useApi, useProject, useSearchState } from '../../../data/project.ts'
import { useAction } from '../../../data/use-action.ts'
import { useNavigate } from '../../../links.tsx'
import { Problem } from '../../../lists/problem.tsx'
import { Resource } from '../../../lists/resource.tsx'
import { Page } from '../../../shell/page.tsx'
import { LinkButton } from '../../../ui/button.tsx'
import { createFromGallery } from '../draft.ts'
import { texts } from '../texts.ts'
import { useDefaultSender } from '../use-default-sender.ts'
import { GalleryCards, type GalleryEntry, useGallery } from './cards.tsx'

const T = texts.gallery

export function GalleryPage() {
  const { projectId } = useApi()
  const query = useGallery()
  const back = { to: projectPage(projectId, 'templates'), label: texts.title }
  return (
    <Resource query={query} title={T.title} back={back}>
      {(entries) => <Gallery entries={entries} back={back} />}
    </Resource>
  )
}

function Gallery({ entries, back }: { entries: GalleryEntry[]; back: { to: Address; label: string } }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const sender = useDefaultSender()
  const { name: fromName } = useProject()
  const { run, busy, problem } = useAction()
  const [{ category: chosen = '' }, change] = useSearchState<'category'>()
  /** Includes opening the template, so that a second click doesn't create another one. */
  const createFrom = async ({ slug }: GalleryEntry, from: string) => {
    const created = await createFromGallery(api, slug, { from, fromName })
    if (created.error) return created
    void queries.invalidateQueries({ queryKey: [projectId, 'templates'] })
    await navigate(projectPage(projectId, 'templates/$id', { id: created.data.id }))
    return created
  }
  /** A template can't be saved without a sender, so it is then opened unsaved. */
  const openEntry = (entry: GalleryEntry) => {
    if (sender) return void run(createFrom(entry, sender))
    void navigate(projectPage(projectId, 'templates/new', { gallery: entry.slug }))
  }
  const blank = (
    <LinkButton to={projectPage(projectId, 'templates/new')}>
      <FilePlus2 aria-hidden /> {T.blank}
    </LinkButton>
  )
  return (
    <Page wide title={T.title} lead={T.lead} back={back} actions={blank}>
      {sender === '' && <p className="mb-6 text-sm text-soft">{T.noSender}</p>}
      {problem && (
        <div className="mb-6">
          <Problem error={problem} />
        </div>
      )}
      <GalleryCards
        entries={entries}
        category={chosen}
        disabled={busy || sender === undefined}
        onCategory={(name) => change({ category: name || undefined }, { replace: true })}
        onUse={openEntry}
      />
    </Page>
  )
}
