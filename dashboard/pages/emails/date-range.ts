/** The range of time that is chosen above a list, for the API. */

export const CUSTOM = 'custom'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const PRESETS = new Map([
  ['24h', 24 * HOUR_MS],
  ['7d', 7 * 24 * HOUR_MS],
  ['30d', 30 * 24 * HOUR_MS],
])

interface Chosen {
  time?: string | undefined
  /** Days in the time zone of the reader, such as `2026-01-31`; both inclusive. */
  from?: string | undefined
  to?: string | undefined
}

/**
 * A preset starts at a whole minute, so that reopening the page within a minute shows the cached list. Dates in the wrong
 * order are swapped here and not where they are typed, because half a year such as 0020 is in the wrong order, too.
 */
export function dateRangeOf({ time = '', from, to }: Chosen, now: Date): { from?: string; to?: string } {
  const preset = PRESETS.get(time)
  if (preset) {
    const start = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS - preset
    return { from: new Date(start).toISOString() }
  }
  if (time !== CUSTOM) return {}
  const [first, last] = from && to && from > to ? [to, from] : [from, to]
  const start = momentOf(first, '00:00:00.000')
  const end = momentOf(last, '23:59:59.999')
  return { ...(start ? { from: start } : {}), ...(end ? { to: end } : {}) }
}

function momentOf(day: string | undefined, time: string): string | undefined {
  const moment = day ? new Date(`${day}T${time}`) : undefined
  return moment && !Number.isNaN(moment.getTime()) ? moment.toISOString() : undefined
}
