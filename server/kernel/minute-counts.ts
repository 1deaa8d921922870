/**
 * Counts of the current minute, in memory: how often something was done, by any name. Each process counts for itself, which
 * is enough for limits on a single client, and costs the database nothing.
 */
import type { Clock } from './clock.ts'
import { countOf, Refusal } from './errors.ts'

const MINUTE_MS = 60_000

/** Names beyond this many are not counted, so that making them up fills no memory. */
const NAMES_MAX = 100_000

export type MinuteCounts = ReturnType<typeof createMinuteCounts>

export function createMinuteCounts(clock: Clock) {
  let startedAt = 0
  let counts = new Map<string, number>()
  return {
    /** Counts once more, and refuses with `what` if that is more than `most`. */
    count(name: string, most: number, what: string): void {
      const now = clock.now().getTime()
      if (now - startedAt >= MINUTE_MS || now < startedAt) {
        startedAt = now
        counts = new Map()
      }
      const count = (counts.get(name) ?? 0) + 1
      if (counts.has(name) || counts.size < NAMES_MAX) counts.set(name, count)
      if (count <= most) return
      const retryAfter = Math.max(1, Math.ceil((startedAt + MINUTE_MS - now) / 1000))
      throw new Refusal(
        'too-many',
        'RATE_LIMIT_EXCEEDED',
        `${what} is limited to ${countOf(most, 'request')} per minute.`,
        {
          details: { retryAfter, limit: most },
          suggestion: `Try again in ${countOf(retryAfter, 'second')}.`,
        },
      )
    },
  }
}
