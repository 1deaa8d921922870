/** One workflow: its graph, who walks through it, and its settings. Which of them is open is in the address. */
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
import type { Walk } from './graph.tsx'
import { WorkflowSettings } from './settings.tsx'
import { Simulate } from './simulate.tsx'
import type { Workflow } from './steps.ts'

export function WorkflowPage() {
  const { projectId, api } = useApi()
  const id = useId()
  const query = useQuery({
    queryKey: workflowKey(projectId, id),
    queryFn: () => unwrap(api.workflows.get(id)),
    refetchOnWindowFocus: false,
  })
  return (
    <Resource query={query} title="Workflow" back={{ to: inProjectPath(projectId, 'workflows'), label: 'Workflows' }}>
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
  const [walk, setWalk] = useState<Walk>()
  const enables = async () => {
    const done = await run(api.workflows.update(workflow.id, { enabled: !workflow.enabled }))
    if (!done) return
    toast.done(done.data.enabled ? 'Enabled: it starts with the next event.' : 'Disabled: nothing new starts.')
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows'] })
  }
  const graph = (
    <div className="space-y-5 pt-5">
      {problem && <Problem error={problem} />}
      <GraphEditor workflow={workflow} walk={walk} />
      <Simulate workflow={workflow} onWalk={setWalk} />
    </div>
  )
  const tabs = [
    { name: 'graph', label: 'Graph', content: graph },
    { name: 'executions', label: 'Executions', content: <Executions workflow={workflow} /> },
    { name: 'settings', label: 'Settings', content: <WorkflowSettings workflow={workflow} /> },
  ]
  return (
    <Page
      wide
      title={workflow.name}
      lead={workflow.description}
      back={{ to: inProjectPath(projectId, 'workflows'), label: 'Workflows' }}
      actions={
        <>
          {workflow.enabled ? <Badge tone="good">Enabled</Badge> : <Badge>Disabled</Badge>}
          <Button kind={workflow.enabled ? 'plain' : 'primary'} busy={busy} onClick={() => void enables()}>
            {workflow.enabled ? <Pause aria-hidden /> : <Play aria-hidden />} {workflow.enabled ? 'Disable' : 'Enable'}
          </Button>
          <OtherActs workflow={workflow} />
        </>
      }
    >
      <div className="-mx-3">
        <Tabs
          label="Workflow"
          open={tabs.some(({ name }) => name === tab) ? tab : 'graph'}
          onOpen={(name) => change({ tab: name === 'graph' ? undefined : name }, { replace: true })}
          tabs={tabs.map((one) => ({ ...one, content: <div className="px-3">{one.content}</div> }))}
        />
      </div>
    </Page>
  )
}

function OtherActs({ workflow }: { workflow: Workflow }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const duplicate = async () => {
    const { data, error } = await api.workflows.duplicate(workflow.id)
    if (error) return toast.failed(error)
    toast.done('A copy, disabled.')
    await navigate({ to: inProjectPath(projectId, `workflows/${data.id}`) })
  }
  const exports = async () => {
    const { data, error } = await api.workflows.export(workflow.id)
    if (error) return toast.failed(error)
    const content = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
    saveFile(`${workflow.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}.json`, content)
  }
  const deletes = async () => {
    await unwrap(api.workflows.delete(workflow.id))
    toast.done('Workflow deleted.')
    await navigate({ to: inProjectPath(projectId, 'workflows') })
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows'] })
  }
  return (
    <MoreActions
      actions={[
        { icon: Copy, label: 'Duplicate', onSelect: () => void duplicate() },
        { icon: Download, label: 'Export as a file', onSelect: () => void exports() },
      ]}
      deleteTexts={{ title: 'Delete this workflow?', action: 'Delete workflow' }}
      name={workflow.name}
      onDelete={deletes}
    >
      Executions under way must be cancelled first.
    </MoreActions>
  )
}
