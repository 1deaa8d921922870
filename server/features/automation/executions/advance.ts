/**
 * The state machine of an execution, without input or output: a state and the outcome of its current step give the next
 * state. The runner loads states, runs steps and saves what this file decides.
 *
 *   RUNNING ──continue──▶ RUNNING at the next step, or COMPLETED if there is none
 *      │ ├──wait──▶ WAITING ──any outcome but wait──▶ as from RUNNING
 *      │ ├──exit──▶ EXITED
 *      │ └──fail──▶ FAILED
 *      ├──goal──▶ COMPLETED
 *      └──cancel──▶ CANCELLED
 */

import type { Outcome, StepContact } from '../steps/step.ts'
import { entryOf, type Graph, type GraphStep, placeAfterRemoval, stepAfter } from '../workflows/graph.ts'

/** Waits that end within this time get a job for the exact moment. Later ones are only rows, to keep the queue small. */
export const ALARM_AHEAD_MS = 2 * 60_000

export type Status = 'RUNNING' | 'WAITING' | 'COMPLETED' | 'EXITED' | 'FAILED' | 'CANCELLED'

/** The record of one step of an execution. */
export interface StepRun {
  id: string
  stepId: string
  type: string
  status: 'RUNNING' | 'WAITING' | 'COMPLETED' | 'SKIPPED' | 'FAILED' | 'CANCELLED'
  output: Record<string, unknown> | null
  error: string | null
  startedAt: Date
  completedAt: Date | null
  resumeAt: Date | null
}

export interface State {
  status: Status
  /** While it is RUNNING, the step to run; null before the first one. Afterwards the step at which it waits or ended. */
  currentStepId: string | null
  exitReason: string | null
  goalReached: boolean
  error: string | null
  /** Events up to this id are in the past. */
  seenUpTo: string
  awaitedEvent: string | null
  resumeAt: Date | null
  completedAt: Date | null
  /** Null if the contact was deleted. */
  contact: StepContact | null
  /** The run of the current step, from when it starts until it ends. */
  openRun: StepRun | null
  /** The runs that ended since the execution was loaded. */
  endedRuns: StepRun[]
}

/** Besides what steps return: the workflow or the contact was deleted, or the goal of the workflow was reached. */
type AnyOutcome = Outcome | { kind: 'cancel'; error: string } | { kind: 'goal' }

/** The graph at the time of a change. */
interface GraphAt {
  graph: Graph
  at: Date
}

/** Moves to the first step, or resumes at the current one. */
export function enter(state: State, { graph, at }: GraphAt): State {
  const step = state.currentStepId === null ? entryOf(graph) : currentStep(state, graph)
  if (step) return { ...state, status: 'RUNNING', currentStepId: step.id }
  if (state.currentStepId !== null) return leaveRemovedStep(state, { graph, at })
  return advance(state, { kind: 'fail', error: 'The workflow has no steps.' }, { graph, at })
}

/** The current step no longer exists. The execution continues as was chosen when the step was removed, or fails. */
export function leaveRemovedStep(state: State, { graph, at }: GraphAt): State {
  const place = placeAfterRemoval(graph, state.currentStepId!)
  if (place === undefined) {
    const error = state.openRun
      ? 'The step at which this execution was waiting was deleted.'
      : 'The next step was deleted.'
    return advance(state, { kind: 'fail', error }, { graph, at })
  }
  return continueAt(endRun(state, { kind: 'continue', skipped: true }, at), place, at)
}

function continueAt(state: State, place: GraphStep | 'end' | 'cancel' | undefined, at: Date): State {
  if (place === 'cancel') return { ...state, status: 'CANCELLED', error: STEP_REMOVED, completedAt: at }
  if (place === 'end' || place === undefined) return { ...state, status: 'COMPLETED', completedAt: at }
  return { ...state, status: 'RUNNING', currentStepId: place.id }
}

const STEP_REMOVED = 'The step was removed from the workflow, and the executions at it were canceled.'

export const currentStep = <S extends GraphStep>({ currentStepId }: State, { steps }: Graph<S>): S | undefined =>
  steps.find(({ id }) => id === currentStepId)

/** The current step starts. */
export const startRun = (state: State, { id, type, at }: { id: string; type: string; at: Date }): State => ({
  ...state,
  openRun: {
    id,
    stepId: state.currentStepId!,
    type,
    status: 'RUNNING',
    output: null,
    error: null,
    startedAt: at,
    completedAt: null,
    resumeAt: null,
  },
})

/** The current step has an outcome. */
export function advance(state: State, outcome: AnyOutcome, { graph, at }: GraphAt): State {
  if (outcome.kind === 'wait') return wait(state, outcome)
  const ended = endRun(state, outcome, at)
  switch (outcome.kind) {
    case 'fail':
      return { ...ended, status: 'FAILED', error: outcome.error, completedAt: at }
    case 'cancel':
      return { ...ended, status: 'CANCELLED', error: outcome.error, completedAt: at }
    case 'goal':
      return { ...ended, status: 'COMPLETED', goalReached: true, completedAt: at }
    case 'exit':
      return { ...ended, status: 'EXITED', exitReason: outcome.reason, completedAt: at }
    case 'continue': {
      const { branch = null, contact = state.contact, seenUpTo = state.seenUpTo } = outcome
      // A request can end after its step was removed.
      const next = currentStep(state, graph)
        ? stepAfter(graph, state.currentStepId!, branch)
        : placeAfterRemoval(graph, state.currentStepId!)
      return continueAt({ ...ended, contact, seenUpTo }, next, at)
    }
  }
}

const wait = (state: State, { until, forEvent }: Extract<Outcome, { kind: 'wait' }>): State => ({
  ...state,
  status: 'WAITING',
  resumeAt: until,
  awaitedEvent: forEvent ?? null,
  openRun: state.openRun && { ...state.openRun, status: 'WAITING', resumeAt: until },
})

function endRun(state: State, outcome: Exclude<AnyOutcome, { kind: 'wait' }>, at: Date): State {
  const ended = { ...state, openRun: null, resumeAt: null, awaitedEvent: null }
  if (!state.openRun) return ended
  const run: StepRun = {
    ...state.openRun,
    status: runStatus(outcome),
    output: 'output' in outcome ? (outcome.output ?? null) : null,
    error: outcome.kind === 'fail' ? outcome.error : null,
    completedAt: at,
  }
  return { ...ended, endedRuns: [...state.endedRuns, run] }
}

function runStatus(outcome: Exclude<AnyOutcome, { kind: 'wait' }>): StepRun['status'] {
  if (outcome.kind === 'fail') return 'FAILED'
  if (outcome.kind === 'cancel') return 'CANCELLED'
  return outcome.kind === 'continue' && outcome.skipped ? 'SKIPPED' : 'COMPLETED'
}

/** Whether the end of the wait gets its job now. */
export const endsSoon = ({ status, resumeAt }: State, at: Date): boolean =>
  status === 'WAITING' && resumeAt !== null && resumeAt.getTime() - at.getTime() <= ALARM_AHEAD_MS

/** When jobs have to look at the execution again. */
export function jobTimes(state: State, at: Date): Date[] {
  // Between two steps: the next one is a job of its own.
  if (state.status === 'RUNNING') return state.openRun ? [] : [at]
  if (state.status !== 'WAITING') return []
  // An event that was dispatched before the wait was committed woke nothing, so look for it once afterwards.
  return [...(endsSoon(state, at) ? [state.resumeAt!] : []), ...(state.awaitedEvent === null ? [] : [at])]
}
