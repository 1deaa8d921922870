/** Emails that one job delivers together. */
import type { EmailRef } from './queries.ts'
import type { Wait } from './result.ts'

export interface SliceOptions {
  /** The priority of jobs of this kind; see PRIORITY. */
  priority: number
  /** The queue runs the slice again, so the process that was sending it has exited. */
  takeOver: boolean
}

export interface SliceResult {
  /** How many were rescheduled as separate jobs. */
  postponed: number
  /** The latest time at which one of them is retried. */
  until: Date | undefined
  /** The rest of the slice, if it must wait: for the sending rate, because sending is paused, or for the next day of a warm-up. */
  waiting: { emailIds: string[]; until: Date; reason: string } | undefined
}

/**
 * The rest of a slice with the emails that wait for the next day of their domain's warm-up, which stay together and in their
 * order. If others wait for the sending rate, all are retried when those are, which is earlier.
 */
export function withWarmingUp(
  emails: EmailRef[],
  warmingUp: Map<string, Wait>,
  waiting: SliceResult['waiting'],
): SliceResult['waiting'] {
  const [first] = warmingUp.values()
  if (!first) return waiting
  const ids = emails.map(({ emailId }) => emailId).filter((id) => warmingUp.has(id))
  return {
    emailIds: [...ids, ...(waiting?.emailIds ?? [])],
    until: waiting?.until ?? first.at,
    reason: waiting?.reason ?? first.reason,
  }
}
