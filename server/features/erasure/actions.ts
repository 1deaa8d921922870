/**
 * Deleting contacts, and erasing what is known about them. The contact is gone and its mail stopped when the deletion
 * commits; a job then erases everything else in batches. Each feature that stores something about contacts brings its
 * own part; app.ts lists them.
 */
import type { Context } from '../../context.ts'
import type { Database, Tx } from '../../platform/database/connect.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { JobCatalogue } from '../../platform/queue/catalogue.ts'
import { enqueue } from '../../platform/queue/enqueue.ts'
import { TryAgainAt } from '../../platform/queue/try-again.ts'
import { deleteContactRows } from '../contacts/actions.ts'

/** What a feature does when contacts are deleted. */
export interface KnowsContacts {
  /** In the transaction of the deletion: whatever must have stopped when it commits. */
  stop?(tx: Tx, projectId: string, contactIds: string[], now: Date): Promise<unknown>
  /** Later: erases a batch and returns how many rows that were. Called until there are none. Rows stay where counts need them. */
  erase?(db: Database, projectId: string, contactIds: string[], now: Date): Promise<number>
  /** Until when something can't be erased yet, if anything can't. */
  busyUntil?(db: Database, projectId: string, contactIds: string[]): Promise<Date | undefined>
}

export type Erasure = ReturnType<typeof createErasure>

/** Then other jobs have their turn. */
const BATCHES_MAX = 20
/** Whatever was in progress while the contact was deleted has been written by then. */
const SECOND_LOOK_MS = 5 * 60_000

export function createErasure(features: KnowsContacts[]) {
  /** Returns the ids that were there. An email that is being sent at this moment is not waited for. */
  async function deleteContactsIn(tx: Tx, projectId: string, ids: string[], now: Date): Promise<string[]> {
    const contactIds = await deleteContactRows(tx, projectId, ids)
    if (contactIds.length === 0) return []
    for (const feature of features) await feature.stop?.(tx, projectId, contactIds, now)
    for (const runAt of [now, new Date(now.getTime() + SECOND_LOOK_MS)]) {
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
