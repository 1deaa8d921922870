/** The boxes of the graph: a step with its icon, name, summary, counts and status; and the trigger. */
import { Handle, type Node, type NodeProps, Position } from '@xyflow/react'
import { MailOpen, MousePointerClick, Send, Target, TriangleAlert, Zap } from 'lucide-react'
import type { Schemas } from '../../../data/api.ts'
import { formatNumber, formatShare } from '../../../figures/format.ts'
import { emailShares } from '../../../figures/rates.ts'
import { statusLabel } from '../../../ui/badge.tsx'
import { AddStepMenu } from '../editor/add-step-menu.tsx'
import type { DraftStep, Place } from '../editor/graph-edits.ts'
import { branchesOf, STEPS, stepName } from '../steps/registry.ts'
import type { Branch, StepType } from '../steps/step.ts'
import { texts } from '../texts.ts'
import { handleOf } from './view.ts'

export type StepCounts = Schemas['WorkflowStats']['steps'][number]

interface StepData extends Record<string, unknown> {
  step: DraftStep
  template: string | undefined
  status: string | undefined
  faded: boolean
  /** The graph shows an execution and isn't edited. */
  isOnlyShown: boolean
  counts: StepCounts | undefined
  /** How the step differs from the published graph. */
  change: 'added' | 'changed' | undefined
  /** What has to be corrected before the graph can be published. */
  problem: string | undefined
  /** Branches without a next step, where one can be added. */
  openBranches: Branch[]
  onAdd: ((type: StepType, place: Place) => void) | undefined
}

type TriggerData = { label: string; isEmpty: boolean; onAdd: StepData['onAdd'] } & Record<string, unknown>

export type StepNode = Node<StepData, 'step'> | Node<TriggerData, 'trigger'>

const RINGS: Record<string, string> = {
  COMPLETED: 'border-good',
  RUNNING: 'border-info',
  WAITING: 'border-warn',
  FAILED: 'border-bad',
  SKIPPED: 'border-line-strong border-dashed',
  CANCELLED: 'border-line-strong border-dashed',
}

/** The dot is small, but it can be grabbed from a larger area around it. */
const DOT =
  '!size-3 !border-2 !border-card !bg-soft after:absolute after:-inset-2.5 after:content-[""] hover:!bg-accent'

function ringOf({ status, problem }: StepData, selected: boolean): string {
  if (status) return RINGS[status] ?? 'border-line-strong'
  if (selected) return 'border-accent'
  return problem ? 'border-bad' : 'border-line-strong'
}

function StepBox({ data, selected }: NodeProps<Node<StepData, 'step'>>) {
  const { step, template, status, faded, isOnlyShown, counts, change, problem, onAdd } = data
  const { icon: Icon, summary } = STEPS[step.type]
  const line = template ?? summary(step.config)
  return (
    <>
      <div
        className={`flex h-full flex-col rounded-card border-2 bg-card text-start shadow-lift transition-shadow hover:shadow-float ${ringOf(data, selected)} ${selected ? 'outline-2 outline-accent' : ''}`}
      >
        <div className="flex min-h-0 flex-1 items-center gap-3 px-3.5">
          <span
            className={`flex size-9 shrink-0 items-center justify-center rounded-part ${faded ? 'bg-panel text-soft' : 'bg-accent-wash text-accent'}`}
          >
            <Icon className="size-4.5" aria-hidden />
          </span>
          <span className="min-w-0 flex-1 leading-snug">
            <span className={`block truncate font-medium ${faded ? 'text-soft' : 'text-ink'}`}>{stepName(step)}</span>
            <span className="block truncate text-sm text-soft">{line || texts.graph.notConfigured}</span>
          </span>
        </div>
        <div className="flex h-7 shrink-0 items-center gap-3 border-t border-line px-3.5 text-[0.8125rem] whitespace-nowrap text-soft">
          {problem ? (
            <span className="flex min-w-0 items-center gap-1.5 text-bad">
              <TriangleAlert className="size-3.5 shrink-0" aria-hidden /> <span className="truncate">{problem}</span>
            </span>
          ) : (
            (isOnlyShown && (status ? statusLabel('executions', status) : texts.graph.notReached)) || (
              <Counts counts={counts} />
            )
          )}
          {change && (
            <span className="ms-auto shrink-0 rounded-full bg-info-wash px-1.5 text-xs leading-5 font-medium text-info">
              {texts.graph.change[change]}
            </span>
          )}
        </div>
      </div>
      <Handle type="target" position={Position.Top} className={DOT} />
      {branchesOf(step).map((branch, _, branches) => {
        const id = handleOf(branch)
        const style = { left: leftOf(branch, branches) }
        const look = branch === null && branches.length > 1 ? `${DOT} rare-handle` : DOT
        return <Handle key={id} id={id} type="source" position={Position.Bottom} className={look} style={style} />
      })}
      {onAdd &&
        data.openBranches.map((branch) => <OpenEnd key={branch ?? 'next'} step={step} branch={branch} onAdd={onAdd} />)}
    </>
  )
}

/** Contacts at the step now, and what came of it. */
function Counts({ counts }: { counts: StepCounts | undefined }) {
  if (!counts) return <span>{texts.graph.counts.none}</span>
  const { active, entered, failed, emails, converted } = counts
  const { opened, clicked } = emailShares({ ...counts, sent: emails, complained: 0 })
  return (
    <>
      {active > 0 && (
        <span className="figures flex items-center gap-1.5 font-medium text-warn">
          <span className="size-1.5 rounded-full bg-warn" aria-hidden />{' '}
          {texts.graph.counts.active(formatNumber(active))}
        </span>
      )}
      {emails > 0 ? (
        <Emails sent={formatNumber(emails)} opened={formatShare(...opened)} clicked={formatShare(...clicked)} />
      ) : (
        <span className="figures truncate">{texts.graph.counts.entered(formatNumber(entered))}</span>
      )}
      {converted > 0 && <Converted share={formatShare(converted, entered)} />}
      {failed > 0 && <span className="figures text-bad">{texts.graph.counts.failed(formatNumber(failed))}</span>}
    </>
  )
}

/** Icons instead of words, which would push the numbers out of the line in some languages. */
function Emails({ sent, opened, clicked }: Record<'sent' | 'opened' | 'clicked', string>) {
  const label = texts.graph.counts.emails(sent, opened, clicked)
  return (
    <span
      className="figures flex items-center gap-1 [&_svg]:size-3.5 [&_svg]:shrink-0"
      role="img"
      aria-label={label}
      title={label}
    >
      <Send aria-hidden /> {sent} <MailOpen className="ms-1.5" aria-hidden /> {opened}{' '}
      <MousePointerClick className="ms-1.5" aria-hidden /> {clicked}
    </span>
  )
}

/** An icon instead of the word, because the line has little space. */
function Converted({ share }: { share: string }) {
  const label = texts.graph.counts.converted(share)
  return (
    <span className="figures flex items-center gap-1 text-good" role="img" aria-label={label} title={label}>
      <Target className="size-3.5" aria-hidden /> {share}
    </span>
  )
}

/** Branches are side by side; a transition without a branch is in the middle. */
function leftOf(branch: Branch, branches: Branch[]): string {
  const named = branches.filter((one) => one !== null)
  return branch === null ? '50%' : `${((named.indexOf(branch) + 0.5) / named.length) * 100}%`
}

/** A button below a branch without a next step. */
function OpenEnd({ step, branch, onAdd }: { step: DraftStep; branch: Branch; onAdd: NonNullable<StepData['onAdd']> }) {
  const place = { stepId: step.id, branch }
  return (
    <div
      className="nodrag nopan pointer-events-none absolute top-full flex -translate-x-1/2 flex-col items-center pt-2"
      style={{ left: leftOf(branch, branchesOf(step)) }}
    >
      <span className="h-3 w-px bg-line-strong" aria-hidden />
      {branch && <span className="text-[0.8125rem] leading-4 text-soft">{texts.branches.name(branch)}</span>}
      <AddStepMenu
        label={texts.graph.addAfter(stepName(step), branch)}
        place={place}
        onAdd={(type) => onAdd(type, place)}
      />
    </div>
  )
}

const TriggerBox = ({ data: { label, isEmpty, onAdd }, selected }: NodeProps<Node<TriggerData, 'trigger'>>) => (
  <>
    <div
      className={`flex h-full items-center gap-3 rounded-full border-2 bg-card px-4 shadow-lift transition-shadow hover:shadow-float ${selected ? 'border-accent outline-2 outline-accent' : 'border-line-strong'}`}
    >
      <span className="flex size-9 shrink-0 items-center justify-center rounded-full bg-accent text-on-accent">
        <Zap className="size-4" aria-hidden />
      </span>
      <span className="min-w-0 leading-snug">
        <span className="block text-[0.8125rem] text-soft">{texts.graph.trigger}</span>
        <span className="block truncate font-medium text-ink">{label}</span>
      </span>
    </div>
    <Handle id="next" type="source" position={Position.Bottom} className="!invisible" />
    {isEmpty && onAdd && (
      <div className="nodrag nopan absolute top-full left-1/2 flex -translate-x-1/2 flex-col items-center">
        <span className="h-5 w-px bg-line-strong" aria-hidden />
        <AddStepMenu label={texts.graph.addFirst} place="start" onAdd={(type) => onAdd(type, 'start')} />
      </div>
    )}
  </>
)

export const NODE_TYPES = { step: StepBox, trigger: TriggerBox }
