import { expect, it } from 'vitest'
import { periodOf } from './period.ts'

it('periodOf ends today, and the previous period ends the day before it starts', () => {
  expect(periodOf(7, new Date('2026-11-16T23:30:00Z'))).toEqual({
    current: { from: '2026-11-10', to: '2026-11-16' },
    previous: { from: '2026-11-03', to: '2026-11-09' },
  })
})
