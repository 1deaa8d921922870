/** How much marketing email a domain sends on each day of its warm-up. `warm_up_limit` in the database has the same rule. */

const DAY_MS = 24 * 3_600_000
/** More than anyone sends in a day. */
const LIMIT_MAX = 1_000_000_000
const EXPONENT_MAX = 25

export interface Plan {
  startedOn: string
  perDay: number
  growth: number
}

/** The day of a time, in UTC. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

const daysBetween = (from: string, to: string) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)

function limitOn({ startedOn, perDay, growth }: Plan, day: string): number {
  const days = daysBetween(startedOn, day)
  if (days * Math.log(growth) > EXPONENT_MAX) return LIMIT_MAX
  return Math.min(LIMIT_MAX, Math.floor(perDay * growth ** days + 0.000001))
}

/** Some days from `today`, or from the start if that is later. None while the plan is incomplete. */
export function planOf({ startedOn, perDay, growth }: Partial<Plan>, today: string, days: number) {
  if (!startedOn || Number.isNaN(Date.parse(startedOn)) || !perDay || perDay < 1 || !growth || growth < 1 || growth > 3)
    return []
  const first = Date.parse(today > startedOn ? today : startedOn)
  return Array.from({ length: days }, (_, i) => {
    const day = dayOf(new Date(first + i * DAY_MS))
    return { day, limit: limitOn({ startedOn, perDay, growth }, day) }
  })
}
