/**
 * When an email may be sent: within the sending rates (the throttle), and as soon as this process is about to send it (the
 * flow). `breaker.ts` has whether the transport works.
 */
import type { Context } from '../../../context.ts'
import { createTurns, type Turns } from '../../../kernel/turns.ts'
import { createPriorityLine } from '../../../kernel/waiting.ts'
import * as queries from './queries.ts'

export interface Wait {
  /** When to retry. */
  at: Date
  reason: string
}

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

/** How much work is claimed ahead. A goal for the delay of urgent email, the same on every machine. */
const AHEAD_MS = 100
/** How often the rate is measured. Each measurement counts half, so it follows a change within a few of them. */
const MEASURE_MS = 100
/** How long emails are rendered before anything else that this process has to do. A goal, the same on every machine. */
const TURN_MS = 3
/** The share of the emails that a process has claimed which a project can have however many the others have. */
const PROJECT_SHARE = 1 / 5

export type Flow = ReturnType<typeof createFlow>

/**
 * How many emails a process has claimed at a time. In addition to those that the transport is sending, it claims only
 * what it can send within a tenth of a second, by the measured rate: enough that no connection waits for an email, and
 * few enough that an urgent one is served soon. Less urgent emails don't count against more urgent ones. Projects have
 * turns: emails of one that has few are claimed even if another has as many as the process may claim.
 */
export function createFlow(parallel: number, now: () => number = () => performance.now()) {
  const turns: Turns<{ admit(): void; priority: number }> = createTurns({
    slots: (priority) => limit() + turns.inUse() - admittedUpTo(priority),
    share: Math.max(1, Math.floor(2 * parallel * PROJECT_SHARE)),
  })
  const toRender = createPriorityLine<() => Promise<void>>()
  const admitted = new Map<number, number>()
  let isRendering = false
  let isStopping = false
  let turnStartedAt = 0
  let perMs = 0
  let sent = 0
  let measuredAt = now()

  /** At least one for each connection, so that none waits for the database. */
  const ahead = () => Math.max(parallel, Math.ceil(perMs * AHEAD_MS))
  const limit = () => parallel + ahead()
  /** Emails are admitted this many at a time, because they share the statement that claims them. */
  const batch = () => Math.max(ahead() / 2, limit() / 4)

  /** Those that are as urgent, or more. */
  function admittedUpTo(priority: number): number {
    let count = 0
    for (const [other, emails] of admitted) if (other <= priority) count += emails
    return count
  }

  const count = (priority: number, change: number) => admitted.set(priority, (admitted.get(priority) ?? 0) + change)

  function admit(): void {
    for (let priority = turns.nextPriority(); priority !== undefined; priority = turns.nextPriority()) {
      const before = admittedUpTo(priority)
      let room = limit() - before
      if (room <= 0 || (before > 0 && room < Math.min(turns.waiting, batch()))) break
      for (; room > 0 && turns.nextPriority() === priority; room--) admitNext()
    }
    while (admitNext('within-share')) {}
  }

  function admitNext(only?: 'within-share'): boolean {
    const turn = turns.take(only)
    if (!turn) return false
    count(turn.item.priority, 1)
    turn.item.admit()
    return true
  }

  function measure(): void {
    const elapsed = now() - measuredAt
    if (elapsed < MEASURE_MS) return
    perMs = (perMs + sent / elapsed) / 2
    sent = 0
    measuredAt = now()
  }

  /** The next one follows at once if there is time left in this turn of the event loop, otherwise in the next turn. */
  function renderNext(): void {
    const render = toRender.take()
    if (!render) return
    const next = toRender.size > 0 ? setImmediate(startTurn) : undefined // unless it ends in this turn
    isRendering = next !== undefined
    void render().then(() => {
      if (!next || now() - turnStartedAt >= TURN_MS) return
      clearImmediate(next)
      renderNext()
    })
  }

  function startTurn(): void {
    turnStartedAt = now()
    renderNext()
  }

  return {
    /** Resolves when the email may be claimed: by priority, and projects of the same priority in turn. */
    enter(priority: number, projectId: string): Promise<void> {
      return new Promise((resolve) => {
        turns.add({ admit: resolve, priority }, projectId, priority)
        admit()
      })
    },
    /** The transport has responded, or the email isn't sent after all. */
    leave(priority: number, projectId: string): void {
      count(priority, -1)
      turns.release(projectId)
      sent++
      measure()
      admit()
    },
    /** Emails that were claimed together are rendered a few at a time, so that nothing else waits for all of them. */
    renderInTurn<T>(priority: number, projectId: string, render: () => Promise<T>): Promise<T> {
      return new Promise((resolve, reject) => {
        toRender.add(() => render().then(resolve, reject), priority, projectId)
        if (!isRendering) setImmediate(startTurn)
        isRendering = true
      })
    },
    /** How many emails of a priority are admitted at most. */
    limit,
    /** Emails that are being sent are finished. The jobs of the others are rescheduled. */
    stop(): void {
      isStopping = true
    },
    isStopping: () => isStopping,
    isBusy: () => admittedUpTo(Number.POSITIVE_INFINITY) > 0,
  }
}
