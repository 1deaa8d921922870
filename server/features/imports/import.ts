/**
 * Imports contacts from a file. The upload is validated and stored; a job processes it in batches. Each batch is one
 * transaction that writes contacts and advances the job, so nothing is done twice and a restart continues after the
 * last batch.
 */
import type { Context } from '../../context.ts'
import { TOO_MUCH_TO_STORE } from '../../kernel/contact-data.ts'
import { SUBSCRIBED_IF_NEW } from '../../kernel/subscription.ts'
import type { Tx } from '../../platform/database/connect.ts'
import { transaction } from '../../platform/database/transaction.ts'
import { isTooMuchData, newPerson } from '../contacts/actions.ts'
import { createContactJob, runContactJob } from './actions.ts'
import { readRows } from './csv-rows.ts'
import { type ColumnMapping, readLayout } from './layout.ts'
import * as queries from './queries.ts'
import {
  addToResult,
  EMPTY_RESULT,
  mergeChanges,
  type Outcome,
  outcomesOf,
  type RowChange,
  type RowError,
  readChanges,
} from './rows.ts'

export const IMPORT_BYTES_MAX = 5 * 1024 * 1024

/**
 * Ten milliseconds of reading and a transaction of about 50 ms. Twice the size is hardly faster and needs more memory:
 * with 5 MB the process grew by 105 MB, now by 77.
 */
const BATCH_ROWS = 1000
const WINDOW_BYTES = 64 * 1024

export async function startImport(
  ctx: Context,
  projectId: string,
  file: Buffer,
  mapping?: ColumnMapping,
): Promise<{ jobId: string }> {
  const layout = readLayout(file, mapping)
  const start = { bytes: layout.start, rows: layout.headerRows }
  return createContactJob(ctx, { projectId, type: 'IMPORT', file, layout, start })
}

export async function importContacts(ctx: Context, ref: queries.JobRef, batchRows = BATCH_ROWS): Promise<void> {
  await runContactJob(ctx, ref, async () => {
    let batch = await readBatch(ctx, ref, batchRows)
    while (batch) {
      // The next rows are read while the database writes these.
      const ahead = batch.atEnd ? undefined : readBatch(ctx, ref, batchRows, batch.to)
      const [moved, next] = await Promise.all([writeWhatFits(ctx, ref, batch), ahead])
      batch = moved ? next : await readBatch(ctx, ref, batchRows)
    }
  })
}

interface Batch {
  from: queries.ImportPlace
  to: queries.ImportPlace
  fileBytes: number
  atEnd: boolean
  changes: RowChange[]
  errors: RowError[]
}

/** The rows at an offset of the file, by default the job's own. Undefined if the job is done. */
async function readBatch(
  ctx: Context,
  ref: queries.JobRef,
  rowsMax: number,
  place?: queries.ImportPlace,
): Promise<Batch | undefined> {
  // The window grows if a row is larger.
  for (let windowBytes = WINDOW_BYTES; ; windowBytes *= 2) {
    const step = await queries.readImport(ctx.db, ref, windowBytes, place)
    if (!step) return undefined
    const { from, layout, file_bytes: fileBytes } = step
    const reachesEnd = from.bytes + step.window.length >= fileBytes
    const { rows, bytes } = readRows(step.window, { delimiter: layout.delimiter, rowsMax, atEnd: reachesEnd })
    if (bytes === 0 && !reachesEnd) continue
    const to = { bytes: from.bytes + bytes, rows: from.rows + rows.length }
    return { from, to, fileBytes, atEnd: to.bytes >= fileBytes, ...readChanges(layout, rows, from.rows) }
  }
}

/** Rows that would give a contact too much data fail individually; the others are written. */
async function writeWhatFits(ctx: Context, ref: queries.JobRef, batch: Batch): Promise<boolean> {
  try {
    return await writeBatch(ctx, ref, batch)
  } catch (error) {
    if (!isTooMuchData(error)) throw error
    const { merged } = mergeChanges(batch.changes)
    const large = new Set(await queries.findTooLarge(ctx.db, ref.projectId, merged))
    if (large.size === 0) throw error
    const failed = batch.changes.filter(({ email }) => large.has(email))
    return writeWhatFits(ctx, ref, {
      ...batch,
      changes: batch.changes.filter(({ email }) => !large.has(email)),
      errors: [...batch.errors, ...failed.map(({ row, email }) => ({ row: row!, email, error: TOO_MUCH_TO_STORE }))],
    })
  }
}

/** False if another worker has already advanced the job. */
async function writeBatch(ctx: Context, ref: queries.JobRef, batch: Batch): Promise<boolean> {
  return transaction(ctx.db, async (tx) => {
    const job = await queries.lockImport(tx, ref, batch.from)
    if (!job) return false
    const now = ctx.clock.now()
    const outcomes = await writeChanges(tx, ref.projectId, batch.changes, now)
    const result = addToResult(job.result ?? EMPTY_RESULT, outcomes, batch.errors)
    const progress = Math.min(99, Math.floor((batch.to.bytes / batch.fileBytes) * 100))
    await queries.moveImport(tx, ref, batch.to, { progress, result }, now)
    if (batch.atEnd) await queries.endJob(tx, ref, { status: 'COMPLETED', result }, now)
    return true
  })
}

async function writeChanges(tx: Tx, projectId: string, changes: RowChange[], now: Date): Promise<Outcome[]> {
  const { merged, repeated } = mergeChanges(changes)
  const before = repeated.size > 0 ? await queries.findContactsByEmail(tx, projectId, [...repeated.keys()]) : []
  const people = merged.map(({ email, patch, subscribed }) => newPerson(now, email, patch, subscribed))
  const written =
    people.length > 0
      ? await queries.upsertPeople(tx, {
          projectId,
          now,
          people,
          subscribedByDefault: SUBSCRIBED_IF_NEW.import,
          removed: [],
        })
      : []

  const single = written.filter(({ email }) => !repeated.has(email))
  const known = new Map(before.map((contact) => [contact.email, contact]))
  return [
    ...single.map(({ is_new, changed }): Outcome => (is_new ? 'created' : changed ? 'updated' : 'unchanged')),
    ...[...repeated].flatMap(([email, rows]) => outcomesOf(rows, known.get(email))),
  ]
}
