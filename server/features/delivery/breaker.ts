/**
 * A transport that fails wholesale (nobody answers, the password is refused, the server hangs up) rests for a while,
 * in all processes, and no email loses a try over it. After each pause one email tries; the others wait for it.
 */
import type { Context } from '../../context.ts'
import * as queries from './queries.ts'

/** So many in a row, with nothing accepted between: a single hiccup is no outage. */
const FAILURES_MAX = 5
const PAUSE_MS = { first: 5_000, longest: 5 * 60_000 }
const PROBE_MS = 60_000
/** So long after an answer a refusal of one message is no outage. */
const WORKS_FOR_MS = 60_000
/** How old our picture of the other processes may be. */
const LOOK_EVERY_MS = 1_000
/** When to ask again while another email tries, or after a failure that is no outage yet. */
const SOON_MS = 2_000
const AFTER_FAILURE_MS = 5_000

export type Breaker = ReturnType<typeof createBreaker>

export function createBreaker(ctx: Context) {
  const transport = ctx.mail.name
  let failures = 0
  let workedAt = 0
  let lookedAt = Number.NEGATIVE_INFINITY
  let pause: queries.Pause | undefined
  let probing = false

  async function takeProbe(now: Date): Promise<boolean> {
    probing = true
    probing = await queries.takeProbe(ctx.db, transport, now, new Date(now.getTime() + PROBE_MS))
    return probing
  }

  return {
    /** When to come back, or nothing when mail may leave. */
    async pausedUntil(): Promise<{ at: Date; reason: string } | undefined> {
      const now = ctx.clock.now()
      if (Math.abs(now.getTime() - lookedAt) >= LOOK_EVERY_MS) {
        lookedAt = now.getTime() // first, so that of many at once one looks
        pause = await queries.findPause(ctx.db, transport)
      }
      if (!pause) return undefined
      if (pause.pausedUntil > now) {
        return { at: spread(pause.pausedUntil), reason: `sending is paused: ${pause.reason}` }
      }
      if (!probing && (await takeProbe(now))) return undefined
      return { at: new Date(now.getTime() + SOON_MS), reason: 'another email tries whether sending works again' }
    },

    /** The email that was to try did not get as far as the transport. */
    async giveTurnBack(): Promise<void> {
      if (!probing) return
      probing = false
      await queries.giveProbeBack(ctx.db, transport)
    },

    /** The transport answered, whatever it said about the message. */
    async noteWorking(): Promise<void> {
      failures = 0
      workedAt = ctx.clock.now().getTime()
      if (!pause) return
      pause = undefined
      probing = false
      await queries.resumeTransport(ctx.db, transport)
      ctx.log.info({ transport }, 'mail leaves again')
    },

    /** When the email should be tried again, and whether other mail got through a moment ago. */
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
      if (!wasPaused) ctx.log.warn({ transport, reason }, 'mail cannot leave; sending is paused')
      return { at: spread(pause.pausedUntil), worksForOthers: false }
    },
  }
}

/** Not all at the same moment. */
const spread = (at: Date) => new Date(at.getTime() + Math.random() * SOON_MS)

/** Why mail does not leave at the moment, for people; nothing when it does. */
export async function findTransportPause(ctx: Context) {
  const pause = await queries.findPause(ctx.db, ctx.mail.name)
  return pause && { transport: ctx.mail.name, reason: pause.reason, since: pause.since, until: pause.pausedUntil }
}
