/** The graph of a workflow, drawn by React Flow: moved, connected, chosen; or with the path of somebody on it. Heavy, so loaded when needed. */
import '@xyflow/react/dist/style.css'
import {
  Background,
  type Connection,
  Controls,
  type Edge,
  MarkerType,
  type NodeChange,
  ReactFlow,
  ReactFlowProvider,
  useEdgesState,
  useNodesState,
  useReactFlow,
} from '@xyflow/react'
import { type DragEvent, useEffect, useMemo } from 'react'
import { useIsDark } from '../../look/theme.ts'
import { NODE_TYPES, type StepNode } from './graph-nodes.tsx'
import { type Point, placesOf, STEP_HEIGHT, STEP_WIDTH } from './layout.ts'
import { type Branch, DRAGGED_STEP, STEP_TYPES, type StepType, type Workflow } from './steps.ts'

/** What was seen of a path: steps with their state, in the order they were reached. */
export interface Walk {
  states: Record<string, string>
  order: string[]
}

export interface GraphProps {
  workflow: Workflow
  templates?: Record<string, string>
  walk?: Walk
  chosen?: string
  onChoose?(stepId: string | undefined): void
  onConnect?(from: string, to: string, branch: Branch): void
  onDisconnect?(transitionIds: string[]): void
  onMove?(stepId: string, to: Point): void
  onDrop?(type: StepType, at: Point): void
}

const TRIGGER = 'trigger'

export const Graph = (props: GraphProps) => (
  <ReactFlowProvider>
    <Canvas {...props} />
  </ReactFlowProvider>
)

const branchOf = (handle: string | null | undefined): Branch => (handle === 'yes' || handle === 'no' ? handle : null)

function nodesOf({ workflow, templates, walk, chosen, onConnect }: GraphProps): StepNode[] {
  const places = placesOf(workflow.steps, workflow.transitions)
  const led = new Set(workflow.transitions.map(({ toStepId }) => toStepId))
  const first = workflow.steps.find(({ id }) => !led.has(id))
  const start = (first && places.get(first.id)) ?? { x: 0, y: 0 }
  const size = { width: STEP_WIDTH, height: STEP_HEIGHT }
  const steps = workflow.steps.map(
    (step): StepNode => ({
      id: step.id,
      type: 'step',
      position: places.get(step.id)!,
      ...size,
      selected: step.id === chosen,
      deletable: false,
      connectable: onConnect !== undefined,
      data: {
        step,
        template: step.templateId ? templates?.[step.templateId] : undefined,
        state: walk?.states[step.id],
        faded: walk !== undefined && !walk.states[step.id],
      },
    }),
  )
  const trigger: StepNode = {
    id: TRIGGER,
    type: 'trigger',
    position: { x: start.x, y: start.y - STEP_HEIGHT - 48 },
    ...size,
    draggable: false,
    selectable: false,
    deletable: false,
    connectable: false,
    data: { words: workflow.triggerType === 'MANUAL' ? 'Started by hand' : triggerWords(workflow) },
  }
  return [trigger, ...steps]
}

const triggerWords = ({ triggerConfig }: Workflow) => triggerConfig?.eventName ?? 'No event chosen yet'

function edgesOf({ workflow, walk }: GraphProps): Edge[] {
  const walked = new Set(walk?.order.slice(1).map((to, i) => `${walk.order[i]} ${to}`))
  const plain = walk ? 'var(--line-strong)' : 'var(--soft)'
  const look = (isWalked: boolean) => ({
    markerEnd: { type: MarkerType.ArrowClosed, color: isWalked ? 'var(--accent)' : plain },
    style: { stroke: isWalked ? 'var(--accent)' : plain, strokeWidth: isWalked ? 2.5 : 1.5 },
  })
  const led = new Set(workflow.transitions.map(({ toStepId }) => toStepId))
  const edges = workflow.transitions.map(
    ({ id, fromStepId, toStepId, branch }): Edge => ({
      id,
      source: fromStepId,
      target: toStepId,
      sourceHandle: branch ?? 'next',
      type: 'smoothstep',
      ...(branch ? { label: branch } : {}),
      labelStyle: { fill: 'var(--ink)', fontSize: 12, fontWeight: 500 },
      labelBgStyle: { fill: 'var(--paper)' },
      ...look(walked.has(`${fromStepId} ${toStepId}`)),
    }),
  )
  const first = workflow.steps.filter(({ id }) => !led.has(id))
  const starts = first.map(
    (step): Edge => ({
      id: `start ${step.id}`,
      source: TRIGGER,
      target: step.id,
      sourceHandle: 'next',
      type: 'smoothstep',
      deletable: false,
      focusable: false,
      ...look(walk?.order[0] === step.id),
    }),
  )
  return [...starts, ...edges]
}

function Canvas(props: GraphProps) {
  const { onChoose, onConnect, onDisconnect, onMove, onDrop } = props
  const { screenToFlowPosition } = useReactFlow()
  const dark = useIsDark()
  const wantedNodes = useMemo(() => nodesOf(props), [props])
  const wantedEdges = useMemo(() => edgesOf(props), [props])
  const [nodes, setNodes, applyNodes] = useNodesState(wantedNodes)
  const [edges, setEdges, applyEdges] = useEdgesState(wantedEdges)
  useEffect(() => {
    // What was measured stays, or everything would blink.
    setNodes((now) => wantedNodes.map((node) => ({ ...now.find(({ id }) => id === node.id), ...node })))
  }, [wantedNodes, setNodes])
  useEffect(() => setEdges(wantedEdges), [wantedEdges, setEdges])

  const changes = (list: NodeChange<StepNode>[]) => {
    applyNodes(list)
    const picked = list.find((change) => change.type === 'select' && change.selected)
    if (picked?.type === 'select') onChoose?.(picked.id)
  }
  const drops = (event: DragEvent) => {
    event.preventDefault()
    const type = STEP_TYPES.find((one) => one === event.dataTransfer.getData(DRAGGED_STEP))
    const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY })
    if (type) onDrop?.(type, { x: Math.round(x - STEP_WIDTH / 2), y: Math.round(y - STEP_HEIGHT / 2) })
  }
  return (
    <ReactFlow
      aria-label="The steps of the workflow"
      style={{ background: 'transparent' }}
      nodes={nodes}
      edges={edges}
      nodeTypes={NODE_TYPES}
      colorMode={dark ? 'dark' : 'light'}
      fitView
      fitViewOptions={{ maxZoom: 1, padding: 0.2 }}
      minZoom={0.2}
      maxZoom={1.5}
      nodesDraggable={onMove !== undefined}
      nodesConnectable={onConnect !== undefined}
      elementsSelectable={onChoose !== undefined || onDisconnect !== undefined}
      onNodesChange={changes}
      onEdgesChange={applyEdges}
      onPaneClick={() => onChoose?.(undefined)}
      onConnect={({ source, target, sourceHandle }: Connection) => onConnect?.(source, target, branchOf(sourceHandle))}
      onEdgesDelete={(gone) => onDisconnect?.(gone.map(({ id }) => id))}
      onNodeDragStop={(_event, node) =>
        onMove?.(node.id, { x: Math.round(node.position.x), y: Math.round(node.position.y) })
      }
      deleteKeyCode={onDisconnect ? ['Delete', 'Backspace'] : null}
      onDragOver={(event) => event.preventDefault()}
      onDrop={drops}
    >
      <Background color="var(--line-strong)" gap={20} />
      <Controls showInteractive={false} />
    </ReactFlow>
  )
}
