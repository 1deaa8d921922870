/**
 * One change to many contacts. The change and the completion of its job are one transaction, so it happens exactly once
 * or not at all.
 */
import type { Context } from '../../context.ts'
import type { Tx } from '../../platform/database/connect.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { setSubscriptions } from '../contacts/actions.ts'
import type { Erasure } from '../erasure/actions.ts'
import { createContactJob, runContactJob } from './actions.ts'
import * as queries from './queries.ts'

export type BulkType = Exclude<queries.ContactJobType, 'IMPORT'>

export interface BulkResult {
  totalRequested: number
  successCount: number
  /** Unchanged, or named twice. */
  unchangedCount: number
  failureCount: number
  errors: Array<{ contactId: string; error: string }>
}

export const startBulkChange = (
  ctx: Context,
  projectId: string,
  type: BulkType,
  { contactIds, keepSuppression = false }: { contactIds: string[]; keepSuppression?: boolean },
) => createContactJob(ctx, { projectId, type, contactIds, keepSuppressions: keepSuppression })

export async function changeContacts(ctx: Context, erasure: Erasure, ref: queries.JobRef): Promise<void> {
  await runContactJob(ctx, ref, () =>
    transaction(ctx.db, async (tx) => {
      const job = await queries.lockBulkJob(tx, ref)
      if (!job) return
      const now = ctx.clock.now()
      const contactIds = [...new Set(job.contact_ids)]
      const flipped = await applyChange(tx, erasure, ref.projectId, job, contactIds, now)
      const result = resultOf(job.contact_ids.length, contactIds, flipped)
      await queries.endJob(tx, ref, { status: 'COMPLETED', result }, now)
    }),
  )
}

/** Whether each existing contact changed. */
async function applyChange(
  tx: Tx,
  erasure: Erasure,
  projectId: string,
  job: Pick<queries.BulkInput, 'type' | 'keep_suppressions'>,
  contactIds: string[],
  now: Date,
): Promise<Map<string, boolean>> {
  if (job.type === 'BULK_DELETE') {
    const deleted = await erasure.deleteContactsIn(tx, projectId, contactIds, now)
    return new Map(deleted.map((id) => [id, true]))
  }
  const subscribed = job.type === 'BULK_SUBSCRIBE'
  const keepSuppressions = job.keep_suppressions
  const found = await setSubscriptions(tx, { projectId, contactIds, subscribed, keepSuppressions, now })
  return new Map(found.map(({ id, flipped }) => [id, flipped]))
}

function resultOf(totalRequested: number, contactIds: string[], changed: Map<string, boolean>): BulkResult {
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
