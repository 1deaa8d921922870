/**
 * How fast mail leaves: SEND_RATE_PER_SECOND for each project, and the provider's own limit for all together. Slots
 * are taken from the database some at a time. Who gets none comes back when one should be free, each project and
 * priority in a line of its own, so that a campaign holds up neither a password reset nor anybody else's mail.
 */
import type { Context } from '../../context.ts'
import * as queries from './queries.ts'

/** A tenth of a second's worth at a time: ten statements a second at most, whatever the rate. */
const BATCHES_PER_SECOND = 10
const SLOTS_LAST_MS = 1_000
const WHOLE_TRANSPORT = '00000000-0000-0000-0000-000000000000'
const DAY_USED_UP_MS = 5 * 60_000
const LINES_MAX = 10_000

export interface Wait {
  at: Date
  reason: string
}

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
        return { at, reason: "the provider's limit for the day is used up" }
      }
      const limits = limitsOf(projectId, quota?.perSecond)
      for (const [i, limit] of limits.entries()) {
        if (await takeFrom(limit)) continue
        for (const taken of limits.slice(0, i)) giveBack(taken.scope)
        const line = `${limit.scope} ${projectId} ${priority}`
        return { at: placeInLine(line, limit), reason: 'the sending rate is reached' }
      }
      return undefined
    },

    giveSlotBack(projectId: string): void {
      for (const scope of [projectId, WHOLE_TRANSPORT]) giveBack(scope)
    },
  }
}
