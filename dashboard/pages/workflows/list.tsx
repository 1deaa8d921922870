/** The list of workflows. New ones are created or imported here. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus, Upload, Workflow as WorkflowIcon } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { ListEmpty } from '../../parts/empty-state.tsx'
import { fieldError, Input } from '../../parts/field.tsx'
import { FileButton } from '../../parts/file-button.tsx'
import { formatNumber } from '../../parts/format.ts'
import { List, ListFilter, ListSearch, listOrder, usePagedQuery } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, MomentCell, NameCell, NumberCell, Row } from '../../parts/table.tsx'
import { TagFilter, Tags } from '../../parts/tags.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { useAction } from '../../use-action.ts'
import { Starters } from './starters.tsx'
import { EventInput } from './steps/fields.tsx'
import { texts } from './texts.ts'
import { useWorkflowCounts } from './use-counts.ts'

const T = texts.list

export function WorkflowsPage() {
  const { projectId, api } = useApi()
  const [{ sort = '' }] = useSearchState<'sort'>()
  const { query: paged, filtered } = usePagedQuery()
  const [creating, setCreating] = useState(false)
  const query = { ...paged, ...listOrder(sort) }
  const list = useQuery({
    queryKey: [projectId, 'workflows', query],
    queryFn: () => unwrap(api.workflows.list(query)),
    placeholderData: keepPreviousData,
  })
  const counts = useWorkflowCounts(list.data !== undefined && list.data.data.length > 0)
  const newButton = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> {T.create}
    </Button>
  )
  return (
    <Page
      title={texts.workflows}
      lead={T.lead}
      actions={
        <>
          <ImportButton />
          {newButton}
        </>
      }
    >
      {creating && <CreateDialog onClose={() => setCreating(false)} />}
      <List
        list={list}
        label={texts.workflows}
        head={[
          texts.name,
          { wide: T.columns.trigger },
          T.columns.status,
          { number: T.columns.active, onlyWide: true },
          { number: T.columns.completed, onlyWide: true },
          { wide: T.columns.updated },
        ]}
        row={(workflow) => (
          <Row>
            <NameCell
              to={inProjectPath(projectId, `workflows/${workflow.id}`)}
              more={workflow.description}
              tags={<Tags kind="workflows" item={workflow} />}
            >
              {workflow.name}
            </NameCell>
            <Cell wide className="whitespace-nowrap text-soft">
              {workflow.triggerType === 'MANUAL'
                ? texts.manualStart
                : (workflow.triggerConfig?.eventName ?? T.noTrigger)}
            </Cell>
            <Cell>
              <Badge tone={workflow.enabled ? 'good' : 'neutral'}>
                {workflow.enabled ? texts.enabled : texts.disabled}
              </Badge>
            </Cell>
            <CountCell count={counts[workflow.id]?.active} />
            <CountCell count={counts[workflow.id]?.completed} />
            <MomentCell wide at={workflow.updatedAt} />
          </Row>
        )}
        filtered={filtered}
        tools={
          <>
            <ListSearch label={T.search} />
            <TagFilter kind="workflows" />
            <ListFilter label={T.sort} name="sort" options={T.sorts} />
          </>
        }
        empty={
          <>
            <ListEmpty icon={WorkflowIcon} filtered={filtered} texts={T} actions={newButton} />
            {!filtered && <Starters />}
          </>
        }
      />
    </Page>
  )
}

/** Only enabled workflows have counts. */
const CountCell = ({ count }: { count: number | undefined }) => (
  <NumberCell wide>{count === undefined ? T.noCount : formatNumber(count)}</NumberCell>
)

function CreateDialog({ onClose }: { onClose(): void }) {
  const { projectId, api } = useApi()
  const navigate = useNavigate()
  const { run, busy, error, problem } = useAction()
  const [name, setName] = useState('')
  const [eventName, setEventName] = useState('')
  const createWorkflow = async (event: FormEvent) => {
    event.preventDefault()
    const done = await run(api.workflows.create({ name, ...(eventName.trim() ? { eventName } : {}) }))
    if (done) await navigate({ to: inProjectPath(projectId, `workflows/${done.data.id}`) })
  }
  return (
    <Dialog open onClose={onClose} title={T.create}>
      <form onSubmit={createWorkflow} className="space-y-4">
        <Input
          label={texts.name}
          required
          autoFocus
          value={name}
          error={fieldError(error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <EventInput
          label={T.triggerEvent}
          value={eventName}
          error={fieldError(error, 'eventName')}
          onChange={setEventName}
        />
        {problem && !error?.errors && <Problem error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>{T.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {T.submit}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

function ImportButton() {
  const { projectId, api } = useApi()
  const navigate = useNavigate()
  const toast = useToast()
  const importWorkflow = async (file: File) => {
    const text = await file.text()
    let document: unknown
    try {
      document = JSON.parse(text)
    } catch {
      return toast.failed(new Error(T.importNotJson))
    }
    const { data, error } = await api.workflows.import(document as never)
    if (error) return toast.failed(error)
    toast.done(T.imported)
    await navigate({ to: inProjectPath(projectId, `workflows/${data.id}`) })
  }
  return (
    <FileButton label={T.importFile} accept="application/json,.json" onChoose={(file) => void importWorkflow(file)}>
      <Upload aria-hidden /> {T.import}
    </FileButton>
  )
}
