import { expect, it } from 'vitest'
import { planOf } from './warm-up-plan.ts'

const PLAN = { startedOn: '2026-11-01', perDay: 50, growth: 1.5 }

it('each day of a plan allows the number of the day before times the growth, rounded down', () => {
  expect(planOf(PLAN, '2026-10-01', 5)).toEqual([
    { day: '2026-11-01', limit: 50 },
    { day: '2026-11-02', limit: 75 },
    { day: '2026-11-03', limit: 112 },
    { day: '2026-11-04', limit: 168 },
    { day: '2026-11-05', limit: 253 },
  ])
  expect(planOf({ ...PLAN, perDay: 10, growth: 1.1 }, '2026-11-02', 3).map(({ limit }) => limit)).toEqual([11, 12, 13])
})

it('a plan that has started is shown from today, and one of many years has a limit that nobody reaches', () => {
  expect(planOf(PLAN, '2026-11-30', 2).map(({ day }) => day)).toEqual(['2026-11-30', '2026-12-01'])
  expect(planOf({ ...PLAN, growth: 3 }, '2036-11-01', 1)[0]!.limit).toBe(1_000_000_000)
  expect(planOf({ ...PLAN, growth: 1 }, '2036-11-01', 1)[0]!.limit).toBe(50)
})

it('an incomplete plan has no days', () => {
  expect(planOf({ ...PLAN, perDay: undefined }, '2026-11-01', 3)).toEqual([])
  expect(planOf({ ...PLAN, startedOn: '' }, '2026-11-01', 3)).toEqual([])
  expect(planOf({ ...PLAN, growth: 0.5 }, '2026-11-01', 3)).toEqual([])
})
