/** Emails that are in progress at the same time share their statements, and what was sent is recorded in any case. */
import type { Context } from '../../context.ts'
import { gather } from '../../kernel/gather.ts'
import { pause } from '../../kernel/wait.ts'
import { isDatabaseAway, isVictim } from '../../platform/database/transaction.ts'
import { type ClaimedEmail, type ClaimRequest, claimEmails, settleUnclaimed } from './claim-queries.ts'
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
  const options = { most: flow.batchMax, atOnce: 1, tryAlone: isVictim }

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
      claim = gather((refs: ClaimRequest[]) => claimEmails(ctx.db, refs, lease()), options)
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
    settleUnclaimed: gather((refs: ClaimRequest[]) => settleUnclaimed(ctx.db, refs, lease()), options),
    recordSent: gather(recordAll, options),
  }
}

export type Records = ReturnType<typeof createRecords>

/** What was sent is recorded, however long the database is away, and before this process claims another email. */
export function createRecords() {
  const waiting = new Set<Promise<void>>()

  async function repeat(write: () => Promise<void>): Promise<void> {
    for (;;) {
      await pause(RECORD_AGAIN_MS)
      try {
        return await write()
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
      }
    }
  }

  return {
    async recordSurely(write: () => Promise<void>): Promise<void> {
      try {
        return await write()
      } catch (error) {
        if (!isDatabaseAway(error)) throw error
      }
      const recorded = repeat(write)
      waiting.add(recorded)
      try {
        await recorded
      } finally {
        waiting.delete(recorded)
      }
    },
    allRecorded: async (): Promise<void> => {
      while (waiting.size > 0) await Promise.allSettled(waiting)
    },
  }
}
