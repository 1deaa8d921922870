/** The graph of a workflow, drawn by React Flow, for editing or to show a path. React Flow is large, so it is loaded on demand. */
import '@xyflow/react/dist/style.css'
import './graph.css'
import {
  Background,
  type Connection,
  Controls,
  type EdgeChange,
  MarkerType,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  useEdgesState,
  useNodesState,
  useReactFlow,
} from '@xyflow/react'
import { type DragEvent, type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useIsDark } from '../../../look/theme.ts'
import {
  connectionProblem,
  type DraftGraph,
  type DraftTransition,
  firstStep,
  openBranches,
  type Place,
} from '../editor/graph-edits.ts'
import { type Point, positionSteps, STEP_HEIGHT, STEP_WIDTH } from '../editor/layout.ts'
import { canContinue, STEP_TYPES, STEPS, stepName } from '../steps/registry.ts'
import { type Branch, DRAGGED_STEP, type StepType } from '../steps/step.ts'
import { texts } from '../texts.ts'
import { type ConnectionEdge, EDGE_TYPES } from './edges.tsx'
import { NODE_TYPES, type StepCounts, type StepNode } from './nodes.tsx'
import { FIT_VIEW, handleOf, isPhone, roomFor, viewBesideForm, viewOfStart } from './view.ts'

/** The steps an execution reached, in order, with their statuses by id. */
export interface Path {
  statuses: Record<string, string>
  stepIds: string[]
}

export interface GraphEditing {
  selected: string[]
  /** Whether a panel covers part of the graph. */
  hasPanel: boolean
  counts: ReadonlyMap<string, StepCounts>
  changes: { added: string[]; changed: string[] }
  /** What has to be corrected, by step. */
  problems: ReadonlyMap<string, string>
  /** The step to bring into view. A new object brings it into view again. */
  shown: { stepId: string } | undefined
  onSelect(ids: string[]): void
  /** Opens the form of a step and moves the focus there. */
  onOpen(id: string): void
  onAdd(type: StepType, place: Place, at?: Point): void
  onConnect(from: string, to: string, branch: Branch): void
  onDisconnect(transitions: Pick<DraftTransition, 'fromStepId' | 'branch'>[]): void
  onMove(positions: ReadonlyMap<string, Point>): void
}

export interface GraphProps {
  graph: Pick<DraftGraph, 'steps' | 'transitions'>
  trigger: string
  templates?: Record<string, string>
  path?: Path
  editing?: GraphEditing
}

export const TRIGGER = 'trigger'
const TRIGGER_HEIGHT = 64
const TRIGGER_GAP = 64
export const Graph = (props: GraphProps) => (
  <ReactFlowProvider>
    <Canvas {...props} />
  </ReactFlowProvider>
)

/** The branch of a handle; see `handleOf`. */
const branchOf = (handle: string | null | undefined): Branch => (handle?.startsWith('=') ? handle.slice(1) : null)

type Positions = ReturnType<typeof positionSteps>

function nodesOf({ graph, trigger, templates, path, editing }: GraphProps, positions: Positions): StepNode[] {
  const first = firstStep(graph)
  const start = (first && positions.get(first.id)) ?? { x: 0, y: 0 }
  const steps = graph.steps.map(
    (step): StepNode => ({
      id: step.id,
      type: 'step',
      position: positions.get(step.id)!,
      width: STEP_WIDTH,
      height: STEP_HEIGHT,
      selected: editing?.selected.includes(step.id) ?? false,
      deletable: false,
      ariaLabel: texts.graph.stepLabel(stepName(step), editing?.counts.get(step.id)?.active ?? 0),
      data: {
        step,
        template: step.templateId ? templates?.[step.templateId] : undefined,
        status: path?.statuses[step.id],
        faded: path !== undefined && !path.statuses[step.id],
        isOnlyShown: editing === undefined,
        counts: editing?.counts.get(step.id),
        change: editing?.changes.added.includes(step.id)
          ? 'added'
          : editing?.changes.changed.includes(step.id)
            ? 'changed'
            : undefined,
        problem: editing?.problems.get(step.id),
        openBranches: openBranches(graph, step),
        onAdd: editing?.onAdd,
      },
    }),
  )
  // Steps come in reading order, because that is the order in which Tab reaches them.
  steps.sort((a, b) => a.position.y - b.position.y || a.position.x - b.position.x)
  const triggerNode: StepNode = {
    id: TRIGGER,
    type: 'trigger',
    position: { x: start.x, y: start.y - TRIGGER_HEIGHT - TRIGGER_GAP },
    width: STEP_WIDTH,
    height: TRIGGER_HEIGHT,
    draggable: false,
    selectable: editing !== undefined,
    selected: editing?.selected.includes(TRIGGER) ?? false,
    deletable: false,
    connectable: false,
    ariaLabel: texts.graph.triggerLabel(trigger),
    data: { label: trigger, isEmpty: graph.steps.length === 0, onAdd: editing?.onAdd },
  }
  return [triggerNode, ...steps]
}

function edgesOf({ graph, trigger, path, editing }: GraphProps, dropTarget: string | undefined): ConnectionEdge[] {
  const onPath = new Set(path?.stepIds.slice(1).map((to, i) => `${path.stepIds[i]} ${to}`))
  const plain = path ? 'var(--line-strong)' : 'var(--soft)'
  const look = (isOnPath: boolean) => ({
    type: 'connection' as const,
    markerEnd: { type: MarkerType.ArrowClosed, color: isOnPath ? 'var(--accent)' : plain },
    style: { stroke: isOnPath ? 'var(--accent)' : plain, strokeWidth: isOnPath ? 2.5 : 1.5 },
  })
  const byId = new Map(graph.steps.map((step) => [step.id, step]))
  const edges = graph.transitions.flatMap((transition): ConnectionEdge[] => {
    const { fromStepId, toStepId, branch } = transition
    const [from, to] = [byId.get(fromStepId), byId.get(toStepId)]
    if (!from || !to) return []
    const id = edgeId(transition)
    return [
      {
        id,
        source: fromStepId,
        target: toStepId,
        sourceHandle: handleOf(branch),
        ariaLabel: texts.graph.connectionLabel(
          stepName(from),
          stepName(to),
          (branch && STEPS[from.type].when?.[branch]) ?? '',
        ),
        data: {
          branch,
          place: { stepId: fromStepId, branch },
          from: stepName(from),
          to: stepName(to),
          isDropTarget: id === dropTarget,
          onAdd: editing?.onAdd,
          onRemove: editing && (() => editing.onDisconnect([{ fromStepId, branch }])),
        },
        ...look(onPath.has(`${fromStepId} ${toStepId}`)),
      },
    ]
  })
  const first = firstStep(graph)
  if (!first) return edges
  const start: ConnectionEdge = {
    id: TRIGGER,
    source: TRIGGER,
    target: first.id,
    sourceHandle: 'next',
    deletable: false,
    selectable: false,
    focusable: false,
    ariaLabel: texts.graph.connectionLabel(trigger, stepName(first), ''),
    data: {
      branch: null,
      place: 'start',
      from: trigger,
      to: stepName(first),
      isDropTarget: dropTarget === TRIGGER,
      onAdd: editing?.onAdd,
      onRemove: undefined,
    },
    ...look(path?.stepIds[0] === first.id),
  }
  return [start, ...edges]
}

const edgeId = ({ fromStepId, branch }: Pick<DraftTransition, 'fromStepId' | 'branch'>) =>
  `${fromStepId} ${handleOf(branch)}`

/** The plus, connection or step under the pointer, for a step type that is dragged. */
function targetAt({ clientX, clientY }: DragEvent, type: StepType | undefined) {
  for (const element of document.elementsFromPoint(clientX, clientY)) {
    const place = element.closest<HTMLElement>('[data-place]')?.dataset.place
    if (place) return { place: JSON.parse(place) as Place, edge: undefined }
    const edge = element.closest<HTMLElement>('.react-flow__edge')?.dataset.id
    if (edge && (!type || canContinue(type))) return { place: placeOfEdge(edge), edge }
  }
  return undefined
}

function placeOfEdge(edge: string): Place {
  const space = edge.indexOf(' ')
  return edge === TRIGGER ? 'start' : { stepId: edge.slice(0, space), branch: branchOf(edge.slice(space + 1)) }
}

function Canvas(props: GraphProps) {
  const { graph, editing } = props
  const { screenToFlowPosition, setViewport, getViewport } = useReactFlow()
  const dark = useIsDark()
  const frame = useRef<HTMLDivElement>(null)
  const isDragging = useRef(false)
  const [dropTarget, setDropTarget] = useState<string>()
  const positions = useMemo(() => positionSteps(graph.steps, graph.transitions), [graph])
  const currentNodes = useMemo(() => nodesOf(props, positions), [props, positions])
  const currentEdges = useMemo(() => edgesOf(props, dropTarget), [props, dropTarget])
  const [nodes, setNodes, applyNodes] = useNodesState(currentNodes)
  const [edges, setEdges, applyEdges] = useEdgesState(currentEdges)
  useEffect(() => {
    // Keeps what React Flow measured; otherwise the graph would flicker.
    setNodes((before) => currentNodes.map((node) => ({ ...before.find(({ id }) => id === node.id), ...node })))
  }, [currentNodes, setNodes])
  useEffect(() => {
    setEdges((before) =>
      currentEdges.map((edge) => ({ ...edge, selected: before.find(({ id }) => id === edge.id)?.selected ?? false })),
    )
  }, [currentEdges, setEdges])

  const steps = currentNodes.map(({ position }) => position)
  const showStart = () => void setViewport(viewOfStart(frame.current!, steps))
  const showBesideForm = (id: string) => {
    const step = currentNodes.find((node) => node.id === id)?.position
    const view =
      step && viewBesideForm({ size: frame.current!, view: getViewport(), steps, step, keepsZoom: isDragging.current })
    if (view) void setViewport(view, { duration: 250 })
  }
  const shown = editing?.shown
  const only = editing?.selected.length === 1 ? editing.selected[0] : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new selection or request moves the view.
  useEffect(() => {
    const id = only ?? shown?.stepId
    if (id) showBesideForm(id)
  }, [only, shown])

  const changeNodes = (list: NodeChange<StepNode>[]) => {
    applyNodes(list)
    if (!editing) return
    const selected = new Set(editing.selected)
    for (const change of list) {
      if (change.type === 'select' && change.selected) selected.add(change.id)
      else if (change.type === 'select') selected.delete(change.id)
    }
    const now = [...selected]
    if (now.join() !== editing.selected.join()) editing.onSelect(now)
    // Arrow keys move selected steps without a drag.
    const moved = list.filter((change) => change.type === 'position' && change.dragging === false && change.position)
    if (moved.length > 0 && !isDragging.current) saveMoves(moved as { id: string; position: Point }[])
  }
  const saveMoves = (list: { id: string; position: Point }[]) =>
    editing?.onMove(new Map(list.map(({ id, position: { x, y } }) => [id, { x: Math.round(x), y: Math.round(y) }])))
  const dropStep = (event: DragEvent) => {
    event.preventDefault()
    setDropTarget(undefined)
    const type = STEP_TYPES.find((one) => one === event.dataTransfer.getData(DRAGGED_STEP))
    if (!type) return
    const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY })
    const at = { x: Math.round(x - STEP_WIDTH / 2), y: Math.round(y - STEP_HEIGHT / 2) }
    const place = targetAt(event, type)?.place
    if (place) editing?.onAdd(type, place)
    else editing?.onAdd(type, graph.steps.length === 0 ? 'start' : 'unconnected', at)
  }
  const openFocused = (event: KeyboardEvent) => {
    const node = (event.target as HTMLElement).closest<HTMLElement>('.react-flow__node')
    if (event.target !== node || !node?.dataset.id || (event.key !== 'Enter' && event.key !== ' ')) return
    event.preventDefault()
    editing?.onOpen(node.dataset.id)
  }
  return (
    <div ref={frame} className="h-full">
      <ReactFlow
        aria-label={texts.graph.label}
        onKeyDown={editing && openFocused}
        style={{ background: 'transparent' }}
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        colorMode={dark ? 'dark' : 'light'}
        ariaLabelConfig={texts.graph.aria}
        onInit={editing && showStart}
        fitView={!editing}
        fitViewOptions={FIT_VIEW}
        minZoom={0.2}
        maxZoom={1.5}
        nodesDraggable={editing !== undefined}
        nodesConnectable={editing !== undefined}
        elementsSelectable={editing !== undefined}
        connectionRadius={32}
        isValidConnection={({ source, target }) => !connectionProblem(graph as DraftGraph, source, target)}
        onNodesChange={changeNodes}
        onEdgesChange={(list: EdgeChange<ConnectionEdge>[]) => applyEdges(list)}
        onConnect={({ source, target, sourceHandle }: Connection) =>
          editing?.onConnect(source, target, branchOf(sourceHandle))
        }
        onEdgesDelete={(deleted) =>
          editing?.onDisconnect(
            deleted.map(({ source, sourceHandle }) => ({ fromStepId: source, branch: branchOf(sourceHandle) })),
          )
        }
        onNodeDragStart={() => {
          isDragging.current = true
        }}
        onNodeDragStop={(_event, _node, dragged) => {
          isDragging.current = false
          // A click is not a move.
          const moved = dragged.filter(({ id, position: { x, y } }) => {
            const before = currentNodes.find((node) => node.id === id)?.position
            return before && (Math.abs(before.x - x) > 1 || Math.abs(before.y - y) > 1)
          })
          if (moved.length > 0) saveMoves(moved)
        }}
        deleteKeyCode={editing ? ['Delete', 'Backspace'] : null}
        multiSelectionKeyCode={['Control', 'Meta', 'Shift']}
        selectionKeyCode="Shift"
        onDragOver={(event) => {
          event.preventDefault()
          setDropTarget(targetAt(event, undefined)?.edge)
        }}
        onDragLeave={() => setDropTarget(undefined)}
        onDrop={dropStep}
      >
        <Background color="var(--line-strong)" gap={20} />
        {/* On a phone, fingers zoom, and the buttons would cover a step. */}
        {!isPhone() && (
          <Controls
            showInteractive={false}
            fitViewOptions={editing ? { ...FIT_VIEW, padding: roomFor(editing.hasPanel) } : FIT_VIEW}
            position={editing ? 'bottom-left' : 'top-right'}
          />
        )}
      </ReactFlow>
    </div>
  )
}
