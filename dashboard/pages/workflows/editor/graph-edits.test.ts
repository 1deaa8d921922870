import { describe, expect, it, vi } from 'vitest'
import type { Branch, StepType } from '../steps/step.ts'
import type { DraftGraph, DraftStep } from './graph-edits.ts'

// The API client reads the address of the page when it is loaded.
vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/app/' })
const edits = await import('./graph-edits.ts')
const { VERTICAL_DISTANCE } = await import('./layout.ts')
vi.unstubAllGlobals()

const step = (id: string, type: StepType = 'DELAY', position: unknown = null): DraftStep => ({
  id,
  type,
  name: null,
  config: {},
  templateId: null,
  position,
})
const link = (fromStepId: string, toStepId: string, branch: Branch = null) => ({ fromStepId, toStepId, branch })
const graphOf = (steps: DraftStep[], ...transitions: DraftGraph['transitions']): DraftGraph => ({
  steps,
  transitions,
  executions: {},
})
const TRIO = [step('a'), step('b', 'CONDITION'), step('c', 'EXIT')]

describe('openBranches', () => {
  const branches = (graph: DraftGraph) =>
    graph.steps.flatMap((one) => edits.openBranches(graph, one).map((branch) => [one.id, branch]))

  it('returns every branch that leads to no step', () => {
    expect(branches(graphOf(TRIO, link('a', 'b'), link('b', 'c', 'yes')))).toEqual([['b', 'no']])
  })

  it('returns the shared transition and each branch of a WAIT_FOR_EVENT step', () => {
    const waiting = [step('w', 'WAIT_FOR_EVENT')]
    expect(branches(graphOf(waiting))).toEqual([
      ['w', null],
      ['w', 'yes'],
      ['w', 'no'],
    ])
    expect(branches(graphOf(waiting, link('w', 'x', 'yes')))).toEqual([['w', 'no']])
    expect(branches(graphOf(waiting, link('w', 'x')))).toEqual([])
  })
})

describe('updateStep', () => {
  const split = (...names: string[]) => ({
    ...step('s', 'SPLIT'),
    config: { branches: names.map((name) => ({ name, weight: 1 })) },
  })
  const rename = (graph: DraftGraph, ...names: string[]) =>
    edits.updateStep(graph, 's', { config: split(...names).config })
  const branchesOf = ({ transitions }: DraftGraph) => transitions.map(({ toStepId, branch }) => [toStepId, branch])
  const graph = graphOf([split('A', 'B'), step('a'), step('b')], link('s', 'a', 'A'), link('s', 'b', 'B'))

  it('moves the transitions of a SPLIT along when its branches are renamed, even if both have the same name for a moment', () => {
    const typed = rename(rename(rename(graph, 'A', ''), 'A', 'A'), 'A', 'A2')
    expect(branchesOf(typed)).toEqual([
      ['a', 'A'],
      ['b', 'A2'],
    ])
  })

  it('removes the transition of a branch that is removed, and keeps the others', () => {
    expect(branchesOf(rename(rename(graph, 'A', 'B', 'C'), 'B', 'C'))).toEqual([['b', 'B']])
  })
})

describe('addStep', () => {
  it('inserts a step on a connection, on its branch, and leads on to the step that followed', () => {
    const graph = graphOf(TRIO, link('a', 'b'), link('b', 'c', 'no'))
    const added = edits.addStep(graph, step('new', 'CONDITION'), { stepId: 'b', branch: 'no' })
    expect(added.transitions).toEqual([link('a', 'b'), link('b', 'new', 'no'), link('new', 'c', 'yes')])
    expect(edits.addStep(graph, step('new'), 'start').transitions.at(-1)).toEqual(link('new', 'a'))
    expect(edits.addStep(graph, step('new'), 'unconnected').transitions).toEqual(graph.transitions)
  })

  it('moves the steps below down, if their positions were saved', () => {
    const steps = [
      step('a', 'DELAY', { x: 0, y: 0 }),
      step('b', 'DELAY', { x: 5, y: 200 }),
      step('c', 'EXIT', { x: 5, y: 400 }),
    ]
    const added = edits.addStep(graphOf(steps, link('a', 'b'), link('b', 'c')), step('new'), {
      stepId: 'a',
      branch: null,
    })
    expect(added.steps.map(({ position }) => position)).toEqual([
      { x: 0, y: 0 },
      { x: 5, y: 200 + VERTICAL_DISTANCE },
      { x: 5, y: 400 + VERTICAL_DISTANCE },
      { x: 5, y: 200 },
    ])
  })

  it('goes after the selected step, or else to the last open branch', () => {
    const graph = graphOf(TRIO, link('a', 'b'), link('b', 'c', 'yes'))
    expect(edits.defaultPlace(graph, 'b')).toEqual({ stepId: 'b', branch: 'no' })
    expect(edits.defaultPlace(graph, 'a')).toEqual({ stepId: 'a', branch: null })
    expect(edits.defaultPlace(graph, undefined)).toEqual({ stepId: 'b', branch: 'no' })
    expect(edits.defaultPlace(graphOf([]), undefined)).toBe('start')
    expect(edits.defaultPlace(graphOf([step('c', 'EXIT')]), undefined)).toBe('unconnected')
  })
})

describe('connections', () => {
  it('replace those that can’t exist beside them', () => {
    const graph = graphOf(
      [step('w', 'WAIT_FOR_EVENT'), step('x'), step('y')],
      link('w', 'x', 'yes'),
      link('w', 'x', 'no'),
    )
    expect(edits.connect(graph, 'w', 'y', 'yes').transitions).toEqual([link('w', 'x', 'no'), link('w', 'y', 'yes')])
    expect(edits.connect(graph, 'w', 'y', null).transitions).toEqual([link('w', 'y')])
    expect(edits.disconnect(graph, 'w', 'no').transitions).toEqual([link('w', 'x', 'yes')])
  })

  it('can’t lead back', () => {
    const graph = graphOf(TRIO, link('a', 'b'), link('b', 'c', 'yes'))
    expect(edits.connectionProblem(graph, 'b', 'a')).toMatch(/leads back/)
    expect(edits.connectionProblem(graph, 'a', 'a')).toMatch(/itself/)
    expect(edits.connectionProblem(graph, 'a', 'c')).toBeUndefined()
  })
})

it('removeSteps connects what is around the removed steps', () => {
  const graph = graphOf(
    [...TRIO, step('d')],
    link('a', 'b'),
    link('b', 'd', 'no'),
    link('b', 'c', 'yes'),
    link('d', 'c'),
  )
  expect(edits.removeSteps(graph, ['b']).transitions).toEqual([link('a', 'c'), link('d', 'c')])
  expect(edits.removeSteps(graph, ['b', 'c'])).toMatchObject({ steps: [{ id: 'a' }, { id: 'd' }], transitions: [] })
})

it('pasteSteps adds copies with new IDs beside the originals, and keeps the connections between them', () => {
  const graph = graphOf([step('a', 'DELAY', { x: 0, y: 0 }), step('b', 'EXIT', { x: 0, y: 200 })], link('a', 'b'))
  const copied = edits.copySteps(graph, ['a', 'b'], new Map())
  const once = edits.pasteSteps(graph, copied)
  const { steps, transitions } = edits.pasteSteps(once.graph, copied).graph
  expect(new Set(steps.map(({ id }) => id)).size).toBe(6)
  expect(new Set(steps.map(({ position }) => JSON.stringify(position))).size).toBe(6)
  expect(transitions[1]).toEqual(link(once.ids[0]!, once.ids[1]!))
})

it('changesOf finds added, edited and removed steps, and ignores the order of keys', () => {
  const published = graphOf([{ ...step('a'), config: { amount: 1, unit: 'days' } }, step('b')])
  const same = { ...step('a'), config: { unit: 'days', amount: 1, templateId: 't' } }
  expect(edits.changesOf(published, graphOf([same, step('b')])).any).toBe(false)
  const draft = graphOf([{ ...same, name: 'Pause' }, step('c')])
  expect(edits.changesOf(published, draft)).toMatchObject({
    added: ['c'],
    changed: ['a'],
    removed: [{ id: 'b' }],
    any: true,
  })
  expect(edits.changesOf(published, graphOf([same, step('b')], link('a', 'b'))).any).toBe(true)
  expect(edits.changesOf(published, graphOf([same, step('b', 'DELAY', { x: 1, y: 1 })])).any).toBe(true)
})

it('newStepId returns UUIDs that sort by their time', () => {
  const ids = [1, 2, 3].map((ms) => edits.newStepId(ms * 1000))
  expect([...ids].sort()).toEqual(ids)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

describe('steps with new times', () => {
  const at = (config: DraftStep['config'], type: StepType = 'DELAY') => ({ steps: [{ ...step('a', type), config }] })

  it.each<[string, ReturnType<typeof at>, ReturnType<typeof at>, number]>([
    ['another amount', at({ amount: 1, unit: 'days' }), at({ amount: 2, unit: 'days' }), 1],
    ['the same amount', at({ amount: 1, unit: 'days' }), at({ unit: 'days', amount: 1 }), 0],
    [
      'another event, with the same timeout',
      at({ timeout: 5 }, 'WAIT_FOR_EVENT'),
      at({ eventName: 'x', timeout: 5 }, 'WAIT_FOR_EVENT'),
      0,
    ],
    ['a window', at({}, 'SEND_EMAIL'), at({ window: { days: [1] } }, 'SEND_EMAIL'), 1],
    ['other fields to set', at({ updates: {} }, 'UPDATE_CONTACT'), at({ updates: { a: 1 } }, 'UPDATE_CONTACT'), 0],
    ['a step that is new', { steps: [] }, at({ amount: 2, unit: 'days' }), 0],
  ])('are found: %s', (_what, before, after, count) => {
    expect(edits.stepsWithNewTimes(before, after)).toHaveLength(count)
  })
})
