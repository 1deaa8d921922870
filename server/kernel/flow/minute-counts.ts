/**
 * Counts of the current minute, in memory, by any name. Each process counts separately, which is sufficient for limits
 * on a single client and needs no database access.
 */
import type { Clock } from '../clock.ts'
import { countOf, Refusal } from '../errors.ts'

const MINUTE_MS = 60_000

/** Names beyond this number are not counted, so that made-up names can't use up memory. */
const NAMES_MAX = 100_000

export function createMinuteCounts(clock: Clock) {
  let startedAt = 0
  let counts = new Map<string, number>()
  return {
    /** Adds one, and refuses with `what` if the count exceeds `most`. */
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
