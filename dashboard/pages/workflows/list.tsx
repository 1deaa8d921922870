/** The list of workflows. New ones are created or imported here. */
import type { Body } from '@posthorn/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus, Upload, Workflow as WorkflowIcon } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useAdding, useApi, useSearchState } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { formatNumber } from '../../figures/format.ts'
import { useNavigate } from '../../links.tsx'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { List, ListFilter, ListSearch, listOrder, usePagedQuery } from '../../lists/list.tsx'
import { Problem } from '../../lists/problem.tsx'
import { ACTIONS, Cell, MomentCell, NameCell, NumberCell, Row } from '../../lists/table.tsx'
import { TagFilter, Tags } from '../../lists/tags.tsx'
import { EventInput } from '../../pickers/event-input.tsx'
import { Page } from '../../shell/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { fieldError, Input } from '../../ui/field.tsx'
import { FileButton } from '../../ui/file-button.tsx'
import { useToast } from '../../ui/toast.tsx'
import { WorkflowActions } from './actions.tsx'
import { Starters, unusedName } from './starters.tsx'
import { texts } from './texts.ts'
import { useWorkflowCounts } from './use-counts.ts'

const T = texts.list

export function WorkflowsPage() {
  const { projectId, api } = useApi()
  const [{ sort = '' }] = useSearchState<'sort'>()
  const [adding, setAdding] = useAdding()
  const { query: paged, filtered } = usePagedQuery()
  const query = { ...paged, ...listOrder(sort) }
  const list = useQuery({
    queryKey: [projectId, 'workflows', query],
    queryFn: () => unwrap(api.workflows.list(query)),
    placeholderData: keepPreviousData,
  })
  const counts = useWorkflowCounts(list.data !== undefined && list.data.data.length > 0)
  const newButton = (
    <Button kind="primary" onClick={() => setAdding(true)}>
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
      {adding && <CreateDialog onClose={() => setAdding(false)} />}
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
          ACTIONS,
        ]}
        row={(workflow) => (
          <Row>
            <NameCell
              to={projectPage(projectId, 'workflows/$id', { id: workflow.id })}
              more={workflow.description && <span className="max-sm:whitespace-normal">{workflow.description}</span>}
              onPhone={[triggerOf(workflow), activeOf(counts[workflow.id])].filter(Boolean).join(' · ')}
              tags={<Tags kind="workflows" item={workflow} />}
            >
              {workflow.name}
            </NameCell>
            <Cell wide className="whitespace-nowrap text-soft">
              {triggerOf(workflow)}
            </Cell>
            <Cell>
              <Badge tone={workflow.enabled ? 'good' : 'neutral'}>
                {workflow.enabled ? texts.enabled : texts.disabled}
              </Badge>
            </Cell>
            <CountCell count={counts[workflow.id]?.active} />
            <CountCell count={counts[workflow.id]?.completed} />
            <MomentCell wide at={workflow.updatedAt} />
            <Cell>
              <WorkflowActions workflow={workflow} label={T.actionsFor(workflow.name)} />
            </Cell>
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

const triggerOf = ({ triggerType, triggerConfig }: Schemas['Workflow']) =>
  triggerType === 'MANUAL' ? texts.manualStart : (triggerConfig?.eventName ?? T.noTrigger)

const activeOf = (counts: Schemas['WorkflowCounts'] | undefined) => counts && T.active(counts.active)

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
    if (done) await navigate(projectPage(projectId, 'workflows/$id', { id: done.data.id }))
  }
  return (
    <Dialog open wide onClose={onClose} title={T.create}>
      <form onSubmit={createWorkflow} className="space-y-4">
        <Input
          label={texts.name}
          required
          autoFocus
          placeholder={T.namePlaceholder}
          value={name}
          error={fieldError(error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <EventInput
          label={T.triggerEvent}
          hint={T.triggerHint}
          value={eventName}
          error={fieldError(error, 'eventName')}
          onChange={setEventName}
        />
        {problem && <Problem error={problem} shown={['name', 'eventName']} />}
        <DialogActions>
          <Button onClick={onClose}>{T.cancel}</Button>
          <Button kind="primary" type="submit" busy={busy}>
            {T.submit}
          </Button>
        </DialogActions>
      </form>
      <div className="-mx-5 mt-6 -mb-6 border-t border-line pt-5 empty:hidden">
        <Starters />
      </div>
    </Dialog>
  )
}

function ImportButton() {
  const { projectId, api } = useApi()
  const navigate = useNavigate()
  const toast = useToast()
  const importWorkflow = async (file: File) => {
    const text = await file.text()
    let document: Body<'POST /workflows/import'> // validated by the service
    try {
      document = JSON.parse(text)
    } catch {
      return toast.failed(new Error(T.importNotJson))
    }
    const { name } = document ?? {}
    const copy = typeof name === 'string' ? { ...document, name: await unusedName(api, name) } : document
    const { data, error } = await api.workflows.import(copy)
    if (error) return toast.failed(error)
    toast.done(T.imported)
    await navigate(projectPage(projectId, 'workflows/$id', { id: data.id }))
  }
  return (
    <FileButton label={T.importFile} accept="application/json,.json" onChoose={(file) => void importWorkflow(file)}>
      <Upload aria-hidden /> {T.import}
    </FileButton>
  )
}
