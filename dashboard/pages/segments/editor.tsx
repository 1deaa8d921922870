/** Making a segment, or changing one: its name, and who belongs, with the number beside it as you go. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type Schemas, unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Button } from '../../parts/button.tsx'
import { type Condition, emptyCondition, readCondition } from '../../parts/condition.ts'
import { ConditionEditor } from '../../parts/condition-editor.tsx'
import { Checkbox, Input, Select, TextArea, wrongAt } from '../../parts/field.tsx'
import { Opened } from '../../parts/opened.tsx'
import { Card, Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId, useSearchState } from '../../project.ts'
import { useAct } from '../../use-act.ts'
import { useDraft } from '../../use-draft.ts'
import { SegmentPreview } from './preview.tsx'

interface Draft {
  name: string
  description: string
  type: Schemas['Segment']['type']
  condition: Condition
  trackMembership: boolean
}

const TYPES = { DYNAMIC: 'By condition', STATIC: 'By hand' }

/** It may begin with the condition that a list of contacts was filtered by. */
export function NewSegmentPage() {
  const [{ where }] = useSearchState<'where'>()
  const condition = readCondition(where) ?? emptyCondition()
  return <Editor start={{ name: '', description: '', type: 'DYNAMIC', condition, trackMembership: false }} />
}

export function EditSegmentPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const asked = useQuery({
    queryKey: [projectId, 'segments', id],
    queryFn: () => unwrap(api.segments.get(id)),
    refetchOnWindowFocus: false,
  })
  return (
    <Opened asked={asked} title="Segment" back={{ to: inProjectPath(projectId, 'segments'), words: 'Segments' }}>
      {(segment) => <Editor key={id} id={id} start={draftOf(segment)} />}
    </Opened>
  )
}

const draftOf = ({ name, description, type, condition, trackMembership }: Schemas['Segment']): Draft => ({
  name,
  description: description ?? '',
  type,
  condition: (condition ?? emptyCondition()) as Condition,
  trackMembership,
})

function Editor({ id, start }: { id?: string; start: Draft }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const { act, busy, error, problem } = useAct()
  const { draft, set } = useDraft(start)
  const isDynamic = draft.type === 'DYNAMIC'

  const saves = async () => {
    const { name, description, type, trackMembership } = draft
    const condition = isDynamic ? { condition: draft.condition as never } : {}
    const segment = { name, description: description || null, trackMembership, ...condition }
    const done = await act(id ? api.segments.update(id, segment) : api.segments.create({ ...segment, type }))
    if (!done) return
    toast.done('Segment saved.')
    void queries.invalidateQueries({ queryKey: [projectId, 'segments'] })
    await navigate({ to: inProjectPath(projectId, `segments/${done.data.id}`), ignoreBlocker: true })
  }

  return (
    <Page
      title={id ? `Edit ${start.name}` : 'New segment'}
      back={
        id
          ? { to: inProjectPath(projectId, `segments/${id}`), words: start.name }
          : { to: inProjectPath(projectId, 'segments'), words: 'Segments' }
      }
      actions={
        <Button kind="primary" busy={busy} onClick={() => void saves()}>
          Save segment
        </Button>
      }
    >
      <div className={`grid grid-cols-1 items-start gap-6 ${isDynamic ? 'lg:grid-cols-[minmax(0,1fr)_18rem]' : ''}`}>
        <div className="min-w-0 space-y-6">
          {problem && <Problem error={problem} />}
          <Card>
            <div className="grid gap-4 sm:grid-cols-3">
              <div className={id ? 'sm:col-span-3' : 'sm:col-span-2'}>
                <Input
                  label="Name"
                  maxLength={100}
                  value={draft.name}
                  wrong={wrongAt(error, 'name')}
                  onChange={(event) => set({ name: event.target.value })}
                />
              </div>
              {!id && (
                <Select
                  label="Who belongs"
                  value={draft.type}
                  options={TYPES}
                  onChange={(event) => set({ type: event.target.value as Draft['type'] })}
                />
              )}
              <div className="sm:col-span-3">
                <TextArea
                  label="Description"
                  rows={2}
                  maxLength={500}
                  value={draft.description}
                  wrong={wrongAt(error, 'description')}
                  onChange={(event) => set({ description: event.target.value })}
                />
              </div>
              <div className="sm:col-span-3">
                <Checkbox
                  label="Record an event when somebody enters or leaves"
                  checked={draft.trackMembership}
                  onChange={(event) => set({ trackMembership: event.target.checked })}
                />
              </div>
            </div>
          </Card>
          {isDynamic ? (
            <Card title="Who belongs">
              <ConditionEditor condition={draft.condition} onChange={(condition) => set({ condition })} error={error} />
            </Card>
          ) : (
            !id && <p className="text-sm text-soft">Save it, then add people by their addresses.</p>
          )}
        </div>
        {isDynamic && <SegmentPreview condition={draft.condition} />}
      </div>
    </Page>
  )
}
