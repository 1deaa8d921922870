import { expect, it } from 'vitest'
import { placesOf, STEP_HEIGHT, STEP_WIDTH } from './layout.ts'

const steps = ['a', 'b', 'c', 'd'].map((id) => ({ id }))
const way = (fromStepId: string, toStepId: string, branch: 'yes' | 'no' | null = null) => ({
  fromStepId,
  toStepId,
  branch,
})

it('puts what follows below, yes to the left of no, and two never in one place', () => {
  const places = placesOf(steps, [way('a', 'c', 'no'), way('a', 'b', 'yes'), way('b', 'd'), way('c', 'd')])
  const [a, b, c, d] = steps.map(({ id }) => places.get(id)!)
  expect([a!.y < b!.y, b!.y === c!.y, c!.y < d!.y]).toEqual([true, true, true])
  expect(b!.x).toBeLessThan(c!.x)
  expect(new Set([...places.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(4)
})

it('keeps yes on the left when it skips a step, and when the transitions are in another order', () => {
  for (const transitions of [
    [way('a', 'd', 'yes'), way('a', 'b', 'no'), way('b', 'c'), way('c', 'd')],
    [way('c', 'd'), way('b', 'c'), way('a', 'b', 'no'), way('a', 'd', 'yes')],
  ]) {
    const places = placesOf(steps, transitions)
    expect(places.get('b')!.x).toBeGreaterThan(places.get('a')!.x)
    expect(placesOf(steps, transitions)).toEqual(places)
  }
})

it('puts a new step beside the moved step that leads to it, and never on top of another', () => {
  const moved = [
    { id: 'a', position: { x: 1000, y: 500 } },
    { id: 'b', position: { x: 1000, y: 640 } },
    { id: 'c' },
    { id: 'd' },
  ]
  const places = placesOf(moved, [way('a', 'b', 'yes'), way('a', 'c', 'no')])
  expect(places.get('c')!.y).toBe(640)
  expect(places.get('c')!.x).toBeGreaterThanOrEqual(1000 + STEP_WIDTH)
  const all = [...places.values()]
  for (const [i, one] of all.entries()) {
    for (const other of all.slice(i + 1)) {
      expect(Math.abs(one.x - other.x) < STEP_WIDTH && Math.abs(one.y - other.y) < STEP_HEIGHT).toBe(false)
    }
  }
})

it('leaves steps where somebody put them, and trusts no nonsense', () => {
  const places = placesOf(
    [
      { id: 'a', position: { x: 7, y: 9 } },
      { id: 'b', position: { x: 'left' } },
    ],
    [way('a', 'b')],
  )
  expect(places.get('a')).toEqual({ x: 7, y: 9 })
  expect(places.get('b')!.y).toBeGreaterThan(0)
})
