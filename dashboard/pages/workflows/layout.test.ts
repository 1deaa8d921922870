import { expect, it } from 'vitest'
import { placesOf } from './layout.ts'

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
