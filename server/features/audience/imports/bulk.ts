/**
 * One change to many contacts. A list of contacts is changed in the transaction that completes its job, so it happens
 * exactly once or not at all. Contacts that match a condition may be millions: each part is a transaction that also
 * records how far the job is.
 */
import type { Context } from '../../../context.ts'
import type { Condition } from '../../../kernel/conditions/condition.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { setSubscriptions } from '../contacts/actions.ts'
import type { Erasure } from '../contacts/erasure.ts'
import { createContactJob, type Matching, runContactJob } from './actions.ts'
import * as queries from './queries.ts'

export type BulkType = Exclude<queries.ContactJobType, 'IMPORT'>

/** A list may have as many contacts. */
const PART = 1_000

export async function startBulkChange(
  ctx: Context,
  matching: Matching,
  projectId: string,
  type: BulkType,
  change: { contactIds?: string[] | undefined; condition?: Condition | undefined; keepSuppression?: boolean },
  cause: ConsentCause,
) {
  const { contactIds, condition, keepSuppression: keepSuppressions = false } = change
  if (condition) await matching.check(ctx, ctx.db, projectId, condition)
  return createContactJob(ctx, { projectId, type, contactIds, condition, keepSuppressions, cause })
}

export async function changeContacts(
  ctx: Context,
  erasure: Erasure,
  matching: Matching,
  ref: queries.JobRef,
  part = PART,
): Promise<void> {
  await runContactJob(ctx, ref, async () => {
    let isDone = false
    while (!isDone) {
      isDone = await transaction(ctx.db, async (tx) => {
        const job = await queries.lockBulkJob(tx, ref)
        if (!job) return true
        if (job.condition)
          return changeMatching(ctx, tx, erasure, matching, ref, { ...job, condition: job.condition }, part)
        const now = ctx.clock.now()
        const given = job.contact_ids ?? []
        const contactIds = [...new Set(given)]
        const flipped = await applyChange(tx, erasure, ref.projectId, job, contactIds, now)
        const result = resultOf(given.length, contactIds, flipped)
        await queries.endJob(tx, ref, { status: 'COMPLETED', result }, now)
        return true
      })
    }
  })
}

/** Changes the next contacts that match, and returns whether they were the last. */
async function changeMatching(
  ctx: Context,
  tx: Tx,
  erasure: Erasure,
  matching: Matching,
  ref: queries.JobRef,
  job: queries.BulkInput & { condition: Condition },
  part: number,
): Promise<boolean> {
  const { projectId } = ref
  const now = ctx.clock.now()
  // A segment that was deleted since the request would have no members, and "not in it" would match every contact.
  await matching.check(ctx, tx, projectId, job.condition)
  // The id of the job is from the time of the request: contacts with later ids were created after it.
  const range = { after: job.last_contact_id, before: ref.jobId, limit: part }
  const before =
    job.result ?? resultOf(await matching.count(ctx, tx, projectId, job.condition, ref.jobId), [], new Map())
  const contactIds = await matching.next(ctx, tx, projectId, job.condition, range)
  const changed = await applyChange(tx, erasure, projectId, job, contactIds, now)
  const successCount = before.successCount + [...changed.values()].filter(Boolean).length
  const done = (job.result ? before.successCount + before.unchangedCount : 0) + contactIds.length
  const result = { ...before, successCount, unchangedCount: done - successCount }
  if (contactIds.length < part) {
    await queries.endJob(tx, ref, { status: 'COMPLETED', result: { ...result, totalRequested: done } }, now)
    return true
  }
  const progress = Math.min(99, Math.floor((done / Math.max(1, before.totalRequested)) * 100))
  await queries.moveBulkJob(tx, ref, { lastContactId: contactIds.at(-1)!, progress, result }, now)
  return false
}

/** Whether each existing contact changed. */
async function applyChange(
  tx: Tx,
  erasure: Erasure,
  projectId: string,
  job: Pick<queries.BulkInput, 'type' | 'keep_suppressions' | 'cause'>,
  contactIds: string[],
  now: Date,
): Promise<Map<string, boolean>> {
  if (job.type === 'BULK_DELETE') {
    const deleted = await erasure.deleteContactsIn(tx, projectId, contactIds, now)
    return new Map(deleted.map((id) => [id, true]))
  }
  const subscribed = job.type === 'BULK_SUBSCRIBE'
  const keepSuppressions = job.keep_suppressions
  const cause = job.cause ?? { source: 'api' as const }
  const found = await setSubscriptions(tx, { projectId, contactIds, subscribed, keepSuppressions, cause, now })
  return new Map(found.map(({ id, flipped }) => [id, flipped]))
}

function resultOf(totalRequested: number, contactIds: string[], changed: Map<string, boolean>): queries.BulkResult {
  const missing = contactIds.filter((id) => !changed.has(id))
  const successCount = [...changed.values()].filter(Boolean).length
  return {
    totalRequested,
    successCount,
    unchangedCount: totalRequested - successCount - missing.length,
    failureCount: missing.length,
    errors: missing.map((contactId) => ({ contactId, error: 'not found' })),
  }
}
