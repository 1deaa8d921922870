/**
 * Times of day in a time zone, by the rules of the zone. A time that a change of the clocks skips is moved forward by as
 * much as the clocks; of one that occurs twice, it is the first.
 */
import { z } from 'zod'

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
const DAY_MS = DAY_MINUTES * MINUTE_MS

const formats = new Map<string, Intl.DateTimeFormat>()
const FORMATS_MAX = 50

/** Throws a RangeError if the zone doesn't exist. */
function offsetFormat(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    if (formats.size >= FORMATS_MAX) formats.clear()
    formats.set(zone, format)
  }
  return format
}

/** Minutes to add to UTC. Throws a RangeError if the zone doesn't exist. */
export function zoneOffset(zone: string, ms: number): number {
  const label =
    offsetFormat(zone)
      .formatToParts(ms)
      .find((part) => part.type === 'timeZoneName')?.value ?? ''
  const match = /GMT([+-])(\d{2}):(\d{2})/.exec(label)
  const minutes = match ? Number(match[2]) * 60 + Number(match[3]) : 0
  return match?.[1] === '-' ? -minutes : minutes
}

/** Names such as Europe/Berlin or UTC, not offsets such as +01:00, which have no rules. */
export function isTimeZone(zone: string): boolean {
  if (!/^[A-Za-z]/.test(zone) || zone.length > 64) return false
  try {
    offsetFormat(zone)
    return true
  } catch {
    return false
  }
}

export const timeZoneField = z
  .string()
  .refine(isTimeZone, 'Must be the name of a time zone, such as Europe/Berlin.')
  .meta({ examples: ['Europe/Berlin'] })

const TIME = /^([01]\d|2[0-3]):([0-5]\d)$/

/** HH:MM, from 00:00 to 23:59. */
export const timeField = z
  .string()
  .regex(TIME, 'Must be a time from 00:00 to 23:59, such as 09:00.')
  .meta({ examples: ['09:00'] })

/** A day that exists. JavaScript reads 30 February as 2 March. */
export const dateField = z
  .string()
  .refine(isDate, 'Must be a date that exists, such as 2026-12-01.')
  .meta({ type: 'string', format: 'date' })

export function isDate(text: string): boolean {
  const read = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return read !== undefined && !Number.isNaN(read.getTime()) && read.toISOString().startsWith(text)
}

/** The moment at which clocks in the zone show this date and time. */
export const momentIn = (zone: string, date: string, time: string): Date =>
  momentOf(zone, Date.parse(`${date}T${time}:00Z`))

/** `wall` is what the clocks show, as if it were UTC. The offset before a change of the clocks gives the rules above. */
function momentOf(zone: string, wall: number): Date {
  const before = zoneOffset(zone, wall - DAY_MS)
  const first = wall - before * MINUTE_MS
  if (zoneOffset(zone, first) === before) return new Date(first)
  const after = zoneOffset(zone, wall + DAY_MS)
  const second = wall - after * MINUTE_MS
  return new Date(zoneOffset(zone, second) === after ? second : first)
}

export interface DailyWindow {
  from: string
  to: string
  timezone: string
}

const minutesOf = (time: string): number => {
  const [hours, minutes] = time.split(':')
  return Number(hours) * 60 + Number(minutes)
}

const wallAt = (zone: string, at: Date): number => at.getTime() + zoneOffset(zone, at.getTime()) * MINUTE_MS

/** The date that clocks in the zone show. */
export const dateIn = (zone: string, at: Date): string => new Date(wallAt(zone, at)).toISOString().slice(0, 10)

const startOfDay = (wall: number): number => Math.floor(wall / DAY_MS) * DAY_MS

/** When the window that contains the moment ends; undefined outside of it. A window with `to` before `from` spans midnight. */
export function endOfWindow(at: Date, { from, to, timezone }: DailyWindow): Date | undefined {
  const wall = wallAt(timezone, at)
  const day = startOfDay(wall)
  const minute = Math.floor((wall - day) / MINUTE_MS)
  const [start, end] = [minutesOf(from), minutesOf(to)]
  const isInside = start < end ? minute >= start && minute < end : minute >= start || minute < end
  if (!isInside) return undefined
  const endsTomorrow = start >= end && minute >= start
  const ends = momentOf(timezone, day + (endsTomorrow ? DAY_MS : 0) + end * MINUTE_MS)
  return ends > at ? ends : new Date(at.getTime() + MINUTE_MS) // the clocks were set back past the end
}

/** 1 is Monday, 7 is Sunday. */
const weekdayOf = (wall: number): number => new Date(wall).getUTCDay() || 7

export interface WeeklyWindow extends DailyWindow {
  /** Weekdays from 1 (Monday) to 7, on which it starts. */
  days: readonly number[]
}

/** The first moment from `at` on that is in the window: `at` itself if it is inside. */
export function nextInWindow(at: Date, { days, from, to, timezone }: WeeklyWindow): Date {
  const wall = wallAt(timezone, at)
  const [start, end] = [minutesOf(from), minutesOf(to)]
  const lengthMs = ((end - start + DAY_MINUTES) % DAY_MINUTES || DAY_MINUTES) * MINUTE_MS
  for (let day = startOfDay(wall) - DAY_MS, n = 0; n <= 9; day += DAY_MS, n++) {
    if (!days.includes(weekdayOf(day))) continue
    const opens = momentOf(timezone, day + start * MINUTE_MS)
    const closes = momentOf(timezone, day + start * MINUTE_MS + lengthMs)
    if (at < closes && opens < closes) return opens > at ? opens : at // a change of the clocks can skip a whole window
  }
  return at
}

interface TimeOfDay {
  weekday?: number | null | undefined
  time: string
  timezone: string
}

/** The next time from `at` on at which clocks in the zone show this time, on this weekday (1 is Monday) or on any day. */
export function nextTimeOfDay(at: Date, { weekday, time, timezone }: TimeOfDay): Date {
  const today = startOfDay(wallAt(timezone, at))
  for (let n = 0; n <= 7; n++) {
    const day = today + n * DAY_MS
    if (weekday && weekdayOf(day) !== weekday) continue
    const moment = momentOf(timezone, day + minutesOf(time) * MINUTE_MS)
    if (moment >= at) return moment
  }
  return at
}
