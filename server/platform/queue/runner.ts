/**
 * Claims jobs, runs their handlers and records their outcomes, in batches. While jobs end quickly, more of them are
 * claimed than can run at once, so that no slot waits for the database: as many as end in a tenth of a second, by the
 * measured rate. Jobs that have waited for twice as long are released. Some slots are reserved for more urgent jobs, so
 * that these start even if all others are in use. Projects have turns: if one has more jobs than its share, jobs of the
 * others are claimed first, and start even if it uses all slots.
 */
import type pg from 'pg'
import { pause } from '../../kernel/clock.ts'
import { createTurns } from '../../kernel/flow/turns.ts'
import { PRIORITY, type QueueLog } from './catalogue.ts'
import { claimInTurn, claimJobs, lastInTurn, ownerOf } from './claim.ts'
import {
  completeJobs,
  type Job,
  RETRY_MIN_MS,
  type Retry,
  releaseUnknownJobs,
  releaseUnstartedJobs,
  retryJobs,
} from './claimed-jobs.ts'
import { type PerformOptions, perform } from './perform.ts'

/** How much work is claimed ahead. A goal for the delay of urgent jobs, the same on every machine. */
const AHEAD_MS = 100
const RELEASE_AFTER_MS = 2 * AHEAD_MS
const RECORD_WITHIN_MS = 50
/** Retries that are due within this time of each other are claimed together. */
const DUE_TOGETHER_MS = 20
const POLL_MS = 1_000
/** Only one of several overlapping transactions notifies; the others are committed by then (see posthorn_queue.wake_workers). */
const LOOK_AGAIN_MS = [15, 120]
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000
const PRIORITIES = Object.values(PRIORITY).sort((a, b) => a - b)
/** Each priority leaves this share of the slots to those above it. Of fewer than ten, one is left to the most urgent. */
const RESERVED_SHARE = 0.1
/** The share of the slots that a project can use however many jobs the others have. At least one slot. */
const PROJECT_SHARE = 1 / 5
/** The share of the time in which a worker looks for jobs of other projects, by the measured time of the last look. */
const LOOKING_SHARE = 1 / 10
/** Owns no job, so it is within its share. */
const ANOTHER = ''

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
  const ownJobs = new Map<string, Job>()
  const running = new Map<string, Promise<void>>()
  const share = Math.max(1, Math.floor(concurrency * PROJECT_SHARE))
  /** Those that run use slots; those that wait are claimed and not started. */
  const turns = createTurns<Job>({ slots: (priority) => slots.get(priority) ?? concurrency, share })
  let stockTimer: NodeJS.Timeout | undefined
  let stockIsOld = false
  /** No jobs of this priority or a more urgent one were left after the last claim. */
  let noneUpTo = NONE_KNOWN
  /** No such jobs of projects within their share were left. */
  let noOthersUpTo = NONE_KNOWN
  let lookForOthersAt = 0
  /** The owners of the last job that was claimed in turn, and of the last one that ended. */
  let lastOwner = ''
  let endedOwner: string | undefined
  let locksUnchecked = false
  let failing = false
  let wake = () => {}
  const outcomes = recordOutcomes(options, (job, retry) => {
    if (ownJobs.get(job.id) === job) ownJobs.delete(job.id) // a retry may have been claimed again already
    if (retry?.at) lookAt(retry.at)
  })

  /** Nothing is known about which jobs are waiting. */
  function forget(): void {
    noneUpTo = NONE_KNOWN
    noOthersUpTo = NONE_KNOWN
  }

  /** The least urgent priority of which a job could start now and may be waiting. */
  function claimable(): { upTo: number; ofOthers: boolean } | undefined {
    const upTo = PRIORITIES.findLast((priority) => turns.inUse() < slots.get(priority)!)
    if (upTo !== undefined && upTo > noneUpTo) return { upTo, ofOthers: false }
    const further = PRIORITIES.findLast((priority) => turns.free(ANOTHER, priority) > 0)
    if (further === undefined || further <= Math.max(noneUpTo, noOthersUpTo)) return undefined
    if (performance.now() < lookForOthersAt) return undefined
    return { upTo: further, ofOthers: true }
  }

  /** Serializes claiming and releasing, so that no job is released that was just claimed again. */
  async function claimForever(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; ) {
      try {
        if (stockIsOld) await releaseStock()
        if (locksUnchecked) await releaseUnknown()
        const found = claimable()
        if (found) await claim(found.upTo, found.ofOthers)
        failing = false
        pauseMs = FIRST_PAUSE_MS
      } catch (error) {
        if (!failing) log.warn({ err: error }, 'the queue could not claim jobs; retrying')
        failing = true
        forget()
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

  async function claim(upTo: number, ofOthers: boolean): Promise<void> {
    const busy = busyOwners()
    const others = busy.length > 0 && performance.now() >= lookForOthersAt ? await claimOfOthers(upTo, busy) : 0
    if (!ofOthers) await claimNext(upTo, others)
    startJobs()
    if (turns.waiting === 0) return
    clearTimeout(stockTimer)
    stockTimer = setTimeout(() => wakeFor(() => (stockIsOld = true)), RELEASE_AFTER_MS)
  }

  /** The job that ended last counts as well, because a single slot would otherwise have no turns. */
  function busyOwners(): string[] {
    const countOf = (owner: string) => turns.inUse(owner) + turns.waitingOf(owner) + (owner === endedOwner ? 1 : 0)
    return [...new Set([...turns.owners(), ...(endedOwner ? [endedOwner] : [])])].filter(
      (owner) => countOf(owner) >= share,
    )
  }

  async function claimNext(upTo: number, claimed: number): Promise<void> {
    const ahead = Math.min(concurrency, pace.endedWithin(AHEAD_MS))
    const free = slots.get(upTo)! - turns.inUse()
    const most = Math.max(0, free - claimed) + Math.max(0, ahead - Math.max(0, turns.waiting - claimed))
    if (most === 0) return
    noneUpTo = upTo
    const jobs = await claimJobs(pool, { lockNumber, names, most, upTo })
    if (jobs.length === most) noneUpTo = NONE_KNOWN
    hold(jobs)
  }

  /** Returns how many were claimed. */
  async function claimOfOthers(upTo: number, busy: string[]): Promise<number> {
    const most = turns.free(ANOTHER, upTo)
    const startedAt = performance.now()
    noOthersUpTo = upTo
    const claim = { lockNumber, names, most, upTo, busy, each: share, after: lastOwner }
    const jobs = await claimInTurn(pool, claim).finally(() => {
      lookForOthersAt = performance.now() + (performance.now() - startedAt) / LOOKING_SHARE
    })
    if (jobs.length === most) noOthersUpTo = NONE_KNOWN
    lastOwner = lastInTurn(jobs.map(ownerOf), lastOwner)
    hold(jobs)
    return jobs.length
  }

  function hold(jobs: Job[]): void {
    for (const job of jobs) {
      if (running.has(job.id)) continue // it was released while our lock was gone, but its handler still runs
      ownJobs.set(job.id, job)
      turns.add(job, ownerOf(job), job.priority)
    }
  }

  function startJobs(): void {
    for (let turn = signal.aborted ? undefined : turns.take(); turn; turn = turns.take()) {
      running.set(turn.item.id, run(turn.item))
    }
    if (turns.waiting === 0) clearTimeout(stockTimer)
  }

  async function run(job: Job): Promise<void> {
    const { retry } = await perform(job, options)
    outcomes.record(job, retry)
    running.delete(job.id)
    const owner = ownerOf(job)
    turns.release(owner)
    endedOwner = owner
    if (turns.inUse(owner) < share) noOthersUpTo = NONE_KNOWN // its next jobs are within its share
    pace.countEnded()
    startJobs()
    wake()
  }

  async function releaseStock(): Promise<void> {
    stockIsOld = false
    if (turns.waiting === 0) return
    const ids = turns.takeAll().map((job) => job.id)
    for (const id of ids) ownJobs.delete(id)
    forget()
    await releaseUnstartedJobs(pool, lockNumber, ids)
  }

  async function releaseUnknown(): Promise<void> {
    await releaseUnknownJobs(pool, lockNumber, [...ownJobs.keys()])
    locksUnchecked = false
  }

  function wakeFor(change: () => void): void {
    change()
    wake()
  }
  const lookAgain = () => wakeFor(forget)
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
        lookAgain()
      },
      due * DUE_TOGETHER_MS - Date.now(),
    )
    dueTimers.set(due, timer)
  }

  const looks = LOOK_AGAIN_MS.map((delayMs) => ({ delayMs, timer: undefined as NodeJS.Timeout | undefined }))
  const poll = setInterval(lookAgain, POLL_MS)
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
      lookAgain()
      for (const again of looks) {
        again.timer ??= setTimeout(() => {
          again.timer = undefined
          lookAgain()
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
