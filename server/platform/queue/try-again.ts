/** Thrown by a handler that knows when its job is worth a retry. */
export interface TryAgainOptions {
  /** False for waiting that isn't the job's fault, such as a rate limit. */
  countsAsAttempt?: boolean
  reason?: string
  cause?: unknown
}

export class TryAgainAt extends Error {
  readonly at: Date
  readonly countsAsAttempt: boolean

  constructor(at: Date, { countsAsAttempt = true, reason, cause }: TryAgainOptions = {}) {
    super(reason ?? `retry at ${at.toISOString()}`, { cause })
    this.at = at
    this.countsAsAttempt = countsAsAttempt
  }
}
