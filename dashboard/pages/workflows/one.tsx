/** One workflow: its graph, its executions and its settings. The open tab is kept in the address. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Download, Pause, Play } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../../api.ts'
import { inProjectPath } from '../../navigation.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { MoreActions } from '../../parts/more-actions.tsx'
import { Page } from '../../parts/page.tsx'
import { Problem } from '../../parts/problem.tsx'
import { Resource } from '../../parts/resource.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi, useId, useSearchState } from '../../project.ts'
import { saveFile } from '../../save-file.ts'
import { useAction } from '../../use-action.ts'
import { GraphEditor, workflowKey } from './editor.tsx'
import { Executions } from './executions.tsx'
import type { Path } from './graph.tsx'
import { WorkflowSettings } from './settings.tsx'
import { Simulate } from './simulate.tsx'
import type { Workflow } from './steps/step.ts'
import { texts } from './texts.ts'

const T = texts.one

export function WorkflowPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const query = useQuery({
    queryKey: workflowKey(projectId, id),
    queryFn: () => unwrap(api.workflows.get(id)),
    refetchOnWindowFocus: false,
  })
  return (
    <Resource
      query={query}
      title={texts.workflow}
      back={{ to: inProjectPath(projectId, 'workflows'), label: texts.workflows }}
    >
      {(workflow) => <OneWorkflow workflow={workflow} />}
    </Resource>
  )
}

function OneWorkflow({ workflow }: { workflow: Workflow }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const [{ tab = 'graph' }, change] = useSearchState<'tab'>()
  const [path, setPath] = useState<Path>()
  const toggleEnabled = async () => {
    const done = await run(api.workflows.update(workflow.id, { enabled: !workflow.enabled }))
    if (!done) return
    toast.done(done.data.enabled ? T.enabledToast : T.disabledToast)
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows'] })
  }
  const graph = (
    <div className="space-y-5 pt-5">
      {problem && <Problem error={problem} />}
      <GraphEditor workflow={workflow} path={path} />
      <Simulate workflow={workflow} onPath={setPath} />
    </div>
  )
  const tabs = [
    { name: 'graph', label: T.tabs.graph, content: graph },
    { name: 'executions', label: T.tabs.executions, content: <Executions workflow={workflow} /> },
    { name: 'settings', label: T.tabs.settings, content: <WorkflowSettings workflow={workflow} /> },
  ]
  return (
    <Page
      wide
      title={workflow.name}
      lead={workflow.description}
      back={{ to: inProjectPath(projectId, 'workflows'), label: texts.workflows }}
      actions={
        <>
          <Badge tone={workflow.enabled ? 'good' : 'neutral'}>
            {workflow.enabled ? texts.enabled : texts.disabled}
          </Badge>
          <Button kind={workflow.enabled ? 'plain' : 'primary'} busy={busy} onClick={() => void toggleEnabled()}>
            {workflow.enabled ? <Pause aria-hidden /> : <Play aria-hidden />} {workflow.enabled ? T.disable : T.enable}
          </Button>
          <OtherActions workflow={workflow} />
        </>
      }
    >
      <div className="-mx-3">
        <Tabs
          label={texts.workflow}
          open={tabs.some(({ name }) => name === tab) ? tab : 'graph'}
          onOpen={(name) => change({ tab: name === 'graph' ? undefined : name }, { replace: true })}
          tabs={tabs.map((one) => ({ ...one, content: <div className="px-3">{one.content}</div> }))}
        />
      </div>
    </Page>
  )
}

function OtherActions({ workflow }: { workflow: Workflow }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const duplicateWorkflow = async () => {
    const { data, error } = await api.workflows.duplicate(workflow.id)
    if (error) return toast.failed(error)
    toast.done(T.duplicated)
    await navigate({ to: inProjectPath(projectId, `workflows/${data.id}`) })
  }
  const exportWorkflow = async () => {
    const { data, error } = await api.workflows.export(workflow.id)
    if (error) return toast.failed(error)
    const content = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
    saveFile(`${workflow.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}.json`, content)
  }
  const deleteWorkflow = async () => {
    await unwrap(api.workflows.delete(workflow.id))
    toast.done(T.deleted)
    await navigate({ to: inProjectPath(projectId, 'workflows') })
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows'] })
  }
  return (
    <MoreActions
      actions={[
        { icon: Copy, label: T.duplicate, onSelect: () => void duplicateWorkflow() },
        { icon: Download, label: T.export, onSelect: () => void exportWorkflow() },
      ]}
      deleteTexts={T.delete}
      name={workflow.name}
      onDelete={deleteWorkflow}
    >
      {T.deleteHint}
    </MoreActions>
  )
}
