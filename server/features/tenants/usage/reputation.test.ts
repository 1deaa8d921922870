import { describe, expect, it } from 'vitest'
import { assessReputation, type DeliveryCounts, ratesOf } from './reputation.ts'

const counts = (sent: number, bounces = 0, complaints = 0): DeliveryCounts => ({ sent, bounces, complaints })

describe('the reputation of a project', () => {
  it.each([
    ['healthy', counts(0)],
    ['healthy', counts(99, 99, 99)],
    ['healthy', counts(100)],
    ['healthy', counts(100, 4)],
    ['warning', counts(100, 5)],
    ['warning', counts(1000, 99)],
    ['critical', counts(100, 10)],
    ['healthy', counts(1001, 0, 1)],
    ['warning', counts(1000, 0, 1)],
    ['warning', counts(1000, 0, 2)],
    ['critical', counts(1000, 0, 3)],
    ['critical', counts(100, 0, 1)],
  ])('is %s for %j', (standing, all) => {
    expect(assessReputation(all, all)).toBe(standing)
  })

  it('is that of the last seven days once they have a hundred emails', () => {
    expect(assessReputation(counts(100), counts(1000, 500))).toBe('healthy')
    expect(assessReputation(counts(100, 20), counts(100_000, 20))).toBe('critical')
    expect(assessReputation(counts(99), counts(1000, 500))).toBe('critical')
  })

  it('has rates between 0 and 1, even if nothing was sent', () => {
    expect(ratesOf(counts(0, 1, 1))).toMatchObject({ bounceRate: 0, complaintRate: 0 })
    expect(ratesOf(counts(1, 3, 0))).toMatchObject({ bounceRate: 1 })
    expect(ratesOf(counts(200, 5, 1))).toMatchObject({ bounceRate: 0.025, complaintRate: 0.005 })
  })
})
