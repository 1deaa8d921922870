/** Pauses sending while the transport fails for every email. */
import type { Context } from '../../context.ts'
import * as queries from './queries.ts'

export interface Wait {
  /** When to retry. */
  at: Date
  reason: string
}

/** An outage is so many failures in a row, with nothing accepted in between. */
const FAILURES_MAX = 5
const PAUSE_MS = { first: 5_000, longest: 5 * 60_000 }
const PROBE_MS = 60_000
/** For this long after a response, a refused message isn't an outage. */
const WORKS_FOR_MS = 60_000
/** How often the state that all processes share is read. */
const LOOK_EVERY_MS = 1_000
/** When to retry while another email is testing the transport, or after a failure that isn't an outage yet. */
const SOON_MS = 2_000
const AFTER_FAILURE_MS = 5_000

export type Breaker = ReturnType<typeof createBreaker>

/**
 * A transport that fails for every email (no connection, wrong password, the server closes connections) is paused in all
 * processes, without counting as an attempt of any email. After each pause one email tests it; the others wait for it.
 */
export function createBreaker(ctx: Context) {
  const transport = ctx.mail.name
  let failures = 0
  let workedAt = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  let pause: queries.Pause | undefined
  let probing = false

  /** A change that this process makes meanwhile is newer than what was read. */
  async function readPause(): Promise<void> {
    const before = pause
    const found = await queries.findPause(ctx.db, transport)
    if (pause === before) pause = found
  }

  async function takeProbe(now: Date): Promise<boolean> {
    probing = true
    probing = await queries.takeProbe(ctx.db, transport, now, new Date(now.getTime() + PROBE_MS))
    return probing
  }

  return {
    /** When to retry; nothing if emails may be sent. */
    async pausedUntil(): Promise<Wait | undefined> {
      const now = ctx.clock.now()
      if (Math.abs(now.getTime() - lookedAt) >= LOOK_EVERY_MS) {
        const isFirst = lookedAt === Number.NEGATIVE_INFINITY
        lookedAt = now.getTime() // before reading, so that only one of many concurrent emails does
        const read = readPause()
        // Otherwise the email isn't delayed: if another process has paused sending since, this one only fails once more.
        if (isFirst || pause) await read
        else read.catch((error) => ctx.log.debug({ err: error }, 'the state of the transport could not be read'))
      }
      if (!pause) return undefined
      if (pause.pausedUntil > now) {
        return { at: spread(pause.pausedUntil), reason: `sending is paused: ${pause.reason}` }
      }
      if (!probing && (await takeProbe(now))) return undefined
      return { at: new Date(now.getTime() + SOON_MS), reason: 'another email is testing whether sending works again' }
    },

    /** The email that was to test the transport was not sent. */
    async giveTurnBack(): Promise<void> {
      if (!probing) return
      probing = false
      await queries.giveProbeBack(ctx.db, transport)
    },

    /** The transport responded, whatever the response. */
    async noteWorking(): Promise<void> {
      failures = 0
      workedAt = ctx.clock.now().getTime()
      if (!pause) return
      pause = undefined
      probing = false
      await queries.resumeTransport(ctx.db, transport)
      ctx.log.info({ transport }, 'sending works again')
    },

    /** When the email should be retried, and whether other emails were sent a moment ago. */
    async noteUnavailable(reason: string): Promise<{ at: Date; worksForOthers: boolean }> {
      const now = ctx.clock.now()
      failures++
      if (!probing && failures < FAILURES_MAX) {
        const worksForOthers = now.getTime() - workedAt < WORKS_FOR_MS
        return { at: new Date(now.getTime() + AFTER_FAILURE_MS), worksForOthers }
      }
      probing = false
      const wasPaused = pause !== undefined
      pause = await queries.pauseTransport(ctx.db, transport, reason, now, PAUSE_MS)
      if (!wasPaused) ctx.log.warn({ transport, reason }, 'email cannot be sent; sending is paused')
      return { at: spread(pause.pausedUntil), worksForOthers: false }
    },
  }
}

/** Spreads retries over time. */
const spread = (at: Date) => new Date(at.getTime() + Math.random() * SOON_MS)

/** Why no email is sent at the moment; nothing if emails are sent. */
export async function findTransportPause(ctx: Context) {
  const pause = await queries.findPause(ctx.db, ctx.mail.name)
  return pause && { transport: ctx.mail.name, reason: pause.reason, since: pause.since, until: pause.pausedUntil }
}
