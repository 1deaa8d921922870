/** Pauses that can be aborted, so that shutdown never waits for them. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Rejects as soon as `signal` aborts. */
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
