/**
 * Contacts from a file. The upload is checked and kept; a job goes through it in batches, each one transaction that
 * writes contacts and moves the job, so nothing is done twice and a restart goes on where the last batch ended.
 */
import type { Context } from '../../context.ts'
import type { Tx } from '../../platform/database/connect.ts'
import { transaction } from '../../platform/database/transaction.ts'
import type { JobRun } from '../../platform/queue/catalogue.ts'
import { newPerson } from './actions.ts'
import { createContactJob, runContactJob } from './contact-jobs.ts'
import { type CsvWindow, readRows } from './csv-rows.ts'
import { readLayout } from './import-layout.ts'
import {
  addToResult,
  EMPTY_RESULT,
  mergeChanges,
  type Outcome,
  outcomesOf,
  type RowChange,
  readChanges,
} from './import-rows.ts'
import * as queries from './job-queries.ts'

export const IMPORT_BYTES_MAX = 5 * 1024 * 1024

/** Twenty to thirty milliseconds of reading, and a transaction of a tenth of a second. */
const BATCH_ROWS = 2_000
const WINDOW_BYTES = 256 * 1024
const SUBSCRIBED_BY_DEFAULT = true

export async function startImport(ctx: Context, projectId: string, file: Buffer): Promise<{ jobId: string }> {
  const layout = readLayout(file)
  const start = { bytes: layout.start, rows: layout.headerRows }
  return createContactJob(ctx, { projectId, type: 'IMPORT', file, layout, start })
}

export async function importContacts(
  ctx: Context,
  ref: queries.JobRef,
  run: Pick<JobRun, 'attempt' | 'maxAttempts'>,
  batchRows = BATCH_ROWS,
): Promise<void> {
  await runContactJob(ctx, ref, run, async () => {
    let open = true
    while (open) open = await importBatch(ctx, ref, batchRows)
  })
}

/** False when the import is at its end. Another worker at the same place does no harm: one of them moves, one looks again. */
async function importBatch(ctx: Context, ref: queries.JobRef, batchRows: number): Promise<boolean> {
  const next = await readBatch(ctx, ref, batchRows)
  if (!next) return false
  const { step, window } = next
  const bytesDone = step.bytes_done + window.bytes
  const rowsDone = step.rows_done + window.rows.length
  const atEnd = bytesDone >= step.file_bytes
  const { changes, errors } = readChanges(step.layout, window.rows, step.rows_done)

  await transaction(ctx.db, async (tx) => {
    const job = await queries.lockImport(tx, ref, step.bytes_done)
    if (!job) return
    const now = ctx.clock.now()
    const outcomes = await writeChanges(tx, ref.projectId, changes, now)
    const result = addToResult(job.result ?? EMPTY_RESULT, outcomes, errors)
    const progress = Math.min(99, Math.floor((bytesDone / step.file_bytes) * 100))
    await queries.moveImport(tx, ref, { bytesDone, rowsDone, progress, result }, now)
    if (atEnd) await queries.endJob(tx, ref, { status: 'COMPLETED', result }, now)
  })
  return !atEnd
}

/** The next rows of the file. Nothing when the job is done; a row that is larger than the window widens it. */
async function readBatch(
  ctx: Context,
  ref: queries.JobRef,
  rowsMax: number,
): Promise<{ step: queries.ImportStep; window: CsvWindow } | undefined> {
  for (let windowBytes = WINDOW_BYTES; ; windowBytes *= 2) {
    const step = await queries.readImport(ctx.db, ref, windowBytes)
    if (!step) return undefined
    const atEnd = step.bytes_done + step.window.length >= step.file_bytes
    const window = readRows(step.window, { delimiter: step.layout.delimiter, rowsMax, atEnd })
    if (window.bytes > 0 || atEnd) return { step, window }
  }
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
          subscribedByDefault: SUBSCRIBED_BY_DEFAULT,
          removed: [],
        })
      : []

  const single = written.filter(({ email }) => !repeated.has(email))
  const known = new Map(before.map((contact) => [contact.email, contact]))
  return [
    ...single.map(({ is_new, changed }): Outcome => (is_new ? 'created' : changed ? 'updated' : 'unchanged')),
    ...[...repeated].flatMap(([email, rows]) => outcomesOf(rows, known.get(email), SUBSCRIBED_BY_DEFAULT)),
  ]
}
