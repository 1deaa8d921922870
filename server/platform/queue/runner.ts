/**
 * One life of the library's runner, from its first job to its last. It ends when told to, or by itself when the
 * database failed it; worker.ts decides what follows.
 *
 * Jobs are fetched as many at a time as can run at once and completed in batches: 10,000 to 14,000 empty jobs a
 * second (10 to 50 at once, two cores shared with the database) where one by one gave 1,300 to 3,000. A larger local
 * stock gave up to 20,000, but what lies there cannot be overtaken. For the same reason jobs that wait in it for
 * longer than `STOCK_MS` go back: beside slow handlers an urgent job waits for a free hand and not for the stock.
 */
import { EventEmitter } from 'node:events'
import { run, type WorkerEvents, type WorkerPool } from 'graphile-worker'
import type { QueueLog } from './catalogue.ts'
import { libraryLogger } from './library-log.ts'
import type { PatientPool } from './patient-pool.ts'
import type { TaskSet } from './perform.ts'
import { type Timetable, toCronItems } from './timetable.ts'
import { pause, within } from './wait.ts'

const STOCK_MS = 250
const COMPLETE_WITHIN_MS = 50
const POLL_MS = 1_000
/** Of transactions that overlap only one calls; the others are committed by then (see migrate.ts). */
const LOOK_AGAIN_MS = [15, 120]
const STALLED_AFTER_MS = 15_000

export interface Life {
  workerId: string
  startedAt: number
  /** It should be fetching jobs and hasn't managed to for a while. */
  isStalled(): boolean
  /** Takes no more jobs and gives back those not begun. Resolves when every handler has returned. */
  stop(): Promise<void>
}

export interface LifeOptions {
  workerId: string
  pool: PatientPool
  taskSet: TaskSet
  timetable: Timetable
  concurrency: number
  log: QueueLog
  /** Something is wrong with the machinery: jobs may be locked that nobody here knows of. */
  onTrouble: (error: unknown) => void
}

export async function beginLife(options: LifeOptions): Promise<Life> {
  const { workerId, pool, taskSet, concurrency, log } = options
  let stopped: Promise<void> | undefined
  const onTrouble = (error: unknown) => {
    if (!stopped) options.onTrouble(error)
  }
  const watch = watchEvents(workerId, onTrouble)
  const runner = await run({
    pgPool: pool,
    taskList: taskSet.tasks,
    parsedCronItems: toCronItems(options.timetable),
    concurrency,
    pollInterval: POLL_MS,
    noHandleSignals: true,
    logger: libraryLogger(log, onTrouble),
    events: watch.events,
    preset: {
      worker: {
        localQueue: { size: concurrency, ttl: STOCK_MS },
        completeJobBatchDelay: COMPLETE_WITHIN_MS,
        failJobBatchDelay: COMPLETE_WITHIN_MS,
      },
      plugins: [NEVER_BY_FORCE],
    },
  })
  runner.promise.catch(onTrouble)

  async function finish(): Promise<void> {
    watch.quiet()
    runner.stop().catch(() => {}) // it had ended by itself
    await taskSet.idle()
    const cleanly = watch.workerPool().promise.then(() => true)
    // It doesn't always end cleanly: with jobs in stock it trips over itself. Its last notes take a moment to be written.
    if (!(await within(2_000, cleanly).catch(() => false))) await pause(2 * COMPLETE_WITHIN_MS)
    await pool.settled()
  }
  return {
    workerId,
    startedAt: Date.now(),
    isStalled: watch.isStalled,
    stop() {
      stopped ??= finish()
      return stopped
    },
  }
}

/**
 * When the library cannot shut down in order, it would declare running jobs failed while their handlers go on, and
 * throw (outside of any promise we could catch) when they return. We hand back what is left ourselves.
 */
const NEVER_BY_FORCE: GraphileConfig.Plugin = {
  name: 'never-by-force',
  worker: { middleware: { poolForcefulShutdown: () => ({ forceFailedJobs: [] }) } },
}

function watchEvents(workerId: string, onTrouble: (error: unknown) => void) {
  const events: WorkerEvents = new EventEmitter()
  const looks = new Map<number, NodeJS.Timeout>()
  let workerPool: WorkerPool | undefined
  let fetching = true
  let lastFetchAt = Date.now()

  // The name under which jobs get locked must be known to others before the first one is.
  events.on('pool:create', (event) => {
    workerPool = event.workerPool
    workerPool.id = workerId
  })
  events.on('pool:gracefulShutdown', ({ message }) => onTrouble(new Error(message)))
  events.on('localQueue:getJobs:complete', ({ jobs }) => {
    lastFetchAt = Date.now()
    // The most urgent are chosen, but arrive in no order; the last of a batch may go back before their turn comes.
    jobs.sort((a, b) => a.priority - b.priority || +a.run_at - +b.run_at)
  })
  events.on('localQueue:setMode', ({ newMode }) => {
    fetching = newMode === 'POLLING'
    lastFetchAt = Date.now()
  })
  events.on('pool:listen:notification', () => {
    for (const delayMs of LOOK_AGAIN_MS) {
      if (looks.has(delayMs)) continue
      const look = () => {
        looks.delete(delayMs)
        workerPool?.nudge(1)
      }
      looks.set(delayMs, setTimeout(look, delayMs))
    }
  })

  return {
    events,
    workerPool: () => workerPool!,
    isStalled: () => fetching && Date.now() - lastFetchAt > STALLED_AFTER_MS,
    quiet() {
      for (const timer of looks.values()) clearTimeout(timer)
    },
  }
}
