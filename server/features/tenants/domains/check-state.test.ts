import { describe, expect, it } from 'vitest'
import { afterCheck, type CheckOutcome, type CheckState } from './check-state.ts'

const START = new Date('2026-11-15T00:00:00.000Z')
const HOUR = 3_600_000
const at = (hours: number) => new Date(START.getTime() + hours * HOUR)
const PENDING: CheckState = { status: 'PENDING', failedChecks: 0, pendingSince: START }
const VERIFIED: CheckState = { status: 'VERIFIED', failedChecks: 0, pendingSince: null }
const FAILED: CheckState = { status: 'FAILED', failedChecks: 0, pendingSince: START }

const run = (state: CheckState, ...outcomes: CheckOutcome[]) =>
  outcomes.map((outcome) => {
    const { nextCheckAt, ...next } = afterCheck(state, outcome, at(1))
    state = { status: next.status, failedChecks: next.failedChecks, pendingSince: next.pendingSince }
    return next.transition ? `${next.status} (${next.transition})` : next.status
  })

describe('the state of a domain', () => {
  it('becomes verified once the records are found, from pending and from failed', () => {
    expect(run(PENDING, 'missing', 'proved', 'proved')).toEqual(['PENDING', 'VERIFIED (verified)', 'VERIFIED'])
    expect(run(FAILED, 'missing', 'proved')).toEqual(['FAILED', 'VERIFIED (verified)'])
  })

  it('becomes pending after three failed checks in a row', () => {
    expect(run(VERIFIED, 'missing', 'missing', 'missing', 'missing')).toEqual([
      'VERIFIED',
      'VERIFIED',
      'PENDING (lost)',
      'PENDING',
    ])
    expect(run(VERIFIED, 'missing', 'missing', 'proved', 'missing', 'missing')).not.toContain('PENDING (lost)')
  })

  it('is not changed by a DNS failure, which neither counts nor resets the count', () => {
    const outage: CheckOutcome[] = Array(20).fill('unknown')
    expect(new Set(run(VERIFIED, ...outage))).toEqual(new Set(['VERIFIED']))
    expect(run(VERIFIED, 'missing', 'unknown', 'missing', 'unknown', 'missing').at(-1)).toBe('PENDING (lost)')
    expect(afterCheck(PENDING, 'unknown', at(100)).status).toBe('PENDING')
  })

  it('becomes failed after 72 hours without the records', () => {
    expect(afterCheck(PENDING, 'missing', at(71.9)).status).toBe('PENDING')
    expect(afterCheck(PENDING, 'missing', at(72))).toMatchObject({ status: 'FAILED' })
    expect(afterCheck(PENDING, 'missing', at(72)).transition).toBeUndefined()
  })

  it('is checked every five minutes at first, then less often', () => {
    const minutes = (state: CheckState, hours: number) =>
      (afterCheck(state, 'missing', at(hours)).nextCheckAt.getTime() - at(hours).getTime()) / 60_000
    expect(minutes(PENDING, 0)).toBeLessThanOrEqual(5)
    expect(minutes(VERIFIED, 0)).toBeLessThanOrEqual(5)
    expect(minutes(PENDING, 25)).toBeGreaterThan(15)
    expect(minutes(FAILED, 100)).toBe(360)
  })
})
