import { expect, it } from 'vitest'
import { fromLocalTime, toLocalTime } from './local-time.ts'

it('a date converted to a field value and back is unchanged in any time zone', () => {
  for (const text of ['2026-01-02T03:04', '2026-07-31T23:59']) expect(toLocalTime(fromLocalTime(text))).toBe(text)
  const moment = new Date('2026-11-15T06:14:00.000Z')
  expect(fromLocalTime(toLocalTime(moment)).toISOString()).toBe(moment.toISOString())
})
