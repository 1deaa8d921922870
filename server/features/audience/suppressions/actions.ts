/**
 * Suppressions: addresses that never receive marketing email. They are separate from contacts, so that deleting and
 * importing a contact again doesn't send email to someone who complained.
 */
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { normalizeEmail } from '../../../kernel/email-address.ts'
import { notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { cursorPage } from '../../../kernel/pages.ts'
import * as queries from './queries.ts'
import type { NewSuppression, SuppressionListQuery } from './schemas.ts'

export { isSuppressed } from './queries.ts'

export async function listSuppressions(ctx: Context, projectId: string, query: z.output<typeof SuppressionListQuery>) {
  const { cursor, limit, email: emails, search } = query
  const [rows, total] = await Promise.all([
    queries.listSuppressions(ctx.db, projectId, { emails, search, before: cursor, limit }),
    cursor === undefined ? queries.countSuppressions(ctx.db, projectId, { emails, search }) : 0,
  ])
  return cursorPage(rows, limit, total, showSuppression)
}

/** Of the address of a contact. */
export async function listSuppressionsOf(ctx: Context, projectId: string, contactId: string) {
  const row = await queries.findSuppressionOf(ctx.db, projectId, contactId)
  return { data: row ? [showSuppression(row)] : [], cursor: null }
}

export async function addSuppression(ctx: Context, projectId: string, input: z.output<typeof NewSuppression>) {
  const now = ctx.clock.now()
  const row = { id: newId(now), email: input.email, reason: input.reason, created_at: now }
  const found = await queries.insertSuppression(ctx.db, projectId, row)
  return { isNew: found.is_new, suppression: showSuppression(found) }
}

export async function deleteSuppression(ctx: Context, projectId: string, email: string): Promise<void> {
  const lifted = await queries.liftSuppressions(ctx.db, projectId, [normalizeEmail(email)], ctx.clock.now())
  if (lifted === 0) throw notFound('suppression', email)
}

const showSuppression = (row: queries.SuppressionRow) => ({
  id: row.id,
  email: row.email,
  reason: row.reason,
  createdAt: row.created_at,
})
