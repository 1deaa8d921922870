/** Emails that one job delivers together. */

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
