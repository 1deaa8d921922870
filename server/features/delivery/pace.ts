/** Decides whether an email can be sent now: the breaker watches the transport, the throttle limits the rates. */
import type { Context } from '../../context.ts'
import * as queries from './queries.ts'

interface Wait {
  /** When to retry. */
  at: Date
  reason: string
}

/** Consecutive failures without a success in between that count as an outage. */
const FAILURES_MAX = 5
const PAUSE_MS = { first: 5_000, longest: 5 * 60_000 }
const PROBE_MS = 60_000
/** For this long after a success, a single refused message is not an outage. */
const WORKS_FOR_MS = 60_000
/** The maximum age of the shared state of other processes. */
const LOOK_EVERY_MS = 1_000
/** When to check again while another email is the trial, or after a failure that is not an outage yet. */
const SOON_MS = 2_000
const AFTER_FAILURE_MS = 5_000

export type Breaker = ReturnType<typeof createBreaker>

/**
 * A transport that is unavailable (no response, authentication failed, connection closed) is paused for a while, in all
 * processes, and no email loses an attempt. After each pause one email is sent as a trial; the others wait for it.
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
    /** When to retry, or undefined if emails can be sent. */
    async pausedUntil(): Promise<Wait | undefined> {
      const now = ctx.clock.now()
      if (Math.abs(now.getTime() - lookedAt) >= LOOK_EVERY_MS) {
        lookedAt = now.getTime() // first, so that only one of many concurrent callers checks
        pause = await queries.findPause(ctx.db, transport)
      }
      if (!pause) return undefined
      if (pause.pausedUntil > now) {
        return { at: spread(pause.pausedUntil), reason: `sending is paused: ${pause.reason}` }
      }
      if (!probing && (await takeProbe(now))) return undefined
      return { at: new Date(now.getTime() + SOON_MS), reason: 'another email is testing whether sending works again' }
    },

    /** The trial email was not sent to the transport. */
    async giveTurnBack(): Promise<void> {
      if (!probing) return
      probing = false
      await queries.giveProbeBack(ctx.db, transport)
    },

    /** The transport responded, whatever the result for the message. */
    async noteWorking(): Promise<void> {
      failures = 0
      workedAt = ctx.clock.now().getTime()
      if (!pause) return
      pause = undefined
      probing = false
      await queries.resumeTransport(ctx.db, transport)
      ctx.log.info({ transport }, 'sending works again')
    },

    /** When the email should be retried, and whether other emails were accepted recently. */
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

/** Why sending is paused, for people; undefined if it is not. */
export async function findTransportPause(ctx: Context) {
  const pause = await queries.findPause(ctx.db, ctx.mail.name)
  return pause && { transport: ctx.mail.name, reason: pause.reason, since: pause.since, until: pause.pausedUntil }
}

/** A tenth of a second's worth at a time: at most ten statements a second, whatever the rate. */
const BATCHES_PER_SECOND = 10
const SLOTS_LAST_MS = 1_000
const WHOLE_TRANSPORT = '00000000-0000-0000-0000-000000000000'
const DAY_USED_UP_MS = 5 * 60_000
const LINES_MAX = 10_000

interface Stock {
  slots: number
  until: number
  /** No slot is available before then. */
  noneBefore: number
  asking: Promise<void> | undefined
}

interface Limit {
  scope: string
  perSecond: number
}

export type Throttle = ReturnType<typeof createThrottle>

/**
 * SEND_RATE_PER_SECOND for each project, and the provider's limit for all together. Slots are taken from the database
 * some at a time. An email without a slot is retried when one should be free, in a separate line for each project and
 * priority, so that a campaign delays neither a password reset nor other projects.
 */
export function createThrottle(ctx: Context) {
  const stocks = new Map<string, Stock>()
  /** The end of each line: when the next email can expect a slot. */
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
    /** Undefined if the email can be sent now. An unused slot is returned with `giveSlotBack`. */
    async takeSlot(projectId: string, priority: number): Promise<Wait | undefined> {
      const quota = ctx.mail.quota && (await ctx.mail.quota().catch(() => undefined)) // sending will report the problem
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
