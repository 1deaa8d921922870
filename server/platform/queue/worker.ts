/**
 * Runs jobs in this process until it is stopped: holds the lock that shows that it is running, enqueues periodic jobs,
 * and recovers the jobs of processes that exited without releasing them.
 */
import pg from 'pg'
import { pause, within } from '../../kernel/clock.ts'
import type { FailureHandlers, JobHandlers, JobName, JobOutcome, QueueLog } from './catalogue.ts'
import { findLostWorkers, releaseLostJobs, releaseOwnJobs, SETTINGS } from './claimed-jobs.ts'
import { holdProcessLock, newLockNumber, type ProcessLock } from './process-lock.ts'
import { type Runner, startRunner } from './runner.ts'
import { recordRunning } from './running-workers.ts'
import { enqueueAtStart, enqueueDue, type Timetable, untilNextMinute } from './timetable.ts'

/** For claiming, recording and periodic jobs, so that handlers that use up the pool don't block those. */
const OWN_CONNECTIONS = 3
const RESPONSE_TIMEOUT_MS = 15_000
const TIMETABLE_RETRY_MS = 5_000

export interface Pace {
  /** How often each process checks for lost jobs, plus or minus a fifth. */
  sweepMs: number
  /** How long a worker's lock must be gone. Longer than a running one needs to reconnect after an outage. */
  missingForMs: number
  /** How long `stop` waits for running handlers. */
  handlersMs: number
  /** How long `stop` may then take to release the rest. */
  releaseMs: number
}

/**
 * The jobs of a killed process are free after 5 to 7 seconds, those of an unreachable machine after at most 35. After a
 * restart of PostgreSQL all processes count as running for 5 seconds (posthorn_queue.is_running), and only then the time
 * starts.
 */
const PACE: Pace = { sweepMs: 1_500, missingForMs: 5_000, handlersMs: 8_000, releaseMs: 1_500 }

export interface WorkerOptions {
  /** Where to connect: the worker opens its own connections with this pool's settings. */
  pool: pg.Pool
  handlers: JobHandlers
  failureHandlers: FailureHandlers
  timetable: Timetable
  /** Concurrent jobs. Handlers mostly wait for other systems, so this can be many more than there are cores. */
  concurrency: number
  log: QueueLog
  onOutcome?: (job: JobName, outcome: JobOutcome, seconds: number) => void
  /** Identifies this process, also for anything else that its handlers claim; see `posthorn_queue.is_running`. */
  lockNumber?: number
  /** Called when the connection that holds the lock of this process was lost and is open again. */
  onReconnect?: () => void
  pace?: Partial<Pace>
}

export interface Worker {
  isHealthy(): boolean
  /** Within ten seconds: no new jobs, running ones may finish, the rest is released. */
  stop(): Promise<void>
}

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { log, timetable } = options
  const pace = { ...PACE, ...options.pace }
  const lockNumber = options.lockNumber ?? newLockNumber()
  const stopping = new AbortController()
  const { signal } = stopping
  const pool = openOwnPool(options.pool, log)
  let runner: Runner | undefined
  let stopped: Promise<void> | undefined
  const processLock = await holdProcessLock({
    pool,
    log,
    lockNumber,
    onJobs: () => runner?.notify(),
    onReconnect() {
      options.onReconnect?.()
      lost.startOver()
      runner?.notify()
    },
  })
  const lost = watchForLostJobs(processLock, pace.missingForMs)

  const logNotRecorded = (error: unknown) => log.debug({ err: error }, 'the worker could not record that it is running')
  const isHealthy = () => !stopped && processLock.isHeld() && (runner?.isHealthy() ?? false)

  async function sweepForever(): Promise<void> {
    for (;;) {
      try {
        const count = await lost.sweep()
        if (count > 0) log.warn({ count }, 'recovered the jobs of a process that exited')
      } catch (error) {
        log.debug({ err: error }, 'checking for lost jobs failed')
      }
      await pause(Math.min(pace.sweepMs * (0.8 + Math.random() * 0.4), lost.untilOverdue()), signal)
      runner?.checkLocks()
      // After the pause, because a worker that exits at once runs no jobs.
      if (isHealthy()) await recordRunning(processLock, lockNumber).catch(logNotRecorded)
    }
  }

  async function followTimetable(): Promise<void> {
    for (let since = new Date(), failed = false; ; ) {
      await pause(failed ? TIMETABLE_RETRY_MS : untilNextMinute(new Date()), signal)
      const now = new Date()
      try {
        await enqueueDue(pool, timetable, since, now)
        since = now
        failed = false
      } catch (error) {
        failed = true
        log.debug({ err: error }, 'periodic jobs could not be enqueued yet')
      }
    }
  }

  async function releaseJobs(): Promise<void> {
    try {
      const count = await releaseOwnJobs(processLock, lockNumber)
      if (count > 0) log.info({ count }, 'released jobs that had not finished')
    } catch (error) {
      log.warn({ err: error }, 'jobs could not be released; other processes will recover them')
    }
    await Promise.all([processLock.close(), pool.end()])
  }

  async function stop(): Promise<void> {
    stopping.abort()
    if (runner) await within(pace.handlersMs, runner.ended())
    await within(pace.releaseMs, releaseJobs())
  }

  try {
    await enqueueAtStart(pool, timetable)
  } catch (error) {
    await stop()
    throw error
  }
  runner = startRunner({ ...options, pool, lockNumber, signal })
  for (const forever of [sweepForever, followTimetable]) forever().catch(() => {}) // only stopping ends them

  return {
    isHealthy,
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

function watchForLostJobs(processLock: ProcessLock, missingForMs: number) {
  const missingSince = new Map<number, number>()
  return {
    /** Releases the jobs of workers whose lock has been gone for long enough. */
    async sweep(): Promise<number> {
      const missing = await findLostWorkers(processLock)
      const now = performance.now()
      for (const known of missingSince.keys()) if (!missing.includes(known)) missingSince.delete(known)
      for (const number of missing) if (!missingSince.has(number)) missingSince.set(number, now)
      const overdue = missing.filter((number) => now - missingSince.get(number)! >= missingForMs)
      return overdue.length > 0 ? releaseLostJobs(processLock, overdue) : 0
    },
    /** In milliseconds: how long until a worker that is missing has been for long enough. */
    untilOverdue(): number {
      const next = Math.min(...missingSince.values()) + missingForMs - performance.now()
      return next > 0 ? next : Number.POSITIVE_INFINITY // released, or the last check failed
    },
    /** After an outage others may still be reconnecting. */
    startOver: () => missingSince.clear(),
  }
}

function openOwnPool({ options }: pg.Pool, log: QueueLog): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    password: options.password, // a pool hides its password
    max: OWN_CONNECTIONS,
    min: 0,
    query_timeout: RESPONSE_TIMEOUT_MS,
    application_name: 'posthorn queue',
    onConnect: (client: pg.ClientBase) => client.query(SETTINGS).then(() => undefined),
  })
  const note = (error: Error) => log.debug({ err: error }, 'a database connection of the queue was lost')
  pool.on('error', note) // a pool without these listeners ends the process when a connection breaks
  pool.on('connect', (client) => client.on('error', note))
  return pool
}
