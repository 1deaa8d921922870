import { expect, it } from 'vitest'
import { endOfWindow, isDate, isTimeZone, momentIn, nextInWindow, nextTimeOfDay } from './local-time.ts'

const at = (iso: string) => new Date(iso)

it.each([
  ['Europe/Berlin', '2026-12-01', '09:00', '2026-12-01T08:00:00.000Z'],
  ['Europe/Berlin', '2026-07-01', '09:00', '2026-07-01T07:00:00.000Z'],
  ['Asia/Kathmandu', '2026-07-01', '09:00', '2026-07-01T03:15:00.000Z'],
  ['Pacific/Kiritimati', '2026-07-01', '09:00', '2026-06-30T19:00:00.000Z'],
  ['UTC', '2026-07-01', '00:00', '2026-07-01T00:00:00.000Z'],
  // The days on which clocks change, before and after the change.
  ['Europe/Berlin', '2026-03-29', '01:59', '2026-03-29T00:59:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '03:00', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '01:59', '2026-10-24T23:59:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '03:00', '2026-10-25T02:00:00.000Z'],
  ['America/New_York', '2026-03-08', '09:00', '2026-03-08T13:00:00.000Z'],
  ['America/New_York', '2026-11-01', '09:00', '2026-11-01T14:00:00.000Z'],
  ['Australia/Lord_Howe', '2026-10-04', '02:15', '2026-10-03T15:45:00.000Z'], // half an hour is skipped
  // A time that is skipped is as much later; of one that occurs twice, it is the first.
  ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:30:00.000Z'],
  ['America/New_York', '2026-03-08', '02:30', '2026-03-08T07:30:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
  ['America/New_York', '2026-11-01', '01:30', '2026-11-01T05:30:00.000Z'],
])('in %s, %s %s is %s', (zone, date, time, moment) => {
  expect(momentIn(zone, date, time).toISOString()).toBe(moment)
})

it('a time zone is a name with rules, not an offset', () => {
  for (const zone of ['Europe/Berlin', 'US/Eastern', 'UTC', 'europe/berlin']) expect(isTimeZone(zone)).toBe(true)
  for (const zone of ['', '+01:00', 'Mars/Olympus', '-05:00', 'a'.repeat(65)]) expect(isTimeZone(zone)).toBe(false)
})

it('a date exists', () => {
  expect(isDate('2028-02-29')).toBe(true)
  for (const text of ['2026-02-29', '2026-13-01', '2026-1-1', 'x', '2026-12-01T09:00']) expect(isDate(text)).toBe(false)
})

const NIGHT = { from: '21:00', to: '08:00', timezone: 'Europe/Berlin' }

it.each([
  ['before it starts', '2026-12-01T19:59:59Z', undefined],
  ['when it starts', '2026-12-01T20:00:00Z', '2026-12-02T07:00:00.000Z'],
  ['after midnight', '2026-12-02T01:00:00Z', '2026-12-02T07:00:00.000Z'],
  ['when it ends', '2026-12-02T07:00:00Z', undefined],
  ['in the night in which clocks go forward', '2026-03-28T23:00:00Z', '2026-03-29T06:00:00.000Z'],
  ['in the night in which clocks go back', '2026-10-24T22:00:00Z', '2026-10-25T07:00:00.000Z'],
])('a window over midnight ends in the morning, asked %s', (_when, now, end) => {
  expect(endOfWindow(at(now), NIGHT)?.toISOString()).toBe(end)
})

it('a window within a day ends on that day', () => {
  const lunch = { from: '12:00', to: '13:30', timezone: 'America/New_York' }
  expect(endOfWindow(at('2026-07-01T16:30:00Z'), lunch)?.toISOString()).toBe('2026-07-01T17:30:00.000Z')
  expect(endOfWindow(at('2026-07-01T17:30:00Z'), lunch)).toBeUndefined()
})

it.each([
  ['inside', '2026-12-01T09:30:00Z', '2026-12-01T09:30:00.000Z'],
  ['before', '2026-12-01T05:00:00Z', '2026-12-01T08:00:00.000Z'],
  ['after, on Friday', '2026-12-04T17:00:00Z', '2026-12-07T08:00:00.000Z'],
  ['on Sunday', '2026-12-06T10:00:00Z', '2026-12-07T08:00:00.000Z'],
  ['over the weekend in which clocks go forward', '2026-03-28T12:00:00Z', '2026-03-30T07:00:00.000Z'],
])('a window on working days opens next, asked %s', (_when, now, opens) => {
  const work = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00', timezone: 'Europe/Berlin' }
  expect(nextInWindow(at(now), work).toISOString()).toBe(opens)
})

it('a window over midnight belongs to the day on which it starts', () => {
  const night = { days: [5], from: '22:00', to: '02:00', timezone: 'UTC' }
  expect(nextInWindow(at('2026-12-05T01:00:00Z'), night).toISOString()).toBe('2026-12-05T01:00:00.000Z') // Saturday
  expect(nextInWindow(at('2026-12-05T02:00:00Z'), night).toISOString()).toBe('2026-12-11T22:00:00.000Z')
})

it.each([
  ['today, later', '2026-12-01T07:00:00Z', '2026-12-01T08:00:00.000Z'],
  ['today, passed', '2026-12-01T08:00:01Z', '2026-12-08T08:00:00.000Z'],
  ['at the time itself', '2026-12-01T08:00:00Z', '2026-12-01T08:00:00.000Z'],
])('the next Tuesday at 09:00 in Berlin, asked %s', (_when, now, moment) => {
  expect(nextTimeOfDay(at(now), { weekday: 2, time: '09:00', timezone: 'Europe/Berlin' }).toISOString()).toBe(moment)
})

it('a window that a change of the clocks skips opens on the next day', () => {
  const early = { days: [1, 2, 3, 4, 5, 6, 7], from: '02:00', to: '03:00', timezone: 'Europe/Berlin' }
  expect(nextInWindow(at('2026-03-29T00:30:00Z'), early).toISOString()).toBe('2026-03-30T00:00:00.000Z')
  const late = { ...early, from: '02:30' }
  expect(nextInWindow(at('2026-03-29T00:30:00Z'), late).toISOString()).toBe('2026-03-30T00:30:00.000Z')
})

it('a window during the hour that a change of the clocks repeats is open in both', () => {
  const early = { days: [7], from: '02:00', to: '03:00', timezone: 'Europe/Berlin' }
  for (const now of ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']) {
    expect(nextInWindow(at(now), early).toISOString()).toBe(now)
  }
})

it.each([
  ['that the clocks skip is an hour later', '2026-03-28T12:00:00Z', '2026-03-29T01:30:00.000Z'],
  ['that the clocks repeat is the first of them', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
])('the next Sunday at a time %s', (_what, now, moment) => {
  expect(nextTimeOfDay(at(now), { weekday: 7, time: '02:30', timezone: 'Europe/Berlin' }).toISOString()).toBe(moment)
})

it.each([
  ['before it', '2026-12-01T07:59:00Z', '2026-12-01T08:00:00.000Z'],
  ['after it', '2026-12-01T08:01:00Z', '2026-12-02T08:00:00.000Z'],
  ['the day before clocks change', '2026-03-28T09:00:00Z', '2026-03-29T07:00:00.000Z'],
])('the next 09:00 in Berlin of any day, asked %s', (_when, now, moment) => {
  expect(nextTimeOfDay(at(now), { time: '09:00', timezone: 'Europe/Berlin' }).toISOString()).toBe(moment)
})
