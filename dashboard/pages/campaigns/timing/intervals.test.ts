import { expect, it } from 'vitest'
import { INTERVALS_MAX, intervalsOf, type Wave, waitOf } from './intervals.ts'

const at = (time: string) => `2026-12-01T${time}Z`
const wave = (time: string, recipients: number, sent = 0): Wave => ({ at: at(time), recipients, sent })

it('waves close to each other have an interval each, and so have the minutes between them', () => {
  const intervals = intervalsOf([wave('09:00:20', 3, 3), wave('09:03:00', 2)])
  expect(intervals.map(({ recipients }) => recipients)).toEqual([3, 0, 0, 2])
  expect(intervals[0]).toEqual({ at: Date.parse(at('09:00:20')), recipients: 3, sent: 3 })
})

it('many waves share intervals, which have all of their recipients', () => {
  const day = Array.from({ length: 1_440 }, (_, i) => {
    const two = (n: number) => String(n).padStart(2, '0')
    return wave(`${two(Math.floor(i / 60))}:${two(i % 60)}:00`, 10, i < 720 ? 10 : 0)
  })
  const intervals = intervalsOf(day)
  expect(intervals.length).toBeLessThanOrEqual(INTERVALS_MAX)
  expect(intervals.reduce((sum, one) => sum + one.recipients, 0)).toBe(14_400)
  expect(intervals.reduce((sum, one) => sum + one.sent, 0)).toBe(7_200)
  expect(intervals[1]!.at % 3_600_000).toBe(0)
})

it('waves without a time, which wait for the winner of an experiment, have no interval', () => {
  expect(intervalsOf([{ at: null, recipients: 5, sent: 0 }])).toEqual([])
})

it('a campaign waits for its next wave, or for the winner of its experiment, once what is due is sent', () => {
  const now = new Date(at('09:30:00'))
  const next = wave('10:00:00', 4)
  const timed = [wave('09:00:00', 3), wave('11:00:00', 1), next]
  expect(waitOf(timed, 2, now)).toBeUndefined()
  expect(waitOf(timed, 3, now)).toBe(next)
  expect(waitOf([wave('09:00:00', 3), { at: null, recipients: 9, sent: 0 }], 3, now)).toBe('winner')
  expect(waitOf([wave('09:00:00', 3)], 3, now)).toBeUndefined()
})
