/**
 * Deletes contacts and erases their data. When the deletion commits, the contact is gone and its emails are stopped; a
 * job then erases everything else in batches. Each feature that stores data about contacts contributes its part; app.ts
 * lists them.
 */
import type { Context } from '../../../context.ts'
import type { Database, Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import type { JobCatalogue } from '../../../platform/queue/catalogue.ts'
import { enqueue } from '../../../platform/queue/job-table.ts'
import { TryAgainAt } from '../../../platform/queue/try-again.ts'
import { deleteContactRows } from './actions.ts'

/** What a feature does when contacts are deleted. */
export interface ContactDataOwner {
  /** Runs in the transaction of the deletion: stops everything that must not continue after it commits. */
  stop?(tx: Tx, projectId: string, contactIds: string[], now: Date): Promise<unknown>
  /**
   * Runs later: erases a batch and returns the number of rows, until it returns 0. Rows that counts depend on are kept.
   */
  erase?(db: Database, projectId: string, contactIds: string[], now: Date): Promise<number>
  /** The time until which something can't be erased yet, if any. */
  busyUntil?(db: Database, projectId: string, contactIds: string[]): Promise<Date | undefined>
}

export type Erasure = ReturnType<typeof createErasure>

/** Then other jobs run first. */
const BATCHES_MAX = 20
/** By then, everything that was in progress during the deletion has been written. */
const RECHECK_MS = 5 * 60_000

export function createErasure(features: ContactDataOwner[]) {
  /** Returns the ids that existed. An email that is being sent at this moment is not waited for. */
  async function deleteContactsIn(tx: Tx, projectId: string, ids: string[], now: Date): Promise<string[]> {
    const contactIds = await deleteContactRows(tx, projectId, ids, now)
    if (contactIds.length === 0) return []
    for (const feature of features) await feature.stop?.(tx, projectId, contactIds, now)
    for (const runAt of [now, new Date(now.getTime() + RECHECK_MS)]) {
      await enqueue(tx, 'erase-contacts', { projectId, contactIds }, { runAt })
    }
    return contactIds
  }

  async function eraseBatch(ctx: Context, projectId: string, contactIds: string[], now: Date): Promise<number> {
    let erased = 0
    for (const feature of features) erased += (await feature.erase?.(ctx.db, projectId, contactIds, now)) ?? 0
    return erased
  }

  return {
    deleteContactsIn,

    deleteContacts: (ctx: Context, projectId: string, ids: string[]): Promise<string[]> =>
      transaction(ctx.db, (tx) => deleteContactsIn(tx, projectId, ids, ctx.clock.now())),

    async eraseContacts(ctx: Context, { projectId, contactIds }: JobCatalogue['erase-contacts']): Promise<void> {
      const now = ctx.clock.now()
      for (let batch = 1; (await eraseBatch(ctx, projectId, contactIds, now)) > 0; batch++) {
        if (batch === BATCHES_MAX) {
          throw new TryAgainAt(now, { countsAsAttempt: false, reason: 'there is more to delete' })
        }
      }
      for (const feature of features) {
        const until = await feature.busyUntil?.(ctx.db, projectId, contactIds)
        if (until) throw new TryAgainAt(until, { countsAsAttempt: false, reason: 'an email is being sent' })
      }
    },
  }
}
