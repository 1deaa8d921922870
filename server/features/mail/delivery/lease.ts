/**
 * A lease is the right of one process to send an email, for a limited time. It ends when the outcome is recorded, when it
 * is released, or when it is lost: others take over from a process that exited or was suspended for too long.
 */
import type { Context } from '../../../context.ts'
import { createBatcher } from '../../../kernel/flow/waiting.ts'
import { WARMING_UP } from '../../../kernel/sending/warm-up.ts'
import { wasCanceledByConflict } from '../../../platform/database/connection/transaction.ts'
import * as queries from './claim-queries.ts'
import type { Lanes } from './lanes.ts'
import { recordFailure } from './outcomes.ts'
import type { EmailRef } from './queries.ts'
import type { Records } from './records.ts'
import { after, type DeliveryResult, isResult, later } from './result.ts'

const LEASE_MS = 60_000
/** Less than others wait before they take over the jobs of a process that has lost its lock. */
const CERTAIN_MS = 4_000
/** A lease may expire early, with the process that holds it, so the email is checked again sooner. */
export const CHECK_LEASE_MS = 5_000
/** When another worker sends the emails of one that stops. Most stop within this time. */
const STOPPING_MS = 500
/** When to check again whether a disabled project is enabled or a paused campaign is resumed. */
const BLOCKED_MS: Record<queries.BlockReason, number> = {
  'the project is disabled': 60_000,
  'the campaign is paused': 15_000,
  'these are quiet hours': 60_000,
  [WARMING_UP]: 60_000,
}

export interface LeaseRequest extends queries.ClaimRequest {
  priority: number
}

export interface Lease {
  email: queries.ClaimedEmail
  /** Called right before the email is sent. Undefined if this process may send it. */
  renew(): Promise<DeliveryResult | undefined>
}

export function createLeases(ctx: Context, lanes: Lanes, records: Records) {
  let isStopping = false

  /**
   * One statement at a time: emails that arrive while it runs share the next one, the more the longer it takes. Two
   * statements that block each other, with the same emails in another order, are retried one email at a time.
   */
  const shared = { batchMax: lanes.claimedMax, concurrency: 1, retryAlone: wasCanceledByConflict }
  /** Each priority has its own statements, so that urgent email doesn't wait for the claim of a campaign. */
  const claims = new Map<number, (request: queries.ClaimRequest) => Promise<queries.ClaimedEmail | undefined>>()
  const resolveUnclaimed = createBatcher(
    (refs: queries.ClaimRequest[]) => queries.resolveUnclaimed(ctx.db, refs, terms()),
    shared,
  )

  function terms(): queries.LeaseTerms {
    const isAlone = ctx.settings.DATABASE_URL === '' && ctx.settings.WORKERS <= 1 // the database is embedded
    return { now: ctx.clock.now(), until: after(ctx, LEASE_MS), holder: ctx.workerLock ?? null, durable: !isAlone }
  }

  function claimOf(priority: number) {
    let claim = claims.get(priority)
    if (!claim) {
      claim = createBatcher((refs: queries.ClaimRequest[]) => queries.claimEmails(ctx.db, refs, terms()), shared)
      claims.set(priority, claim)
    }
    return claim
  }

  /** The process exits soon, perhaps before it can record the outcome of another email, which would then be sent twice. */
  const whenStopping = () =>
    isStopping ? { at: after(ctx, STOPPING_MS), reason: 'the worker is stopping' } : undefined

  async function claimEmail(request: LeaseRequest): Promise<queries.ClaimedEmail | DeliveryResult> {
    const stopping = whenStopping()
    if (stopping) return later(stopping)
    await records.allRecorded()
    const email = await claimOf(request.priority)(request)
    return email ?? reasonOf(request, await resolveUnclaimed(request))
  }

  async function reasonOf(ref: EmailRef, block: queries.ClaimBlock | undefined): Promise<DeliveryResult> {
    if (!block) return { state: 'lost' }
    if ('refused' in block) {
      const error = `Not sent: ${block.refused}.`
      await records.recordSurely(() => recordFailure(ctx, ref, { error, statuses: ['PENDING', 'SENDING'] }))
      return { state: 'failed' }
    }
    if ('reason' in block) {
      const { reason, until } = block
      return { state: 'blocked', at: until ?? after(ctx, BLOCKED_MS[reason]), reason }
    }
    const at = new Date(Math.min(block.leasedUntil.getTime(), after(ctx, CHECK_LEASE_MS).getTime()))
    return later({ at, reason: 'another worker has claimed this email' })
  }

  return {
    /** A result if the email is done, canceled, must wait or must no longer be sent. */
    async claim(request: LeaseRequest): Promise<Lease | DeliveryResult> {
      const claimedAt = ctx.clock.now().getTime()
      const email = await claimEmail(request)
      if (isResult(email)) return email
      return {
        email,
        async renew() {
          const age = ctx.clock.now().getTime() - claimedAt
          if (!isStopping && age >= 0 && age < CERTAIN_MS) return undefined
          const again = await claimEmail(request)
          return isResult(again) ? again : undefined
        },
      }
    },
    /** After a lost reply the email may be claimed, and no other worker takes over from one that is running. */
    release: (email: EmailRef) => records.recordSurely(() => queries.releaseClaim(ctx, email)),
    /** Emails that are being sent are finished. The others are left to other workers. */
    stop(): void {
      isStopping = true
    },
    whenStopping,
  }
}
