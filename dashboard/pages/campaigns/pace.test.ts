import { describe, expect, it } from 'vitest'
import { rateOf, timeLeftWords, withSample } from './pace.ts'

describe('the pace of a campaign', () => {
  it('is what was done between the first and the last look', () => {
    const samples = [
      { atMs: 0, done: 0 },
      { atMs: 1000, done: 50 },
      { atMs: 2000, done: 300 },
    ].reduce(withSample, [] as { atMs: number; done: number }[])
    expect(rateOf(samples)).toBe(150)
  })

  it('is not guessed from one look', () => {
    expect(rateOf(withSample([], { atMs: 0, done: 10 }))).toBeUndefined()
  })

  it('forgets what is too old, and all of it when the count falls', () => {
    const old = [{ atMs: 0, done: 0 }]
    expect(withSample(old, { atMs: 60_000, done: 9 })).toEqual([{ atMs: 60_000, done: 9 }])
    expect(withSample([{ atMs: 0, done: 90 }], { atMs: 1000, done: 5 })).toEqual([{ atMs: 1000, done: 5 }])
  })
})

it.each([
  [0, 10, 'Nothing left'],
  [100, undefined, '…'],
  [100, 0, '…'],
  [100, 10, 'Under a minute'],
  [600, 10, '1 minute'],
  [54_000, 10, '1 h 30 min'],
  [10_000_000, 10, '12 days'],
])('%i left at %s a second is told as "%s"', (left, rate, words) => {
  expect(timeLeftWords(left, rate)).toBe(words)
})
