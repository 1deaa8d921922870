/**
 * Runs what is due until nothing is left, one job at a time, in this process. Tests turn the clock forward with
 * `until`; a job that fails is left for its next try and not run again in the same call.
 */
import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { runOnce, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { JobHandlers, QueueLog } from './catalogue.ts'
import { guardConnections, libraryLogger } from './library-log.ts'
import { announce, newLockNumber } from './lifeline.ts'
import { WORKER_LOCKS } from './migrate.ts'
import { perform } from './perform.ts'
import { GIVE_BACK } from './recover.ts'

/** A job that postpones itself to a moment before `until` would go on for ever. */
const PASSES_MAX = 100

export interface DrainOptions {
  pool: pg.Pool
  handlers: JobHandlers
  /** Jobs up to this moment are due. For a clock that runs ahead of the database's; never earlier than now. */
  until?: Date
  /** Rethrow the first error of a handler when all is done. */
  throwErrors?: boolean
  log?: QueueLog
}

export async function drainQueue({ pool, handlers, until, throwErrors, log }: DrainOptions): Promise<void> {
  const failed: string[] = []
  const errors: unknown[] = []
  let performed = 0
  if (!(await makeDue(pool, until, failed))) return

  const { tasks } = perform({
    handlers,
    log,
    onOutcome: () => performed++,
    onError(error, jobId) {
      errors.push(error)
      failed.push(jobId)
    },
  })
  await asLiveWorker(pool, log, async (workerId) => {
    let before: number
    let passes = 0
    do {
      if (++passes > PASSES_MAX) throw new Error('the queue does not run dry: a job keeps coming back')
      before = performed
      await runOnce({
        pgPool: pool,
        taskList: tasks,
        concurrency: 1,
        noHandleSignals: true,
        logger: libraryLogger(log),
        events: eventsFor(workerId),
        preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      })
    } while (performed > before && (await makeDue(pool, until, failed)))
  })
  if (throwErrors && errors.length > 0) throw errors[0]
}

/** Under a name that other processes know to be alive, for as long as `work` takes. */
async function asLiveWorker(
  pool: pg.Pool,
  log: QueueLog | undefined,
  work: (workerId: string) => Promise<void>,
): Promise<void> {
  const workerId = `posthorn-drain-${randomBytes(9).toString('hex')}`
  const lockNumber = newLockNumber()
  const unguard = guardConnections(pool, log)
  const client = await pool.connect()
  try {
    await announce(client, lockNumber, [workerId])
    await work(workerId)
    await client.query(GIVE_BACK, [workerId])
    await client.query('select pg_advisory_unlock_shared($1, $2)', [WORKER_LOCKS, lockNumber])
    client.release()
  } catch (error) {
    client.release(true) // the lock goes with the connection
    throw error
  } finally {
    unguard()
  }
}

/** Moves what is due by `until` into the past, in its order. True if anything is due now. */
async function makeDue(pool: pg.Pool, until: Date | undefined, failed: string[]): Promise<boolean> {
  if (until) {
    await pool.query(
      `update graphile_worker._private_jobs set run_at = now() - ($1::timestamptz - run_at)
       where is_available and run_at > now() and run_at <= $1 and id <> all($2)`,
      [until, failed],
    )
  }
  const { rows } = await pool.query<{ due: boolean }>(
    `select exists (
       select from graphile_worker._private_jobs where is_available and run_at <= now() and id <> all($1)) as due`,
    [failed],
  )
  return rows[0]!.due
}

function eventsFor(workerId: string): WorkerEvents {
  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', ({ workerPool }) => {
    workerPool.id = workerId
  })
  return events
}
