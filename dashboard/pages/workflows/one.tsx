/** One workflow: its editor, its executions and its settings. The open tab is kept in the address. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronLeft, Pause, Play, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { unwrap } from '../../data/api.ts'
import { useApi, useId, useSearchState } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Link, useNavigate } from '../../links.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Resource } from '../../lists/resource.tsx'
import { Loading } from '../../shell/page.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useToast } from '../../ui/toast.tsx'
import { WorkflowActions } from './actions.tsx'
import { WorkflowEditor } from './editor/editor.tsx'
import { usePublish } from './editor/publish.tsx'
import { StartDialog } from './editor/start-dialog.tsx'
import { type Draft, draftKey, useDraftGraph, workflowKey } from './editor/use-draft-graph.ts'
import { EnableDialog, startsWithSegment } from './enable-dialog.tsx'
import { Executions } from './executions.tsx'
import { WorkflowSettings } from './settings.tsx'
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
  // Loaded once: from then on, the editor has the latest state of the draft.
  const draft = useQuery({
    queryKey: draftKey(projectId, id),
    queryFn: () => unwrap(api.workflows.draft.get(id)),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  return (
    <Resource
      query={{ ...query, error: query.error ?? draft.error }}
      title={texts.workflow}
      back={{ to: projectPage(projectId, 'workflows'), label: texts.workflows }}
    >
      {(workflow) => (draft.data ? <OneWorkflow key={id} workflow={workflow} loaded={draft.data} /> : <Loading />)}
    </Resource>
  )
}

function OneWorkflow({ workflow, loaded }: { workflow: Workflow; loaded: Draft }) {
  const { projectId, api } = useApi()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, error, problem } = useAction()
  const draft = useDraftGraph(workflow, loaded)
  const [{ tab = 'graph' }, change] = useSearchState<'tab'>()
  const [starting, setStarting] = useState(false)
  const [asking, setAsking] = useState(false)
  const [problemAt, setProblemAt] = useState<{ stepId: string | undefined }>()
  const publishing = usePublish(workflow, draft, (stepId) => {
    setProblemAt({ stepId })
    if (tab !== 'graph') change({ tab: undefined }, { replace: true })
  })
  const setEnabled = async (enabled: boolean, includeCurrentMembers = false) => {
    setAsking(false)
    const done = await run(
      api.workflows.update(workflow.id, { enabled, ...(includeCurrentMembers && { includeCurrentMembers }) }),
    )
    if (!done) return
    toast.done(enabled ? T.enabledToast : T.disabledToast)
    void queries.invalidateQueries({ queryKey: [projectId, 'workflows'] })
  }
  const startEnabling = () => (startsWithSegment(workflow) ? setAsking(true) : void setEnabled(true))
  const enableWorkflow = () => (draft.changes.any ? publishing.publishThen(startEnabling) : startEnabling())
  const tabs = [
    {
      name: 'graph',
      label: T.tabs.graph,
      content: <WorkflowEditor workflow={workflow} draft={draft} publishing={publishing} problemAt={problemAt} />,
    },
    { name: 'executions', label: T.tabs.executions, content: <Executions workflow={workflow} /> },
    { name: 'settings', label: T.tabs.settings, content: <WorkflowSettings workflow={workflow} /> },
  ]
  const open = tabs.some(({ name }) => name === tab) ? tab : 'graph'
  const reason = error?.errors?.[0]?.message
  return (
    <div
      className={`flex w-full flex-col ${open === 'graph' ? 'h-[calc(100dvh-3.5rem-var(--notice))] lg:h-[calc(100dvh-var(--notice))]' : ''}`}
      data-appear
    >
      <title>{sharedTexts.pageTitle(workflow.name)}</title>
      <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-4 pt-3 sm:px-6">
        <div className="flex min-w-0 items-center gap-2">
          <Link
            to={projectPage(projectId, 'workflows')}
            aria-label={texts.workflows}
            title={texts.workflows}
            className="-ms-1.5 flex size-8 shrink-0 items-center justify-center rounded-part text-soft hover:bg-panel hover:text-ink"
          >
            <ChevronLeft className="size-4.5" aria-hidden />
          </Link>
          <h1 className="truncate text-xl font-semibold tracking-tight">{workflow.name}</h1>
          <Badge tone={workflow.enabled ? 'good' : 'neutral'}>
            {workflow.enabled ? texts.enabled : texts.disabled}
          </Badge>
        </div>
        <div className="flex flex-wrap items-center gap-2">
          {workflow.enabled && (
            <Button onClick={() => setStarting(true)}>
              <UserPlus aria-hidden /> {texts.start.open}
            </Button>
          )}
          {workflow.enabled ? (
            <Button aria-label={T.disable} busy={busy} onClick={() => void setEnabled(false)}>
              <Pause aria-hidden /> <span className="sm:hidden">{T.disableShort}</span>
              <span className="max-sm:hidden">{T.disable}</span>
            </Button>
          ) : (
            <Button kind="primary" busy={busy || publishing.busy} onClick={enableWorkflow}>
              <Play aria-hidden /> {T.enable}
            </Button>
          )}
          <WorkflowActions workflow={workflow} onDeleted={() => navigate(projectPage(projectId, 'workflows'))} />
        </div>
      </header>
      {problem && (
        <div className="px-4 pt-3 sm:px-6">
          {reason ? <Problem error={new Error(reason)} /> : <Problem error={problem} />}
        </div>
      )}
      <Tabs
        label={texts.workflow}
        fill={open === 'graph'}
        open={open}
        onOpen={(name) => change({ tab: name === 'graph' ? undefined : name }, { replace: true })}
        tabs={tabs.map((one) => ({
          ...one,
          content: one.name === 'graph' ? one.content : <div className="px-4 pb-9 sm:px-6">{one.content}</div>,
        }))}
      />
      {publishing.dialog}
      {asking && (
        <EnableDialog onClose={() => setAsking(false)} onEnable={(withMembers) => void setEnabled(true, withMembers)} />
      )}
      {starting && <StartDialog workflow={workflow} onClose={() => setStarting(false)} />}
    </div>
  )
}
