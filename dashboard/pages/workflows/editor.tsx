/** The graph with its palette and the form of the selected step. Steps are added by click, keyboard or dragging. */
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Loading } from '../../parts/page.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { useTemplates } from '../templates/email-fields.tsx'
import type { Path } from './graph.tsx'
import type { Point } from './layout.ts'
import { NewStepPanel, StepPanel } from './step-panel.tsx'
import { STEP_TYPES, STEPS } from './steps/registry.ts'
import { type Branch, DRAGGED_STEP, type StepType, type Workflow } from './steps/step.ts'
import { texts } from './texts.ts'

export const Graph = lazy(() => import('./graph.tsx').then((module) => ({ default: module.Graph })))

export const workflowKey = (projectId: string, id: string) => [projectId, 'workflows', id]

/** Template names by id, for the boxes of the graph. */
export function useTemplateNames(): Record<string, string> {
  return Object.fromEntries(useTemplates().map(({ id, name }) => [id, name]))
}

type Adding = { type: StepType; at: Point | undefined; key: number }

export function GraphEditor({ workflow, path }: { workflow: Workflow; path?: Path }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const templates = useTemplateNames()
  const [selected, setSelected] = useState<string>()
  const [adding, setAdding] = useState<Adding>()
  const step = workflow.steps.find(({ id }) => id === selected)
  const reload = () => void queries.invalidateQueries({ queryKey: workflowKey(projectId, workflow.id), exact: true })
  const startAdding = (type: StepType, at?: Point) => setAdding((before) => ({ type, at, key: (before?.key ?? 0) + 1 }))
  const selectStep = (id: string | undefined) => {
    setSelected(id)
    if (id) setAdding(undefined)
  }
  const runCalls = async (calls: Promise<{ error?: unknown }>[]) => {
    for (const { error } of await Promise.all(calls)) if (error) toast.failed(error)
    reload()
  }
  const connectSteps = (fromStepId: string, toStepId: string, branch: Branch) =>
    void runCalls([api.workflows.transitions.create(workflow.id, { fromStepId, toStepId, branch })])

  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="min-w-0 overflow-hidden rounded-card border border-line bg-card shadow-lift">
        <div
          role="toolbar"
          aria-label={texts.graph.palette}
          className="flex flex-wrap gap-1.5 border-b border-line p-2.5"
        >
          {STEP_TYPES.map((type) => (
            <PaletteButton key={type} type={type} onAdd={() => startAdding(type)} />
          ))}
        </div>
        <div className="h-[34rem] bg-paper max-sm:h-96">
          <Suspense fallback={<Loading />}>
            <Graph
              workflow={workflow}
              templates={templates}
              path={path}
              selected={selected}
              onSelect={selectStep}
              onConnect={connectSteps}
              onDisconnect={(ids) => void runCalls(ids.map((id) => api.workflows.transitions.delete(workflow.id, id)))}
              onMove={(id, position) => void runCalls([api.workflows.steps.update(workflow.id, id, { position })])}
              onDrop={startAdding}
            />
          </Suspense>
        </div>
      </div>
      <div className="min-w-0">
        {adding ? (
          <NewStepPanel
            key={adding.key}
            workflow={workflow}
            type={adding.type}
            at={adding.at}
            after={selected}
            onClose={() => setAdding(undefined)}
            onChanged={reload}
            onAdded={({ id }) => selectStep(id)}
          />
        ) : step ? (
          <StepPanel
            key={`${step.id} ${step.updatedAt}`}
            workflow={workflow}
            step={step}
            onClose={() => setSelected(undefined)}
            onChanged={reload}
          />
        ) : (
          <p className="rounded-card border border-dashed border-line-strong p-5 text-sm text-soft">
            {workflow.steps.length === 0 ? texts.graph.emptyHint : texts.graph.hint}
          </p>
        )}
      </div>
    </div>
  )
}

function PaletteButton({ type, onAdd }: { type: StepType; onAdd(): void }) {
  const { title, icon: Icon } = STEPS[type]
  return (
    <button
      type="button"
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData(DRAGGED_STEP, type)
        event.dataTransfer.effectAllowed = 'copy'
      }}
      onClick={onAdd}
      className="inline-flex h-8.5 cursor-grab items-center gap-2 rounded-part border border-line bg-card px-2.5 text-sm hover:border-line-strong hover:bg-panel"
    >
      <Icon className="size-4 text-accent" aria-hidden />
      {title}
    </button>
  )
}
