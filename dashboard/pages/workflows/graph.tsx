/** The graph of a workflow, drawn by React Flow, for editing or to show a path. React Flow is large, so it is loaded on demand. */
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
import { type Point, positionSteps, STEP_HEIGHT, STEP_WIDTH } from './layout.ts'
import { STEP_TYPES } from './steps/registry.ts'
import { type Branch, DRAGGED_STEP, type StepType, type Workflow } from './steps/step.ts'
import { texts } from './texts.ts'

/** The steps an execution reached, in order, with their statuses by id. */
export interface Path {
  statuses: Record<string, string>
  stepIds: string[]
}

export interface GraphProps {
  workflow: Workflow
  templates?: Record<string, string>
  path?: Path
  selected?: string
  onSelect?(stepId: string | undefined): void
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

function nodesOf({ workflow, templates, path, selected, onConnect }: GraphProps): StepNode[] {
  const positions = positionSteps(workflow.steps, workflow.transitions)
  const reached = new Set(workflow.transitions.map(({ toStepId }) => toStepId))
  const first = workflow.steps.find(({ id }) => !reached.has(id))
  const start = (first && positions.get(first.id)) ?? { x: 0, y: 0 }
  const size = { width: STEP_WIDTH, height: STEP_HEIGHT }
  const steps = workflow.steps.map(
    (step): StepNode => ({
      id: step.id,
      type: 'step',
      position: positions.get(step.id)!,
      ...size,
      selected: step.id === selected,
      deletable: false,
      connectable: onConnect !== undefined,
      data: {
        step,
        template: step.templateId ? templates?.[step.templateId] : undefined,
        status: path?.statuses[step.id],
        faded: path !== undefined && !path.statuses[step.id],
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
    data: { label: triggerLabel(workflow) },
  }
  return [trigger, ...steps]
}

const triggerLabel = ({ triggerType, triggerConfig }: Workflow) =>
  triggerType === 'MANUAL' ? texts.manualStart : (triggerConfig?.eventName ?? texts.graph.noEvent)

function edgesOf({ workflow, path }: GraphProps): Edge[] {
  const onPath = new Set(path?.stepIds.slice(1).map((to, i) => `${path.stepIds[i]} ${to}`))
  const plain = path ? 'var(--line-strong)' : 'var(--soft)'
  const look = (isOnPath: boolean) => ({
    markerEnd: { type: MarkerType.ArrowClosed, color: isOnPath ? 'var(--accent)' : plain },
    style: { stroke: isOnPath ? 'var(--accent)' : plain, strokeWidth: isOnPath ? 2.5 : 1.5 },
  })
  const reached = new Set(workflow.transitions.map(({ toStepId }) => toStepId))
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
      ...look(onPath.has(`${fromStepId} ${toStepId}`)),
    }),
  )
  const first = workflow.steps.filter(({ id }) => !reached.has(id))
  const starts = first.map(
    (step): Edge => ({
      id: `start ${step.id}`,
      source: TRIGGER,
      target: step.id,
      sourceHandle: 'next',
      type: 'smoothstep',
      deletable: false,
      focusable: false,
      ...look(path?.stepIds[0] === step.id),
    }),
  )
  return [...starts, ...edges]
}

function Canvas(props: GraphProps) {
  const { onSelect, onConnect, onDisconnect, onMove, onDrop } = props
  const { screenToFlowPosition } = useReactFlow()
  const dark = useIsDark()
  const currentNodes = useMemo(() => nodesOf(props), [props])
  const currentEdges = useMemo(() => edgesOf(props), [props])
  const [nodes, setNodes, applyNodes] = useNodesState(currentNodes)
  const [edges, setEdges, applyEdges] = useEdgesState(currentEdges)
  useEffect(() => {
    // Keeps what React Flow measured; otherwise the graph would flicker.
    setNodes((before) => currentNodes.map((node) => ({ ...before.find(({ id }) => id === node.id), ...node })))
  }, [currentNodes, setNodes])
  useEffect(() => setEdges(currentEdges), [currentEdges, setEdges])

  const changeNodes = (list: NodeChange<StepNode>[]) => {
    applyNodes(list)
    const selection = list.find((change) => change.type === 'select' && change.selected)
    if (selection?.type === 'select') onSelect?.(selection.id)
  }
  const dropStep = (event: DragEvent) => {
    event.preventDefault()
    const type = STEP_TYPES.find((one) => one === event.dataTransfer.getData(DRAGGED_STEP))
    const { x, y } = screenToFlowPosition({ x: event.clientX, y: event.clientY })
    if (type) onDrop?.(type, { x: Math.round(x - STEP_WIDTH / 2), y: Math.round(y - STEP_HEIGHT / 2) })
  }
  return (
    <ReactFlow
      aria-label={texts.graph.label}
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
      elementsSelectable={onSelect !== undefined || onDisconnect !== undefined}
      onNodesChange={changeNodes}
      onEdgesChange={applyEdges}
      onPaneClick={() => onSelect?.(undefined)}
      onConnect={({ source, target, sourceHandle }: Connection) => onConnect?.(source, target, branchOf(sourceHandle))}
      onEdgesDelete={(deleted) => onDisconnect?.(deleted.map(({ id }) => id))}
      onNodeDragStop={(_event, node) =>
        onMove?.(node.id, { x: Math.round(node.position.x), y: Math.round(node.position.y) })
      }
      deleteKeyCode={onDisconnect ? ['Delete', 'Backspace'] : null}
      onDragOver={(event) => event.preventDefault()}
      onDrop={dropStep}
    >
      <Background color="var(--line-strong)" gap={20} />
      <Controls showInteractive={false} />
    </ReactFlow>
  )
}
