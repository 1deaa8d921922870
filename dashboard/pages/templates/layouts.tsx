/** Layouts and saved blocks: the parts that emails share. */
import { useQueryClient } from '@tanstack/react-query'
import { BookMarked, PanelsTopLeft, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useDraft } from '../../data/use-draft.ts'
import { Moment } from '../../figures/moment.tsx'
import { useNavigate } from '../../links.tsx'
import { Empty } from '../../lists/empty-state.tsx'
import { List } from '../../lists/list.tsx'
import { Problem } from '../../lists/problem.tsx'
import { ACTIONS, Cell, MomentCell, NameCell, OnPhone, Row } from '../../lists/table.tsx'
import { useLayouts, useSavedBlocks } from '../../mail/shared-blocks.tsx'
import { useSave } from '../../saving/use-save.tsx'
import { Page } from '../../shell/page.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, SubmitActions } from '../../ui/dialog.tsx'
import { fieldError, Input } from '../../ui/field.tsx'
import { MoreActions } from '../../ui/more-actions.tsx'
import { NameDialog } from '../../ui/name-dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

const T = texts.layouts

export function LayoutsPage() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const [isCreating, setCreating] = useState(false)
  const [renamed, setRenamed] = useState<Named>()
  const layouts = useLayouts()
  const saved = useSavedBlocks()
  const deleteLayout = async (id: string) => {
    await unwrap(api.layouts.delete(id))
    toast.done(T.deleted)
    void queries.invalidateQueries({ queryKey: [projectId, 'layouts'] })
  }
  const deleteBlocks = async (id: string) => {
    await unwrap(api.savedBlocks.delete(id))
    toast.done(T.savedDeleted)
    void queries.invalidateQueries({ queryKey: [projectId, 'saved-blocks'] })
  }
  const createButton = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> {T.create}
    </Button>
  )
  return (
    <Page
      title={T.title}
      lead={T.lead}
      back={{ to: projectPage(projectId, 'templates'), label: texts.title }}
      actions={createButton}
    >
      <div className="space-y-8">
        <section aria-label={T.layouts}>
          <List
            title={T.layouts}
            lead={T.layoutsLead}
            list={{ ...layouts, data: layouts.data && { data: layouts.data } }}
            label={T.layouts}
            head={[T.name, T.emails, { wide: T.updated }, ACTIONS]}
            row={(layout) => (
              <Row>
                <NameCell
                  to={projectPage(projectId, 'templates/layouts/$id', { id: layout.id })}
                  onPhone={<Updated at={layout.updatedAt} />}
                >
                  {layout.name}
                </NameCell>
                <Cell className="whitespace-nowrap">{T.usedIn(layout.emails)}</Cell>
                <MomentCell wide at={layout.updatedAt} />
                <Cell>
                  <MoreActions
                    label={texts.actionsFor(layout.name)}
                    actions={[]}
                    deleteTexts={T.delete}
                    name={layout.name}
                    onDelete={() => deleteLayout(layout.id)}
                  >
                    {T.deleteEffect(layout.emails)}
                  </MoreActions>
                </Cell>
              </Row>
            )}
            empty={
              <Empty icon={PanelsTopLeft} title={T.emptyTitle}>
                {T.empty}
              </Empty>
            }
          />
        </section>
        <section aria-label={T.saved}>
          <List
            title={T.saved}
            lead={T.savedLead}
            list={{ ...saved, data: saved.data && { data: saved.data } }}
            label={T.saved}
            head={[T.name, { wide: T.updated }, ACTIONS]}
            row={(blocks) => (
              <Row>
                <Cell className="w-full font-medium wrap-anywhere">
                  {blocks.name}
                  <OnPhone>
                    <span className="font-normal">
                      <Updated at={blocks.updatedAt} />
                    </span>
                  </OnPhone>
                </Cell>
                <MomentCell wide at={blocks.updatedAt} />
                <Cell>
                  <MoreActions
                    label={texts.actionsFor(blocks.name)}
                    actions={[{ icon: Pencil, label: T.rename, onSelect: () => setRenamed(blocks) }]}
                    deleteTexts={T.deleteSaved}
                    name={blocks.name}
                    onDelete={() => deleteBlocks(blocks.id)}
                  >
                    {T.deleteSavedEffect}
                  </MoreActions>
                </Cell>
              </Row>
            )}
            empty={
              <Empty icon={BookMarked} title={T.savedEmptyTitle}>
                {T.savedEmpty}
              </Empty>
            }
          />
        </section>
      </div>
      {isCreating && <CreateLayout onClose={() => setCreating(false)} />}
      {renamed && <RenameBlocks blocks={renamed} onClose={() => setRenamed(undefined)} />}
    </Page>
  )
}

const Updated = ({ at }: { at: string }) => (
  <RichText text={T.updatedAt} elements={{ when: () => <Moment at={at} relative /> }} />
)

/** A new layout starts with the logo and the footer of the brand. */
function CreateLayout({ onClose }: { onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const createLayout = (name: string) =>
    api.layouts.create({ name, header: [{ id: 'logo', type: 'logo' }], footer: [{ id: 'footer', type: 'footer' }] })
  const openLayout = ({ id }: { id: string }) => {
    void queries.invalidateQueries({ queryKey: [projectId, 'layouts'] })
    void navigate(projectPage(projectId, 'templates/layouts/$id', { id }))
  }
  return (
    <NameDialog
      title={T.create}
      lead={T.createLead}
      label={T.name}
      action={T.create}
      save={createLayout}
      onSaved={openLayout}
      onClose={onClose}
    />
  )
}

type Named = Pick<Schemas['SavedBlocks'], 'id' | 'name' | 'updatedAt'>

const nameOf = ({ name }: Named) => ({ name })

function RenameBlocks({ blocks, onClose }: { blocks: Named; onClose(): void }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const showRenamed = () => {
    toast.done(T.renamed)
    void queries.invalidateQueries({ queryKey: [projectId, 'saved-blocks'] })
    onClose()
  }
  const form = useDraft(nameOf(blocks), { readAt: blocks.updatedAt })
  const { save, dialog, busy, error, problem } = useSave(form, {
    read: () => api.savedBlocks.get(blocks.id),
    save: ({ name }, condition) => api.savedBlocks.update(blocks.id, { name }, condition),
    draftOf: nameOf,
    onSaved: showRenamed,
  })
  return (
    <Dialog open onClose={onClose} title={T.renameTitle} disposable>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
        className="space-y-4"
      >
        <Input
          label={T.name}
          required
          autoFocus
          maxLength={100}
          error={fieldError(error, 'name')}
          value={form.draft.name}
          onChange={(event) => form.set({ name: event.target.value })}
        />
        {problem && <Problem error={problem} shown={['name']} />}
        <SubmitActions busy={busy} onCancel={onClose}>
          {T.saveName}
        </SubmitActions>
      </form>
      {dialog}
    </Dialog>
  )
}
