/** The boxes of the graph: a step with its icon, name, summary and status; and the trigger. */
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { Zap } from 'lucide-react'
import { STEPS, stepName } from './steps/registry.ts'
import type { Step } from './steps/step.ts'
import { texts } from './texts.ts'

interface StepData extends Record<string, unknown> {
  step: Step
  template: string | undefined
  status: string | undefined
  faded: boolean
}

type TriggerData = { label: string } & Record<string, unknown>

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

function StepBox({ data: { step, template, status, faded }, selected }: NodeProps<Node<StepData, 'step'>>) {
  const { icon: Icon, summary } = STEPS[step.type]
  const ring = status ? RINGS[status] : selected ? 'border-accent' : 'border-line-strong'
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
      <BranchHandles type={step.type} />
    </div>
  )
}

const LEFT = { yes: '25%', next: '50%', no: '75%' }

const BranchHandles = ({ type }: Pick<Step, 'type'>) =>
  STEPS[type].branches.map((branch) => {
    const id = branch ?? 'next'
    const style = { left: LEFT[id] }
    return <Handle key={id} id={id} type="source" position={Position.Bottom} className={DOT} style={style} />
  })

const TriggerBox = ({ data: { label } }: NodeProps<Node<TriggerData, 'trigger'>>) => (
  <div className="flex h-full items-center gap-3 rounded-full border border-dashed border-line-strong bg-panel px-5">
    <Zap className="size-4 shrink-0 text-accent" aria-hidden />
    <span className="min-w-0 leading-snug">
      <span className="block text-xs text-soft">{texts.graph.trigger}</span>
      <span className="block truncate text-sm font-medium text-ink">{label}</span>
    </span>
    <Handle id="next" type="source" position={Position.Bottom} className={DOT} />
  </div>
)

export const NODE_TYPES = { step: StepBox, trigger: TriggerBox }
