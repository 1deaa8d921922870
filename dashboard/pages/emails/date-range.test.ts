import { expect, it } from 'vitest'
import { dateRangeOf } from './date-range.ts'

const NOW = new Date('2026-03-10T09:30:45.123Z')

it.each([
  ['24h', '2026-03-09T09:30:00.000Z'],
  ['7d', '2026-03-03T09:30:00.000Z'],
  ['30d', '2026-02-08T09:30:00.000Z'],
])('%s is a range that ends now', (time, from) => {
  expect(dateRangeOf({ time }, NOW)).toEqual({ from })
})

it('dates are whole days in the time zone of the reader', () => {
  expect(dateRangeOf({ time: 'custom', from: '2026-03-01', to: '2026-03-02' }, NOW)).toEqual({
    from: new Date(2026, 2, 1).toISOString(),
    to: new Date(2026, 2, 2, 23, 59, 59, 999).toISOString(),
  })
  expect(dateRangeOf({ time: 'custom', to: '2026-03-02' }, NOW)).toEqual({
    to: new Date(2026, 2, 2, 23, 59, 59, 999).toISOString(),
  })
})

it('dates in the wrong order are swapped', () => {
  expect(dateRangeOf({ time: 'custom', from: '2026-03-02', to: '2026-03-01' }, NOW)).toEqual(
    dateRangeOf({ time: 'custom', from: '2026-03-01', to: '2026-03-02' }, NOW),
  )
})

it('without a choice, with dates that are not chosen and with nonsense from an address, all emails are listed', () => {
  expect(dateRangeOf({}, NOW)).toEqual({})
  expect(dateRangeOf({ from: '2026-03-01' }, NOW)).toEqual({})
  expect(dateRangeOf({ time: 'custom', from: 'soon' }, NOW)).toEqual({})
  expect(dateRangeOf({ time: 'constructor' }, NOW)).toEqual({})
})
