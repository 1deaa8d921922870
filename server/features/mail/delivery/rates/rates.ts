/**
 * The sending rates: SEND_RATE_PER_SECOND for each project, and the provider's own for all projects of a transport. Tokens
 * are taken from buckets in the database, which all processes share.
 */
import { createHash } from 'node:crypto'
import type { Context } from '../../../../context.ts'
import * as queries from '../queries.ts'
import type { Wait } from '../result.ts'
import { type TokenRequest, takeTokens } from './bucket.ts'

/** Tokens are taken for a tenth of a second at a time: at most ten statements a second, whatever the rate. */
const BATCHES_PER_SECOND = 10
const TOKENS_LAST_MS = 1_000
const DAY_USED_UP_MS = 5 * 60_000

/** Tokens of a bucket that this process has taken and not used. */
interface Stock {
  tokens: number
  until: number
  requesting: Promise<void> | undefined
}

interface Limit {
  /** The project or the transport. */
  scope: string
  perSecond: number
}

export type RateRequest = Pick<TokenRequest, 'projectId' | 'priority' | 'place'>

export function createRates(ctx: Context) {
  const stocks = new Map<string, Stock>()
  const transportScope = scopeOf(ctx.mail.id)
  const now = () => ctx.clock.now().getTime()

  function limitsOf(projectId: string, providerPerSecond: number | undefined): Limit[] {
    const own = ctx.settings.SEND_RATE_PER_SECOND
    return [
      ...(own > 0 ? [{ scope: projectId, perSecond: own }] : []),
      ...(providerPerSecond ? [{ scope: transportScope, perSecond: providerPerSecond }] : []),
    ]
  }

  function stockOf(scope: string): Stock {
    let stock = stocks.get(scope)
    if (!stock) {
      stock = { tokens: 0, until: 0, requesting: undefined }
      stocks.set(scope, stock)
    }
    return stock
  }

  /** Undefined if it got a token. */
  async function takeFrom(limit: Limit, request: RateRequest): Promise<Wait | undefined> {
    const stock = stockOf(limit.scope)
    while (stock.requesting) await stock.requesting // perhaps for another project, or a less urgent email
    if (stock.tokens > 0 && now() <= stock.until) {
      stock.tokens--
      return undefined
    }
    const result = takeFromBucket(limit, stock, request)
    stock.requesting = result.then(
      () => undefined,
      () => undefined,
    )
    return result.finally(() => {
      stock.requesting = undefined
    })
  }

  async function takeFromBucket(limit: Limit, stock: Stock, request: RateRequest): Promise<Wait | undefined> {
    const { scope, perSecond } = limit
    const most = Math.max(1, Math.ceil(perSecond / BATCHES_PER_SECOND))
    for (;;) {
      const at = now()
      const stored = await queries.findBucket(ctx.db, scope)
      const { tokens, retryAt, place, bucket } = takeTokens(stored.bucket, { ...request, most }, perSecond, at)
      if (!(await queries.replaceBucket(ctx.db, scope, bucket, stored.version))) continue // another process was faster
      if (tokens === 0) return { at: new Date(retryAt), reason: 'the sending rate limit has been reached', place }
      stock.tokens = tokens - 1 // one for the email that requested it
      stock.until = at + TOKENS_LAST_MS
      return undefined
    }
  }

  function returnToken(scope: string): void {
    const stock = stocks.get(scope)
    if (stock && now() <= stock.until) stock.tokens++
  }

  return {
    /** Undefined if the email may be sent now. A token that isn't used after all is released. */
    async take(request: RateRequest): Promise<Wait | undefined> {
      const quota = ctx.mail.quota && (await ctx.mail.quota().catch(() => undefined)) // sending fails with the reason
      if (quota && quota.leftToday < 1) {
        return { at: new Date(now() + DAY_USED_UP_MS), reason: "the provider's daily limit has been reached" }
      }
      const limits = limitsOf(request.projectId, quota?.perSecond)
      for (const [i, limit] of limits.entries()) {
        const wait = await takeFrom(limit, request)
        if (!wait) continue
        for (const { scope } of limits.slice(0, i)) returnToken(scope)
        return wait
      }
      return undefined
    },

    release(projectId: string): void {
      for (const scope of [projectId, transportScope]) returnToken(scope)
    },
  }
}

/** A scope is a UUID: that of a project, or of the transport by its ID. */
function scopeOf(transportId: string): string {
  const hash = createHash('sha256').update(transportId).digest('hex')
  return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')
}
