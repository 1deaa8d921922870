/**
 * Keeps the sending rates: SEND_RATE_PER_SECOND for each project, and the provider's own for all of them together. Slots
 * are taken from the database, which all processes share. While an email waits for a slot, less urgent ones get none.
 */
import type { Context } from '../../context.ts'
import type { Wait } from './breaker.ts'
import * as queries from './queries.ts'

/** Slots are taken for a tenth of a second at a time: at most ten statements a second, whatever the rate. */
const BATCHES_PER_SECOND = 10
const SLOTS_LAST_MS = 1_000
const WHOLE_TRANSPORT = '00000000-0000-0000-0000-000000000000'
const DAY_USED_UP_MS = 5 * 60_000
/** A slice comes back for the slots of half a second, because each time costs a job. Unused ones are kept for a second. */
const SLICE_MS = 500
/** From the third attempt in vain on, an email waits twice as long each time: many may be late at the same time. */
const BACK_OFF_MS = { first: 500, longest: 5_000 }
const REMEMBERED_MAX = 10_000

interface Stock {
  slots: number
  until: number
  /** There is no slot before then for emails that are no more urgent than `deniedPriority`. */
  noneBefore: number
  deniedPriority: number
  asking: Promise<void> | undefined
}

interface Limit {
  scope: string
  perSecond: number
}

export interface SlotRequest {
  projectId: string
  emailId: string
  priority: number
  /** Other emails wait behind this one and come back with it. */
  heads?: 'slice'
}

export type Throttle = ReturnType<typeof createThrottle>

export function createThrottle(ctx: Context) {
  const stocks = new Map<string, Stock>()
  /** Email → how often in a row it asked in vain. */
  const denials = new Map<string, number>()
  const now = () => ctx.clock.now().getTime()

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
      stock = { slots: 0, until: 0, noneBefore: 0, deniedPriority: 0, asking: undefined }
      stocks.set(scope, stock)
    }
    return stock
  }

  async function takeFrom(limit: Limit, request: SlotRequest): Promise<boolean> {
    const stock = stockOf(limit.scope)
    for (;;) {
      if (stock.slots > 0 && now() <= stock.until) {
        stock.slots--
        return true
      }
      if (now() < stock.noneBefore && request.priority >= stock.deniedPriority) return false
      stock.asking ??= refill(limit, stock, request)
      await stock.asking
      if (stock.slots === 0 && request.priority >= stock.deniedPriority) return false
    }
  }

  async function refill({ scope, perSecond }: Limit, stock: Stock, request: SlotRequest): Promise<void> {
    const askedAt = ctx.clock.now()
    const most = Math.max(1, Math.ceil(perSecond / BATCHES_PER_SECOND))
    try {
      const { slots, nextAt } = await queries.takeSlots(ctx.db, { scope, perSecond, most, now: askedAt, ...request })
      stock.slots = slots
      stock.until = askedAt.getTime() + SLOTS_LAST_MS
      stock.noneBefore = slots > 0 ? 0 : Math.max(askedAt.getTime() + 1, nextAt.getTime())
      stock.deniedPriority = request.priority
    } finally {
      stock.asking = undefined
    }
  }

  function giveBack(scope: string): void {
    const stock = stocks.get(scope)
    if (stock && now() <= stock.until) stock.slots++
  }

  /** First in, first out: a new email goes to the end of its line, and one that comes back gets the next slot. */
  async function whenToRetry(limit: Limit, request: SlotRequest): Promise<Date> {
    const denied = (denials.get(request.emailId) ?? 0) + 1
    if (denials.size >= REMEMBERED_MAX) denials.clear()
    denials.set(request.emailId, denied)
    const nextAt = Math.max(now(), stockOf(limit.scope).noneBefore)
    const backOff = denied < 3 ? 0 : Math.min(BACK_OFF_MS.longest, BACK_OFF_MS.first * 2 ** (denied - 3))
    if (request.heads === 'slice') return new Date(Math.max(nextAt, now() + Math.max(SLICE_MS, backOff)))
    if (denied > 1) return new Date(Math.max(nextAt, now() + backOff))
    return queries.takePlace(ctx.db, { ...limit, ...request, nextAt: new Date(nextAt) })
  }

  return {
    /** Nothing if the email may be sent now. A slot that isn't used after all is given back with `giveSlotBack`. */
    async takeSlot(request: SlotRequest): Promise<Wait | undefined> {
      const quota = ctx.mail.quota && (await ctx.mail.quota().catch(() => undefined)) // sending fails with the reason
      if (quota && quota.leftToday < 1) {
        return { at: new Date(now() + DAY_USED_UP_MS), reason: "the provider's daily limit has been reached" }
      }
      const limits = limitsOf(request.projectId, quota?.perSecond)
      for (const [i, limit] of limits.entries()) {
        if (await takeFrom(limit, request)) continue
        for (const taken of limits.slice(0, i)) giveBack(taken.scope)
        return { at: await whenToRetry(limit, request), reason: 'the sending rate limit has been reached' }
      }
      if (limits.length > 0) denials.delete(request.emailId)
      return undefined
    },

    giveSlotBack(projectId: string): void {
      for (const scope of [projectId, WHOLE_TRANSPORT]) giveBack(scope)
    },
  }
}
