/** The rules of the graph: as a table, and as properties of generated graphs. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { branchesOf, STEP_TYPES, type StepType } from '../steps/registry.ts'
import { entriesOf, entryOf, type Graph, leadsTo, refusalOf, spliceOut, stepAfter, type Transition } from './graph.ts'

const link = (fromStepId: string, toStepId: string, branch: string | null = null): Transition => ({
  fromStepId,
  toStepId,
  branch,
})

const graphOf = (steps: Record<string, StepType>, ...transitions: Transition[]): Graph => ({
  steps: Object.entries(steps).map(([id, type]) => ({ id, type })),
  transitions,
})

const TRIO = { a: 'DELAY', b: 'CONDITION', c: 'WAIT_FOR_EVENT', d: 'EXIT', e: 'WEBHOOK' } as const

describe('whether a transition can be added', () => {
  it.each<[string, Transition[], Transition, string | undefined]>([
    ['from a step that does not branch', [], link('a', 'b'), undefined],
    ['to itself', [], link('a', 'a'), 'toStepId'],
    ['from an EXIT', [], link('d', 'a'), 'fromStepId'],
    ['second from a step that does not branch', [link('a', 'b')], link('a', 'c'), 'fromStepId'],
    ['twice the same', [link('a', 'b')], link('a', 'b'), 'fromStepId'],
    ['with a branch from a step that has none', [], link('a', 'b', 'yes'), 'branch'],
    ['without a branch from a CONDITION', [], link('b', 'c'), 'branch'],
    ['for yes', [], link('b', 'c', 'yes'), undefined],
    ['for no beside the yes', [link('b', 'c', 'yes')], link('b', 'c', 'no'), undefined],
    ['for yes twice', [link('b', 'c', 'yes')], link('b', 'd', 'yes'), 'branch'],
    ['without a branch from a WAIT_FOR_EVENT', [], link('c', 'd'), undefined],
    ['second without a branch from a WAIT_FOR_EVENT', [link('c', 'd')], link('c', 'e'), 'fromStepId'],
    ['for yes beside one without a branch', [link('c', 'd')], link('c', 'e', 'yes'), 'branch'],
    ['without a branch beside a yes', [link('c', 'd', 'yes')], link('c', 'e'), 'branch'],
    ['back to the start', [link('a', 'b'), link('b', 'c', 'no')], link('c', 'a', 'yes'), 'toStepId'],
    ['to a step that others lead to as well', [link('a', 'd')], link('e', 'd'), undefined],
  ])('%s', (_what, existing, added, field) => {
    expect(refusalOf(graphOf(TRIO, ...existing), added, branchesOf)?.field).toBe(field)
  })
})

/** A graph grown by trying many transitions and keeping those that are allowed. */
const grown = fc
  .record({
    types: fc.array(fc.constantFrom(...STEP_TYPES), { minLength: 1, maxLength: 12 }),
    tries: fc.array(fc.tuple(fc.nat(11), fc.nat(11), fc.constantFrom(null, 'yes', 'no', 'a')), { maxLength: 60 }),
  })
  .map(({ types, tries }) => {
    const graph = graphOf(Object.fromEntries(types.map((type, i) => [`s${i}`, type])))
    for (const [from, to, branch] of tries) {
      if (from >= types.length || to >= types.length) continue
      const added = link(`s${from}`, `s${to}`, branch)
      if (!refusalOf(graph, added, branchesOf)) graph.transitions.push(added)
    }
    return graph
  })

const withoutLoops = (graph: Graph) =>
  graph.transitions.every(({ fromStepId, toStepId }) => !leadsTo(graph, toStepId, fromStepId))

const branchesOnce = ({ steps, transitions }: Graph) =>
  steps.every(({ id }) => {
    const branches = transitions.filter((t) => t.fromStepId === id).map((t) => t.branch)
    return new Set(branches).size === branches.length && (branches.length < 2 || !branches.includes(null))
  })

describe('a graph that only grew by allowed transitions', () => {
  it('has no loop, and each branch at most once', () => {
    fc.assert(fc.property(grown, (graph) => withoutLoops(graph) && branchesOnce(graph)))
  })

  it('has an entry, and every path from it ends after at most as many steps as the graph has', () => {
    fc.assert(
      fc.property(grown, fc.infiniteStream(fc.constantFrom('yes', 'no', 'a')), (graph, choices) => {
        let at = entryOf(graph)
        let steps = 0
        for (const branch of choices) {
          if (!at) break
          if (++steps > graph.steps.length) return false
          at = stepAfter(graph, at.id, branch)
        }
        return steps >= 1
      }),
    )
  })

  it('reaches every step from one of its entries', () => {
    fc.assert(
      fc.property(grown, (graph) =>
        graph.steps.every(({ id }) => entriesOf(graph).some((entry) => leadsTo(graph, entry.id, id))),
      ),
    )
  })

  it('has no loop and the same branches after a step is spliced out', () => {
    fc.assert(
      fc.property(grown, fc.nat(11), (graph, which) => {
        const { id } = graph.steps[which % graph.steps.length]!
        const around = ({ fromStepId, toStepId }: Transition) => fromStepId === id || toStepId === id
        const added = spliceOut(graph, id, branchesOf)
        const after = {
          steps: graph.steps.filter((step) => step.id !== id),
          transitions: [...graph.transitions.filter((t) => !around(t)), ...added],
        }
        const cameBy = graph.transitions.filter((t) => t.toStepId === id)
        const kept = added.every((t) => cameBy.some((c) => c.fromStepId === t.fromStepId && c.branch === t.branch))
        const refused = added.some((t) =>
          refusalOf({ ...after, transitions: after.transitions.filter((o) => o !== t) }, t, branchesOf),
        )
        return kept && !refused && withoutLoops(after) && branchesOnce(after)
      }),
    )
  })
})

describe('the next step', () => {
  const graph = graphOf(TRIO, link('b', 'c', 'yes'), link('c', 'd'), link('a', 'b'))

  it('is the one on the branch, or on the transition without a branch', () => {
    expect(stepAfter(graph, 'b', 'yes')?.id).toBe('c')
    expect(stepAfter(graph, 'b', 'no')).toBeUndefined()
    expect([stepAfter(graph, 'c', 'yes')?.id, stepAfter(graph, 'c', 'no')?.id]).toEqual(['d', 'd'])
  })

  it('after a removed condition is the one on its yes branch, or the only one', () => {
    const both = graphOf(TRIO, link('a', 'b'), link('b', 'd', 'no'), link('b', 'e', 'yes'))
    expect(spliceOut(both, 'b', branchesOf)).toEqual([link('a', 'e')])
    expect(spliceOut(graphOf(TRIO, link('c', 'b', 'no'), link('b', 'd', 'no')), 'b', branchesOf)).toEqual([
      link('c', 'd', 'no'),
    ])
    expect(spliceOut(graphOf(TRIO, link('a', 'd')), 'd', branchesOf)).toEqual([])
  })
})
