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

interface Breaker {
  failures: number
  workedAt: number
  lookedAt: number
  pause: queries.Pause | undefined
  probing: boolean
}

const breakers = new WeakMap<Context, Breaker>()

function breakerOf(ctx: Context): Breaker {
  let found = breakers.get(ctx)
  if (!found) {
    found = { failures: 0, workedAt: 0, lookedAt: Number.NEGATIVE_INFINITY, pause: undefined, probing: false }
    breakers.set(ctx, found)
  }
  return found
}

/** When to come back, or nothing when mail may leave. */
export async function pausedUntil(ctx: Context): Promise<{ at: Date; reason: string } | undefined> {
  const breaker = breakerOf(ctx)
  const now = ctx.clock.now()
  if (Math.abs(now.getTime() - breaker.lookedAt) >= LOOK_EVERY_MS) {
    breaker.lookedAt = now.getTime() // first, so that of many at once one looks
    breaker.pause = await queries.findPause(ctx.db, ctx.mail.name)
  }
  const { pause } = breaker
  if (!pause) return undefined
  if (pause.pausedUntil > now) return { at: spread(pause.pausedUntil), reason: `sending is paused: ${pause.reason}` }
  if (!breaker.probing && (await takeProbe(ctx, breaker, now))) return undefined
  return { at: new Date(now.getTime() + SOON_MS), reason: 'another email tries whether sending works again' }
}

async function takeProbe(ctx: Context, breaker: Breaker, now: Date): Promise<boolean> {
  breaker.probing = true
  const taken = await queries.takeProbe(ctx.db, ctx.mail.name, now, new Date(now.getTime() + PROBE_MS))
  breaker.probing = taken
  return taken
}

/** The email that was to try did not get as far as the transport. */
export async function giveTurnBack(ctx: Context): Promise<void> {
  const breaker = breakerOf(ctx)
  if (!breaker.probing) return
  breaker.probing = false
  await queries.giveProbeBack(ctx.db, ctx.mail.name)
}

/** The transport answered, whatever it said about the message. */
export async function noteWorking(ctx: Context): Promise<void> {
  const breaker = breakerOf(ctx)
  breaker.failures = 0
  breaker.workedAt = ctx.clock.now().getTime()
  if (!breaker.pause) return
  breaker.pause = undefined
  breaker.probing = false
  await queries.resumeTransport(ctx.db, ctx.mail.name)
  ctx.log.info({ transport: ctx.mail.name }, 'mail leaves again')
}

/** When the email should be tried again, and whether other mail got through a moment ago. */
export async function noteUnavailable(ctx: Context, reason: string): Promise<{ at: Date; worksForOthers: boolean }> {
  const breaker = breakerOf(ctx)
  const now = ctx.clock.now()
  breaker.failures++
  if (!breaker.probing && breaker.failures < FAILURES_MAX) {
    const worksForOthers = now.getTime() - breaker.workedAt < WORKS_FOR_MS
    return { at: new Date(now.getTime() + AFTER_FAILURE_MS), worksForOthers }
  }
  breaker.probing = false
  const wasPaused = breaker.pause !== undefined
  breaker.pause = await queries.pauseTransport(ctx.db, ctx.mail.name, reason, now, PAUSE_MS)
  if (!wasPaused) ctx.log.warn({ transport: ctx.mail.name, reason }, 'mail cannot leave; sending is paused')
  return { at: spread(breaker.pause.pausedUntil), worksForOthers: false }
}

/** Not all at the same moment. */
const spread = (at: Date) => new Date(at.getTime() + Math.random() * SOON_MS)

/** Why mail does not leave at the moment, for people; nothing when it does. */
export async function findTransportPause(ctx: Context) {
  const pause = await queries.findPause(ctx.db, ctx.mail.name)
  return pause && { transport: ctx.mail.name, reason: pause.reason, since: pause.since, until: pause.pausedUntil }
}
