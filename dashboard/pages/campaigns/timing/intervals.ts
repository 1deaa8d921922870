/** The waves of a campaign: those that are still to come, and intervals of equal length for a chart of many. */

export interface Wave {
  at: string | null
  recipients: number
  sent: number
}

export interface Interval {
  /** In milliseconds. */
  at: number
  recipients: number
  sent: number
}

const MINUTE_MS = 60_000
/** The lengths that an interval can have, in minutes. */
const LENGTHS = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1_440]
export const INTERVALS_MAX = 48

/** From the first wave to the last, with those in between in which nothing is sent. */
export function intervalsOf(waves: Wave[]): Interval[] {
  const timed = waves.flatMap(({ at, ...counts }) => (at === null ? [] : [{ at: Date.parse(at), ...counts }]))
  if (timed.length === 0) return []
  const first = Math.min(...timed.map(({ at }) => at))
  const last = Math.max(...timed.map(({ at }) => at))
  const fits = (minutes: number) => (last - first) / (minutes * MINUTE_MS) < INTERVALS_MAX - 1
  const length = (LENGTHS.find(fits) ?? Math.ceil((last - first) / MINUTE_MS / (INTERVALS_MAX - 1))) * MINUTE_MS
  const start = Math.floor(first / length) * length
  const count = Math.floor((last - start) / length) + 1
  const intervals = Array.from({ length: count }, (_, i) => ({ at: start + i * length, recipients: 0, sent: 0 }))
  for (const { at, recipients, sent } of timed) {
    const interval = intervals[Math.floor((at - start) / length)]!
    interval.recipients += recipients
    interval.sent += sent
  }
  intervals[0]!.at = first
  return intervals
}

/** The first wave that is still to come. */
export const nextWave = (waves: Wave[], now: Date): Wave | undefined =>
  waves
    .filter(({ at }) => at !== null && Date.parse(at) > now.getTime())
    .sort((a, b) => Date.parse(a.at!) - Date.parse(b.at!))[0]

/**
 * Why nothing is sent at the moment, if `done` emails have an outcome: the rest of the audience waits for the winner of an
 * experiment, or for the next wave. Undefined if more emails are due.
 */
export function waitOf(waves: Wave[], done: number, now: Date): 'winner' | Wave | undefined {
  const isDue = ({ at }: Wave) => at !== null && Date.parse(at) <= now.getTime()
  const due = waves.filter(isDue).reduce((sum, { recipients }) => sum + recipients, 0)
  if (done < due) return undefined
  return nextWave(waves, now) ?? (waves.some(({ at }) => at === null) ? 'winner' : undefined)
}
