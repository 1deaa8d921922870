/** The editor of a workflow: step types, the graph, and beside it the form of what is selected. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { unwrap } from '../../../data/api.ts'
import { useLiveQueries } from '../../../data/live.ts'
import { useApi } from '../../../data/project.ts'
import { useTemplateNames } from '../../../pickers/template-picker.tsx'
import { EditingToo } from '../../../saving/editing-too.tsx'
import { Loading } from '../../../shell/page.tsx'
import { sharedTexts } from '../../../shell/texts.ts'
import { useToast } from '../../../ui/toast.tsx'
import type { GraphEditing, Path } from '../graph/graph.tsx'
import { STEP_TYPES, STEPS } from '../steps/registry.ts'
import { type Branch, DRAGGED_STEP, type StepType, type Workflow } from '../steps/step.ts'
import { texts } from '../texts.ts'
import * as edits from './graph-edits.ts'
import { positionSteps } from './layout.ts'
import { Panel } from './panel.tsx'
import { PublishBar, type Publishing } from './publish.tsx'
import { RemoveDialog } from './remove-dialog.tsx'
import { Simulate } from './simulate.tsx'
import { MultiplePanel, StepPanel } from './step-panel.tsx'
import { EditorTools, type Tool } from './tools.tsx'
import { TriggerPanel, useTriggerDraft } from './trigger-panel.tsx'
import type { DraftEditor } from './use-draft-graph.ts'
import { useEditorKeys } from './use-editor-keys.ts'
import { Versions } from './versions.tsx'

const Graph = lazy(() => import('../graph/graph.tsx').then((module) => ({ default: module.Graph })))

const TRIGGER = 'trigger'
/** The stream reports when an execution starts and ends, but not when it enters a step. */
const COUNTS_EVERY_MS = 15_000

export const triggerLabel = ({ triggerType, triggerConfig }: Workflow) =>
  triggerType === 'MANUAL' ? texts.manualStart : (triggerConfig?.eventName ?? texts.graph.noEvent)

function useStepCounts(workflowId: string) {
  const { projectId, api } = useApi()
  const queryKey = [projectId, 'workflows', workflowId, 'stats']
  // Steps in the middle of a workflow cause no activity, so they are also counted from time to time.
  useLiveQueries([queryKey], ({ type }) => type.startsWith('workflow.'))
  const { data } = useQuery({
    queryKey,
    queryFn: () => unwrap(api.workflows.stats(workflowId)),
    refetchInterval: COUNTS_EVERY_MS,
  })
  return useMemo(() => new Map(data?.steps.map((step) => [step.stepId, step])), [data])
}

interface WorkflowEditorProps {
  workflow: Workflow
  draft: DraftEditor
  publishing: Publishing
  /** The step that has to be completed before the draft can be published. A new object shows it again. */
  problemAt: { stepId: string | undefined } | undefined
}

export function WorkflowEditor({ workflow, draft, publishing, problemAt }: WorkflowEditorProps) {
  const { graph, edit, changes } = draft
  const toast = useToast()
  const templates = useTemplateNames(graph.steps.map(({ templateId }) => templateId))
  const counts = useStepCounts(workflow.id)
  const [selected, setSelected] = useState<string[]>([])
  const [tool, setTool] = useState<Tool>()
  const [path, setPath] = useState<Path>()
  const [shown, setShown] = useState<{ stepId: string }>()
  const [focusForm, setFocusForm] = useState(0)
  const [removing, setRemoving] = useState<string[]>()
  /** Steps whose problems are shown: a new step isn't marked while it is filled in for the first time. */
  const [checked, setChecked] = useState<ReadonlySet<string>>(
    () => new Set(graph.steps.filter(({ id }) => !changes.added.includes(id)).map(({ id }) => id)),
  )
  const trigger = useTriggerDraft(workflow)
  const frame = useRef<HTMLDivElement>(null)
  const only = selected.length === 1 ? selected[0] : undefined
  const step = graph.steps.find(({ id }) => id === only)
  const problems = useProblems(draft, checked)

  const selectSteps = (ids: string[]) => {
    const left = selected.filter((id) => !ids.includes(id))
    if (left.length > 0) setChecked((before) => new Set([...before, ...left]))
    setSelected(ids)
    if (ids.length > 0) setTool(undefined)
  }
  /** Opens a step with the focus in its form. */
  const openStep = (id: string) => {
    selectSteps([id])
    setFocusForm((before) => before + 1)
  }
  const closePanel = () => {
    const focused = only
    selectSteps([])
    setTool(undefined)
    setPath(undefined)
    if (focused) focusNode(frame.current, focused)
  }
  const addStep: GraphEditing['onAdd'] = (type, place, at) => {
    const step = edits.newStep(type, at ?? null)
    edit((before) => edits.addStep(before, step, place))
    openStep(step.id)
    setShown({ stepId: step.id })
  }
  const connectSteps = (from: string, to: string, branch: Branch) => {
    const problem = edits.connectionProblem(graph, from, to)
    if (problem) return toast.failed(new Error(problem))
    edit((before) => edits.connect(before, from, to, branch))
  }
  const removeSteps = (ids: string[], executions: edits.DraftGraph['executions'] = {}) => {
    edit((before) => ({
      ...edits.removeSteps(before, ids),
      executions: { ...before.executions, ...executions },
    }))
    setRemoving(undefined)
    selectSteps([])
    frame.current?.focus()
    toast.done(texts.step.removedToast(ids.length), { label: sharedTexts.undo, onSelect: draft.undo })
  }
  /** Asks what happens to contacts at these steps, if there are any. */
  const startRemoving = (ids: string[]) => {
    const steps = ids.filter((id) => id !== TRIGGER)
    if (steps.length === 0) return
    if (steps.some((id) => (counts.get(id)?.active ?? 0) > 0)) setRemoving(steps)
    else removeSteps(steps)
  }
  const pasteSteps = (copied: edits.CopiedSteps) => {
    const pasted = edits.pasteSteps(graph, copied)
    edit(() => pasted.graph)
    selectSteps(pasted.ids)
    setShown({ stepId: pasted.ids[0]! })
  }
  const copySteps = (ids: string[]) => edits.copySteps(graph, ids, positionSteps(graph.steps, graph.transitions))
  const openTool = (next: Tool | undefined) => {
    selectSteps([])
    setPath(undefined)
    setTool(next)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown once for each attempt to publish.
  useEffect(() => {
    if (!problemAt) return
    setChecked(new Set(graph.steps.map(({ id }) => id)))
    if (!problemAt.stepId) return
    openStep(problemAt.stepId)
    setShown({ stepId: problemAt.stepId })
  }, [problemAt])
  useEditorKeys({
    draft,
    selected: selected.filter((id) => id !== TRIGGER),
    isOpen: selected.length > 0 || tool !== undefined,
    onRemove: startRemoving,
    onCopy: copySteps,
    onPaste: pasteSteps,
    onSelectAll: () => selectSteps(graph.steps.map(({ id }) => id)),
    onClose: closePanel,
  })

  const panel = panelOf()
  return (
    <div className="flex min-h-0 flex-1 max-lg:flex-col">
      <EditingToo kind="workflows" id={workflow.id} />
      <Palette onAdd={(type) => addStep(type, edits.defaultPlace(graph, step?.id))} />
      <div ref={frame} tabIndex={-1} className="relative min-h-0 min-w-0 flex-1 bg-paper focus:outline-none">
        <Suspense fallback={<Loading />}>
          <Graph
            graph={graph}
            trigger={triggerLabel(workflow)}
            templates={templates}
            path={path}
            editing={{
              selected,
              hasPanel: panel !== null,
              counts,
              changes,
              problems,
              shown,
              onSelect: selectSteps,
              onOpen: openStep,
              onAdd: addStep,
              onConnect: connectSteps,
              onDisconnect: (list) =>
                edit((before) => list.reduce((now, one) => edits.disconnect(now, one.fromStepId, one.branch), before)),
              onMove: (positions) => edit((before) => edits.moveSteps(before, positions)),
            }}
          />
        </Suspense>
        <EditorTools draft={draft} open={tool} isPanelOpen={panel !== null} onOpen={openTool} workflow={workflow} />
        <PublishBar workflow={workflow} draft={draft} publishing={publishing} isPanelOpen={panel !== null} />
        {panel}
      </div>
      {removing && (
        <RemoveDialog
          steps={graph.steps.filter(({ id }) => removing.includes(id))}
          counts={counts}
          published={workflow}
          left={graph.steps}
          onClose={() => setRemoving(undefined)}
          onRemove={(executions) => removeSteps(removing, executions)}
        />
      )}
    </div>
  )

  function panelOf() {
    if (tool === 'simulate') {
      return (
        <Panel label={texts.simulation.title} lead={texts.simulation.lead} onClose={closePanel}>
          <Simulate workflow={workflow} draft={draft} onPath={setPath} />
        </Panel>
      )
    }
    if (tool === 'versions') {
      return (
        <Panel label={texts.versions.title} lead={texts.versions.lead} onClose={closePanel}>
          <Versions workflow={workflow} draft={draft} />
        </Panel>
      )
    }
    if (only === TRIGGER)
      return <TriggerPanel workflow={workflow} draft={trigger} focus={focusForm} onClose={closePanel} />
    if (step) {
      return (
        <StepPanel
          key={step.id}
          workflow={workflow}
          draft={draft}
          step={step}
          focus={focusForm}
          showErrors={checked.has(step.id)}
          waiting={counts.get(step.id)?.active ?? 0}
          onConnect={connectSteps}
          onDuplicate={() => pasteSteps(copySteps([step.id]))}
          onRemove={() => startRemoving([step.id])}
          onClose={closePanel}
        />
      )
    }
    const many = selected.filter((id) => id !== TRIGGER)
    if (many.length < 2) return null
    return (
      <MultiplePanel
        count={many.length}
        onDuplicate={() => pasteSteps(copySteps(many))}
        onRemove={() => startRemoving(many)}
        onClose={closePanel}
      />
    )
  }
}

/** The first thing to correct, by step. */
function useProblems({ graph, problems }: DraftEditor, checked: ReadonlySet<string>): Map<string, string> {
  return useMemo(() => {
    const byStep = new Map<string, string>()
    for (const id of edits.unconnectedSteps(graph)) byStep.set(id, texts.graph.unconnected)
    for (const { field } of problems) {
      const step = graph.steps[Number(/^steps\.([0-9]+)/.exec(field)?.[1])]
      if (step && checked.has(step.id)) byStep.set(step.id, texts.graph.incomplete)
    }
    return byStep
  }, [graph, problems, checked])
}

/** React Flow renders nodes as focusable elements. */
function focusNode(frame: HTMLElement | null, id: string): void {
  frame?.querySelector<HTMLElement>(`.react-flow__node[data-id="${id}"]`)?.focus()
}

/** Step types can be clicked, or dragged onto a connection, a plus or the canvas. */
function Palette({ onAdd }: { onAdd(type: StepType): void }) {
  return (
    <div
      role="toolbar"
      aria-label={texts.graph.palette}
      aria-orientation="vertical"
      className="flex shrink-0 gap-1 border-line bg-card p-2 max-lg:overflow-x-auto max-lg:border-b lg:w-22 lg:flex-col lg:overflow-y-auto lg:border-e 2xl:w-48"
    >
      <p className="px-2 pt-1 pb-1 text-xs font-medium text-soft max-2xl:hidden">{texts.graph.palette}</p>
      {STEP_TYPES.map((type) => {
        const { title, icon: Icon } = STEPS[type]
        return (
          <button
            key={type}
            type="button"
            title={title}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.setData(DRAGGED_STEP, type)
              event.dataTransfer.effectAllowed = 'copy'
            }}
            onClick={() => onAdd(type)}
            className="flex h-10 shrink-0 cursor-grab items-center gap-2.5 rounded-part px-2.5 text-start text-sm hover:bg-panel lg:max-2xl:h-auto lg:max-2xl:flex-col lg:max-2xl:gap-1 lg:max-2xl:px-1 lg:max-2xl:py-2 lg:max-2xl:text-center lg:max-2xl:text-xs"
          >
            <Icon className="size-4.5 shrink-0 text-accent" aria-hidden />
            <span className="text-balance max-lg:whitespace-nowrap">{title}</span>
          </button>
        )
      })}
      <p className="mt-2 px-2 text-xs text-soft max-2xl:hidden">{texts.graph.paletteHint}</p>
    </div>
  )
}
