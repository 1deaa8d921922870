/** Workflows: what happens by itself after an event. Made here, or brought in from a file. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Plus, Upload, Workflow as WorkflowIcon } from 'lucide-react'
import { type FormEvent, useRef, useState } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Empty } from '../../parts/empty-state.tsx'
import { fieldError, Input } from '../../parts/field.tsx'
import { List, ListSearch } from '../../parts/list.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Cell, MomentCell, NameCell, Row } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useSearchState } from '../../project.ts'
import { useAction } from '../../use-action.ts'
import { EventInput } from './step-fields.tsx'

export function WorkflowsPage() {
  const { projectId, api } = useApi()
  const [{ search = '', page = '1' }] = useSearchState<'search' | 'page'>()
  const [creating, setCreating] = useState(false)
  const query = { page: Number(page) || 1, search: search || undefined }
  const list = useQuery({
    queryKey: [projectId, 'workflows', query],
    queryFn: () => unwrap(api.workflows.list(query)),
    placeholderData: keepPreviousData,
  })
  const newButton = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden /> New workflow
    </Button>
  )
  return (
    <Page
      title="Workflows"
      lead="What happens by itself after an event: emails, waits, conditions, webhooks."
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
        label="Workflows"
        head={['Name', { wide: 'Starts with' }, 'State', { wide: 'Changed' }]}
        row={(workflow) => (
          <Row>
            <NameCell to={inProjectPath(projectId, `workflows/${workflow.id}`)} more={workflow.description}>
              {workflow.name}
            </NameCell>
            <Cell wide className="whitespace-nowrap text-soft">
              {workflow.triggerType === 'MANUAL' ? 'A start by hand' : (workflow.triggerConfig?.eventName ?? '–')}
            </Cell>
            <Cell>{workflow.enabled ? <Badge tone="good">Enabled</Badge> : <Badge>Disabled</Badge>}</Cell>
            <MomentCell wide at={workflow.updatedAt} />
          </Row>
        )}
        tools={<ListSearch label="Search workflows" />}
        empty={
          <Empty
            icon={WorkflowIcon}
            title={search ? 'No workflow matches' : 'No workflow yet'}
            actions={!search && newButton}
          >
            {!search &&
              'Welcome whoever signs up, remind whoever leaves a cart: draw it once, and it runs for everyone.'}
          </Empty>
        }
      />
    </Page>
  )
}

function CreateDialog({ onClose }: { onClose(): void }) {
  const { projectId, api } = useApi()
  const navigate = useNavigate()
  const { run, busy, error, problem } = useAction()
  const [name, setName] = useState('')
  const [eventName, setEventName] = useState('')
  const creates = async (event: FormEvent) => {
    event.preventDefault()
    const done = await run(api.workflows.create({ name, ...(eventName.trim() ? { eventName } : {}) }))
    if (done) await navigate({ to: inProjectPath(projectId, `workflows/${done.data.id}`) })
  }
  return (
    <Dialog open onClose={onClose} title="New workflow">
      <form onSubmit={creates} className="space-y-4">
        <Input
          label="Name"
          required
          autoFocus
          value={name}
          error={fieldError(error, 'name')}
          onChange={(event) => setName(event.target.value)}
        />
        <EventInput
          label="The event that starts it"
          value={eventName}
          error={fieldError(error, 'eventName')}
          onChange={setEventName}
        />
        {problem && !error?.errors && <Problem error={problem} />}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy}>
            Create
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
  const input = useRef<HTMLInputElement>(null)
  const imports = async (file: File) => {
    const text = await file.text()
    let document: unknown
    try {
      document = JSON.parse(text)
    } catch {
      return toast.failed(new Error('This file is not JSON. Choose one that was exported here.'))
    }
    const { data, error } = await api.workflows.import(document as never)
    if (error) return toast.failed(error)
    toast.done('Workflow imported. It is disabled until you enable it.')
    await navigate({ to: inProjectPath(projectId, `workflows/${data.id}`) })
  }
  return (
    <>
      <Button onClick={() => input.current?.click()}>
        <Upload aria-hidden /> Import
      </Button>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="A workflow as a JSON file"
        className="hidden"
        onChange={(event) => {
          const file = event.target.files?.[0]
          event.target.value = ''
          if (file) void imports(file)
        }}
      />
    </>
  )
}
