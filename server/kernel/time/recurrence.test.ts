import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { nextOccurrence, type RecurrenceRule, recurrenceFields, requireRule } from './recurrence.ts'

const RecurrenceRuleInput = z.object(recurrenceFields).superRefine(requireRule)

const DAILY: RecurrenceRule = { every: 'day', time: '09:00', timezone: 'Europe/Berlin' }

/** The next times after a moment. */
function times(rule: RecurrenceRule, after: string, count: number): string[] {
  const found: string[] = []
  for (let at: Date | undefined = new Date(after); found.length < count; ) {
    at = nextOccurrence(rule, at)
    if (!at) break
    found.push(at.toISOString())
  }
  return found
}

describe('the times of a recurrence', () => {
  it.each<[string, RecurrenceRule, string, string[]]>([
    ['the same day', DAILY, '2026-11-19T07:59:59.999Z', ['2026-11-19T08:00:00.000Z']],
    ['not the moment itself', DAILY, '2026-11-19T08:00:00Z', ['2026-11-20T08:00:00.000Z']],
    [
      'a spring change of the clocks',
      DAILY,
      '2027-03-27T07:00:00Z',
      ['2027-03-27T08:00:00.000Z', '2027-03-28T07:00:00.000Z', '2027-03-29T07:00:00.000Z'],
    ],
    [
      'a time that the clocks skip, once and an hour later',
      { ...DAILY, time: '02:30' },
      '2027-03-27T12:00:00Z',
      ['2027-03-28T01:30:00.000Z', '2027-03-29T00:30:00.000Z'],
    ],
    [
      'a time that occurs twice, once',
      { ...DAILY, time: '02:30' },
      '2027-10-30T12:00:00Z',
      ['2027-10-31T00:30:00.000Z', '2027-11-01T01:30:00.000Z'],
    ],
    [
      'weekdays',
      { ...DAILY, every: 'week', weekdays: [1, 4] },
      '2026-11-19T08:00:00Z',
      ['2026-11-23T08:00:00.000Z', '2026-11-26T08:00:00.000Z'],
    ],
    [
      'the last day of shorter months',
      { ...DAILY, every: 'month', day: 31, timezone: 'UTC' },
      '2027-01-31T09:00:00Z',
      ['2027-02-28T09:00:00.000Z', '2027-03-31T09:00:00.000Z', '2027-04-30T09:00:00.000Z'],
    ],
    [
      'the date of the zone, not of UTC',
      { ...DAILY, time: '00:30', timezone: 'Pacific/Auckland', startsOn: '2026-12-01' },
      '2026-11-19T00:00:00Z',
      ['2026-11-30T11:30:00.000Z'],
    ],
    [
      'nothing after the last date',
      { ...DAILY, endsOn: '2026-11-20' },
      '2026-11-19T00:00:00Z',
      ['2026-11-19T08:00:00.000Z', '2026-11-20T08:00:00.000Z'],
    ],
    ['nothing if the last date has passed', { ...DAILY, endsOn: '2026-11-18' }, '2026-11-19T00:00:00Z', []],
  ])('%s', (_what, rule, after, expected) => {
    expect(times(rule, after, Math.max(1, expected.length + Number(rule.endsOn !== undefined)))).toEqual(expected)
  })

  it('one date has one time for every zone and time of day over a year', () => {
    for (const timezone of ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata']) {
      for (const time of ['00:00', '02:30', '23:59']) {
        const found = times({ every: 'day', time, timezone }, '2027-01-01T00:00:00Z', 365)
        const gaps = found.slice(1).map((at, i) => (Date.parse(at) - Date.parse(found[i]!)) / 3_600_000)
        expect(gaps.every((hours) => hours >= 22 && hours <= 26)).toBe(true)
      }
    }
  })
})

describe('a rule', () => {
  const WEEKLY = { every: 'week', time: '09:00', timezone: 'UTC', weekdays: [1] }
  it.each<[string, object, string]>([
    ['a week without weekdays', { weekdays: undefined }, 'weekdays'],
    ['no weekdays', { weekdays: [] }, 'weekdays'],
    ['an eighth weekday', { weekdays: [8] }, 'weekdays.0'],
    ['weekdays of a day', { every: 'day' }, 'weekdays'],
    ['a month without a day', { every: 'month', weekdays: undefined }, 'day'],
    ['day 32', { every: 'month', weekdays: undefined, day: 32 }, 'day'],
    ['a day of a week', { day: 3 }, 'day'],
    ['an unknown zone', { timezone: 'Mars/Olympus' }, 'timezone'],
    ['hour 24', { time: '24:00' }, 'time'],
    ['a date that does not exist', { startsOn: '2027-02-30' }, 'startsOn'],
    ['an end before the start', { startsOn: '2027-02-03', endsOn: '2027-02-02' }, 'endsOn'],
    ['a count of 0', { count: 0 }, 'count'],
    ['every year', { every: 'year' }, 'every'],
  ])('%s is refused', (_what, change, field) => {
    const read = RecurrenceRuleInput.safeParse({ ...WEEKLY, ...change })
    expect(read.error?.issues.map(({ path }) => path.join('.'))).toContain(field)
  })

  it('has each weekday once', () => {
    expect(RecurrenceRuleInput.parse({ ...WEEKLY, weekdays: [5, 1, 5] }).weekdays).toEqual([1, 5])
  })
})
