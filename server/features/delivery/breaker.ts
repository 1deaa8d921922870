/** Whether email can be sent at all: the breaker pauses a transport that fails for every email. */
import type { Context } from '../../context.ts'
import type { MailResult } from '../../platform/mail/transport.ts'
import type { Wait } from './pace.ts'
import * as queries from './queries.ts'

/** This many failures in a row, with no email accepted in between, are an outage. */
const FAILURES_MAX = 5
const PAUSE_MS = { first: 5_000, longest: 5 * 60_000 }
const PROBE = { probeMs: 60_000, longestPauseMs: PAUSE_MS.longest }
/** For this long after a response, a refused message isn't an outage. */
const WORKS_FOR_MS = 60_000
/** How often the state that all processes share is read. */
const LOOK_EVERY_MS = 1_000
/** When to retry while another email is testing the transport, or after a failure that isn't an outage yet. */
const SOON_MS = 2_000
const AFTER_FAILURE_MS = 5_000

export interface Outage {
  /** When the email should be retried. */
  at: Date
  /** Other emails were sent a moment ago. */
  worksForOthers: boolean
}

export type Breaker = ReturnType<typeof createBreaker>

/**
 * A transport that fails for every email (no connection, wrong password, the server closes connections) is paused in
 * all processes, without counting as an attempt of any email. After each pause one email tests the transport, and the
 * others wait for its result.
 */
export function createBreaker(ctx: Context) {
  const transport = ctx.mail.name
  let failures = 0
  let workedAt = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  let firstRead: Promise<void> | undefined
  let pause: queries.Pause | undefined
  let probingEmail: string | undefined

  /** A change that this process makes meanwhile is newer than what was read. */
  async function readPause(): Promise<void> {
    const before = pause
    const found = await queries.findPause(ctx.db, transport)
    if (pause === before) pause = found
  }

  async function claimProbe(now: Date, emailId: string): Promise<boolean> {
    probingEmail = emailId
    const isClaimed = await queries.claimProbe(ctx.db, transport, { ...PROBE, now, prober: ctx.workerLock ?? null })
    if (!isClaimed) probingEmail = undefined
    return isClaimed
  }

  return {
    /** When to retry; nothing if emails may be sent. */
    async pausedUntil(emailId: string): Promise<Wait | undefined> {
      const now = ctx.clock.now()
      if (Math.abs(now.getTime() - lookedAt) >= LOOK_EVERY_MS) {
        lookedAt = now.getTime() // before reading, so that only one of many concurrent emails does
        const log = (error: unknown) => ctx.log.debug({ err: error }, 'the state of the transport could not be read')
        const read = readPause().catch(log)
        firstRead ??= read
        // Otherwise the email isn't delayed: if another process has paused sending since, this one only fails once more.
        if (pause) await read
      }
      await firstRead
      if (!pause) return undefined
      const pauseMs = pause.pausedUntil.getTime() - now.getTime()
      if (pauseMs > 0 && pauseMs <= PAUSE_MS.longest) {
        return { at: spread(pause.pausedUntil), reason: `sending is paused: ${pause.reason}` }
      }
      if (!probingEmail && (await claimProbe(now, emailId))) return undefined
      return { at: new Date(now.getTime() + SOON_MS), reason: 'another email is testing whether sending works again' }
    },

    /** If the email was to test the transport and was not sent, another one does. */
    async releaseProbe(emailId: string): Promise<void> {
      if (probingEmail !== emailId) return
      probingEmail = undefined
      await queries.releaseProbe(ctx.db, transport, ctx.workerLock ?? null)
    },

    /** The transport responded, whatever the response. */
    async recordWorking(): Promise<void> {
      failures = 0
      workedAt = ctx.clock.now().getTime()
      if (!pause) return
      await queries.resumeTransport(ctx.db, transport)
      pause = undefined
      probingEmail = undefined
      ctx.log.info({ transport }, 'sending works again')
    },

    async recordUnavailable(reason: string): Promise<Outage> {
      const now = ctx.clock.now()
      failures++
      if (!probingEmail && failures < FAILURES_MAX) {
        const worksForOthers = now.getTime() - workedAt < WORKS_FOR_MS
        return { at: new Date(now.getTime() + AFTER_FAILURE_MS), worksForOthers }
      }
      const wasPaused = pause !== undefined
      pause = await queries.pauseTransport(ctx.db, transport, reason, now, PAUSE_MS)
      probingEmail = undefined
      if (!wasPaused) ctx.log.warn({ transport, reason }, 'email cannot be sent; sending is paused')
      return { at: spread(pause.pausedUntil), worksForOthers: false }
    },
  }
}

/** What the result of an email says about the transport. Undefined unless it is unavailable. */
export async function recordTransport(breaker: Breaker, result: MailResult): Promise<Outage | undefined> {
  if (result.outcome === 'unavailable') return breaker.recordUnavailable(result.reason)
  await breaker.recordWorking()
  return undefined
}

/** Spreads retries over time. */
const spread = (at: Date) => new Date(at.getTime() + Math.random() * SOON_MS)

/** Why no email is sent at the moment; nothing if emails are sent. */
export async function findTransportPause(ctx: Context) {
  const pause = await queries.findPause(ctx.db, ctx.mail.name)
  return pause && { transport: ctx.mail.name, reason: pause.reason, since: pause.since, until: pause.pausedUntil }
}
