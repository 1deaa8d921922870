/**
 * Claims jobs, runs their handlers and records their outcomes, in batches. While jobs end quickly, more of them are
 * claimed than can run at once, so that no slot waits for the database: as many as end in a tenth of a second, by the
 * measured rate. Jobs that have waited for twice as long are released. Some slots are reserved for more urgent jobs, so
 * that these start even if all others are in use.
 */
import type pg from 'pg'
import { pause } from '../../kernel/clock.ts'
import { errorType, runInSpan, startTrace } from '../../kernel/tracing.ts'
import {
  type FailureHandlers,
  JOB_DEFAULTS,
  type JobHandlers,
  type JobName,
  type JobOutcome,
  PRIORITY,
  type QueueLog,
} from './catalogue.ts'
import {
  claimJobs,
  completeJobs,
  type Job,
  RETRY_MIN_MS,
  type Retry,
  releaseUnknownJobs,
  releaseUnstartedJobs,
  retryJobs,
  withTrace,
} from './job-table.ts'
import { TryAgainAt } from './try-again.ts'

/** How much work is claimed ahead. A goal for the delay of urgent jobs, the same on every machine. */
const AHEAD_MS = 100
const RELEASE_AFTER_MS = 2 * AHEAD_MS
const RECORD_WITHIN_MS = 50
const RECORD_FAILURE_AGAIN_MS = 60_000
/** Retries that are due within this time of each other are claimed together. */
const DUE_TOGETHER_MS = 20
const POLL_MS = 1_000
/** Of overlapping transactions only one notifies; the others are committed by then (see posthorn_queue.wake_workers). */
const LOOK_AGAIN_MS = [15, 120]
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000
const PRIORITIES = Object.values(PRIORITY).sort((a, b) => a - b)
/** Each priority leaves this share of the slots to those above it. Of fewer than ten, one is left to the most urgent. */
const RESERVED_SHARE = 0.1

export interface PerformOptions {
  handlers: JobHandlers
  failureHandlers: FailureHandlers
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

/** Priority → how many jobs may run for one of this priority to start. */
function slotsByPriority(concurrency: number): Map<number, number> {
  const reservedBy = (rank: number) => Math.max(1, rank * Math.floor(concurrency * RESERVED_SHARE))
  const slotsOf = (rank: number) => (rank === 0 ? concurrency : Math.max(1, concurrency - reservedBy(rank)))
  return new Map(PRIORITIES.map((priority, rank) => [priority, slotsOf(rank)]))
}

export function startRunner(options: RunnerOptions): Runner {
  const { pool, lockNumber, concurrency, log, signal } = options
  const names = Object.keys(options.handlers)
  const slots = slotsByPriority(concurrency)
  const pace = measurePace()
  /** Everything that was claimed and isn't recorded yet. */
  const held = new Map<string, Job>()
  const running = new Map<string, Promise<void>>()
  /** Claimed and not started, the most urgent first. */
  const stock: Job[] = []
  let stockTimer: NodeJS.Timeout | undefined
  let stockIsOld = false
  /** No jobs of this priority or a more urgent one were left after the last claim. */
  let noneUpTo = NONE_KNOWN
  let locksUnchecked = false
  let failing = false
  let wake = () => {}
  const outcomes = recordOutcomes(options, (job, retry) => {
    if (held.get(job.id) === job) held.delete(job.id) // a retry may have been claimed again already
    if (retry?.at) lookAt(retry.at)
  })

  const hasSlot = (priority: number) => running.size < (slots.get(priority) ?? concurrency)

  /** The least urgent priority of which a job could start now and may be waiting. */
  function claimable(): number | undefined {
    const priority = PRIORITIES.findLast(hasSlot)
    return priority !== undefined && priority > noneUpTo ? priority : undefined
  }

  /** Serializes claiming and releasing, so that no job is released that was just claimed again. */
  async function claimForever(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; ) {
      try {
        if (stockIsOld) await releaseStock()
        if (locksUnchecked) await releaseUnknown()
        const priority = claimable()
        if (priority !== undefined) await claim(priority)
        failing = false
        pauseMs = FIRST_PAUSE_MS
      } catch (error) {
        if (!failing) log.warn({ err: error }, 'the queue could not claim jobs; retrying')
        failing = true
        noneUpTo = NONE_KNOWN
        locksUnchecked = true
        await pause(pauseMs, signal).catch(() => {})
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      }
      while (!signal.aborted && !stockIsOld && !locksUnchecked && claimable() === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    }
    await releaseStock()
  }

  async function claim(upTo: number): Promise<void> {
    const ahead = Math.min(concurrency, pace.endedWithin(AHEAD_MS))
    const most = slots.get(upTo)! - running.size + Math.max(0, ahead - stock.length)
    noneUpTo = upTo
    const jobs = await claimJobs(pool, { lockNumber, names, most, upTo })
    if (jobs.length === most) noneUpTo = NONE_KNOWN
    for (const job of jobs) {
      if (running.has(job.id)) continue // it was released while our lock was gone, but its handler still runs
      held.set(job.id, job)
      stock.push(job)
    }
    stock.sort((a, b) => a.priority - b.priority)
    startJobs()
    if (stock.length === 0) return
    clearTimeout(stockTimer)
    stockTimer = setTimeout(() => wakeFor(() => (stockIsOld = true)), RELEASE_AFTER_MS)
  }

  function startJobs(): void {
    while (stock.length > 0 && hasSlot(stock[0]!.priority) && !signal.aborted) {
      const job = stock.shift()!
      running.set(job.id, run(job))
    }
    if (stock.length === 0) clearTimeout(stockTimer)
  }

  async function run(job: Job): Promise<void> {
    const { retry } = await perform(job, options)
    outcomes.record(job, retry)
    running.delete(job.id)
    pace.countEnded()
    startJobs()
    wake()
  }

  async function releaseStock(): Promise<void> {
    stockIsOld = false
    if (stock.length === 0) return
    const ids = stock.splice(0).map((job) => job.id)
    for (const id of ids) held.delete(id)
    noneUpTo = NONE_KNOWN
    await releaseUnstartedJobs(pool, lockNumber, ids)
  }

  async function releaseUnknown(): Promise<void> {
    await releaseUnknownJobs(pool, lockNumber, [...held.keys()])
    locksUnchecked = false
  }

  function wakeFor(change: () => void): void {
    change()
    wake()
  }
  const look = () => wakeFor(() => (noneUpTo = NONE_KNOWN))
  const dueTimers = new Map<number, NodeJS.Timeout>()

  /** Retries are claimed when they are due and not only by the next poll. */
  function lookAt(at: Date): void {
    const delayMs = Math.max(at.getTime() - Date.now(), RETRY_MIN_MS)
    if (delayMs > POLL_MS || signal.aborted) return
    const due = Math.ceil((Date.now() + delayMs) / DUE_TOGETHER_MS)
    if (dueTimers.has(due)) return
    const timer = setTimeout(
      () => {
        dueTimers.delete(due)
        look()
      },
      due * DUE_TOGETHER_MS - Date.now(),
    )
    dueTimers.set(due, timer)
  }

  const looks = LOOK_AGAIN_MS.map((delayMs) => ({ delayMs, timer: undefined as NodeJS.Timeout | undefined }))
  const poll = setInterval(look, POLL_MS)
  signal.addEventListener('abort', () => {
    clearInterval(poll)
    clearTimeout(stockTimer)
    for (const { timer } of looks) clearTimeout(timer)
    for (const timer of dueTimers.values()) clearTimeout(timer)
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

/** Below every priority. */
const NONE_KNOWN = Number.NEGATIVE_INFINITY

/** How many jobs end in a given time. Each measurement counts half, so it follows a change within a few of them. */
function measurePace() {
  let perMs = 0
  let ended = 0
  let measuredAt = performance.now()
  return {
    countEnded: () => void ended++,
    endedWithin(ms: number): number {
      const elapsed = performance.now() - measuredAt
      if (elapsed < ms) return Math.round(perMs * ms)
      perMs = (perMs + ended / elapsed) / 2
      ended = 0
      measuredAt = performance.now()
      return Math.round(perMs * ms)
    },
  }
}

/**
 * Records outcomes in batches and repeats that until the database has them: a job whose end isn't recorded runs twice. A
 * job that is no longer locked by this process is left alone.
 */
function recordOutcomes(
  { pool, lockNumber, log, signal }: RunnerOptions,
  onRecorded: (job: Job, retry: Retry | undefined) => void,
) {
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
      for (const { job, retry } of batch) onRecorded(job, retry)
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

interface Performed {
  /** Absent if the job is done. */
  retry?: Retry
  error?: unknown
}

/** Runs a job's handler, measures it and logs a failure. A job that was enqueued with a trace continues it. */
export async function perform(job: Job, options: PerformOptions): Promise<Performed> {
  const { name, attempts } = job
  const { traceparent } = (job.payload ?? {}) as { traceparent?: unknown }
  const attributes = { 'posthorn.job.name': name, 'posthorn.job.attempt': attempts }
  const span = startTrace(`job ${name}`, traceparent, { kind: 'consumer', attributes })
  if (!span) return measure(job, options)
  const onOutcome: PerformOptions['onOutcome'] = (name, outcome, seconds) => {
    span.set({ 'posthorn.job.outcome': outcome })
    options.onOutcome?.(name, outcome, seconds)
  }
  try {
    const performed = await runInSpan(span, () => measure(job, { ...options, onOutcome }))
    if (performed.error !== undefined) span.fail(errorType(performed.error))
    return performed
  } finally {
    span.end()
  }
}

async function measure(job: Job, options: PerformOptions): Promise<Performed> {
  const { id, name, attempts, maxAttempts } = job
  const { log } = options
  const startedAt = performance.now()
  const report = (outcome: JobOutcome) => options.onOutcome?.(name, outcome, (performance.now() - startedAt) / 1000)
  try {
    if (attempts > JOB_DEFAULTS[name].maxAttempts) throw new Error('the process exited during the last attempt')
    const handler = options.handlers[name] as (payload: unknown, run: object) => Promise<void>
    await handler(job.payload, { attempt: attempts, priority: job.priority, at: job.runAt })
    report('done')
    return {}
  } catch (error) {
    const isLast = attempts >= maxAttempts
    const message = error instanceof Error ? error.message : String(error)
    if (error instanceof TryAgainAt && !(error.countsAsAttempt && isLast)) {
      report('postponed')
      const { at, countsAsAttempt, payload } = error
      return { retry: { id, at, countsAsAttempt, payload: payload && withTrace(payload), error: message } }
    }
    const facts = { job: name, jobId: id, attempt: attempts, maxAttempts, err: error }
    if (!isLast) {
      log?.warn(facts, 'a job failed and will be retried')
      report('failed')
      return { retry: { id, countsAsAttempt: true, error: message }, error }
    }
    log?.error(facts, 'a job failed permanently')
    report('gave-up')
    return { retry: await recordFailure(job, message, options), error }
  }
}

/** If the failure can't be recorded, the last attempt is repeated. */
async function recordFailure(job: Job, error: string, { failureHandlers, log }: PerformOptions): Promise<Retry> {
  const { id, name } = job
  try {
    const handler = failureHandlers[name] as ((payload: unknown) => Promise<void>) | undefined
    await handler?.(job.payload)
    return { id, countsAsAttempt: true, error }
  } catch (failure) {
    log?.warn({ job: name, jobId: id, err: failure }, 'the failure of a job could not be recorded yet; retrying')
    return { id, at: new Date(Date.now() + RECORD_FAILURE_AGAIN_MS), countsAsAttempt: false, error }
  }
}
