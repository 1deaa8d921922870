/** The state machine of an execution as a table: state and outcome in, state out. */
import { describe, expect, it } from 'vitest'
import type { Outcome } from '../steps/step.ts'
import type { Graph } from '../workflows/graph.ts'
import { advance, enter, jobTimes, leaveRemovedStep, type State, startRun } from './advance.ts'

const AT = new Date('2026-03-01T12:00:00.000Z')
const LATER = new Date('2026-03-01T12:30:00.000Z')
const SOON = new Date('2026-03-01T12:01:00.000Z')

/** check ──yes──▶ update ──▶ exit; the branch `no` of check leads nowhere. */
const graph: Graph = {
  steps: [
    { id: 'check', type: 'CONDITION' },
    { id: 'update', type: 'UPDATE_CONTACT' },
    { id: 'exit', type: 'EXIT' },
  ],
  transitions: [
    { fromStepId: 'check', toStepId: 'update', branch: 'yes' },
    { fromStepId: 'update', toStepId: 'exit', branch: null },
  ],
}
const moment = { graph, at: AT }

const contact = { id: 'c', email: 'ada@example.org', subscribed: true, data: {} }

const stateAt = (currentStepId: string | null, changes: Partial<State> = {}): State => ({
  status: 'RUNNING',
  currentStepId,
  exitReason: null,
  goalReached: false,
  error: null,
  seenUpTo: 'event-1',
  awaitedEvent: null,
  resumeAt: null,
  completedAt: null,
  contact,
  openRun: null,
  endedRuns: [],
  ...changes,
})

const running = (stepId: string): State => startRun(stateAt(stepId), { id: 'run-1', type: 'X', at: AT })

/** At a step where it has been waiting. */
const waiting = (stepId: string): State =>
  advance(running(stepId), { kind: 'wait', until: LATER, forEvent: 'paid' }, moment)

const changed = { ...contact, data: { plan: 'pro' } }

describe('advance', () => {
  it.each<[string, State, Outcome | { kind: 'cancel'; error: string }, Partial<State>, string]>([
    [
      'continue on a branch runs the step the branch leads to',
      running('check'),
      { kind: 'continue', branch: 'yes', output: { matched: true } },
      { status: 'RUNNING', currentStepId: 'update', completedAt: null },
      'COMPLETED',
    ],
    [
      'continue on a branch that leads nowhere completes the execution at that step',
      running('check'),
      { kind: 'continue', branch: 'no' },
      { status: 'COMPLETED', currentStepId: 'check', completedAt: AT },
      'COMPLETED',
    ],
    [
      'continue without an effect records the step as skipped',
      running('update'),
      { kind: 'continue', skipped: true },
      { status: 'RUNNING', currentStepId: 'exit' },
      'SKIPPED',
    ],
    [
      'continue takes over the changed contact and the last event seen',
      running('update'),
      { kind: 'continue', contact: changed, seenUpTo: 'event-2' },
      { contact: changed, seenUpTo: 'event-2' },
      'COMPLETED',
    ],
    [
      'continue without either keeps the contact and the last event seen',
      running('update'),
      { kind: 'continue' },
      { contact, seenUpTo: 'event-1' },
      'COMPLETED',
    ],
    [
      'continue from a wait clears what was waited for',
      waiting('update'),
      { kind: 'continue' },
      { status: 'RUNNING', currentStepId: 'exit', resumeAt: null, awaitedEvent: null },
      'COMPLETED',
    ],
    [
      'exit ends the execution with its reason',
      running('exit'),
      { kind: 'exit', reason: 'done' },
      { status: 'EXITED', currentStepId: 'exit', exitReason: 'done', error: null, completedAt: AT },
      'COMPLETED',
    ],
    [
      'fail ends the execution at the step, with the error',
      running('update'),
      { kind: 'fail', error: 'No.', output: { statusCode: 500 } },
      { status: 'FAILED', currentStepId: 'update', error: 'No.', completedAt: AT },
      'FAILED',
    ],
    [
      'fail during a wait clears what was waited for',
      waiting('check'),
      { kind: 'fail', error: 'No.' },
      { status: 'FAILED', resumeAt: null, awaitedEvent: null },
      'FAILED',
    ],
    [
      'cancel ends the execution and its step',
      waiting('check'),
      { kind: 'cancel', error: 'The contact was deleted.' },
      { status: 'CANCELLED', error: 'The contact was deleted.', completedAt: AT },
      'CANCELLED',
    ],
  ])('%s', (_name, state, outcome, expected, runStatus) => {
    const before = structuredClone(state)
    const after = advance(state, outcome, moment)
    expect(after).toMatchObject({ ...expected, openRun: null })
    expect(after.endedRuns).toMatchObject([
      {
        id: 'run-1',
        stepId: state.currentStepId,
        status: runStatus,
        output: 'output' in outcome ? outcome.output : null,
        error: outcome.kind === 'fail' ? outcome.error : null,
        completedAt: AT,
      },
    ])
    expect(state).toEqual(before)
  })

  it('keeps the run of a step that waits open', () => {
    const after = advance(running('check'), { kind: 'wait', until: LATER, forEvent: 'paid' }, moment)
    expect(after).toMatchObject({ status: 'WAITING', currentStepId: 'check', resumeAt: LATER, awaitedEvent: 'paid' })
    expect(after.openRun).toMatchObject({ status: 'WAITING', resumeAt: LATER, completedAt: null })
    expect(after.endedRuns).toEqual([])
  })

  it('records every step of an execution in order', () => {
    let state = enter(stateAt(null), moment)
    const outcomes: Outcome[] = [
      { kind: 'continue', branch: 'yes' },
      { kind: 'continue' },
      { kind: 'exit', reason: null },
    ]
    for (const [i, outcome] of outcomes.entries()) {
      state = advance(startRun(state, { id: `run-${i}`, type: 'X', at: AT }), outcome, moment)
    }
    expect(state.status).toBe('EXITED')
    expect(state.endedRuns.map(({ stepId }) => stepId)).toEqual(['check', 'update', 'exit'])
  })
})

describe('enter', () => {
  it.each<[string, State, Graph, Partial<State>]>([
    ['starts at the entry', stateAt(null), graph, { status: 'RUNNING', currentStepId: 'check' }],
    ['stays at the current step', stateAt('exit'), graph, { status: 'RUNNING', currentStepId: 'exit' }],
    [
      'fails if the workflow has no steps',
      stateAt(null),
      { steps: [], transitions: [] },
      { status: 'FAILED', error: 'The workflow has no steps.', completedAt: AT },
    ],
    [
      'fails if the current step was removed',
      stateAt('removed'),
      graph,
      { status: 'FAILED', error: 'The next step was deleted.', currentStepId: 'removed' },
    ],
  ])('%s', (_name, state, given, expected) => {
    expect(enter(state, { graph: given, at: AT })).toMatchObject(expected)
  })
})

describe('jobTimes', () => {
  const wait = (until: Date | null, forEvent?: string) =>
    advance(running('check'), { kind: 'wait', until, ...(forEvent ? { forEvent } : {}) }, moment)

  it.each<[string, State, Date[]]>([
    ['a wait that ends soon gets a job for its end', wait(SOON), [SOON]],
    ['a wait that ends later gets none', wait(LATER), []],
    ['a wait for an event is checked once at once', wait(null, 'paid'), [AT]],
    ['a wait for an event that ends soon gets both', wait(SOON, 'paid'), [SOON, AT]],
    ['an execution between two steps continues at once', stateAt('update'), [AT]],
    ['an execution whose step is running gets none', running('update'), []],
    ['an execution that has ended gets none', stateAt('exit', { status: 'EXITED' }), []],
  ])('%s', (_name, state, times) => {
    expect(jobTimes(state, AT)).toEqual(times)
  })
})

describe('an execution at a removed step', () => {
  const removed = (executions: 'move' | 'cancel', nextStepId: string | null) => ({
    graph: { ...graph, removed: [{ id: 'gone', executions, nextStepId }] },
    at: AT,
  })

  it.each<[string, ReturnType<typeof removed>, Partial<State>]>([
    ['continues at the step that followed', removed('move', 'exit'), { status: 'RUNNING', currentStepId: 'exit' }],
    ['is completed if no step followed', removed('move', null), { status: 'COMPLETED', completedAt: AT }],
    ['is canceled if that was chosen', removed('cancel', 'exit'), { status: 'CANCELLED', completedAt: AT }],
  ])('%s, whether it was waiting, about to run the step or completing a request', (_name, at, expected) => {
    expect(leaveRemovedStep(waiting('gone'), at)).toMatchObject({
      ...expected,
      openRun: null,
      resumeAt: null,
      awaitedEvent: null,
      endedRuns: [{ status: 'SKIPPED' }],
    })
    expect(enter(stateAt('gone'), at)).toMatchObject({ ...expected, endedRuns: [] })
    expect(advance(running('gone'), { kind: 'continue' }, at)).toMatchObject({
      ...expected,
      endedRuns: [{ status: 'COMPLETED' }],
    })
  })

  it('fails if nothing was chosen for its executions', () => {
    expect(leaveRemovedStep(waiting('gone'), moment)).toMatchObject({
      status: 'FAILED',
      error: 'The step at which this execution was waiting was deleted.',
    })
    expect(enter(stateAt('gone'), moment)).toMatchObject({ status: 'FAILED', error: 'The next step was deleted.' })
  })
})
