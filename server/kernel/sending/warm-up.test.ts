/** Which plans of a warm-up are accepted. */
import { expect, it } from 'vitest'
import { WarmUp } from './warm-up.ts'

const PLAN = { startedOn: '2026-11-01', perDay: 50, growth: 1.5 }

it.each([
  ['a day that does not exist', { ...PLAN, startedOn: '2026-02-30' }, 'startedOn'],
  ['a number of 0', { ...PLAN, perDay: 0 }, 'perDay'],
  ['half an email', { ...PLAN, perDay: 1.5 }, 'perDay'],
  ['more than a million', { ...PLAN, perDay: 1_000_001 }, 'perDay'],
  ['a plan that shrinks', { ...PLAN, growth: 0.9 }, 'growth'],
  ['growth beyond a factor of 3', { ...PLAN, growth: 3.1 }, 'growth'],
])('%s is refused', (_what, plan, field) => {
  expect(WarmUp.safeParse(plan).error?.issues.map(({ path }) => path[0])).toEqual([field])
})
