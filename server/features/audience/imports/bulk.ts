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
import type { Actor } from '../../record/audit/actions.ts'
import { setSubscriptions } from '../contacts/actions.ts'
import type { Erasure } from '../contacts/erasure.ts'
import { readDecisions, setTopics, type TopicChoices } from '../contacts/topics.ts'
import { createContactJob, type LaterTargets, type Matching, runContactJob, type Target } from './actions.ts'
import * as queries from './queries.ts'

export type BulkType = Exclude<queries.ContactJobType, 'IMPORT'>

/** A list may have as many contacts. */
const PART = 1_000

/** What finds and changes the contacts. */
export interface BulkTools {
  matching: Matching
  targets: LaterTargets
}

/** Topics of contacts belong to an earlier feature. */
const topicsTarget: Target<TopicChoices> = {
  prepare: async (ctx, projectId, topics) => void (await readDecisions(ctx, projectId, topics)),
  change: (ctx, tx, projectId, topics, { contactIds, cause }) =>
    setTopics(ctx, tx, { projectId, contactIds, topics, cause }),
}

/** With the feature that it belongs to. */
function targetOf<T>(given: queries.BulkTarget, targets: LaterTargets, use: <V>(target: Target<V>, value: V) => T): T {
  if ('segmentId' in given) return use(targets.segmentId, given.segmentId)
  if ('workflowId' in given) return use(targets.workflowId, given.workflowId)
  return use(topicsTarget, given.topics)
}

export async function startBulkChange(
  ctx: Context,
  { matching, targets }: BulkTools,
  projectId: string,
  type: BulkType,
  change: {
    contactIds?: string[] | undefined
    condition?: Condition | undefined
    keepSuppression?: boolean
    target?: queries.BulkTarget | undefined
  },
  cause: ConsentCause,
  who: Actor,
) {
  const { contactIds, condition, keepSuppression: keepSuppressions = false, target } = change
  if (condition) await matching.check(ctx, ctx.db, projectId, condition)
  if (target) await targetOf(target, targets, (feature, value) => feature.prepare(ctx, projectId, value, who))
  return createContactJob(ctx, { projectId, type, contactIds, condition, keepSuppressions, target, cause })
}

export async function changeContacts(
  ctx: Context,
  erasure: Erasure,
  tools: BulkTools,
  ref: queries.JobRef,
  part = PART,
): Promise<void> {
  const apply: Apply = (tx, job, contactIds) => applyChange(ctx, tx, { erasure, ...tools }, ref, job, contactIds)
  await runContactJob(ctx, ref, async () => {
    let isDone = false
    while (!isDone) {
      isDone = await transaction(ctx.db, async (tx) => {
        const job = await queries.lockBulkJob(tx, ref)
        if (!job) return true
        if (job.condition)
          return changeMatching(ctx, tx, tools.matching, ref, { ...job, condition: job.condition }, apply, part)
        const now = ctx.clock.now()
        const given = job.contact_ids ?? []
        const contactIds = [...new Set(given)]
        const flipped = await apply(tx, job, contactIds)
        const result = resultOf(given.length, contactIds, flipped)
        await queries.endJob(tx, ref, { status: 'COMPLETED', result }, now)
        return true
      })
    }
  })
}

type AppliedJob = Pick<queries.BulkInput, 'type' | 'keep_suppressions' | 'cause' | 'target'>
type Apply = (tx: Tx, job: AppliedJob, contactIds: string[]) => Promise<Map<string, boolean>>

/** Changes the next contacts that match, and returns whether they were the last. */
async function changeMatching(
  ctx: Context,
  tx: Tx,
  matching: Matching,
  ref: queries.JobRef,
  job: queries.BulkInput & { condition: Condition },
  apply: Apply,
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
  const changed = await apply(tx, job, contactIds)
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
  ctx: Context,
  tx: Tx,
  { erasure, targets }: BulkTools & { erasure: Erasure },
  { projectId, jobId }: queries.JobRef,
  job: AppliedJob,
  contactIds: string[],
): Promise<Map<string, boolean>> {
  const now = ctx.clock.now()
  const cause = job.cause ?? { source: 'api' as const }
  if (job.target) {
    const change = { contactIds, jobId, cause }
    return targetOf(job.target, targets, (feature, value) => feature.change(ctx, tx, projectId, value, change))
  }
  if (job.type === 'BULK_DELETE') {
    const deleted = await erasure.deleteContactsIn(tx, projectId, contactIds, now)
    return new Map(deleted.map((id) => [id, true]))
  }
  const subscribed = job.type === 'BULK_SUBSCRIBE'
  const keepSuppressions = job.keep_suppressions
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
