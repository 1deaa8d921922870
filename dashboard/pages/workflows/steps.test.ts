import { describe, expect, it } from 'vitest'
import { KINDS, openEnds, secondsInWords, type Workflow } from './steps.ts'

const graph = (steps: unknown[], transitions: unknown[] = []) => ({ steps, transitions }) as unknown as Workflow
const ends = (workflow: Workflow) => openEnds(workflow).map(({ stepId, branch }) => [stepId, branch])

describe('where a new step may follow', () => {
  it('is every way out that leads nowhere yet', () => {
    const steps = [
      { id: 'a', type: 'DELAY', name: null },
      { id: 'b', type: 'CONDITION', name: null },
      { id: 'c', type: 'EXIT', name: null },
    ]
    const transitions = [
      { fromStepId: 'a', toStepId: 'b', branch: null },
      { fromStepId: 'b', toStepId: 'c', branch: 'yes' },
    ]
    expect(ends(graph(steps, transitions))).toEqual([['b', 'no']])
  })

  it('is either way or one branch each, where a step waits for an event', () => {
    const steps = [{ id: 'w', type: 'WAIT_FOR_EVENT', name: null }]
    expect(ends(graph(steps))).toEqual([
      ['w', null],
      ['w', 'yes'],
      ['w', 'no'],
    ])
    expect(ends(graph(steps, [{ fromStepId: 'w', toStepId: 'x', branch: 'yes' }]))).toEqual([['w', 'no']])
    expect(ends(graph(steps, [{ fromStepId: 'w', toStepId: 'x', branch: null }]))).toEqual([])
  })
})

it('says what a step does in a few words', () => {
  expect(KINDS.DELAY.summary({ amount: 1, unit: 'days' })).toBe('1 day')
  expect(KINDS.WAIT_FOR_EVENT.summary({ eventName: 'paid', timeout: 7200 })).toBe('paid, at most 2 hours')
  expect(KINDS.CONDITION.summary({ field: 'data.plan', operator: 'exists' })).toBe('data.plan')
  expect(KINDS.UPDATE_CONTACT.summary({ updates: { vip: true }, subscribed: false })).toBe('vip, unsubscribe')
  expect(secondsInWords(90)).toBe('90 seconds')
})
