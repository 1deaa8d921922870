/**
 * Deleting contacts, and forgetting what was known about them. The contact is gone and its mail stopped when the
 * deletion commits; a job then goes through everything else in batches, however much there is.
 */
import type { Context } from '../../context.ts'
import type { Tx } from '../../platform/database/connect.ts'
import type { JobCatalogue } from '../../platform/queue/catalogue.ts'
import { TryAgainAt } from '../../platform/queue/try-again.ts'
import * as queries from './queries.ts'

/** Takes 100,000 events in some seconds, without a statement that takes longer than a moment. */
const EVENTS_AT_ONCE = 5_000
const EMAILS_AT_ONCE = 500
const EXECUTIONS_AT_ONCE = 500
/** Then other jobs have their turn. */
const BATCHES_MAX = 20

/** Returns the ids that were there. */
export const deleteContacts = (ctx: Context, projectId: string, ids: string[]): Promise<string[]> =>
  queries.deleteContacts(ctx.db, projectId, ids, ctx.clock.now())

/** The same as a part of a larger transaction. */
export const deleteContactsIn = (tx: Tx, projectId: string, ids: string[], now: Date): Promise<string[]> =>
  queries.deleteContacts(tx, projectId, ids, now)

export async function eraseContacts(ctx: Context, { projectId, contactIds }: JobCatalogue['erase-contacts']) {
  const now = ctx.clock.now()
  await queries.leaveSegments(ctx.db, projectId, contactIds)
  for (let batch = 1; ; batch++) {
    const erased =
      (await queries.eraseEmails(ctx.db, projectId, contactIds, now, EMAILS_AT_ONCE)) +
      (await queries.eraseEvents(ctx.db, projectId, contactIds, EVENTS_AT_ONCE)) +
      (await queries.eraseExecutions(ctx.db, projectId, contactIds, now, EXECUTIONS_AT_ONCE))
    if (erased === 0) break
    if (batch === BATCHES_MAX) throw new TryAgainAt(now, { countsAsAttempt: false, reason: 'there is more to erase' })
  }
  const sendingUntil = await queries.findLease(ctx.db, projectId, contactIds)
  if (sendingUntil) {
    throw new TryAgainAt(sendingUntil, { countsAsAttempt: false, reason: 'an email is being sent' })
  }
}
