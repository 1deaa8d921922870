/** The segment editor, with a live preview of the matching contacts. */
import { useQueryClient } from '@tanstack/react-query'
import { projectPage } from '../../addresses.ts'
import { type Condition, emptyCondition, parseCondition } from '../../conditions/condition.ts'
import { ConditionEditor } from '../../conditions/condition-editor.tsx'
import type { Schemas } from '../../data/api.ts'
import { useApi, useSearchState } from '../../data/project.ts'
import { useDraft } from '../../data/use-draft.ts'
import { useNavigate } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { EditedResource } from '../../lists/resource.tsx'
import { useSave } from '../../saving/use-save.tsx'
import { Card, Page } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox, fieldError, Input, TextArea } from '../../ui/field.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { useToast } from '../../ui/toast.tsx'
import { SegmentPreview } from './preview.tsx'
import { texts } from './texts.ts'

interface Draft {
  name: string
  description: string
  type: Schemas['Segment']['type']
  condition: Condition
  trackMembership: boolean
}

/** Starts with the condition of the filtered contact list, if there is one. */
export function NewSegmentPage() {
  const [{ where }] = useSearchState<'where'>()
  const condition = parseCondition(where) ?? emptyCondition()
  return <Editor start={{ name: '', description: '', type: 'DYNAMIC', condition, trackMembership: false }} />
}

export function EditSegmentPage() {
  const { projectId, api } = useApi()
  return (
    <EditedResource
      of="segments"
      load={(id) => api.segments.get(id)}
      title={texts.one.title}
      back={{ to: projectPage(projectId, 'segments'), label: texts.title }}
    >
      {(segment, id) => <Editor key={id} segment={segment} start={draftOf(segment)} />}
    </EditedResource>
  )
}

const draftOf = ({ name, description, type, condition, trackMembership }: Schemas['Segment']): Draft => ({
  name,
  description: description ?? '',
  type,
  condition: (condition ?? emptyCondition()) as Condition,
  trackMembership,
})

function Editor({ segment, start }: { segment?: Schemas['Segment']; start: Draft }) {
  const id = segment?.id
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const form = useDraft(start, { readAt: segment?.updatedAt })
  const { draft, set } = form
  const isDynamic = draft.type === 'DYNAMIC'

  const showSaved = async (saved: Schemas['Segment']) => {
    toast.done(texts.editor.saved)
    void queries.invalidateQueries({ queryKey: [projectId, 'segments'] })
    await navigate(projectPage(projectId, 'segments/$id', { id: saved.id }), { ignoreBlocker: true })
  }
  const { save, dialog, busy, error, problem } = useSave(form, {
    ...(id && { read: () => api.segments.get(id) }),
    save: ({ name, description, type, trackMembership, condition }, unchanged) => {
      const fields = { name, description: description || null, trackMembership, ...(isDynamic ? { condition } : {}) }
      return id ? api.segments.update(id, fields, unchanged) : api.segments.create({ ...fields, type })
    },
    draftOf,
    onSaved: showSaved,
  })

  const saveButton = (
    <Button kind="primary" shortcut="save" busy={busy} onClick={() => void save()}>
      {id ? texts.editor.save : texts.create}
    </Button>
  )
  return (
    <Page
      title={id ? texts.editor.editTitle : texts.editor.createTitle}
      back={
        id
          ? { to: projectPage(projectId, 'segments/$id', { id }), label: start.name }
          : { to: projectPage(projectId, 'segments'), label: texts.title }
      }
      actions={saveButton}
    >
      <div className={`grid grid-cols-1 items-start gap-6 ${isDynamic ? 'lg:grid-cols-[minmax(0,1fr)_18rem]' : ''}`}>
        <div className="min-w-0 space-y-6">
          {dialog}
          {problem && <Problem error={problem} />}
          <Card>
            <div className="grid gap-4">
              <div>
                <Input
                  label={texts.editor.name}
                  placeholder={texts.editor.namePlaceholder}
                  autoFocus={!id}
                  maxLength={100}
                  value={draft.name}
                  error={fieldError(error, 'name')}
                  onChange={(event) => set({ name: event.target.value })}
                />
              </div>
              {!id && (
                <RadioCards
                  legend={texts.editor.type}
                  name="type"
                  value={draft.type}
                  options={texts.editor.types}
                  columns="sm:grid-cols-2"
                  onChange={(type) => set({ type })}
                />
              )}
              <div>
                <TextArea
                  label={texts.editor.description}
                  rows={2}
                  maxLength={500}
                  value={draft.description}
                  error={fieldError(error, 'description')}
                  onChange={(event) => set({ description: event.target.value })}
                />
              </div>
              <div>
                <Checkbox
                  label={texts.editor.trackMembership}
                  checked={draft.trackMembership}
                  onChange={(event) => set({ trackMembership: event.target.checked })}
                />
                <p className="mt-1 ps-6.5 text-[0.8125rem] text-soft">{texts.editor.trackMembershipHint}</p>
              </div>
            </div>
          </Card>
          {isDynamic ? (
            <Card title={texts.editor.condition}>
              <ConditionEditor condition={draft.condition} onChange={(condition) => set({ condition })} error={error} />
            </Card>
          ) : (
            !id && <p className="text-sm text-soft">{texts.editor.staticHint}</p>
          )}
        </div>
        {isDynamic && <SegmentPreview condition={draft.condition} />}
        <div className="sm:hidden">{saveButton}</div>
      </div>
    </Page>
  )
}
