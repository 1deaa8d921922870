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

/** The last time that a project asked for a slot in vain. */
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
  /** Emails that have a place in a line, or had one when they came back. */
  const placed = new Set<string>()
  /** Line → when the next email that came back in vain does so again: one after the other, not all at once. */
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

  /** Nothing if it got a slot, otherwise when to ask again. */
  async function takeFrom(limit: Limit, request: SlotRequest): Promise<number | undefined> {
    const stock = stockOf(limit.scope)
    const denial = () => {
      const last = denials.get(`${limit.scope} ${request.projectId}`)
      return last && now() < last.nextAt && request.priority >= last.priority ? last.nextAt : undefined
    }
    for (;;) {
      if (stock.slots > 0 && now() <= stock.until) {
        stock.slots--
        return undefined
      }
      const nextAt = denial()
      if (nextAt !== undefined) return nextAt
      if (stock.asking)
        await stock.asking // perhaps for another project, or a less urgent email
      else await ask(limit, stock, request)
    }
  }

  async function ask(limit: Limit, stock: Stock, request: SlotRequest): Promise<void> {
    const { scope, perSecond } = limit
    const askedAt = ctx.clock.now()
    const most = Math.max(1, Math.ceil(perSecond / BATCHES_PER_SECOND))
    const asked = queries.takeSlots(ctx.db, { scope, perSecond, most, now: askedAt, ...request })
    stock.asking = asked.then(
      () => undefined,
      () => undefined,
    )
    try {
      const { slots, nextAt } = await asked
      if (slots > 0) {
        stock.slots = slots
        stock.until = askedAt.getTime() + SLOTS_LAST_MS
      } else {
        const at = Math.max(now() + 1, nextAt.getTime())
        remember(denials, `${scope} ${request.projectId}`, { nextAt: at, priority: request.priority })
      }
    } finally {
      stock.asking = undefined
    }
  }

  function giveBack(scope: string): void {
    const stock = stocks.get(scope)
    if (stock && now() <= stock.until) stock.slots++
  }

  /** First in, first out: a new email goes to the end of its line, and one that is retried gets a slot before that. */
  async function whenToRetry(limit: Limit, request: SlotRequest, nextAt: number): Promise<Date> {
    const { emailId, projectId, priority } = request
    const isSlice = request.heads === 'slice'
    if (!isSlice && !placed.has(emailId)) {
      if (placed.size >= REMEMBERED_MAX) placed.clear()
      placed.add(emailId)
      return queries.takePlace(ctx.db, { ...limit, ...request, nextAt: new Date(nextAt) })
    }
    const line = `${limit.scope} ${projectId} ${priority}`
    const at = Math.max(nextAt, isSlice ? now() + SLICE_MS : 0, late.get(line) ?? 0)
    remember(late, line, at + (isSlice ? SLICE_MS : 1000 / limit.perSecond))
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
        return { at: await whenToRetry(limit, request, nextAt), reason: 'the sending rate limit has been reached' }
      }
      placed.delete(request.emailId)
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
