/**
 * What an import would do. It reads the file as the import does, in the same batches, and compares each row with the
 * contact as the rows before it would have left it. It writes nothing.
 */
import type { Context } from '../../../context.ts'
import { TOO_MUCH_TO_STORE } from '../../../kernel/contact-data.ts'
import { type CsvRow, readRows } from './csv/csv-rows.ts'
import {
  BATCH_ROWS,
  type ImportOptions,
  layoutWarnings,
  readImportLayout,
  subscribedIfNew,
  WINDOW_BYTES,
  withoutSubscribing,
} from './import.ts'
import type { ImportLayout } from './layout.ts'
import * as queries from './queries.ts'
import {
  addToResult,
  applyRow,
  type ContactState,
  chosenIn,
  EMPTY_RESULT,
  type ImportResult,
  type Outcome,
  type RowChange,
  type RowError,
  readChanges,
} from './rows.ts'

const SHOWN_ROWS = 10

export interface PreviewRow {
  row: number
  email: string | null
  outcome: Outcome | 'failed'
  /** As the contact would be after the row; null if it fails. */
  subscribed: boolean | null
  /** What the row would set. */
  data: Record<string, unknown>
}

export interface ImportPreview {
  result: ImportResult
  rows: PreviewRow[]
  warnings: string[]
}

/** What the rows before left of the contacts of a file, by address; `data` is only what they set. */
type States = Map<string, ContactState>

interface Reading {
  projectId: string
  layout: ImportLayout
  confirms: boolean
  states: States
}

export async function previewImport(
  ctx: Context,
  projectId: string,
  file: Buffer,
  options: ImportOptions,
): Promise<ImportPreview> {
  const layout = await readImportLayout(ctx, projectId, file, options)
  const reading = { projectId, layout, confirms: options.confirmationsPerHour !== undefined, states: new Map() }
  let result = EMPTY_RESULT
  const shown: PreviewRow[] = []
  for (const { rows, rowsBefore } of batchesOf(file, layout)) {
    const { changes, errors, warnings } = readChanges(layout, rows, rowsBefore)
    const applied = await applyRows(ctx, reading, changes)
    const large = applied.filter(({ outcome }) => outcome === 'failed')
    const failed = new Set(large.map(({ row }) => row))
    const outcomes = applied.flatMap(({ outcome }) => (outcome === 'failed' ? [] : [outcome]))
    const tooLarge = large.map(({ row, email }) => ({ row, email, error: TOO_MUCH_TO_STORE }))
    result = addToResult(
      result,
      outcomes,
      [...errors, ...tooLarge],
      warnings.filter(({ row }) => !failed.has(row)),
    )
    if (shown.length < SHOWN_ROWS) shown.push(...[...applied, ...errors.map(asRow)].toSorted((a, b) => a.row - b.row))
  }
  return { result, rows: shown.slice(0, SHOWN_ROWS), warnings: layoutWarnings(layout) }
}

const asRow = ({ row, email }: RowError): PreviewRow => ({ row, email, outcome: 'failed', subscribed: null, data: {} })

function* batchesOf(file: Buffer, layout: ImportLayout): Generator<{ rows: CsvRow[]; rowsBefore: number }> {
  let rowsBefore = layout.headerRows
  let at = layout.start
  let windowBytes = WINDOW_BYTES
  while (at < file.length) {
    const window = file.subarray(at, at + windowBytes)
    const atEnd = at + window.length >= file.length
    const { rows, bytes } = readRows(window, { delimiter: layout.delimiter, rowsMax: BATCH_ROWS, atEnd })
    if (bytes === 0 && !atEnd) {
      windowBytes *= 2
      continue
    }
    yield { rows, rowsBefore }
    rowsBefore += rows.length
    at += bytes
    windowBytes = WINDOW_BYTES
  }
}

/** The rows in order. All rows of a contact fail whose data would become too large. */
async function applyRows(ctx: Context, reading: Reading, changes: RowChange[]): Promise<PreviewRow[]> {
  if (changes.length === 0) return []
  const { projectId, layout, confirms, states } = reading
  const patches = new Map<string, Record<string, unknown>>()
  const compared = changes.map(({ email, patch }) => {
    const before = patches.get(email) ?? states.get(email)?.data ?? {}
    patches.set(email, { ...before, ...patch })
    return { email, before, patch }
  })
  const comparisons = await queries.compareRows(ctx.db, projectId, compared)
  const large = new Set(changes.filter((_, i) => comparisons[i]!.is_too_large).map(({ email }) => email))
  return changes.map((given, i): PreviewRow => {
    const { row = 0, email, patch } = given
    if (large.has(email)) return { row, email, outcome: 'failed', subscribed: null, data: {} }
    const comparison = comparisons[i]!
    const { state, outcome } = applyRow(
      states.get(email) ?? stored(layout, comparison),
      confirms ? withoutSubscribing(given) : given,
      {
        rules: layout.topics,
        subscribedIfNew: subscribedIfNew({ layout, confirms }),
        hasSameData: comparison.has_same_data,
      },
    )
    states.set(email, state)
    return { row, email, outcome, subscribed: state.subscribed, data: patch }
  })
}

const stored = (layout: ImportLayout, { exists, subscribed, topics }: queries.Comparison): ContactState | undefined =>
  exists ? { subscribed: subscribed!, data: {}, chosen: chosenIn(topics ?? [], layout.topics ?? {}) } : undefined
