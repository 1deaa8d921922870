/**
 * Suppressions: addresses that receive no marketing email, or none of a topic. They are separate from contacts, so that
 * deleting and importing a contact again doesn't send email to someone who complained.
 */
import { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { normalizeEmail } from '../../../kernel/email-address.ts'
import { invalidField, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { cursorPage } from '../../../kernel/pages.ts'
import { csvLine, escapeFormula } from '../../../platform/csv-line.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { type Actor, recordAuditEntry } from '../../record/audit/actions.ts'
import * as lists from './list-queries.ts'
import * as queries from './queries.ts'
import { type NewSuppression, REMOVED_MAX, type SuppressionChoice, type SuppressionListQuery } from './schemas.ts'

export {
  findTopicNumbers,
  insertSuppressions,
  isSuppressed,
  liftTopicSuppressions,
  type NewSuppressionRow,
} from './queries.ts'

export async function listSuppressions(ctx: Context, projectId: string, query: z.output<typeof SuppressionListQuery>) {
  const { cursor, limit, email: emails, ...rest } = query
  const filter = { emails, ...rest }
  const [rows, total] = await Promise.all([
    lists.listSuppressions(ctx.db, projectId, { ...filter, before: cursor, limit }),
    cursor === undefined ? lists.countSuppressions(ctx.db, projectId, filter) : 0,
  ])
  return cursorPage(rows, limit, total, showSuppression)
}

/** The suppressions of a contact's address. */
export async function listSuppressionsOf(ctx: Context, projectId: string, contactId: string) {
  const rows = await lists.findSuppressionsOf(ctx.db, projectId, contactId)
  return { data: rows.map(showSuppression), cursor: null }
}

const ROWS_AT_ONCE = 1_000

/** A CSV file of all suppressions, newest first, at the speed of the client. `POST /suppressions/import` accepts it. */
export async function exportSuppressions(ctx: Context, projectId: string): Promise<Readable> {
  const read = (before?: string) => lists.listSuppressions(ctx.db, projectId, { before, limit: ROWS_AT_ONCE })
  const first = await read()
  return Readable.from(
    (async function* () {
      yield csvLine(['email', 'reason', 'topic', 'createdAt'])
      for (let rows = first; rows.length > 0; rows = await read(rows.at(-1)!.id)) {
        yield rows
          .map(({ email, reason, topic, created_at: at }) =>
            csvLine([escapeFormula(email), reason, topic ?? '', at.toISOString()]),
          )
          .join('')
      }
    })(),
    { objectMode: false },
  )
}

export async function addSuppression(
  ctx: Context,
  projectId: string,
  { email, reason, topic = null }: z.output<typeof NewSuppression>,
  who: Actor,
) {
  return transaction(ctx.db, async (tx) => {
    const number = topic === null ? null : await requireTopicNumber(tx, projectId, topic)
    const now = ctx.clock.now()
    const row = { id: newId(now), email, reason, created_at: now, topic: number }
    const isNew = (await queries.insertSuppressions(tx, projectId, [row])) > 0
    if (isNew)
      await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'suppression.added', details: { email, topic } })
    const found = await lists.findSuppression(tx, projectId, email, topic)
    // One that existed can have been removed since.
    return { isNew, suppression: showSuppression(found ?? { ...row, topic }) }
  })
}

async function requireTopicNumber(tx: Tx, projectId: string, key: string): Promise<number> {
  const number = (await queries.findTopicNumbers(tx, projectId, [key])).get(key)
  if (number === undefined) {
    throw invalidField('topic', `There is no topic with the key "${key.slice(0, 100)}".`, 'unknown_topic')
  }
  return number
}

/** Without a topic, the suppression of all marketing email. */
export async function deleteSuppression(
  ctx: Context,
  projectId: string,
  address: string,
  topic: string | undefined,
  who: Actor,
): Promise<void> {
  const email = normalizeEmail(address)
  await transaction(ctx.db, async (tx) => {
    const now = ctx.clock.now()
    const lifted =
      topic === undefined
        ? await queries.liftSuppressions(tx, projectId, [email], now)
        : await queries.liftTopicSuppressions(
            tx,
            projectId,
            { email, topics: [await requireTopicNumber(tx, projectId, topic)] },
            now,
          )
    if (lifted === 0) throw notFound('suppression', address)
    const details = { email, topic: topic ?? null }
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'suppression.removed', details })
  })
}

/** The newest first, in one transaction with their entry in the audit log. */
export async function deleteSuppressions(
  ctx: Context,
  projectId: string,
  choice: z.output<typeof SuppressionChoice>,
  who: Actor,
) {
  const { ids, filter } = choice
  const chosen = ids === undefined ? { ...filter } : { ids }
  return transaction(ctx.db, async (tx) => {
    const removed = await lists.liftMatching(tx, projectId, chosen, { now: ctx.clock.now(), limit: REMOVED_MAX })
    if (removed > 0) {
      const details = { ...filter, removedCount: removed }
      await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'suppressions.removed', details })
    }
    return {
      removedCount: removed,
      hasMore: (await lists.listSuppressions(tx, projectId, { ...chosen, limit: 1 })).length > 0,
    }
  })
}

const showSuppression = (row: lists.SuppressionRow) => ({
  id: row.id,
  email: row.email,
  reason: row.reason,
  topic: row.topic,
  createdAt: row.created_at,
})
