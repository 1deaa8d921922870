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
/** A slice is retried for the slots of half a second, because each retry costs a job. Unused ones are kept for a second. */
const SLICE_MS = 500
const REMEMBERED_MAX = 10_000

interface Stock {
  slots: number
  until: number
  asking: Promise<void> | undefined
}

/** The last time that the head of a slice asked for a slot in vain. */
interface Denial {
  /** When to ask again, for emails that are no more urgent. */
  nextAt: number
  priority: number
}

interface Limit {
  scope: string
  perSecond: number
}

export interface SlotRequest {
  projectId: string
  emailId: string
  priority: number
  /** Other emails wait for this one and are retried with it. */
  heads?: 'slice'
}

export type Throttle = ReturnType<typeof createThrottle>

export function createThrottle(ctx: Context) {
  const stocks = new Map<string, Stock>()
  const denials = new Map<string, Denial>()
  /** Line → when its next slice asks again: one after the other, not all at once. */
  const late = new Map<string, number>()
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
      stock = { slots: 0, until: 0, asking: undefined }
      stocks.set(scope, stock)
    }
    return stock
  }

  /** Nothing if it got a slot, otherwise when to ask again. An email that isn't the head of a slice gets a place in a line. */
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
      if (!stock.asking) return ask(limit, stock, request)
      await stock.asking // perhaps for another project, or a less urgent email
    }
  }

  async function ask(limit: Limit, stock: Stock, request: SlotRequest): Promise<number | undefined> {
    const { scope, perSecond } = limit
    const { projectId, priority } = request
    const emailId = request.heads === 'slice' ? null : request.emailId
    const askedAt = ctx.clock.now()
    const most = Math.max(1, Math.ceil(perSecond / BATCHES_PER_SECOND))
    const asked = queries.takeSlots(ctx.db, { scope, perSecond, most, now: askedAt, projectId, priority, emailId })
    stock.asking = asked.then(
      () => undefined,
      () => undefined,
    )
    try {
      const { slots, nextAt } = await asked
      if (slots > 0) {
        stock.slots = slots - 1 // one for the email that asked
        stock.until = askedAt.getTime() + SLOTS_LAST_MS
        return undefined
      }
      const at = Math.max(now() + 1, Math.ceil(nextAt.getTime()))
      if (!emailId) remember(denials, `${scope} ${projectId}`, { nextAt: at, priority })
      return at
    } finally {
      stock.asking = undefined
    }
  }

  function giveBack(scope: string): void {
    const stock = stocks.get(scope)
    if (stock && now() <= stock.until) stock.slots++
  }

  /** Slices of one line ask one after the other. Other emails have their place in it, which the database knows. */
  function whenToRetry(limit: Limit, { projectId, priority, heads }: SlotRequest, nextAt: number): Date {
    if (heads !== 'slice') return new Date(nextAt)
    const line = `${limit.scope} ${projectId} ${priority}`
    const at = Math.max(nextAt, now() + SLICE_MS, late.get(line) ?? 0)
    remember(late, line, at + SLICE_MS)
    return new Date(Math.ceil(at))
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
        const nextAt = await takeFrom(limit, request)
        if (nextAt === undefined) continue
        for (const taken of limits.slice(0, i)) giveBack(taken.scope)
        return { at: whenToRetry(limit, request, nextAt), reason: 'the sending rate limit has been reached' }
      }
      return undefined
    },

    giveSlotBack(projectId: string): void {
      for (const scope of [projectId, WHOLE_TRANSPORT]) giveBack(scope)
    },
  }
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  if (map.size >= REMEMBERED_MAX) map.clear()
  map.set(key, value)
}
