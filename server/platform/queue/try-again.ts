/** Thrown by a handler that knows when its job is worth a retry. */
export interface TryAgainOptions {
  /** False for waiting that isn't the job's fault, such as a rate limit. */
  countsAsAttempt?: boolean
  reason?: string
  /** Of the retry, if only a part of the job is left to do. */
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
