/** The graph with its palette and the step one works on. Steps come by click, by keyboard or by dragging. */
import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { Loading } from '../../parts/page.tsx'
import { useToast } from '../../parts/toast.tsx'
import { useApi } from '../../project.ts'
import { useTemplates } from '../templates/email-fields.tsx'
import type { Walk } from './graph.tsx'
import type { Point } from './layout.ts'
import { NewStepPanel, StepPanel } from './step-panel.tsx'
import { type Branch, DRAGGED_STEP, KINDS, STEP_TYPES, type StepType, type Workflow } from './steps.ts'

export const Graph = lazy(() => import('./graph.tsx').then((module) => ({ default: module.Graph })))

export const workflowKey = (projectId: string, id: string) => [projectId, 'workflows', id]

/** Names of templates, for the boxes of the graph. */
export function useTemplateNames(): Record<string, string> {
  return Object.fromEntries(useTemplates().map(({ id, name }) => [id, name]))
}

type Adding = { type: StepType; at: Point | undefined; key: number }

export function GraphEditor({ workflow, walk }: { workflow: Workflow; walk?: Walk }) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const templates = useTemplateNames()
  const [chosen, setChosen] = useState<string>()
  const [adding, setAdding] = useState<Adding>()
  const step = workflow.steps.find(({ id }) => id === chosen)
  const reload = () => void queries.invalidateQueries({ queryKey: workflowKey(projectId, workflow.id), exact: true })
  const add = (type: StepType, at?: Point) => setAdding((now) => ({ type, at, key: (now?.key ?? 0) + 1 }))
  const choose = (id: string | undefined) => {
    setChosen(id)
    if (id) setAdding(undefined)
  }
  const attempt = async (calls: Promise<{ error?: unknown }>[]) => {
    for (const { error } of await Promise.all(calls)) if (error) toast.failed(error)
    reload()
  }
  const connect = (fromStepId: string, toStepId: string, branch: Branch) =>
    void attempt([api.workflows.transitions.create(workflow.id, { fromStepId, toStepId, branch })])

  return (
    <div className="grid grid-cols-1 items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="min-w-0 overflow-hidden rounded-card border border-line bg-card shadow-lift">
        <div role="toolbar" aria-label="Add a step" className="flex flex-wrap gap-1.5 border-b border-line p-2.5">
          {STEP_TYPES.map((type) => (
            <PaletteButton key={type} type={type} onAdd={() => add(type)} />
          ))}
        </div>
        <div className="h-[34rem] bg-paper max-sm:h-96">
          <Suspense fallback={<Loading />}>
            <Graph
              workflow={workflow}
              templates={templates}
              walk={walk}
              chosen={chosen}
              onChoose={choose}
              onConnect={connect}
              onDisconnect={(ids) => void attempt(ids.map((id) => api.workflows.transitions.delete(workflow.id, id)))}
              onMove={(id, position) => void attempt([api.workflows.steps.update(workflow.id, id, { position })])}
              onDrop={add}
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
            after={chosen}
            onClose={() => setAdding(undefined)}
            onChanged={reload}
            onAdded={({ id }) => choose(id)}
          />
        ) : step ? (
          <StepPanel
            key={`${step.id} ${step.updatedAt}`}
            workflow={workflow}
            step={step}
            onClose={() => setChosen(undefined)}
            onChanged={reload}
          />
        ) : (
          <p className="rounded-card border border-dashed border-line-strong p-5 text-sm text-soft">
            {workflow.steps.length === 0
              ? 'Add the first step: click one above, or drag it onto the canvas.'
              : 'Choose a step to change it. Click a kind above to add one, or drag it onto the canvas. Draw from dot to dot to connect.'}
          </p>
        )}
      </div>
    </div>
  )
}

function PaletteButton({ type, onAdd }: { type: StepType; onAdd(): void }) {
  const { words, icon: Icon } = KINDS[type]
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
      {words}
    </button>
  )
}
