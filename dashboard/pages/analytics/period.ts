/** A period of whole UTC days that ends today, and the one of the same length before it. */

interface Days {
  /** `YYYY-MM-DD`, both inclusive. */
  from: string
  to: string
}

export interface Period {
  current: Days
  previous: Days
}

const DAY_MS = 86_400_000

export function periodOf(days: number, now: Date): Period {
  const dayBefore = (count: number) => new Date(now.getTime() - count * DAY_MS).toISOString().slice(0, 10)
  return {
    current: { from: dayBefore(days - 1), to: dayBefore(0) },
    previous: { from: dayBefore(2 * days - 1), to: dayBefore(days) },
  }
}
