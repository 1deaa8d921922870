/** A connection of the graph, with the name of its branch, a button that inserts a step, and one that removes it. */
import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps, getSmoothStepPath } from '@xyflow/react'
import { X } from 'lucide-react'
import { AddStepMenu } from '../editor/add-step-menu.tsx'
import type { Place } from '../editor/graph-edits.ts'
import type { Branch, StepType } from '../steps/step.ts'
import { texts } from '../texts.ts'

interface ConnectionData extends Record<string, unknown> {
  branch: Branch
  place: Place
  /** The names of the steps at its ends. */
  from: string
  to: string
  isDropTarget: boolean
  onAdd: ((type: StepType, place: Place) => void) | undefined
  onRemove: (() => void) | undefined
}

export type ConnectionEdge = Edge<ConnectionData, 'connection'>

function Connection({ id, data, selected, markerEnd, style, ...ends }: EdgeProps<ConnectionEdge>) {
  const [path, x, y] = getSmoothStepPath({ ...ends, borderRadius: 12 })
  const { branch, place, from, to, isDropTarget, onAdd, onRemove } = data!
  const isStrong = selected || isDropTarget
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        markerEnd={markerEnd}
        interactionWidth={28}
        style={isStrong ? { ...style, stroke: 'var(--accent)', strokeWidth: isDropTarget ? 4 : 2.5 } : style}
      />
      {(branch || onAdd) && (
        <EdgeLabelRenderer>
          <div
            className="nodrag nopan absolute flex items-center gap-1"
            style={{ transform: `translate(-50%, -50%) translate(${x}px, ${y}px)` }}
          >
            {branch && (
              <span className="rounded-full border border-line bg-card px-2 text-[0.8125rem] leading-5 font-medium">
                {texts.branches.name(branch)}
              </span>
            )}
            {onAdd && (
              <AddStepMenu
                isBetween
                label={place === 'start' ? texts.graph.addBefore(to) : texts.graph.addBetween(from, to)}
                place={place}
                onAdd={(type) => onAdd(type, place)}
              />
            )}
            {selected && onRemove && (
              <button
                type="button"
                aria-label={texts.graph.removeConnection(from, to)}
                title={texts.graph.removeConnection(from, to)}
                onClick={(event) => {
                  event.stopPropagation()
                  onRemove()
                }}
                className="pointer-events-auto flex size-7 items-center justify-center rounded-full border border-line-strong bg-card text-bad shadow-lift hover:bg-bad-wash max-sm:size-9"
              >
                <X className="size-4" aria-hidden />
              </button>
            )}
          </div>
        </EdgeLabelRenderer>
      )}
    </>
  )
}

export const EDGE_TYPES = { connection: Connection }
