/** Sums of the daily email counts. */

export interface Day {
  date: string
  sent: number
  delivered: number
  opened: number
  clicked: number
  bounced: number
  complained: number
}

type Totals = Omit<Day, 'date'>

export function totalsOf(days: Day[]): Totals {
  const totals: Totals = { sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0 }
  for (const day of days) for (const name of Object.keys(totals) as (keyof Totals)[]) totals[name] += day[name]
  return totals
}

/** The relative change: 0.5 for half as many more. Undefined if there was nothing before. */
export const changeOf = (now: number, before: number): number | undefined =>
  before === 0 ? undefined : (now - before) / before
