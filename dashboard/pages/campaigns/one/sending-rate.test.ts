import { describe, expect, it } from 'vitest'
import { rateOf, secondsLeft, withSample } from './sending-rate.ts'

describe('the sending rate of a campaign', () => {
  it('is the number of emails between the first and the last sample, per second', () => {
    const samples = [
      { atMs: 0, done: 0 },
      { atMs: 1000, done: 50 },
      { atMs: 2000, done: 300 },
    ].reduce(withSample, [] as { atMs: number; done: number }[])
    expect(rateOf(samples)).toBe(150)
  })

  it('is undefined with a single sample', () => {
    expect(rateOf(withSample([], { atMs: 0, done: 10 }))).toBeUndefined()
  })

  it('ignores samples that are too old, and all of them when the count decreases', () => {
    const old = [{ atMs: 0, done: 0 }]
    expect(withSample(old, { atMs: 60_000, done: 9 })).toEqual([{ atMs: 60_000, done: 9 }])
    expect(withSample([{ atMs: 0, done: 90 }], { atMs: 1000, done: 5 })).toEqual([{ atMs: 1000, done: 5 }])
  })
})

it.each([
  [0, 10, 0],
  [100, undefined, undefined],
  [100, 0, undefined],
  [600, 10, 60],
])('secondsLeft for %i pending emails at %s per second is %s', (pending, rate, seconds) => {
  expect(secondsLeft(pending, rate)).toBe(seconds)
})
