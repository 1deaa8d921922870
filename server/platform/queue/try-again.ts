/** Thrown by a handler to reschedule its job. */
export interface TryAgainOptions {
  /** False if the job only had to wait, such as for a rate limit. */
  countsAsAttempt?: boolean
  reason?: string
  /** The payload of the retry, if only a part of the work is left. */
  payload?: object
  cause?: unknown
}

export class TryAgainAt extends Error {
  readonly at: Date
  readonly countsAsAttempt: boolean
  readonly payload: object | undefined

  constructor(at: Date, { countsAsAttempt = true, reason, payload, cause }: TryAgainOptions = {}) {
    super(reason ?? `retry at ${at.toISOString()}`, { cause })
    this.at = at
    this.countsAsAttempt = countsAsAttempt
    this.payload = payload
  }
}
