/** The current time, and pauses. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Code that needs the time is given a clock, so that tests can set it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Rejects as soon as `signal` aborts, so that shutdown never waits for a pause. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> => sleep(ms, undefined, { signal })

/** The result of `work`, or undefined after the timeout; the work itself continues. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController()
  try {
    return await Promise.race([work, sleep(ms, undefined, { signal: done.signal })])
  } finally {
    done.abort()
  }
}
