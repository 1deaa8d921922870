/**
 * Asks the contacts of an import to confirm their subscription, at the rate that was chosen for it. Each part is one
 * transaction that also records when the next one is due, so a restart neither loses nor repeats anything.
 */
import type { Context } from '../../../../context.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { transaction } from '../../../../platform/database/connection/transaction.ts'
import { enqueue } from '../../../../platform/queue/job-table.ts'
import { TryAgainAt } from '../../../../platform/queue/try-again.ts'
import { awaitConfirmations, listAwaiting, requestConfirmations } from '../../contacts/confirmations.ts'
import type { JobRef } from '../queries.ts'
import * as queries from './queries.ts'

const HOUR_MS = 3_600_000
const DISABLED_PAUSE_MS = 15 * 60_000

/** A part for each minute, or fewer if the rate is below one in a minute. */
const partOf = (perHour: number): number => Math.ceil(perHour / 60)

/** Part of the transaction that imports these contacts. They receive no marketing email until they confirm. */
export async function queueConfirmations(tx: Tx, ref: JobRef, emails: string[], now: Date): Promise<void> {
  if (emails.length === 0) return
  const contactIds = await awaitConfirmations(tx, ref.projectId, emails, now)
  if (contactIds.length === 0) return
  await queries.queueConfirmations(tx, ref, contactIds, now)
  await enqueue(tx, 'send-import-confirmations', ref, { jobKey: `send-import-confirmations ${ref.jobId}` })
}

export async function sendImportConfirmations(ctx: Context, { projectId, jobId }: JobRef): Promise<void> {
  const nextAt = await transaction(ctx.db, (tx) => sendPart(ctx, tx, { projectId, jobId }))
  if (nextAt) throw new TryAgainAt(nextAt, { countsAsAttempt: false, reason: 'the rate of confirmation emails' })
}

/** When the next contacts are due. Undefined after the last one. */
async function sendPart(ctx: Context, tx: Tx, ref: JobRef): Promise<Date | undefined> {
  const now = ctx.clock.now()
  const job = await queries.lockConfirmations(tx, ref)
  if (!job) return undefined
  if (job.disabled) return new Date(now.getTime() + DISABLED_PAUSE_MS)
  if (job.nextAt && job.nextAt > now) return job.nextAt
  const part = partOf(job.perHour)
  const next = await queries.takeConfirmations(tx, ref, part)
  if (next.length === 0) return undefined
  const contactIds = await listAwaiting(tx, ref.projectId, next)
  const cause = job.cause ?? { source: 'import' as const }
  const requested = await requestConfirmations(tx, [{ projectId: ref.projectId, contactIds, cause, now }])
  const nextAt = new Date(now.getTime() + Math.ceil((part * HOUR_MS) / job.perHour))
  const skipped = next.length - requested.length
  await queries.moveConfirmations(tx, ref, { sent: requested.length, skipped, nextAt }, now)
  return next.length < part ? undefined : nextAt
}
