/** How a step looks on the graph: its kind, its name, what it does, and what became of it. */
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { Zap } from 'lucide-react'
import { KINDS, type Step, stepName } from './steps.ts'

interface StepData extends Record<string, unknown> {
  step: Step
  template: string | undefined
  state: string | undefined
  faded: boolean
}

type TriggerData = { words: string } & Record<string, unknown>

export type StepNode = Node<StepData, 'step'> | Node<TriggerData, 'trigger'>

const RINGS: Record<string, string> = {
  COMPLETED: 'border-good',
  RUNNING: 'border-info',
  WAITING: 'border-warn',
  FAILED: 'border-bad',
  SKIPPED: 'border-line-strong border-dashed',
  CANCELLED: 'border-line-strong border-dashed',
}

const DOT = '!size-2.5 !border-2 !border-card !bg-soft'

function StepBox({ data: { step, template, state, faded }, selected }: NodeProps<Node<StepData, 'step'>>) {
  const { icon: Icon, summary } = KINDS[step.type]
  const ring = state ? RINGS[state] : selected ? 'border-accent' : 'border-line-strong'
  return (
    <div
      className={`flex h-full items-center gap-3 rounded-card border-2 bg-card px-3.5 text-left shadow-lift ${ring} ${selected ? 'outline-2 outline-accent' : ''}`}
    >
      <Handle type="target" position={Position.Top} className={DOT} />
      <span
        className={`flex size-8 shrink-0 items-center justify-center rounded-part ${faded ? 'bg-panel text-soft' : 'bg-accent-wash text-accent'}`}
      >
        <Icon className="size-4" aria-hidden />
      </span>
      <span className="min-w-0 leading-snug">
        <span className={`block truncate text-sm font-medium ${faded ? 'text-soft' : 'text-ink'}`}>
          {stepName(step)}
        </span>
        <span className="block truncate text-xs text-soft">{template ?? summary(step.config)}</span>
      </span>
      <WaysOut type={step.type} />
    </div>
  )
}

function WaysOut({ type }: Pick<Step, 'type'>) {
  if (type === 'EXIT') return null
  const dot = (id: string, left: string) => (
    <Handle key={id} id={id} type="source" position={Position.Bottom} className={DOT} style={{ left }} />
  )
  if (type === 'CONDITION') return [dot('yes', '25%'), dot('no', '75%')]
  if (type === 'WAIT_FOR_EVENT') return [dot('yes', '25%'), dot('next', '50%'), dot('no', '75%')]
  return dot('next', '50%')
}

const TriggerBox = ({ data: { words } }: NodeProps<Node<TriggerData, 'trigger'>>) => (
  <div className="flex h-full items-center gap-3 rounded-full border border-dashed border-line-strong bg-panel px-5">
    <Zap className="size-4 shrink-0 text-accent" aria-hidden />
    <span className="min-w-0 leading-snug">
      <span className="block text-xs text-soft">Starts with</span>
      <span className="block truncate text-sm font-medium text-ink">{words}</span>
    </span>
    <Handle id="next" type="source" position={Position.Bottom} className={DOT} />
  </div>
)

export const NODE_TYPES = { step: StepBox, trigger: TriggerBox }
