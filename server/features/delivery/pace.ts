/** Whether an email may be sent now: the breaker watches the transport, the throttle keeps the rates. */
import type { Context } from '../../context.ts'
import * as queries from './queries.ts'

interface Wait {
  /** When to try again. */
  at: Date
  reason: string
}

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

/**
 * A transport that fails wholesale (nobody answers, the password is refused, the server hangs up) rests for a while,
 * in all processes, and no email loses a try over it. After each pause one email tries; the others wait for it.
 */
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
    async pausedUntil(): Promise<Wait | undefined> {
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
      return { at: new Date(now.getTime() + SOON_MS), reason: 'another email is testing whether sending works again' }
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
      ctx.log.info({ transport }, 'sending works again')
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
      if (!wasPaused) ctx.log.warn({ transport, reason }, 'email cannot be sent; sending is paused')
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

/** A tenth of a second's worth at a time: ten statements a second at most, whatever the rate. */
const BATCHES_PER_SECOND = 10
const SLOTS_LAST_MS = 1_000
const WHOLE_TRANSPORT = '00000000-0000-0000-0000-000000000000'
const DAY_USED_UP_MS = 5 * 60_000
const LINES_MAX = 10_000

interface Stock {
  slots: number
  until: number
  /** Nobody has a slot before then. */
  noneBefore: number
  asking: Promise<void> | undefined
}

interface Limit {
  scope: string
  perSecond: number
}

export type Throttle = ReturnType<typeof createThrottle>

/**
 * SEND_RATE_PER_SECOND for each project, and the provider's own limit for all together. Slots are taken from the
 * database some at a time. An email that gets none is retried when one should be free, each project and priority in a
 * line of its own, so that a campaign delays neither a password reset nor anybody else's mail.
 */
export function createThrottle(ctx: Context) {
  const stocks = new Map<string, Stock>()
  /** The end of each line: when whoever comes next may hope for a slot. */
  const lines = new Map<string, number>()

  function limitsOf(projectId: string, providerPerSecond: number | undefined): Limit[] {
    const own = ctx.settings.SEND_RATE_PER_SECOND
    return [
      ...(own > 0 ? [{ scope: projectId, perSecond: own }] : []),
      ...(providerPerSecond ? [{ scope: WHOLE_TRANSPORT, perSecond: providerPerSecond }] : []),
    ]
  }

  async function takeFrom(limit: Limit): Promise<boolean> {
    let stock = stocks.get(limit.scope)
    if (!stock) {
      stock = { slots: 0, until: 0, noneBefore: 0, asking: undefined }
      stocks.set(limit.scope, stock)
    }
    for (;;) {
      const now = ctx.clock.now().getTime()
      if (stock.slots > 0 && now <= stock.until) {
        stock.slots--
        return true
      }
      if (now < stock.noneBefore) return false
      stock.asking ??= refill(limit, stock)
      await stock.asking
    }
  }

  async function refill({ scope, perSecond }: Limit, stock: Stock): Promise<void> {
    const now = ctx.clock.now()
    const most = Math.max(1, Math.ceil(perSecond / BATCHES_PER_SECOND))
    try {
      const { slots, takenUntil } = await queries.takeSlots(ctx.db, scope, perSecond, most, now)
      stock.slots = slots
      stock.until = now.getTime() + SLOTS_LAST_MS
      stock.noneBefore = slots > 0 ? 0 : Math.max(now.getTime() + 1, takenUntil.getTime() + 1000 / perSecond)
    } finally {
      stock.asking = undefined
    }
  }

  function giveBack(scope: string): void {
    const stock = stocks.get(scope)
    if (stock && ctx.clock.now().getTime() <= stock.until) stock.slots++
  }

  function placeInLine(line: string, { scope, perSecond }: Limit): Date {
    const now = ctx.clock.now().getTime()
    if (lines.size > LINES_MAX) {
      for (const [name, end] of lines) if (end < now) lines.delete(name)
    }
    const at = Math.max(lines.get(line) ?? 0, stocks.get(scope)?.noneBefore ?? 0, now)
    lines.set(line, at + 1000 / perSecond)
    return new Date(Math.ceil(at))
  }

  return {
    /** Nothing when the email may leave now. A slot that is not used after all is given back with `giveSlotBack`. */
    async takeSlot(projectId: string, priority: number): Promise<Wait | undefined> {
      const quota = ctx.mail.quota && (await ctx.mail.quota().catch(() => undefined)) // sending will tell what is wrong
      if (quota && quota.leftToday < 1) {
        const at = new Date(ctx.clock.now().getTime() + DAY_USED_UP_MS)
        return { at, reason: "the provider's daily limit has been reached" }
      }
      const limits = limitsOf(projectId, quota?.perSecond)
      for (const [i, limit] of limits.entries()) {
        if (await takeFrom(limit)) continue
        for (const taken of limits.slice(0, i)) giveBack(taken.scope)
        const line = `${limit.scope} ${projectId} ${priority}`
        return { at: placeInLine(line, limit), reason: 'the sending rate limit has been reached' }
      }
      return undefined
    },

    giveSlotBack(projectId: string): void {
      for (const scope of [projectId, WHOLE_TRANSPORT]) giveBack(scope)
    },
  }
}
