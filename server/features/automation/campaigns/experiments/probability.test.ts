import { describe, expect, it } from 'vitest'
import { decide, probabilitiesOfBest } from './probability.ts'
import { describeDecision, describeTest, recipientsNeeded } from './words.ts'

const of = (...pairs: Array<[successes: number, trials: number]>) =>
  pairs.map(([successes, trials]) => ({ successes, trials }))

describe('the probability of being the best', () => {
  // P(B > A) as a sum over the Beta function, calculated independently with exact fractions.
  it.each([
    ['without any data', of([0, 0], [0, 0]), [0.5, 0.5]],
    ['of three without any data', of([0, 0], [0, 0], [0, 0]), [1 / 3, 1 / 3, 1 / 3]],
    ['after one trial each', of([0, 1], [1, 1]), [1 / 6, 5 / 6]],
    ['after two trials of one', of([0, 0], [2, 2]), [0.25, 0.75]],
  ])('is exact %s', (_when, variants, expected) => {
    for (const [i, chance] of probabilitiesOfBest(variants).entries()) expect(chance).toBeCloseTo(expected[i]!, 6)
  })

  it.each([
    ['a clear difference', of([100, 1_000], [160, 1_000]), 1, 0.999],
    ['a clear difference of a million', of([250_000, 1_000_000], [252_000, 1_000_000]), 1, 0.999],
    ['rates at both ends', of([0, 500_000], [500_000, 500_000]), 1, 0.999],
  ])('is close to 1 with %s', (_what, variants, best, least) => {
    const chances = probabilitiesOfBest(variants)
    expect(chances[best]).toBeGreaterThan(least)
    expect(chances.reduce((sum, chance) => sum + chance, 0)).toBeCloseTo(1, 9)
  })

  it('is the same for the same numbers', () => {
    const variants = of([12, 130], [17, 129], [15, 131], [9, 130], [20, 128])
    expect(probabilitiesOfBest(variants)).toEqual(probabilitiesOfBest(variants))
  })
})

describe('the decision', () => {
  it('is conclusive above 0.8', () => {
    expect(decide(of([10, 100], [30, 100]))).toEqual({ winner: 1, conclusive: true })
  })

  it('takes the highest rate if no variant is probable enough', () => {
    expect(decide(of([10, 100], [11, 100], [9, 100]))).toEqual({ winner: 1, conclusive: false })
  })

  it('takes the first of equal rates', () => {
    expect(decide(of([0, 50], [0, 50]))).toEqual({ winner: 0, conclusive: false })
  })
})

describe('the result in words', () => {
  const named = (...pairs: Array<[successes: number, trials: number]>) =>
    of(...pairs).map((trials, i) => ({ ...trials, name: 'ABC'[i]! }))

  it.each([
    ['There are no results yet.', named([0, 0], [0, 0])],
    ['There are no results yet.', named([0, 100], [0, 100])],
    ['A and B are equal so far.', named([10, 100], [10, 100])],
    ['B is ahead: the probability that it is the best is 99%.', named([10, 100], [30, 100])],
  ])('is %s', (expected, variants) => {
    expect(describeTest(variants)).toEqual({ summary: expected, recipientsNeeded: null })
  })

  it('includes the number of recipients that are still missing, which is the same for the same results', () => {
    const results = named([20, 200], [22, 200])
    const more = recipientsNeeded(results)!
    const text = `B is ahead, but by too little to be sure; ${more.toLocaleString('en')} more recipients are needed.`
    expect(describeTest(results)).toEqual({ summary: text, recipientsNeeded: more })
    const factor = 1 + more / 400
    expect(decide(of([20 * factor, 200 * factor], [22 * factor, 200 * factor]))).toEqual({
      winner: 1,
      conclusive: true,
    })
    const tooFew = 1 + more / 1_000
    expect(decide(of([20 * tooFew, 200 * tooFew], [22 * tooFew, 200 * tooFew])).conclusive).toBe(false)
  })

  it('does not promise that a million recipients would be enough', () => {
    expect(recipientsNeeded(named([50_000, 100_000], [50_001, 100_000]))).toBeUndefined()
  })

  it('tells whether the choice was clear', () => {
    expect(describeDecision('B', true).summary).toBe('B won.')
    expect(describeDecision('B', false).summary).toContain('too small to be sure')
  })
})
