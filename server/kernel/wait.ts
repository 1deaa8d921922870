/** Waiting that can be cut short, so that stopping never waits for a pause to pass. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Rejects as soon as `signal` aborts. */
export const pause = (ms: number, signal?: AbortSignal): Promise<void> => sleep(ms, undefined, { signal })

/** What `work` resolves to, or undefined once the time is up; the work itself goes on. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  const done = new AbortController()
  try {
    return await Promise.race([work, sleep(ms, undefined, { signal: done.signal })])
  } finally {
    done.abort()
  }
}
