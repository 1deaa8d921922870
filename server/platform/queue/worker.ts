/**
 * Runs jobs in this process until told to stop. Looks after the library's runner (a new one whenever the database
 * failed it), holds the lifeline by which others know us alive, and frees the jobs of workers that died.
 */
import type pg from 'pg'
import type { JobHandlers, JobName, JobOutcome, QueueLog } from './catalogue.ts'
import { keepRunning } from './keep-running.ts'
import { guardConnections } from './library-log.ts'
import { holdLifeline, newLockNumber } from './lifeline.ts'
import { PatientPool } from './patient-pool.ts'
import { freeAllJobs, handBackJobs, watchForTheDead } from './recover.ts'
import { enqueueAtStart, type Timetable } from './timetable.ts'
import { pause, within } from './wait.ts'

/** The library's own connections: listening, fetching, completing. Handlers that use up the pool don't stop those. */
const OWN_CONNECTIONS = 5

export interface Pace {
  /** How often each process looks for dead workers, give or take a fifth. */
  sweepMs: number
  /** How long a worker's lock must be gone. Longer than a live one needs to reconnect after an outage. */
  missingForMs: number
  /** How long `stop` waits for running handlers. */
  handlersMs: number
  /** How long `stop` may then take to hand back the rest. */
  handBackMs: number
}

/** So a killed process's jobs are free after 15 to 40 seconds, those of a machine that fell silent after 65 at most. */
const PACE: Pace = { sweepMs: 10_000, missingForMs: 15_000, handlersMs: 8_000, handBackMs: 1_500 }

export interface WorkerOptions {
  /** Where to connect: the worker opens its own connections with this pool's settings. */
  pool: pg.Pool
  handlers: JobHandlers
  timetable: Timetable
  /** Jobs at once. Handlers mostly wait for others, so this may be many more than there are cores. */
  concurrency: number
  log: QueueLog
  onOutcome?: (job: JobName, outcome: JobOutcome, seconds: number) => void
  /** Nobody else can be using this database (it is embedded), so whatever is locked now was locked by the dead. */
  heldAlone?: boolean
  /** Names this process among the living, for what its handlers hold besides jobs; see `posthorn_queue.lives`. */
  lockNumber?: number
  pace?: Partial<Pace>
}

export interface Worker {
  isHealthy(): boolean
  /** Within ten seconds: no new jobs, running ones may finish, the rest is handed back. */
  stop(): Promise<void>
}

export async function startWorker(options: WorkerOptions): Promise<Worker> {
  const { log } = options
  const pace = { ...PACE, ...options.pace }
  const stopping = new AbortController()
  const pool = openOwnPool(options.pool, log)
  guardConnections(pool, log)
  const lifeline = await holdLifeline({
    pool,
    log,
    lockNumber: options.lockNumber ?? newLockNumber(),
    onRegained() {
      undertaker.startOver()
      runners.renew('the connection was lost')
    },
  })
  const undertaker = watchForTheDead(lifeline, pace.missingForMs)
  const runners = keepRunning({ ...options, pool, lifeline, signal: stopping.signal })

  async function sweepForever(): Promise<void> {
    for (;;) {
      try {
        const dead = await undertaker.sweep()
        if (dead.length > 0) log.warn({ dead }, 'freed the jobs of workers that died')
      } catch (error) {
        log.debug({ err: error }, 'looking for dead workers failed')
      }
      await pause(pace.sweepMs * (0.8 + Math.random() * 0.4), stopping.signal)
      if (runners.isStalled()) runners.renew('no jobs could be fetched for a while')
    }
  }

  async function handBack(): Promise<void> {
    try {
      const count = await handBackJobs(lifeline, runners.workerIds())
      if (count > 0) log.info({ count }, 'handed back jobs that had not finished')
    } catch (error) {
      log.warn({ err: error }, 'jobs could not be handed back; others will free them')
    }
    await Promise.all([lifeline.close(), pool.end()])
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await within(pace.handlersMs, runners.stop())
    await within(pace.handBackMs, handBack())
  }

  try {
    if (options.heldAlone) await freeAllJobs(lifeline)
    await enqueueAtStart(pool, options.timetable)
    await runners.start()
  } catch (error) {
    await stop()
    throw error
  }
  sweepForever().catch(() => {}) // only stopping ends it

  let stopped: Promise<void> | undefined
  return {
    isHealthy: () => !stopped && lifeline.isHeld() && runners.isHealthy(),
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

/**
 * The queue's notes about jobs need not wait for the disk: what a crash of the database loses makes a job run again,
 * which every job is made for. And its table grows and shrinks so much that yesterday's plan reads all of it.
 */
const CONNECTION_SETTINGS = 'set synchronous_commit = off; set plan_cache_mode = force_custom_plan'

function openOwnPool({ options }: pg.Pool, log: QueueLog): PatientPool {
  const onConnect = (client: pg.ClientBase) => client.query(CONNECTION_SETTINGS).then(() => undefined)
  const own = { max: OWN_CONNECTIONS, min: 0, application_name: 'posthorn queue', onConnect }
  return new PatientPool({ ...options, password: options.password, ...own }, log) // a pool hides its password
}
