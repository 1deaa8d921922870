/** One layout: its name, its header and its footer. Saving applies it to every email that uses it. */
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import type { PosthornError, Schemas } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useDraft } from '../../data/use-draft.ts'
import { documentForApi, documentFromApi, type EmailDocument } from '../../editor/document/document.ts'
import { useDocumentHistory } from '../../editor/document/use-document-history.ts'
import { Problem } from '../../lists/problem.tsx'
import { EditedResource } from '../../lists/resource.tsx'
import { useLayouts } from '../../mail/shared-blocks.tsx'
import { useSave } from '../../saving/use-save.tsx'
import { RestoredNotice } from '../../shell/leave-dialog.tsx'
import { Loading, Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { fieldError, Input } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { Preview } from './preview.tsx'
import { renumberBlocks } from './renumber-blocks.ts'
import { texts } from './texts.ts'

const VisualEditor = lazy(() =>
  import('../../editor/visual-editor.tsx').then((module) => ({ default: module.VisualEditor })),
)

const WholeLayout = lazy(() => import('./whole-layout.tsx').then((module) => ({ default: module.WholeLayout })))

type Layout = Schemas['Layout']
type Part = 'header' | 'footer'

const T = texts.layouts

export function LayoutPage() {
  const { projectId, api } = useApi()
  return (
    <EditedResource
      of="layouts"
      load={(id) => api.layouts.get(id)}
      title={T.layout}
      back={{ to: projectPage(projectId, 'templates/layouts'), label: T.title }}
    >
      {(layout) => <LayoutEditor key={layout.id} layout={layout} />}
    </EditedResource>
  )
}

const documentOf = (blocks: Layout[Part]): EmailDocument => documentFromApi({ version: 1, blocks })

const draftOf = ({ name, header, footer }: Layout) => ({
  name,
  header: documentOf(header),
  footer: documentOf(footer),
})

/** The errors of one part, with the paths of a document that has only its blocks. */
const inDocument = (error: PosthornError, part: Part): PosthornError => ({
  ...error,
  errors: (error.errors ?? [])
    .filter(({ field }) => field.startsWith(`${part}.`))
    .map((item) => ({ ...item, field: `document.blocks${item.field.slice(part.length)}` })),
})

function LayoutEditor({ layout }: { layout: Layout }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const emails = useLayouts().data?.find(({ id }) => id === layout.id)?.emails
  const [part, setPart] = useState<Part>('header')
  const form = useDraft(draftOf(layout), { key: `${projectId}.layout.${layout.id}`, readAt: layout.updatedAt })
  const { draft, changed, restored, set, discard } = form
  const { name, ...documents } = draft
  /** Counts how often the documents were replaced from outside of their editor. */
  const [revision, setRevision] = useState(0)
  const showReplaced = () => setRevision((before) => before + 1)
  const showSaved = (saved: Layout) => {
    toast.done(T.savedDone)
    queries.setQueryData([projectId, 'layouts', layout.id], saved)
    void queries.invalidateQueries({ queryKey: [projectId, 'layouts'], refetchType: 'none' })
    void queries.invalidateQueries({ queryKey: [projectId, 'preview'] })
  }
  const { save, dialog, busy, error, problem } = useSave(form, {
    read: () => api.layouts.get(layout.id),
    save: ({ name, header, footer }, condition) => {
      const blocks = { header: documentForApi(header).blocks, footer: documentForApi(footer).blocks }
      return api.layouts.update(layout.id, { name, ...blocks }, condition)
    },
    draftOf,
    onSaved: showSaved,
    onReplaced: showReplaced,
  })
  return (
    <Page
      wide
      title={layout.name}
      lead={emails === undefined ? T.editLead : emails === 0 ? T.unusedLead : T.usedLead(emails)}
      back={{ to: projectPage(projectId, 'templates/layouts'), label: T.title }}
      actions={
        <Button kind="primary" shortcut="save" busy={busy} saved={!changed} onClick={() => void save()}>
          {T.save}
        </Button>
      }
    >
      {dialog}
      {restored && (
        <RestoredNotice
          onDiscard={() => {
            discard()
            showReplaced()
          }}
        />
      )}
      {problem && (
        <div className="mb-5">
          <Problem error={problem} />
        </div>
      )}
      <PartEditor
        key={`${part} ${revision}`}
        part={part}
        documents={documents}
        error={error && inDocument(error, part)}
        onChange={(document) => set({ [part]: document })}
        onSwitch={setPart}
        settings={
          <Input
            label={T.name}
            required
            maxLength={100}
            error={fieldError(error, 'name')}
            value={name}
            onChange={(event) => set({ name: event.target.value })}
          />
        }
      />
    </Page>
  )
}

function PartSwitch({ part, onChange }: { part: Part; onChange(part: Part): void }) {
  return (
    <fieldset className="flex rounded-part bg-panel p-0.5 text-sm font-medium">
      <legend className="sr-only">{T.part}</legend>
      {(['header', 'footer'] as const).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === part}
          onClick={() => onChange(one)}
          className="h-7 rounded-[0.375rem] px-2.5 text-soft hover:text-ink aria-pressed:bg-card aria-pressed:text-ink aria-pressed:shadow-lift"
        >
          {T[one]}
        </button>
      ))}
    </fieldset>
  )
}

interface PartEditorProps {
  part: Part
  documents: Record<Part, EmailDocument>
  error: PosthornError | null
  onChange(document: EmailDocument): void
  onSwitch(part: Part): void
  settings: React.ReactNode
}

function PartEditor({ part, documents, error, onChange, onSwitch, settings }: PartEditorProps) {
  const history = useDocumentHistory(documents[part], onChange)
  const draft = {
    subject: '',
    preheader: '',
    type: 'TRANSACTIONAL' as const,
    editor: 'visual' as const,
    body: '',
    mjml: null,
  }
  if (!history) return null
  const other = part === 'header' ? 'footer' : 'header'
  return (
    <Suspense fallback={<Loading />}>
      <VisualEditor
        history={history}
        error={error}
        kinds={<PartSwitch part={part} onChange={onSwitch} />}
        preview={<Preview draft={{ ...draft, document: wholeEmail(documents) }} isEmbedded />}
        settings={settings}
        around={(canvas, isDark) => (
          <WholeLayout
            part={part}
            canvas={canvas}
            isDark={isDark}
            other={documents[other]}
            onSwitch={() => onSwitch(other)}
          />
        )}
      />
    </Suspense>
  )
}

/** The layout with a sentence in the place of the content. */
function wholeEmail({ header, footer }: Record<Part, EmailDocument>): EmailDocument {
  const sentence = [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text: T.content }] }]
  const content = { id: 'content', type: 'text' as const, content: sentence }
  return {
    version: 1,
    blocks: [...renumberBlocks(header, 'header').blocks, content, ...renumberBlocks(footer, 'footer').blocks],
  }
}
