import { describe, expect, it } from 'vitest'
import { fromLocalTime } from '../local-time.ts'
import { isScheduled, localStart, planOf, requestOf, withMode } from './plan.ts'

const NOW = new Date('2026-11-19T12:00:00Z')
const DRAFT = { status: 'DRAFT', scheduledFor: null, timing: null } as const
const plan = planOf(DRAFT, NOW, 'Europe/Berlin')

describe('the plan of a campaign', () => {
  it('is to send at once', () => {
    expect(plan).toMatchObject({ mode: 'together', later: false, fallback: 'Europe/Berlin', spreadMinutes: null })
    expect(requestOf(plan, NOW)).toBeUndefined()
    expect(isScheduled(plan, NOW)).toBe(false)
  })

  it('starts when the first time zone reaches a local time', () => {
    const local = { ...withMode(plan, 'localTime'), localAt: '2026-12-01T09:00' }
    expect(requestOf(local, NOW)).toEqual({
      localTime: { date: '2026-12-01', time: '09:00', fallback: 'Europe/Berlin' },
      scheduledFor: '2026-11-30T19:00:00.000Z',
    })
    expect(isScheduled(local, NOW)).toBe(true)
  })

  it('starts at once if that has passed', () => {
    const local = { ...withMode(plan, 'localTime'), localAt: '2026-11-19T20:00', spreadMinutes: 60 }
    expect(localStart(local.localAt, NOW)).toBeUndefined()
    expect(requestOf(local, NOW)).toEqual({
      localTime: { date: '2026-11-19', time: '20:00', fallback: 'Europe/Berlin' },
      spreadMinutes: 60,
    })
    expect(isScheduled(local, NOW)).toBe(false)
  })

  it('spreads, and sends at the best hour, now or later', () => {
    expect(requestOf(withMode(plan, 'spread'), NOW)).toEqual({ spreadMinutes: 120 })
    const later = { ...withMode(plan, 'bestHour'), later: true, at: '2026-12-01T10:30' }
    const scheduledFor = fromLocalTime('2026-12-01T10:30').toISOString()
    expect(requestOf(later, NOW)).toEqual({ bestHour: true, scheduledFor })
  })

  it('is the one that a scheduled campaign has', () => {
    const localTime = { date: '2026-12-01', time: '09:00', fallback: 'UTC' }
    const scheduled = { status: 'SCHEDULED', scheduledFor: '2026-11-30T19:00:00.000Z' } as const
    const timing = { localTime, spreadMinutes: 90, bestHour: false }
    const kept = planOf({ ...scheduled, timing }, NOW, 'Europe/Berlin')
    expect(kept).toMatchObject({ mode: 'localTime', fallback: 'UTC', spreadMinutes: 90 })
    expect(requestOf(kept, NOW)).toEqual({ localTime, spreadMinutes: 90, scheduledFor: scheduled.scheduledFor })
    const spread = planOf({ ...scheduled, timing: { localTime: null, spreadMinutes: 30, bestHour: false } }, NOW, 'UTC')
    expect(requestOf(spread, NOW)).toEqual({ spreadMinutes: 30, scheduledFor: scheduled.scheduledFor })
  })
})
