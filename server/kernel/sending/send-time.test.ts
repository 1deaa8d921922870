import { expect, it } from 'vitest'
import { readSendTime, sendAtField } from './send-time.ts'

const now = new Date('2026-12-01T07:00:00Z')

it.each([
  '2026-12-01T09:00:00+01:00',
  '2026-12-01T09:00:00.000+01:00',
  '2026-12-01T09:00:00,123456+01:00',
  '2026-12-01T09:00:00+0100',
  '2026-12-01T09:00:00+01',
  '2026-12-01T09:00+01:00',
  '2026-12-01T08:00Z',
  '2026-12-01t08:00:00z',
])('%s is a time', (text) => {
  expect(sendAtField.safeParse(text).success).toBe(true)
  expect(readSendTime(text, now)!.toISOString().slice(0, 19)).toBe('2026-12-01T08:00:00')
})

it.each(['2026-12-01T09:00:00', '2026-12-01', 'tomorrow', '1796112000', '', '2026-12-01 09:00:00+01:00'])(
  '%s is not a time with an offset',
  (text) => {
    expect(sendAtField.safeParse(text).success).toBe(false)
  },
)

it.each([
  ['2026-12-01T06:59:59Z', 'Must not be in the past'],
  ['2027-12-02T07:00:00Z', 'Must be at most 365 days ahead'],
  ['2026-13-01T07:00:00Z', 'Must be a time that exists'],
])('%s is refused', (text, message) => {
  expect(() => readSendTime(text, now)).toThrow(expect.objectContaining({ extras: expect.anything() }))
  try {
    readSendTime(text, now)
  } catch (error) {
    expect(JSON.stringify(error)).toContain(message)
  }
})

it('the next five seconds are now', () => {
  expect(readSendTime('2026-12-01T07:00:05Z', now)).toBeUndefined()
  expect(readSendTime('2026-12-01T07:00:06Z', now)).toEqual(new Date('2026-12-01T07:00:06Z'))
})
