/** Bodies and attachments are kept for BODY_RETENTION_DAYS; the ledger stays. */
import type { Context } from '../../context.ts'
import { dropPartitionsBefore } from '../../platform/database/partitions.ts'
import * as queries from './ledger-queries.ts'

const DAY_MS = 24 * 3_600_000
const BATCH = 5_000

/** Whole months at once, the rest in batches. */
export async function forgetOldBodies(ctx: Context): Promise<void> {
  const days = ctx.settings.BODY_RETENTION_DAYS
  if (days === 0) return
  const before = new Date(ctx.clock.now().getTime() - days * DAY_MS)
  await dropPartitionsBefore(ctx.db, 'email_contents', before)
  while ((await queries.forgetContents(ctx.db, before, BATCH)) === BATCH);
  while ((await queries.forgetCaptured(ctx.db, before, BATCH)) === BATCH);
}
