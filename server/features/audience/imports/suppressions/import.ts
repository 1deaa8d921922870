/**
 * Imports suppressions from a CSV file, such as one that was exported here or from another service. All rows are added in one
 * transaction, so a request that fails changes nothing and can be repeated.
 */
import { setImmediate } from 'node:timers/promises'
import type { Context } from '../../../../context.ts'
import { isEmailAddress, normalizeEmail } from '../../../../kernel/email-address.ts'
import { newId } from '../../../../kernel/ids.ts'
import type { Tx } from '../../../../platform/database/connection/connect.ts'
import { transaction } from '../../../../platform/database/connection/transaction.ts'
import { type Actor, recordAuditEntry } from '../../../record/audit/actions.ts'
import { findTopicNumbers, insertSuppressions, type NewSuppressionRow } from '../../suppressions/actions.ts'
import { readCell } from '../csv/cell-values.ts'
import { readRows } from '../csv/csv-rows.ts'
import { freeFormula, type ImportLayout, readAddressLayout } from '../layout.ts'
import type { RowError } from '../rows.ts'

/** About ten milliseconds of reading, after which other requests have their turn. */
const BATCH_ROWS = 1_000
const WINDOW_BYTES = 64 * 1024
const ERRORS_LISTED_MAX = 100
const SHOWN_EMAIL_MAX = 254
const SHOWN_KEY_MAX = 50

/** The names that services give to the column of addresses. */
const EMAIL_COLUMNS = ['email', 'e-mail', 'email address', 'email_address', 'emailaddress', 'recipient', 'address']

const EMPTY = { totalRows: 0, addedCount: 0, existingCount: 0, failureCount: 0, errors: [] as RowError[] }

export async function importSuppressions(ctx: Context, projectId: string, file: Buffer, who: Actor) {
  const layout = readAddressLayout(file, EMAIL_COLUMNS)
  return transaction(ctx.db, async (tx) => {
    let result = EMPTY
    for (const batch of readBatches(file, layout)) {
      result = add(result, await addRows(ctx, tx, projectId, batch))
      await setImmediate()
    }
    const { errors: _, ...details } = result
    await recordAuditEntry(ctx, tx, { ...who, projectId, act: 'suppressions.imported', details })
    return result
  })
}

const add = (a: typeof EMPTY, b: typeof EMPTY): typeof EMPTY => ({
  totalRows: a.totalRows + b.totalRows,
  addedCount: a.addedCount + b.addedCount,
  existingCount: a.existingCount + b.existingCount,
  failureCount: a.failureCount + b.failureCount,
  errors: [...a.errors, ...b.errors].slice(0, ERRORS_LISTED_MAX),
})

interface ReadRow {
  row: number
  email: string
  reason: 'BOUNCE' | 'COMPLAINT' | 'MANUAL'
  topic: string
  createdAt: Date | undefined
  error?: string
}

/** The rows of the file, without empty ones. The window grows if a row is larger. */
function* readBatches(file: Buffer, layout: ImportLayout): Generator<ReadRow[]> {
  const { delimiter } = layout
  let rowsBefore = layout.headerRows
  let windowBytes = WINDOW_BYTES
  for (let at = layout.start; at < file.length; ) {
    const window = file.subarray(at, at + windowBytes)
    const { rows, bytes } = readRows(window, {
      delimiter,
      rowsMax: BATCH_ROWS,
      atEnd: at + window.length === file.length,
    })
    windowBytes = bytes === 0 ? windowBytes * 2 : WINDOW_BYTES
    yield rows.flatMap(({ cells }, i) =>
      cells?.every((cell) => cell === '') ? [] : [readRow(layout, cells, rowsBefore + i + 1)],
    )
    rowsBefore += rows.length
    at += bytes
  }
}

async function addRows(ctx: Context, tx: Tx, projectId: string, rows: ReadRow[]): Promise<typeof EMPTY> {
  const now = ctx.clock.now()
  const keys = [...new Set(rows.map(({ topic }) => topic))].filter((key) => key !== '')
  const topics = keys.length > 0 ? await findTopicNumbers(tx, projectId, keys) : new Map<string, number>()
  const adding = new Map<string, NewSuppressionRow>()
  const errors: RowError[] = []
  for (const { row, email, reason, topic, createdAt, error } of rows) {
    const number = topic === '' ? null : topics.get(topic)
    if (error !== undefined || number === undefined) {
      const unknown = `There is no topic with the key "${topic.slice(0, SHOWN_KEY_MAX)}".`
      errors.push({ row, email: email.slice(0, SHOWN_EMAIL_MAX).toWellFormed() || null, error: error ?? unknown })
      continue
    }
    const key = `${number} ${email}`
    const at = createdAt && createdAt < now ? createdAt : now
    if (!adding.has(key)) adding.set(key, { id: newId(now), email, reason, topic: number, created_at: at })
  }
  const addedCount = adding.size > 0 ? await insertSuppressions(tx, projectId, [...adding.values()]) : 0
  const failureCount = errors.length
  const existingCount = rows.length - failureCount - addedCount
  return { totalRows: rows.length, addedCount, existingCount, failureCount, errors }
}

function readRow({ columns }: ImportLayout, cells: string[] | undefined, row: number): ReadRow {
  const cell = (name: string) => freeFormula(cells?.[columns.indexOf(name)]?.trim() ?? '')
  const email = normalizeEmail(cell('email'))
  const at = cell('createdat')
  const date = at === '' ? undefined : readCell(at, { type: 'date' })
  const read = {
    row,
    email: email.replaceAll('\0', ''),
    reason: reasonOf(cell('reason')),
    topic: cell('topic').replaceAll('\0', ''),
    createdAt: date === undefined ? undefined : new Date(String(date)),
  }
  if (!cells) return { ...read, error: 'A quoted value has no closing quotation mark.' }
  if (email === '') return { ...read, error: 'The email address is missing.' }
  if (!isEmailAddress(email)) return { ...read, error: 'Must be an email address.' }
  if (at !== '' && date === undefined) return { ...read, error: 'createdAt must be a date such as 2026-11-18.' }
  return read
}

const COMPLAINT = /compla|spam|abuse/i
const BOUNCE = /bounce/i
const SOFT = /soft|transient|temporary/i

/** Also of the words that other services use, such as `HardBounce` and `SpamComplaint`. Everything else is MANUAL. */
function reasonOf(text: string): ReadRow['reason'] {
  if (COMPLAINT.test(text)) return 'COMPLAINT'
  return BOUNCE.test(text) && !SOFT.test(text) ? 'BOUNCE' : 'MANUAL'
}
