/** Sums of the daily email counts, and how they change. */
import type { EmailCounts } from './rates.ts'

export interface Day extends EmailCounts {
  date: string
}

export function totalsOf(days: EmailCounts[]): EmailCounts {
  const totals: EmailCounts = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0, refused: 0 }
  for (const day of days) for (const name of Object.keys(totals) as (keyof EmailCounts)[]) totals[name] += day[name]
  return totals
}

/** The relative change: 0.5 is an increase by 50%. Undefined if the earlier number is 0. */
export const changeOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before

/** Without today, whose emails may still be opened: its rates would look like a fall. */
export const finishedDays = (days: Day[], now: Date): Day[] =>
  days.length > 1 && days.at(-1)!.date === now.toISOString().slice(0, 10) ? days.slice(0, -1) : days
