/**
 * Runs due jobs until none is left, one at a time. Tests pass a later time as `until`; a job that fails is left for its
 * next attempt and doesn't run again in the same call.
 */
import type pg from 'pg'
import type { FailureHandlers, JobHandlers, QueueLog } from '../platform/queue/catalogue.ts'
import { claimJobs } from '../platform/queue/claim.ts'
import { completeJobs, releaseUnknownJobs, retryJobs } from '../platform/queue/claimed-jobs.ts'
import { perform } from '../platform/queue/perform.ts'
import { holdLock, newLockNumber } from '../platform/queue/process-lock.ts'
import { recordRunning } from '../platform/queue/running-workers.ts'

/** A job that reschedules itself to a time before `until` would never end. */
const PASSES_MAX = 100

export interface DrainOptions {
  pool: pg.Pool
  handlers: JobHandlers
  failureHandlers?: FailureHandlers
  /** Jobs up to this time are due. For a clock that is ahead of the database's; never earlier than now. */
  until?: Date
  /** Rethrow the first error of a handler at the end. */
  throwErrors?: boolean
  log?: QueueLog
}

export async function drainQueue(options: DrainOptions): Promise<void> {
  const { pool, handlers, failureHandlers = {}, until, throwErrors, log } = options
  const names = Object.keys(handlers)
  const lockNumber = newLockNumber()
  const errors: unknown[] = []
  /** They failed or are rescheduled to a time after `until`, which the database's clock may have passed. */
  const notAgain: string[] = []
  const client = await pool.connect()

  /** Runs each job at most once, including those that are added meanwhile. */
  async function pass(): Promise<number> {
    const rescheduled: string[] = []
    for (let ran = 0; ; ran++) {
      const except = [...notAgain, ...rescheduled]
      const [job] = await claimJobs(client, { lockNumber, names, most: 1, until, except })
      if (!job) return ran
      const { retry, error } = await perform(job, { handlers, failureHandlers, log })
      if (!retry) {
        await completeJobs(client, lockNumber, [job.id])
        continue
      }
      await retryJobs(client, lockNumber, [retry])
      if (error !== undefined) errors.push(error)
      if (retry.at && retry.at <= (until ?? new Date())) rescheduled.push(job.id)
      else notAgain.push(job.id)
    }
  }

  try {
    await holdLock(client, lockNumber)
    await recordRunning(client, lockNumber)
    let passes = 0
    while ((await pass()) > 0) {
      if (++passes > PASSES_MAX) throw new Error('the queue does not run dry: a job keeps coming back')
    }
  } finally {
    await releaseUnknownJobs(client, lockNumber, [])
      .then(() => client.query('select pg_advisory_unlock_all()'))
      .then(() => client.release())
      .catch(() => client.release(true)) // the lock is released with the connection
  }
  if (throwErrors && errors.length > 0) throw errors[0]
}
