/**
 * The record of consent: every change of a subscription, with its cause. It is written by the statements that change
 * subscriptions (`recordConsents`) and never changed; erasing a contact deletes its part.
 */
import { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { cursorPage } from '../../../kernel/pages.ts'
import { dayRange, type TimeRange } from '../../../kernel/time-range.ts'
import { csvLine, escapeFormula } from '../../../platform/csv-line.ts'
import type { Database } from '../../../platform/database/connection/connect.ts'
import * as queries from './queries.ts'
import type { ConsentListQuery } from './schemas.ts'

export async function listConsents(
  ctx: Context,
  projectId: string,
  contactId: string,
  { cursor, limit }: z.output<typeof ConsentListQuery>,
) {
  if (!(await queries.contactExists(ctx.db, projectId, contactId))) throw notFound('contact', contactId)
  const [rows, total] = await Promise.all([
    queries.listConsents(ctx.db, projectId, contactId, { before: cursor, limit }),
    cursor === undefined ? queries.countConsents(ctx.db, projectId, contactId) : 0,
  ])
  return cursorPage(rows, limit, total, showConsent)
}

export const findObjection = async (ctx: Context, projectId: string, email: string) => ({
  objectedAt: (await queries.findObjection(ctx.db, projectId, email)) ?? null,
})

export const showConsent = (row: queries.ConsentRow) => ({
  id: row.id,
  at: row.at,
  kind: row.kind,
  topic: row.topic,
  source: row.source,
  ip: row.ip,
  userAgent: row.user_agent,
  text: row.text,
  by: row.actor_type && { type: row.actor_type, id: row.actor_id, name: row.actor_name },
})

/** By default, the last 30 days. */
export async function measureConfirmations(ctx: Context, projectId: string, range: TimeRange) {
  const days = dayRange(range, ctx.clock.now())
  const [data, { asked, confirmed }, pending] = await Promise.all([
    queries.countConfirmationDays(ctx.db, projectId, days),
    queries.countConfirmationTotals(ctx.db, projectId, days),
    queries.countPending(ctx.db, projectId),
  ])
  return { asked, confirmed, rate: asked === 0 ? 0 : confirmed / asked, pending, data }
}

const ROWS_AT_ONCE = 1_000

/** All consents of a project, by contact and oldest first, at the speed of the client. */
export async function exportConsents(ctx: Context, projectId: string, format: 'csv' | 'json'): Promise<Readable> {
  const first = await queries.listConsentsAfter(ctx.db, projectId, undefined, ROWS_AT_ONCE)
  const pages = pagesAfter(ctx, projectId, first)
  return Readable.from(format === 'csv' ? writeCsv(pages) : writeJson(pages), { objectMode: false })
}

async function* pagesAfter(ctx: Context, projectId: string, first: ExportedRow[]): AsyncGenerator<ExportedRow[]> {
  let rows = first
  while (rows.length > 0) {
    yield rows
    const { contact_id: contactId, id } = rows.at(-1)!
    rows = await queries.listConsentsAfter(ctx.db, projectId, { contactId, id }, ROWS_AT_ONCE)
  }
}

async function* writeCsv(pages: AsyncIterable<ExportedRow[]>): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([name]) => name))
  for await (const rows of pages) {
    yield rows.map((row) => csvLine(COLUMNS.map(([, read]) => escapeFormula(read(row) ?? '')))).join('')
  }
}

async function* writeJson(pages: AsyncIterable<ExportedRow[]>): AsyncGenerator<string> {
  let separator = '['
  for await (const rows of pages) {
    const items = rows.map((row) =>
      JSON.stringify({ contactId: row.contact_id, email: row.email, ...showConsent(row) }),
    )
    yield `${separator}\n${items.join(',\n')}`
    separator = ','
  }
  yield separator === '[' ? '[]\n' : '\n]\n'
}

type ExportedRow = queries.ConsentRow & { email: string | null }

const COLUMNS: Array<[string, (row: ExportedRow) => string | null]> = [
  ['at', (row) => row.at.toISOString()],
  ['email', (row) => row.email],
  ['contactId', (row) => row.contact_id],
  ['kind', (row) => row.kind],
  ['topic', (row) => row.topic],
  ['source', (row) => row.source],
  ['ip', (row) => row.ip],
  ['userAgent', (row) => row.user_agent],
  ['text', (row) => row.text],
  ['byType', (row) => row.actor_type],
  ['byId', (row) => row.actor_id],
  ['byName', (row) => row.actor_name],
]

const ERASE_AT_ONCE = 5_000

/** When contacts are deleted. */
export const consentsOfContacts = {
  erase: (db: Database, projectId: string, contactIds: string[]): Promise<number> =>
    queries.eraseConsents(db, projectId, contactIds, ERASE_AT_ONCE),
}
