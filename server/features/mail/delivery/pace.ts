/** When an email may be sent: within the sending rates. `breaker.ts` has whether the transport works. */
import type { Context } from '../../../context.ts'
import * as queries from './queries.ts'
import type { Wait } from './result.ts'

/** Slots are claimed for a tenth of a second at a time: at most ten statements a second, whatever the rate. */
const BATCHES_PER_SECOND = 10
const SLOTS_LAST_MS = 1_000
const WHOLE_TRANSPORT = '00000000-0000-0000-0000-000000000000'
const DAY_USED_UP_MS = 5 * 60_000
/** A slice is retried for the slots of half a second, because each retry costs a job. Unused ones are kept for a second. */
const SLICE_MS = 500
const REMEMBERED_MAX = 10_000
/** Smaller corrections only delay emails for that long. */
const CLOCK_SET_BACK_MS = 60_000

interface Stock {
  slots: number
  until: number
  requesting: Promise<void> | undefined
}

/** The last time that the head of a slice requested a slot and got none. */
interface Denial {
  /** When emails that aren't more urgent can request a slot again. */
  nextAt: number
  priority: number
}

interface Limit {
  scope: string
  perSecond: number
}

interface SlotRequest {
  projectId: string
  emailId: string
  priority: number
  /** Other emails wait for this one and are retried with it. */
  heads?: 'slice'
}

export type Throttle = ReturnType<typeof createThrottle>

/**
 * Applies the sending rates: SEND_RATE_PER_SECOND for each project, and the provider's own for all of them together.
 * Slots are claimed in the database, which all processes share. While an email waits for a slot, less urgent ones get
 * none.
 */
export function createThrottle(ctx: Context) {
  const stocks = new Map<string, Stock>()
  const denials = new Map<string, Denial>()
  /** Line → when its next slice requests a slot again: one after the other, not all at once. */
  const late = new Map<string, number>()
  let lastNow = 0

  /** After the clock was set back, times in memory are too far ahead. */
  function now(): number {
    const time = ctx.clock.now().getTime()
    if (time < lastNow - CLOCK_SET_BACK_MS) for (const times of [denials, late]) times.clear()
    lastNow = time
    return time
  }

  function limitsOf(projectId: string, providerPerSecond: number | undefined): Limit[] {
    const own = ctx.settings.SEND_RATE_PER_SECOND
    return [
      ...(own > 0 ? [{ scope: projectId, perSecond: own }] : []),
      ...(providerPerSecond ? [{ scope: WHOLE_TRANSPORT, perSecond: providerPerSecond }] : []),
    ]
  }

  function stockOf(scope: string): Stock {
    let stock = stocks.get(scope)
    if (!stock) {
      stock = { slots: 0, until: 0, requesting: undefined }
      stocks.set(scope, stock)
    }
    return stock
  }

  /**
   * Undefined if it got a slot, otherwise when to request one again. An email that isn't the head of a slice gets a
   * place in a line.
   */
  async function takeFrom(limit: Limit, request: SlotRequest): Promise<number | undefined> {
    const stock = stockOf(limit.scope)
    const denial = () => {
      const last = request.heads === 'slice' ? denials.get(`${limit.scope} ${request.projectId}`) : undefined
      return last && now() < last.nextAt && request.priority >= last.priority ? last.nextAt : undefined
    }
    for (;;) {
      if (stock.slots > 0 && now() <= stock.until) {
        stock.slots--
        return undefined
      }
      const nextAt = denial()
      if (nextAt !== undefined) return nextAt
      if (!stock.requesting) return requestSlots(limit, stock, request)
      await stock.requesting // perhaps for another project, or a less urgent email
    }
  }

  async function requestSlots(limit: Limit, stock: Stock, request: SlotRequest): Promise<number | undefined> {
    const { scope, perSecond } = limit
    const { projectId, priority } = request
    const emailId = request.heads === 'slice' ? null : request.emailId
    const askedAt = ctx.clock.now()
    const most = Math.max(1, Math.ceil(perSecond / BATCHES_PER_SECOND))
    const asked = queries.claimSlots(ctx.db, { scope, perSecond, most, now: askedAt, projectId, priority, emailId })
    stock.requesting = asked.then(
      () => undefined,
      () => undefined,
    )
    try {
      const { slots, nextAt } = await asked
      if (slots > 0) {
        stock.slots = slots - 1 // one for the email that requested it
        stock.until = askedAt.getTime() + SLOTS_LAST_MS
        return undefined
      }
      const at = Math.max(now() + 1, Math.ceil(nextAt.getTime()))
      if (!emailId) remember(denials, `${scope} ${projectId}`, { nextAt: at, priority })
      return at
    } finally {
      stock.requesting = undefined
    }
  }

  function returnSlot(scope: string): void {
    const stock = stocks.get(scope)
    if (stock && now() <= stock.until) stock.slots++
  }

  /**
   * Slices of one line request slots one after the other. Other emails have their place in it, which the database
   * stores.
   */
  function whenToRetry(limit: Limit, { projectId, priority, heads }: SlotRequest, nextAt: number): Date {
    if (heads !== 'slice') return new Date(nextAt)
    const line = `${limit.scope} ${projectId} ${priority}`
    const at = Math.max(nextAt, now() + SLICE_MS, late.get(line) ?? 0)
    remember(late, line, at + SLICE_MS)
    return new Date(Math.ceil(at))
  }

  return {
    /** Undefined if the email may be sent now. A slot that isn't used after all is released with `releaseSlot`. */
    async takeSlot(request: SlotRequest): Promise<Wait | undefined> {
      const quota = ctx.mail.quota && (await ctx.mail.quota().catch(() => undefined)) // sending fails with the reason
      if (quota && quota.leftToday < 1) {
        return { at: new Date(now() + DAY_USED_UP_MS), reason: "the provider's daily limit has been reached" }
      }
      const limits = limitsOf(request.projectId, quota?.perSecond)
      for (const [i, limit] of limits.entries()) {
        const nextAt = await takeFrom(limit, request)
        if (nextAt === undefined) continue
        for (const taken of limits.slice(0, i)) returnSlot(taken.scope)
        return { at: whenToRetry(limit, request, nextAt), reason: 'the sending rate limit has been reached' }
      }
      return undefined
    },

    releaseSlot(projectId: string): void {
      for (const scope of [projectId, WHOLE_TRANSPORT]) returnSlot(scope)
    },
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= REMEMBERED_MAX) map.clear()
  map.set(key, value)
}
