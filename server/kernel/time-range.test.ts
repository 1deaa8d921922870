import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayRange, fromParam, refuseReversedRange, toParam } from './time-range.ts'

const NOW = new Date('2026-03-15T12:00:00.000Z')
const days = (from?: string, to?: string) => dayRange({ from: fromParam.parse(from), to: toParam.parse(to) }, NOW)

describe('a time in a query', () => {
  it.each([
    ['2026-02-03', '2026-02-03T00:00:00.000Z', '2026-02-03T23:59:59.999Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999Z'],
    ['2026-02-03T10:20:30Z', '2026-02-03T10:20:30.000Z', '2026-02-03T10:20:30.000Z'],
    ['2026-02-03T10:20:30.5Z', '2026-02-03T10:20:30.500Z', '2026-02-03T10:20:30.500Z'],
    ['2026-02-03T10:20', '2026-02-03T10:20:00.000Z', '2026-02-03T10:20:00.000Z'],
    ['2026-02-03T01:00:00+02:00', '2026-02-02T23:00:00.000Z', '2026-02-02T23:00:00.000Z'],
    ['2026-02-03T01:00:00 02:00', '2026-02-02T23:00:00.000Z', '2026-02-02T23:00:00.000Z'],
    ['0001-01-01', '1970-01-01T00:00:00.000Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:00:00-09:00', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('%s is parsed correctly', (text, from, to) => {
    expect(fromParam.parse(text)).toEqual(new Date(from))
    expect(toParam.parse(text)).toEqual(new Date(to))
  })

  it.each([
    'yesterday',
    '2026',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-02-03T25:00:00Z',
    '1770000000',
    '-1',
    '2026-02-03T',
  ])('%s is refused', (text) => {
    expect(() => fromParam.parse(text)).toThrow('from must be a date')
    expect(() => toParam.parse(text)).toThrow('to must be a date')
  })

  it('can be absent', () => {
    expect([fromParam.parse(undefined), toParam.parse('')]).toEqual([undefined, undefined])
  })

  it('never causes another error, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          fromParam.parse(text)
        } catch (error) {
          expect((error as Error).message).toContain('from must be a date')
        }
      }),
    )
  })
})

describe('a range of days', () => {
  it('is the last thirty days by default, including today', () => {
    expect(days()).toEqual({ first: '2026-02-14', last: '2026-03-15' })
    expect(days(undefined, '2026-01-30')).toEqual({ first: '2026-01-01', last: '2026-01-30' })
    expect(days('2026-03-01')).toEqual({ first: '2026-03-01', last: '2026-03-15' })
    expect(days('2026-03-01T23:59:00Z', '2026-03-01T23:59:30Z')).toEqual({ first: '2026-03-01', last: '2026-03-01' })
  })

  it('has at most 366 days and must not be reversed', () => {
    expect(days('2025-03-15', '2026-03-15')).toEqual({ first: '2025-03-15', last: '2026-03-15' })
    expect(() => days('2025-03-14', '2026-03-15')).toThrow('367 days')
    expect(() => days('2026-03-02', '2026-03-01')).toThrow('from must not be after to')
    expect(() => days('2026-04-01')).toThrow('from must not be after the current time')
    expect(() => refuseReversedRange({ from: NOW, to: new Date(0) })).toThrow('from must not be after to')
  })
})
