/** Emails that are in progress at the same time share their statements, and what was sent is recorded in any case. */
import type { Context } from '../../context.ts'
import { createBatcher } from '../../kernel/batcher.ts'
import { createPriorityLine } from '../../kernel/priority-line.ts'
import { pause } from '../../kernel/wait.ts'
import { isDatabaseUnavailable, wasCanceledByConflict } from '../../platform/database/transaction.ts'
import { type ClaimedEmail, type ClaimRequest, claimEmails, resolveUnclaimed } from './claim-queries.ts'
import type { Flow } from './flow.ts'
import * as queries from './queries.ts'

const LEASE_MS = 60_000
const RECORD_AGAIN_MS = 200

export type Statements = ReturnType<typeof createStatements>

export function createStatements(ctx: Context, flow: Flow) {
  /**
   * One statement at a time: emails that arrive while it runs share the next one, the more the longer it takes. Two
   * statements that block each other, with the same emails in another order, are retried one email at a time.
   */
  const options = { batchMax: flow.limit, concurrency: 1, retryAlone: wasCanceledByConflict }

  const lease = () => {
    const now = ctx.clock.now()
    const isAlone = ctx.settings.DATABASE_URL === '' && ctx.settings.WORKERS <= 1 // the database is embedded
    return { now, until: new Date(now.getTime() + LEASE_MS), holder: ctx.workerLock ?? null, durable: !isAlone }
  }

  /** Each priority has its own statements, so that urgent email doesn't wait for the claim of a campaign. */
  const claims = new Map<number, (request: ClaimRequest) => Promise<ClaimedEmail | undefined>>()

  function claimOf(priority: number) {
    let claim = claims.get(priority)
    if (!claim) {
      claim = createBatcher((refs: ClaimRequest[]) => claimEmails(ctx.db, refs, lease()), options)
      claims.set(priority, claim)
    }
    return claim
  }

  async function recordAll(sent: queries.SentEmail[]): Promise<undefined[]> {
    await queries.recordSent(ctx.db, sent, ctx.clock.now())
    return sent.map(() => undefined)
  }

  return {
    claimEmail: (request: ClaimRequest, priority: number) => claimOf(priority)(request),
    resolveUnclaimed: createBatcher((refs: ClaimRequest[]) => resolveUnclaimed(ctx.db, refs, lease()), options),
    // Two at a time: a connection sends no further email until the last one is recorded.
    recordSent: createBatcher(recordAll, { ...options, concurrency: 2 }),
  }
}

export type Records = ReturnType<typeof createRecords>

/**
 * Outcomes are recorded however long the database is unavailable, and before this process claims another email. If the
 * process is killed, the emails that it has sent and not recorded are sent again; `parallel` limits how many those are.
 */
export function createRecords(parallel: number) {
  const waiting = new Set<Promise<void>>()
  const ready = createPriorityLine<() => void>()
  let unrecorded = 0

  async function repeat(write: () => Promise<void>): Promise<void> {
    for (;;) {
      await pause(RECORD_AGAIN_MS)
      try {
        return await write()
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
      }
    }
  }

  return {
    async recordSurely(write: () => Promise<void>): Promise<void> {
      try {
        return await write()
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error
      }
      const recorded = repeat(write)
      waiting.add(recorded)
      try {
        await recorded
      } finally {
        waiting.delete(recorded)
      }
    },
    /** From the start of an email's SMTP transaction until it is recorded. The most urgent begins first. */
    async untilRecorded<T>(priority: number, work: () => Promise<T>): Promise<T> {
      if (unrecorded >= parallel) await new Promise<void>((resolve) => ready.add(resolve, priority))
      else unrecorded++
      try {
        return await work()
      } finally {
        const next = ready.take()
        if (next) next()
        else unrecorded--
      }
    },
    allRecorded: async (): Promise<void> => {
      while (waiting.size > 0) await Promise.allSettled(waiting)
    },
  }
}
