/** Events are kept for EVENT_RETENTION_DAYS, in whole months: a month is dropped when its last day is old enough. */
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { dropMonth, listOldMonths } from './retention-queries.ts'

const DAY_MS = 86_400_000

export async function deleteOldEvents(ctx: Context): Promise<void> {
  const days = ctx.settings.EVENT_RETENTION_DAYS
  if (days === 0) return
  const before = new Date(ctx.clock.now().getTime() - days * DAY_MS)
  for (const month of await listOldMonths(ctx.db, before)) await transaction(ctx.db, (tx) => dropMonth(tx, month))
}
