/** Outcomes of emails that must be recorded, however long it takes. */
import { pause } from '../../../kernel/clock.ts'
import {
  isDatabaseUnavailable,
  isOutOfResources,
  isOutOfTime,
  wasCanceledByConflict,
} from '../../../platform/database/connection/transaction.ts'
import type { Log } from '../../../platform/log.ts'

const RECORD_AGAIN_MS = 200
/** A restart of the database takes less. */
const WARN_AFTER_MS = 5_000
const WARN_EVERY_MS = 60_000

/** The same write may succeed later: nothing is wrong with what it writes. */
export const mayPass = (error: unknown): boolean =>
  isDatabaseUnavailable(error) || wasCanceledByConflict(error) || isOutOfTime(error) || isOutOfResources(error)

export type Records = ReturnType<typeof createRecords>

/** Outcomes are recorded however long the database is unavailable or locked, and before this process claims another email. */
export function createRecords(log?: Log) {
  const waiting = new Set<Promise<unknown>>()
  let warnedAt = Number.NEGATIVE_INFINITY

  async function repeat<T>(write: () => Promise<T>): Promise<T> {
    for (const startedAt = performance.now(); ; ) {
      await pause(RECORD_AGAIN_MS)
      try {
        return await write()
      } catch (error) {
        if (!mayPass(error)) throw error
        if (performance.now() - startedAt > WARN_AFTER_MS) warn(error)
      }
    }
  }

  function warn(error: unknown): void {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return
    warnedAt = performance.now()
    log?.warn(
      { err: error },
      'the outcomes of emails could not be recorded yet; until then no further emails are claimed',
    )
  }

  return {
    async recordSurely<T>(write: () => Promise<T>): Promise<T> {
      try {
        return await write()
      } catch (error) {
        if (!mayPass(error)) throw error
      }
      const recorded = repeat(write)
      waiting.add(recorded)
      try {
        return await recorded
      } finally {
        waiting.delete(recorded)
      }
    },
    allRecorded: async (): Promise<void> => {
      while (waiting.size > 0) await Promise.allSettled(waiting)
    },
  }
}
