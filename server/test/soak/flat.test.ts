import { describe, expect, it } from 'vitest'
import { compareQuarters, quantile } from './flat.ts'

const compare = (values: number[], limit = { ratio: 1.3 }) =>
  compareQuarters(
    values.map((memory) => ({ memory })),
    { memory: limit },
  )[0]!

describe('the measurements of a soak test', () => {
  it('are accepted if only the first quarter grows', () => {
    expect(compare([10, 50, 100, 101, 99, 100, 98, 103])).toEqual({
      name: 'memory',
      second: 101,
      last: 103,
      limit: 131.3,
      holds: true,
    })
  })

  it('are rejected if they grow until the end', () => {
    expect(compare([10, 20, 30, 40, 50, 60, 70, 80]).holds).toBe(false)
  })

  it('are accepted below the floor, whatever their ratio', () => {
    expect(compare([0, 0, 0, 0, 3, 3, 3, 3], { ratio: 1.3, floor: 5 } as { ratio: number }).holds).toBe(true)
  })
})

it('a quantile is one of the values, and 0 if there are none', () => {
  expect(quantile([3, 1, 2], 0.5)).toBe(2)
  expect(quantile([3, 1, 2], 0.99)).toBe(3)
  expect(quantile([], 0.99)).toBe(0)
})
