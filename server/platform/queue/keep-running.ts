/**
 * Keeps one runner alive. Whatever goes wrong between the library and the database leads to the same answer: as
 * soon as the database is back a new runner starts under a new name, and the old one is wound up. When its last
 * handler has returned, everything still locked under the old name is free again: jobs whose completion or whose
 * fetching went down with a connection, which nobody in this process knows of.
 */
import { randomBytes } from 'node:crypto'
import type { JobHandlers, JobName, JobOutcome, QueueLog } from './catalogue.ts'
import type { Lifeline } from './lifeline.ts'
import type { PatientPool } from './patient-pool.ts'
import { perform } from './perform.ts'
import { giveBackLeftovers } from './recover.ts'
import { beginLife, type Life } from './runner.ts'
import type { Timetable } from './timetable.ts'
import { pause } from './wait.ts'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** A runner that lived this long wasn't part of a series of failures. */
const CALM_AFTER_MS = 60_000

export interface KeepRunningOptions {
  pool: PatientPool
  lifeline: Lifeline
  handlers: JobHandlers
  timetable: Timetable
  concurrency: number
  log: QueueLog
  onOutcome?: (job: JobName, outcome: JobOutcome, seconds: number) => void
  signal: AbortSignal
}

export function keepRunning(options: KeepRunningOptions) {
  const { lifeline, log, signal } = options
  const retired = new Set<Life>()
  let current: Life | undefined
  let newestId = ''
  let troubled = false
  let renewal: Promise<void> | undefined
  let pauseMs = FIRST_PAUSE_MS

  async function begin(): Promise<Life> {
    const workerId = `posthorn-${randomBytes(9).toString('hex')}`
    newestId = workerId
    troubled = false
    await lifeline.register(workerId)
    const taskSet = perform(options)
    const onTrouble = (error: unknown) => {
      if (workerId === newestId) renew(error)
    }
    try {
      return await beginLife({ ...options, workerId, taskSet, onTrouble })
    } catch (error) {
      await giveBackLeftovers(lifeline, workerId).catch(() => {})
      throw error
    }
  }

  function renew(reason: unknown): void {
    troubled = true
    if (renewal || signal.aborted) return
    log.warn({ err: reason }, 'the queue starts anew')
    renewal = replaceCurrent()
      .catch(() => {}) // only stopping ends it early
      .finally(() => {
        renewal = undefined
        if (troubled) renew(reason)
      })
  }

  async function replaceCurrent(): Promise<void> {
    if (current && Date.now() - current.startedAt > CALM_AFTER_MS) pauseMs = FIRST_PAUSE_MS
    for (;;) {
      await pause(pauseMs * (0.75 + Math.random() / 2), signal)
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      try {
        await lifeline.held()
        const next = await begin()
        if (current) retire(current)
        current = next
        return
      } catch (error) {
        if (signal.aborted) throw error
        log.warn({ err: error }, 'the queue could not start; trying again')
      }
    }
  }

  function retire(life: Life): void {
    retired.add(life)
    windUp(life).catch(() => {}) // only stopping ends it early
  }

  async function windUp(life: Life): Promise<void> {
    await life.stop()
    for (;;) {
      await lifeline.held()
      try {
        await giveBackLeftovers(lifeline, life.workerId)
        retired.delete(life)
        return
      } catch (error) {
        log.debug({ err: error }, 'jobs could not be given back yet')
        await pause(1_000, signal)
      }
    }
  }

  const lives = () => [...retired, ...(current ? [current] : [])]
  return {
    async start() {
      current = await begin()
    },
    renew,
    isHealthy: () => !renewal && !current?.isStalled(),
    isStalled: () => current?.isStalled() ?? false,
    workerIds: () => lives().map((life) => life.workerId),
    /** To be called with the signal aborted. Resolves when every handler has returned. */
    async stop() {
      const known = lives().map((life) => life.stop())
      await renewal
      await Promise.all([...known, ...lives().map((life) => life.stop())])
    },
  }
}
