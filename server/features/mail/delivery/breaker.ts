/** Whether email can be sent at all: the breaker pauses a transport that fails for every email. */
import type { Context } from '../../../context.ts'
import { wakeWaiting } from '../../../platform/queue/job-table.ts'
import { CANNOT_SEND, type MailResult } from '../../../platform/transports/transport.ts'
import * as queries from './queries.ts'
import type { Wait } from './result.ts'

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
 * all processes with the same settings, without counting as an attempt of any email. After each pause one email tests the
 * transport, and the others wait for its result.
 */
export function createBreaker(ctx: Context) {
  const transport = ctx.mail.id
  let failures = 0
  let workedAt = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  let firstRead: Promise<void> | undefined
  let lastRead: Promise<void> | undefined
  let pause: queries.Pause | undefined
  let isLogged = false
  let probingEmail: string | undefined

  /** A change that this process makes meanwhile is newer than what was read. */
  async function readPause(): Promise<void> {
    const before = pause
    const found = await queries.findPause(ctx.db, transport)
    if (pause !== before) return
    pause = found
    if (before && !found) resetFailures()
  }

  function resetFailures(): void {
    failures = 0
    isLogged = false
  }

  async function claimProbe(now: Date, emailId: string): Promise<boolean> {
    probingEmail = emailId
    const isClaimed = await queries.claimProbe(ctx.db, transport, { ...PROBE, now, prober: ctx.workerLock ?? null })
    if (!isClaimed) probingEmail = undefined
    return isClaimed
  }

  /** The transport responded, whatever the response. */
  async function recordWorking(): Promise<void> {
    resetFailures()
    const now = ctx.clock.now()
    workedAt = now.getTime()
    if (!pause) return
    const isEarly = pause.pausedUntil > now
    await queries.resumeTransport(ctx.db, transport)
    pause = undefined
    probingEmail = undefined
    ctx.log.info({ transport: ctx.mail.kind }, 'sending works again')
    if (isEarly) await wakeEmails(ctx)
  }

  /** Refused credentials are an outage at once, unless other emails are sent: some servers refuse when they are busy. */
  async function recordUnavailable(reason: string, credentialsRefused = false): Promise<Outage> {
    const now = ctx.clock.now()
    failures++
    const worksForOthers = now.getTime() - workedAt < WORKS_FOR_MS
    const isOutage = probingEmail || failures >= FAILURES_MAX || (credentialsRefused && !worksForOthers)
    if (!isOutage) return { at: new Date(now.getTime() + AFTER_FAILURE_MS), worksForOthers }
    pause = await queries.pauseTransport(ctx.db, transport, { reason, credentialsRefused }, now, PAUSE_MS)
    probingEmail = undefined
    if (!isLogged) ctx.log.warn({ transport: ctx.mail.kind, reason }, outageText(ctx, credentialsRefused))
    isLogged = true
    return { at: spread(pause.pausedUntil), worksForOthers: false }
  }

  return {
    /** When to retry; nothing if emails may be sent. */
    async pausedUntil(emailId: string): Promise<Wait | undefined> {
      const now = ctx.clock.now()
      if (Math.abs(now.getTime() - lookedAt) >= LOOK_EVERY_MS) {
        lookedAt = now.getTime() // before reading, so that only one of many concurrent emails does
        const log = (error: unknown) => ctx.log.debug({ err: error }, 'the state of the transport could not be read')
        lastRead = readPause().catch(log)
        firstRead ??= lastRead
      }
      // Otherwise the email isn't delayed: if another process has paused sending since, this one only fails once more.
      await (pause ? lastRead : firstRead)
      if (!pause) return undefined
      const pauseMs = pause.pausedUntil.getTime() - now.getTime()
      if (pauseMs > 0 && pauseMs <= PAUSE_MS.longest) {
        return { at: spread(pause.pausedUntil), reason: CANNOT_SEND + pause.reason }
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

    /** What the result of an email says about the transport. Undefined unless it is unavailable. */
    async record(result: MailResult): Promise<Outage | undefined> {
      if (result.outcome === 'unavailable') return recordUnavailable(result.reason, result.credentialsRefused)
      await recordWorking()
      return undefined
    },
  }
}

/** Spreads retries over time. */
const spread = (at: Date) => new Date(at.getTime() + Math.random() * SOON_MS)

const outageText = (ctx: Context, credentialsRefused: boolean): string =>
  credentialsRefused
    ? `the mail server refused the credentials, so sending is paused; check ${ctx.mail.credentialSettings}`
    : 'email cannot be sent; sending is paused'

/** Why no email is sent at the moment; nothing if emails are sent. */
export async function findTransportPause(ctx: Context) {
  const pause = await queries.findPause(ctx.db, ctx.mail.id)
  if (!pause) return undefined
  const { reason, credentialsRefused, since, pausedUntil } = pause
  return { transport: ctx.mail.kind, reason, credentialsRefused, since, until: pausedUntil }
}

/**
 * Ends all pauses, so that every process sends the waiting emails now, and pauses again if they fail. Returns whether
 * sending was paused.
 */
export async function resumeSending(ctx: Context): Promise<boolean> {
  const wasPaused = await queries.endPauses(ctx.db)
  await wakeEmails(ctx)
  return wasPaused
}

/** When a worker starts: pauses that other settings caused end, and what waits for them is sent now. */
export async function endPausesOfOtherSettings(ctx: Context): Promise<void> {
  if (await queries.endPauses(ctx.db, ctx.mail.id)) await wakeEmails(ctx)
}

/** By then, every process has read that sending is no longer paused. */
const wakeEmails = (ctx: Context): Promise<void> => wakeWaiting(ctx.db, CANNOT_SEND, LOOK_EVERY_MS)
