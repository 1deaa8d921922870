/** The seven kinds of steps: their names and icons, what a new one starts with, and what one does in a few words. */
import { CircleStop, Clock, type LucideIcon, Mail, MailSearch, Split, UserPen, Webhook } from 'lucide-react'
import type { Schemas } from '../../api.ts'
import { emptyCondition } from '../../parts/condition.ts'

export type Workflow = Schemas['WorkflowWithGraph']
export type Step = Workflow['steps'][number]
export type StepType = Step['type']
export type Branch = 'yes' | 'no' | null
export type Config = Record<string, unknown>

interface Kind {
  words: string
  icon: LucideIcon
  config: () => Config
  summary(config: Config): string
}

const UNIT_SECONDS = { days: 86_400, hours: 3_600, minutes: 60 } as const

export function secondsInWords(seconds: number): string {
  const [unit, size] = Object.entries(UNIT_SECONDS).find(([, size]) => seconds % size === 0) ?? ['seconds', 1]
  const amount = seconds / size
  return `${amount.toLocaleString()} ${amount === 1 ? unit.slice(0, -1) : unit}`
}

export const KINDS: Record<StepType, Kind> = {
  SEND_EMAIL: { words: 'Send an email', icon: Mail, config: () => ({}), summary: () => 'A template' },
  DELAY: {
    words: 'Wait a while',
    icon: Clock,
    config: () => ({ amount: 1, unit: 'days' }),
    summary: ({ amount, unit }) => `${amount} ${amount === 1 ? String(unit).slice(0, -1) : unit}`,
  },
  WAIT_FOR_EVENT: {
    words: 'Wait for an event',
    icon: MailSearch,
    config: () => ({ eventName: '', timeout: 7 * UNIT_SECONDS.days }),
    summary: ({ eventName, timeout }) =>
      timeout ? `${eventName}, at most ${secondsInWords(Number(timeout))}` : `${eventName}`,
  },
  CONDITION: {
    words: 'Ask a condition',
    icon: Split,
    config: () => ({ ...emptyCondition() }),
    summary: (config) => conditionSummary(config),
  },
  WEBHOOK: {
    words: 'Call a webhook',
    icon: Webhook,
    config: () => ({ url: '', method: 'POST' }),
    summary: ({ method, url }) => `${method ?? 'POST'} ${url}`,
  },
  UPDATE_CONTACT: {
    words: 'Change the contact',
    icon: UserPen,
    config: () => ({ updates: {} }),
    summary: ({ updates, subscribed }) =>
      [
        ...Object.keys((updates as object | null) ?? {}),
        ...(typeof subscribed === 'boolean' ? [subscribed ? 'subscribe' : 'unsubscribe'] : []),
      ].join(', ') || 'Nothing yet',
  },
  EXIT: {
    words: 'Exit',
    icon: CircleStop,
    config: () => ({}),
    summary: ({ reason }) => (reason ? String(reason) : 'The workflow ends here'),
  },
}

export const STEP_TYPES = Object.keys(KINDS) as StepType[]

function conditionSummary(config: Config): string {
  if (typeof config.field === 'string') return config.field
  const groups = (config.groups ?? []) as { filters?: { field: string }[] }[]
  const fields = groups.flatMap(({ filters }) => (filters ?? []).map(({ field }) => field))
  return fields.slice(0, 3).join(', ') + (fields.length > 3 ? '…' : '')
}

export const stepName = (step: Pick<Step, 'name' | 'type'>) => step.name ?? KINDS[step.type].words

/** The ways out of a step: a condition has two, a wait may have two or one, an exit has none. */
export function waysOut(type: StepType): Branch[] {
  if (type === 'EXIT') return []
  if (type === 'CONDITION') return ['yes', 'no']
  return type === 'WAIT_FOR_EVENT' ? [null, 'yes', 'no'] : [null]
}

export interface End {
  stepId: string
  branch: Branch
  words: string
}

const BRANCH_WORDS = { yes: ', if yes', no: ', if no' }

/** Ways out that lead nowhere yet: where a new step may follow. */
export function openEnds({ steps, transitions }: Workflow): End[] {
  return steps.flatMap((step) => {
    const taken = transitions.filter(({ fromStepId }) => fromStepId === step.id).map(({ branch }) => branch)
    return waysOut(step.type)
      .filter((branch) => !taken.includes(branch) && !taken.includes(null) && (branch !== null || taken.length === 0))
      .map((branch) => ({
        stepId: step.id,
        branch,
        words: stepName(step) + (branch ? BRANCH_WORDS[branch] : step.type === 'WAIT_FOR_EVENT' ? ', either way' : ''),
      }))
  })
}

/** What a step dragged from the palette is carried as. */
export const DRAGGED_STEP = 'application/posthorn-step'
