/**
 * Imports contacts from a file. The upload is validated and stored; a job processes it in batches. Each batch is one
 * transaction that writes contacts and advances the job, so nothing is done twice and a restart continues after the
 * last batch.
 */
import type { Context } from '../../../context.ts'
import type { ConsentCause } from '../../../kernel/consent/cause.ts'
import { looksLikeStatus } from '../../../kernel/consent/status-columns.ts'
import { TOO_MUCH_TO_STORE } from '../../../kernel/contact-data.ts'
import { invalidField } from '../../../kernel/errors.ts'
import { SUBSCRIBED_IF_NEW } from '../../../kernel/subscription.ts'
import type { Tx } from '../../../platform/database/connection/connect.ts'
import { transaction } from '../../../platform/database/connection/transaction.ts'
import { isTooMuchData, newPerson } from '../contacts/actions.ts'
import { listTopicRules } from '../contacts/topics.ts'
import { createContactJob, runContactJob } from './actions.ts'
import { queueConfirmations } from './confirmations/actions.ts'
import { readRows } from './csv/csv-rows.ts'
import { type ColumnMapping, type ImportLayout, readLayout, TOPIC_COLUMN, topicKeysIn } from './layout.ts'
import * as queries from './queries.ts'
import {
  addToResult,
  decisionsOf,
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
export const BATCH_ROWS = 1000
export const WINDOW_BYTES = 64 * 1024

export interface ImportOptions {
  mapping?: ColumnMapping | undefined
  hasHeader?: boolean
  /** Whether new contacts are subscribed if their row doesn't say so. */
  subscribeNew?: boolean
  confirmationsPerHour?: number | undefined
}

/** Refuses a file that can't be imported. */
export async function readImportLayout(
  ctx: Context,
  projectId: string,
  file: Buffer,
  { mapping, hasHeader = true, subscribeNew = true }: ImportOptions,
): Promise<ImportLayout> {
  const layout = await withTopics(ctx, projectId, readLayout(file, { mapping, hasHeader }))
  return subscribeNew ? layout : { ...layout, newUnsubscribed: true }
}

export async function startImport(
  ctx: Context,
  projectId: string,
  file: Buffer,
  cause: ConsentCause,
  options: ImportOptions = {},
): Promise<{ jobId: string; warnings: string[] }> {
  const { confirmationsPerHour } = options
  const layout = await readImportLayout(ctx, projectId, file, options)
  const start = { bytes: layout.start, rows: layout.headerRows }
  const { jobId } = await createContactJob(ctx, {
    projectId,
    type: 'IMPORT',
    file,
    layout,
    start,
    confirmationsPerHour,
    cause: { ...cause, source: 'import' },
  })
  return { jobId, warnings: layoutWarnings(layout) }
}

/** Columns that may say who has unsubscribed, if none of the file is imported as the subscription. */
export function layoutWarnings({ columns, targets, newUnsubscribed }: ImportLayout): string[] {
  if (newUnsubscribed) return []
  const names = targets?.map((target) => target?.field) ?? columns
  if (names.includes('subscribed')) return []
  return columns
    .filter(looksLikeStatus)
    .map(
      (column) =>
        `The column "${column}" looks like the state of a subscription, but is not imported as \`subscribed\`. New contacts are subscribed.`,
    )
}

export async function importContacts(ctx: Context, ref: queries.JobRef, batchRows = BATCH_ROWS): Promise<void> {
  await runContactJob(ctx, ref, async () => {
    let batch = await readBatch(ctx, ref, batchRows)
    while (batch) {
      const { atEnd, to } = batch
      let ahead: ReturnType<typeof readBatch> | undefined
      const readAhead = () => {
        if (!atEnd) ahead ??= readBatch(ctx, ref, batchRows, to)
        ahead?.catch(() => {}) // awaited below, if the batch was written
      }
      const isWritten = await writeWhatFits(ctx, ref, batch, readAhead)
      batch = isWritten ? await ahead : await readBatch(ctx, ref, batchRows)
    }
  })
}

/** Refuses columns of topics that don't exist. */
async function withTopics(ctx: Context, projectId: string, layout: ImportLayout): Promise<ImportLayout> {
  const keys = topicKeysIn(layout)
  if (keys.length === 0) return layout
  const known = await listTopicRules(ctx.db, projectId, keys)
  const topics = Object.fromEntries(known.map(({ key, ...rule }) => [key, rule]))
  const unknown = keys.find((key) => !Object.hasOwn(topics, key))
  if (unknown !== undefined)
    throw invalidField(
      'file',
      `The column "${TOPIC_COLUMN}${unknown}" names a topic that doesn't exist.`,
      'unknown_topic',
    )
  return { ...layout, topics }
}

interface Batch extends People {
  layout: ImportLayout
  confirms: boolean
  from: queries.ImportPlace
  to: queries.ImportPlace
  fileBytes: number
  atEnd: boolean
  changes: RowChange[]
  errors: RowError[]
  warnings: RowError[]
}

/** The contacts of a batch, and the changes to those that several rows are about. */
interface People {
  people: queries.ImportedPerson[]
  repeated: Map<string, RowChange[]>
  /** The addresses of those that are asked to confirm, unless they are subscribed. */
  invited: string[]
}

function peopleOf(given: RowChange[], { layout, confirms }: Pick<Batch, 'layout' | 'confirms'>, now: Date): People {
  const { topics: rules } = layout
  const changes = confirms ? given.map(withoutSubscribing) : given
  const { merged, repeated } = mergeChanges(changes)
  const invited = confirms ? merged.flatMap(({ email, subscribed }) => (subscribed === false ? [] : [email])) : []
  const people = merged.map(({ email, patch, subscribed, topics }) => ({
    ...newPerson(now, email, patch, subscribed),
    topics: decisionsOf(topics, rules),
  }))
  return { people, repeated, invited }
}

/** Whether a contact is subscribed that is new and whose row doesn't say. */
export const subscribedIfNew = ({ layout, confirms }: Pick<Batch, 'layout' | 'confirms'>): boolean =>
  SUBSCRIBED_IF_NEW.import && !confirms && !layout.newUnsubscribed

/** Contacts are subscribed when they confirm. */
export const withoutSubscribing = (change: RowChange): RowChange =>
  change.subscribed ? { ...change, subscribed: undefined } : change

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
    const { from, layout, confirms, file_bytes: fileBytes } = step
    const reachesEnd = from.bytes + step.window.length >= fileBytes
    const { rows, bytes } = readRows(step.window, { delimiter: layout.delimiter, rowsMax, atEnd: reachesEnd })
    if (bytes === 0 && !reachesEnd) continue
    const to = { bytes: from.bytes + bytes, rows: from.rows + rows.length }
    const read = readChanges(layout, rows, from.rows)
    const people = peopleOf(read.changes, { layout, confirms }, ctx.clock.now())
    return { layout, confirms, from, to, fileBytes, atEnd: to.bytes >= fileBytes, ...read, ...people }
  }
}

/** Rows that would give a contact too much data fail individually; the others are written. */
async function writeWhatFits(
  ctx: Context,
  ref: queries.JobRef,
  batch: Batch,
  whileWriting: () => void,
): Promise<boolean> {
  try {
    return await writeBatch(ctx, ref, batch, whileWriting)
  } catch (error) {
    if (!isTooMuchData(error)) throw error
    const large = new Set(await queries.findTooLarge(ctx.db, ref.projectId, batch.people))
    if (large.size === 0) throw error
    const failed = batch.changes.filter(({ email }) => large.has(email))
    const changes = batch.changes.filter(({ email }) => !large.has(email))
    const smaller: Batch = {
      ...batch,
      changes,
      ...peopleOf(changes, batch, ctx.clock.now()),
      errors: [...batch.errors, ...failed.map(({ row, email }) => ({ row: row!, email, error: TOO_MUCH_TO_STORE }))],
      warnings: batch.warnings.filter(({ email }) => !large.has(email!)),
    }
    return writeWhatFits(ctx, ref, smaller, whileWriting)
  }
}

/**
 * False if another worker has already advanced the job. Reading the next rows takes this thread ten milliseconds, so
 * `whileWriting` is called when the database has this batch to work on.
 */
async function writeBatch(ctx: Context, ref: queries.JobRef, batch: Batch, whileWriting: () => void): Promise<boolean> {
  return transaction(ctx.db, async (tx) => {
    const job = await queries.lockImport(tx, ref, batch.from)
    if (!job) return false
    const now = ctx.clock.now()
    const outcomes = await writePeople(tx, ref, batch, job.cause, now, whileWriting)
    await queueConfirmations(tx, ref, batch.invited, now)
    const result = addToResult(job.result ?? EMPTY_RESULT, outcomes, batch.errors, batch.warnings)
    const progress = Math.min(99, Math.floor((batch.to.bytes / batch.fileBytes) * 100))
    await queries.moveImport(tx, ref, batch.to, { progress, result }, now)
    if (batch.atEnd) await queries.endJob(tx, ref, { status: 'COMPLETED', result }, now)
    return true
  })
}

async function writePeople(
  tx: Tx,
  { projectId, jobId }: queries.JobRef,
  { people, repeated, layout, confirms }: People & Pick<Batch, 'layout' | 'confirms'>,
  cause: ConsentCause | null,
  now: Date,
  whileWriting: () => void,
): Promise<Outcome[]> {
  const before = repeated.size > 0 ? await queries.findContactsByEmail(tx, projectId, [...repeated.keys()]) : []
  const upsert = {
    projectId,
    now,
    people,
    subscribedByDefault: subscribedIfNew({ layout, confirms }),
    removed: [],
    cause: { ...(cause ?? { source: 'import' as const }), importId: jobId },
  }
  const writing = people.length > 0 ? queries.upsertPeople(tx, upsert) : undefined
  whileWriting()
  const written = (await writing) ?? []

  const single = written.filter(({ email }) => !repeated.has(email))
  const known = new Map(before.map((contact) => [contact.email, contact]))
  return [
    ...single.map(({ is_new, changed }): Outcome => (is_new ? 'created' : changed ? 'updated' : 'unchanged')),
    ...[...repeated].flatMap(([email, rows]) =>
      outcomesOf(rows, known.get(email), layout.topics, subscribedIfNew({ layout, confirms })),
    ),
  ]
}
