import { expect, it, vi } from 'vitest'

// The API client reads the address of the page when it is loaded.
vi.stubGlobal('document', { baseURI: 'http://127.0.0.1/app/' })
const { positionSteps, STEP_HEIGHT, STEP_WIDTH, VERTICAL_DISTANCE } = await import('./layout.ts')
vi.unstubAllGlobals()

const step = (id: string, position?: unknown) => ({ id, type: 'CONDITION' as const, config: {}, position })
const steps = ['a', 'b', 'c', 'd'].map((id) => step(id))
const transition = (fromStepId: string, toStepId: string, branch: 'yes' | 'no' | null = null) => ({
  fromStepId,
  toStepId,
  branch,
})

it('positionSteps puts each step below the previous one, yes to the left of no, without overlaps', () => {
  const positions = positionSteps(steps, [
    transition('a', 'c', 'no'),
    transition('a', 'b', 'yes'),
    transition('b', 'd'),
    transition('c', 'd'),
  ])
  const [a, b, c, d] = steps.map(({ id }) => positions.get(id)!)
  expect([a!.y < b!.y, b!.y === c!.y, c!.y < d!.y]).toEqual([true, true, true])
  expect(b!.x).toBeLessThan(c!.x)
  expect(new Set([...positions.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(4)
})

it('positionSteps keeps yes on the left when it skips a step, in any order of the transitions', () => {
  for (const transitions of [
    [transition('a', 'd', 'yes'), transition('a', 'b', 'no'), transition('b', 'c'), transition('c', 'd')],
    [transition('c', 'd'), transition('b', 'c'), transition('a', 'b', 'no'), transition('a', 'd', 'yes')],
  ]) {
    const positions = positionSteps(steps, transitions)
    expect(positions.get('b')!.x).toBeGreaterThan(positions.get('a')!.x)
    expect(positionSteps(steps, transitions)).toEqual(positions)
  }
})

it('positionSteps puts a new step below the moved step that leads to it, without overlapping another', () => {
  const moved = [
    step('a', { x: 1000, y: 500 }),
    step('b', { x: 1000, y: 500 + VERTICAL_DISTANCE }),
    step('c'),
    step('d'),
  ]
  const positions = positionSteps(moved, [transition('a', 'b', 'yes'), transition('a', 'c', 'no')])
  expect(positions.get('c')!.y).toBe(500 + VERTICAL_DISTANCE)
  expect(positions.get('c')!.x).toBeGreaterThanOrEqual(1000 + STEP_WIDTH)
  const all = [...positions.values()]
  for (const [i, one] of all.entries()) {
    for (const other of all.slice(i + 1)) {
      expect(Math.abs(one.x - other.x) < STEP_WIDTH && Math.abs(one.y - other.y) < STEP_HEIGHT).toBe(false)
    }
  }
})

it('positionSteps keeps saved positions and ignores invalid ones', () => {
  const positions = positionSteps([step('a', { x: 7, y: 9 }), step('b', { x: 'left' })], [transition('a', 'b')])
  expect(positions.get('a')).toEqual({ x: 7, y: 9 })
  expect(positions.get('b')!.y).toBeGreaterThan(0)
})
