/**
 * Claims jobs, runs their handlers and records their outcome. Claims and records are batched. While jobs are fast, more
 * of them are claimed than can run at once, so that no slot waits for the database; those that wait longer than
 * `STOCK_MS` are released, because a more urgent job can't overtake them here.
 */
import type pg from 'pg'
import { pause } from '../../kernel/wait.ts'
import type { JobHandlers, JobName, JobOutcome, QueueLog } from './catalogue.ts'
import {
  claimJobs,
  completeJobs,
  giveBackJobs,
  giveBackOtherJobs,
  type Job,
  type Retry,
  retryJobs,
} from './job-table.ts'
import { TryAgainAt } from './try-again.ts'

const STOCK_MS = 250
/** If slots are free again sooner than this after a claim, more jobs are claimed. */
const QUICK_MS = 125
const RECORD_WITHIN_MS = 50
const POLL_MS = 1_000
/** Of transactions that overlap only one notifies; the others are committed by then (see posthorn_queue.wake_workers). */
const LOOK_AGAIN_MS = [15, 120]
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

export interface PerformOptions {
  handlers: JobHandlers
  log: QueueLog | undefined
  onOutcome?: ((job: JobName, outcome: JobOutcome, seconds: number) => void) | undefined
}

export interface RunnerOptions extends PerformOptions {
  pool: pg.Pool
  lockNumber: number
  concurrency: number
  log: QueueLog
  /** No more jobs are started, and those not started are released. */
  signal: AbortSignal
}

export interface Runner {
  /** Jobs were added. */
  notify(): void
  /**
   * Releases jobs that are locked by this process but unknown to it, because the reply to a claim may have been lost.
   */
  checkLocks(): void
  isHealthy(): boolean
  /** Resolves after the signal, when every handler has returned and every outcome is recorded. */
  ended(): Promise<void>
}

export function startRunner(options: RunnerOptions): Runner {
  const { pool, lockNumber, concurrency, log, signal } = options
  const names = Object.keys(options.handlers)
  /** Everything that was claimed and isn't recorded yet. */
  const held = new Map<string, Job>()
  const running = new Map<string, Promise<void>>()
  const stock: Job[] = []
  let stockTimer: NodeJS.Timeout | undefined
  let stockIsOld = false
  let mayBeMore = true
  let locksUnchecked = false
  let failing = false
  let claimedAt = 0
  let endedSinceClaim = 0
  let wake = () => {}
  const outcomes = recordOutcomes(options, (job) => {
    if (held.get(job.id) === job) held.delete(job.id) // a retry may have been claimed again already
  })

  /** Serializes claiming and releasing, so that no job is released that was just claimed again. */
  async function claimForever(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; ) {
      try {
        if (stockIsOld) await giveBackStock()
        if (locksUnchecked) await giveBackUnknown()
        if (mayBeMore && running.size < concurrency) await claim()
        failing = false
        pauseMs = FIRST_PAUSE_MS
      } catch (error) {
        if (!failing) log.warn({ err: error }, 'the queue could not claim jobs; retrying')
        failing = true
        mayBeMore = true
        locksUnchecked = true
        await pause(pauseMs, signal).catch(() => {})
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      }
      while (!signal.aborted && !stockIsOld && !locksUnchecked && !(mayBeMore && running.size < concurrency)) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
    await giveBackStock()
  }

  async function claim(): Promise<void> {
    const startedAt = performance.now()
    const ahead = startedAt - claimedAt < QUICK_MS ? Math.min(endedSinceClaim, concurrency) : 0
    const most = concurrency - running.size + ahead
    endedSinceClaim = 0
    mayBeMore = false
    const jobs = await claimJobs(pool, { lockNumber, names, most })
    claimedAt = startedAt
    mayBeMore ||= jobs.length === most
    for (const job of jobs) {
      if (running.has(job.id)) continue // it was released while our lock was gone, but its handler still runs
      held.set(job.id, job)
      stock.push(job)
    }
    startJobs()
    if (stock.length > 0) stockTimer = setTimeout(() => wakeFor(() => (stockIsOld = true)), STOCK_MS)
  }

  function startJobs(): void {
    while (stock.length > 0 && running.size < concurrency && !signal.aborted) {
      const job = stock.shift()!
      running.set(job.id, run(job))
    }
    if (stock.length === 0) clearTimeout(stockTimer)
  }

  async function run(job: Job): Promise<void> {
    const { retry } = await perform(job, options)
    outcomes.record(job, retry)
    running.delete(job.id)
    endedSinceClaim++
    startJobs()
    wake()
  }

  async function giveBackStock(): Promise<void> {
    stockIsOld = false
    if (stock.length === 0) return
    const ids = stock.splice(0).map((job) => job.id)
    for (const id of ids) held.delete(id)
    mayBeMore = true
    await giveBackJobs(pool, lockNumber, ids)
  }

  async function giveBackUnknown(): Promise<void> {
    await giveBackOtherJobs(pool, lockNumber, [...held.keys()])
    locksUnchecked = false
  }

  function wakeFor(change: () => void): void {
    change()
    wake()
  }
  const look = () => wakeFor(() => (mayBeMore = true))
  const looks = LOOK_AGAIN_MS.map((delayMs) => ({ delayMs, timer: undefined as NodeJS.Timeout | undefined }))
  const poll = setInterval(look, POLL_MS)
  signal.addEventListener('abort', () => {
    clearInterval(poll)
    clearTimeout(stockTimer)
    for (const { timer } of looks) clearTimeout(timer)
    wake()
  })
  const claiming = claimForever().catch((error) => log.debug({ err: error }, 'jobs could not be released yet'))

  return {
    notify() {
      look()
      for (const again of looks) {
        again.timer ??= setTimeout(() => {
          again.timer = undefined
          look()
        }, again.delayMs)
      }
    },
    checkLocks: () => wakeFor(() => (locksUnchecked = true)),
    isHealthy: () => !failing,
    async ended() {
      await claiming
      await Promise.all(running.values())
      await outcomes.recorded()
    },
  }
}

/**
 * Writes outcomes in batches and retries until the database has them, because a job without a recorded outcome runs
 * twice. A job that is no longer locked by this process is skipped.
 */
function recordOutcomes({ pool, lockNumber, log, signal }: RunnerOptions, onRecorded: (job: Job) => void) {
  const ended: Array<{ job: Job; retry: Retry | undefined }> = []
  let writing: Promise<void> | undefined

  async function write(): Promise<void> {
    while (ended.length > 0) {
      await pause(RECORD_WITHIN_MS, signal).catch(() => {})
      const batch = ended.splice(0)
      await writeUntilDone(
        batch.filter(({ retry }) => !retry).map(({ job }) => job.id),
        batch.flatMap(({ retry }) => retry ?? []),
      )
      for (const { job } of batch) onRecorded(job)
    }
    writing = undefined
  }

  async function writeUntilDone(done: string[], retries: Retry[]): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !pool.ending; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        if (done.length > 0) await completeJobs(pool, lockNumber, done)
        if (retries.length > 0) await retryJobs(pool, lockNumber, retries)
        return
      } catch (error) {
        log.debug({ err: error }, 'the outcome of jobs could not be recorded yet')
        await pause(pauseMs)
      }
    }
  }

  return {
    record(job: Job, retry: Retry | undefined): void {
      ended.push({ job, retry })
      writing ??= write()
    },
    recorded: async () => writing,
  }
}

/** Runs a job's handler, measures it and logs a failure. Without `retry` the job is done. */
export async function perform(
  job: Job,
  { handlers, log, onOutcome }: PerformOptions,
): Promise<{ retry?: Retry; error?: unknown }> {
  const { id, name, attempts, maxAttempts } = job
  const startedAt = performance.now()
  const report = (outcome: JobOutcome) => onOutcome?.(name, outcome, (performance.now() - startedAt) / 1000)
  try {
    const handler = handlers[name] as (payload: unknown, run: object) => Promise<void>
    await handler(job.payload, { attempt: attempts, maxAttempts, priority: job.priority, at: job.runAt })
    report('done')
    return {}
  } catch (error) {
    const isLast = attempts >= maxAttempts
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof TryAgainAt && !(error.countsAsAttempt && isLast)) {
      report('postponed')
      return { retry: { id, at: error.at, countsAsAttempt: error.countsAsAttempt, error: message } }
    }
    const facts = { job: name, jobId: id, attempt: attempts, maxAttempts, err: error }
    if (isLast) log?.error(facts, 'a job failed permanently')
    else log?.warn(facts, 'a job failed and will be retried')
    report(isLast ? 'gave-up' : 'failed')
    return { retry: { id, countsAsAttempt: true, error: message }, error }
  }
}
