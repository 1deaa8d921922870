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
