/**
 * Converts the rows of a file into contact changes: validates each row and merges rows with the same address. Pure, so
 * that a batch that runs again after a crash has the same result.
 */

import { applyDataRules, type Data, isReservedInAnyCase } from '../../../kernel/contact-data.ts'
import { isEmailAddress, normalizeEmail } from '../../../kernel/email-address.ts'
import { Refusal } from '../../../kernel/errors.ts'
import { isInTopic, SUBSCRIBED_IF_NEW, subscriptionAfter, type TopicRule } from '../../../kernel/subscription.ts'
import { FLAGS, readCell } from './csv/cell-values.ts'
import type { CsvRow } from './csv/csv-rows.ts'
import { type ColumnTarget, freeFormula, type ImportLayout, TOPIC_COLUMN } from './layout.ts'

export interface ImportResult {
  totalRows: number
  createdCount: number
  updatedCount: number
  unchangedCount: number
  failureCount: number
  errors: RowError[]
  /** Cells that were left out of rows that were imported; absent if there were none. */
  warningCount?: number
  warnings?: RowError[]
}

export interface RowError {
  row: number
  email: string | null
  error: string
}

/** The change that one row requests. */
export interface RowChange {
  /** Its number in the file. */
  row?: number
  email: string
  subscribed: boolean | undefined
  patch: Data
  /** What the row says about topics, by their keys. */
  topics?: Record<string, boolean>
}

export const EMPTY_RESULT: ImportResult = {
  totalRows: 0,
  createdCount: 0,
  updatedCount: 0,
  unchangedCount: 0,
  failureCount: 0,
  errors: [],
}

const ERRORS_LISTED_MAX = 100
const SHOWN_EMAIL_MAX = 254
const SHOWN_CELL_MAX = 50

/**
 * Separates valid rows from invalid ones. Empty rows are neither. `rowsBefore` is the number of the row before them.
 */
export function readChanges(layout: ImportLayout, rows: CsvRow[], rowsBefore: number) {
  const changes: RowChange[] = []
  const errors: RowError[] = []
  const warnings: RowError[] = []
  rows.forEach(({ cells }, i) => {
    if (cells?.every((cell) => cell === '')) return
    const row = rowsBefore + i + 1
    const read = cells ? readRow(layout, cells) : 'A quoted value has no closing quotation mark.'
    if (typeof read === 'string') {
      errors.push({ row, email: shownEmail(layout, cells), error: read })
      return
    }
    const { leftOut, ...change } = read
    changes.push({ ...change, row })
    warnings.push(...leftOut.map((error) => ({ row, email: change.email, error })))
  })
  return { changes, errors, warnings }
}

/** What a column becomes without a mapping: its own field, as text. */
const ownTarget = (name: string): ColumnTarget | null =>
  name === '' ? null : { field: isOwnField(name) ? name : `data.${name}`, type: 'string' }

const isOwnField = (name: string) => name === 'email' || name === 'subscribed' || name.startsWith(TOPIC_COLUMN)

const targetsOf = ({ columns, targets }: ImportLayout) => targets ?? columns.map(ownTarget)

/** The change with the cells that are left out of it, or the reason why the row is invalid. */
function readRow(layout: ImportLayout, cells: string[]): (RowChange & { leftOut: string[] }) | string {
  const { columns, exported } = layout
  const targets = targetsOf(layout)
  if (cells.some((cell) => cell.includes('\0'))) return "The row contains a NUL character, which can't be stored."
  const extra = cells.findLastIndex((cell) => cell !== '') + 1
  if (extra > columns.length) return `The row has ${extra} cells, but the header has only ${columns.length}.`
  const leftOut: string[] = []
  let email = ''
  let subscribed: boolean | undefined
  const data: [string, unknown][] = []
  const topics: [string, boolean][] = []
  for (const [i, cell] of cells.entries()) {
    const target = targets[i]
    if (!target || cell === '' || (exported && (i === 2 || i === 3))) continue
    const text = exported ? freeFormula(cell) : cell
    if (target.field === 'email') email = normalizeEmail(text)
    else if (target.field === 'subscribed') {
      subscribed = flagOf(text, target)
      // Not left out: the person would be subscribed, whatever the cell says.
      if (subscribed === undefined) return flagProblem(target, text)
    } else if (target.field.startsWith(TOPIC_COLUMN)) {
      const isChosen = flagOf(text, target)
      if (isChosen === undefined) return flagProblem(target, text)
      topics.push([target.field.slice(TOPIC_COLUMN.length), isChosen])
    } else {
      const name = target.field.slice('data.'.length)
      const value = readCell(text, target)
      if (value === undefined)
        leftOut.push(`${shownCell(text)} in the column ${nameOf(columns, i)} is not a ${target.type}.`)
      else if (!isReservedInAnyCase(name)) data.push([name, value])
    }
  }
  if (email === '') return 'The email address is missing.'
  if (!isEmailAddress(email)) return 'Must be an email address.'
  const change = withRules(email, subscribed, Object.fromEntries(data))
  if (typeof change === 'string') return change
  return { ...change, leftOut, ...(topics.length === 0 ? {} : { topics: Object.fromEntries(topics) }) }
}

const nameOf = (columns: string[], at: number): string => (columns[at] ? `"${columns[at]}"` : String(at + 1))

const shownCell = (text: string): string => `"${text.slice(0, SHOWN_CELL_MAX)}"`

function flagOf(text: string, { values }: ColumnTarget): boolean | undefined {
  const word = text.trim().toLowerCase()
  if (!values) return FLAGS.get(word)
  return Object.hasOwn(values, word) ? values[word] : undefined
}

const flagProblem = ({ field, values }: ColumnTarget, text: string): string =>
  values
    ? `The mapping doesn't say what ${shownCell(text)} means for ${field}.`
    : `${field} must be true, 1, yes, false, 0 or no.`

function withRules(email: string, subscribed: boolean | undefined, data: Data): RowChange | string {
  try {
    return { email, subscribed, patch: applyDataRules(data).patch }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.extras.problems?.[0]?.message ?? error.message
  }
}

function shownEmail(layout: ImportLayout, cells: string[] | undefined): string | null {
  const cell = cells?.[targetsOf(layout).findIndex((target) => target?.field === 'email')]?.trim()
  return cell ? cell.slice(0, SHOWN_EMAIL_MAX).toWellFormed().replaceAll('\0', '') : null
}

/** One change per address, in the order of their first rows; if rows contradict each other, the later one wins. */
export function mergeChanges(changes: RowChange[]): { merged: RowChange[]; repeated: Map<string, RowChange[]> } {
  const byEmail = new Map<string, RowChange[]>()
  for (const change of changes) {
    const rows = byEmail.get(change.email)
    if (rows) rows.push(change)
    else byEmail.set(change.email, [change])
  }
  const merged: RowChange[] = []
  const repeated = new Map<string, RowChange[]>()
  for (const [email, rows] of byEmail) {
    if (rows.length > 1) repeated.set(email, rows)
    merged.push(
      rows.reduce((before, { subscribed = before.subscribed, patch, topics }) => ({
        email,
        subscribed,
        patch: { ...before.patch, ...patch },
        ...(before.topics || topics ? { topics: { ...before.topics, ...topics } } : {}),
      })),
    )
  }
  return { merged, repeated }
}

export type Outcome = 'created' | 'updated' | 'unchanged'

/** A contact as far as the columns of a file can change it. */
export interface ContactState {
  subscribed: boolean
  data: Data
  /** By the keys of the topics in the file. */
  chosen: Record<string, boolean>
}

/** The contact after a row, and whether that changes it. `hasSameData` if the data is compared elsewhere. */
export function applyRow(
  was: ContactState | undefined,
  { subscribed, patch, topics = {} }: RowChange,
  { rules = {}, subscribedIfNew, hasSameData }: ApplyOptions,
): { state: ContactState; outcome: Outcome } {
  const subscription = { subscribed: was?.subscribed ?? subscribedIfNew, optedOut: false }
  const state = {
    subscribed: subscriptionAfter(subscription, { subscribed }).subscribed,
    data: { ...was?.data, ...patch },
    chosen: { ...(was?.chosen ?? chosenIn([], rules)), ...topics },
  }
  if (!was) return { state, outcome: 'created' }
  const same =
    was.subscribed === state.subscribed &&
    (hasSameData ?? Object.keys(patch).every((key) => was.data[key] === patch[key])) &&
    Object.entries(topics).every(([key, isChosen]) => was.chosen[key] === isChosen)
  return { state, outcome: same ? 'unchanged' : 'updated' }
}

interface ApplyOptions {
  rules?: Record<string, TopicRule> | undefined
  subscribedIfNew: boolean
  hasSameData?: boolean
}

/** The effect of each of several rows with one address, applied in order to the contact as it was before. */
export function outcomesOf(
  rows: RowChange[],
  before: { subscribed: boolean; data: Data; topics?: number[] } | undefined,
  rules: Record<string, TopicRule> = {},
  subscribedIfNew: boolean = SUBSCRIBED_IF_NEW.import,
): Outcome[] {
  let was = before && { ...before, chosen: chosenIn(before.topics ?? [], rules) }
  return rows.map((row) => {
    const { state, outcome } = applyRow(was, row, { rules, subscribedIfNew })
    was = state
    return outcome
  })
}

export const chosenIn = (topics: number[], rules: Record<string, TopicRule>): Record<string, boolean> =>
  Object.fromEntries(Object.entries(rules).map(([key, rule]) => [key, isInTopic(topics, rule)]))

/** A choice that equals the default of its topic is stored only for contacts who decided otherwise. */
export function decisionsOf(
  chosen: Record<string, boolean> | undefined,
  rules: Record<string, TopicRule> = {},
): { decisions: number[]; undoing: number[]; keepsOptOuts: boolean } | undefined {
  if (!chosen) return undefined
  const entries = Object.entries(chosen).flatMap(([key, isChosen]) => {
    const rule = rules[key]
    return rule
      ? [{ decision: isChosen ? rule.number : -rule.number, isDefault: isChosen === rule.defaultSubscribed }]
      : []
  })
  return {
    decisions: entries.flatMap(({ decision, isDefault }) => (isDefault ? [] : [decision])),
    undoing: entries.flatMap(({ decision, isDefault }) => (isDefault ? [-decision] : [])),
    keepsOptOuts: false,
  }
}

export function addToResult(
  result: ImportResult,
  outcomes: Outcome[],
  errors: RowError[],
  warnings: RowError[] = [],
): ImportResult {
  const count = (outcome: Outcome) => outcomes.filter((each) => each === outcome).length
  return {
    totalRows: result.totalRows + outcomes.length + errors.length,
    createdCount: result.createdCount + count('created'),
    updatedCount: result.updatedCount + count('updated'),
    unchangedCount: result.unchangedCount + count('unchanged'),
    failureCount: result.failureCount + errors.length,
    errors: [...result.errors, ...errors].slice(0, ERRORS_LISTED_MAX),
    ...addWarnings(result, warnings),
  }
}

function addWarnings(
  { warningCount = 0, warnings = [] }: ImportResult,
  added: RowError[],
): Pick<ImportResult, 'warningCount' | 'warnings'> {
  const count = warningCount + added.length
  if (count === 0) return {}
  return { warningCount: count, warnings: [...warnings, ...added].slice(0, ERRORS_LISTED_MAX) }
}
