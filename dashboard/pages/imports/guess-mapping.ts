/** Guesses what the columns of a file become: the address, the subscription, a known field, or a new one with a type. */
import type { ColumnMapping } from '@posthorn/sdk'

export type CellType = NonNullable<ColumnMapping['type']>

export interface Target {
  column: string
  /** `email`, `subscribed`, `data.<name>`, or empty for a column that isn't imported. */
  field: string
  type: CellType
}

interface KnownField {
  field: string
  type: CellType
}

const EMAIL = /^(e-?mail([ _-]?address)?|mail|e-?mail-?adresse|address|adresse)$/i
const SUBSCRIBED = /^(subscribed|opt[ _-]?in|newsletter|marketing)$/i

const PATTERNS: [CellType, RegExp][] = [
  ['number', /^[+-]?(0|[1-9]\d{0,14})([.,]\d+)?$/],
  ['boolean', /^(true|false|yes|no)$/i],
  ['date', /^(\d{4}-\d{2}-\d{2}([T ].+)?|\d{1,2}\.\d{1,2}\.\d{4})$/],
]

/** A number that starts with zero is a code, such as a postal code. */
function guessType(cells: string[]): CellType {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length === 0) return 'string'
  return PATTERNS.find(([, pattern]) => filled.every((cell) => pattern.test(cell)))?.[0] ?? 'string'
}

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

const CAMEL_CASE = /^[\p{L}\p{N}_-]*\p{Ll}\p{Lu}[\p{L}\p{N}_-]*$/u

/** Templates can't address a name with spaces, so "First name" becomes `firstName`. */
export function newField(column: string): string {
  if (CAMEL_CASE.test(column)) return `data.${column.charAt(0).toLowerCase()}${column.slice(1)}`
  const [first = '', ...others] = column
    .toLowerCase()
    .split(/[^\p{L}\p{N}_-]+/u)
    .filter(Boolean)
  return `data.${first}${others.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')}`
}

export function guessMapping(columns: string[], rows: string[][], known: KnownField[]): Target[] {
  const emailAt = findEmail(columns, rows)
  const taken = new Set<string>()
  return columns.map((column, i) => {
    if (column === '') return { column, field: '', type: 'string' }
    if (i === emailAt) return { column, field: 'email', type: 'string' }
    if (SUBSCRIBED.test(column) && !taken.has('subscribed')) {
      taken.add('subscribed')
      return { column, field: 'subscribed', type: 'string' }
    }
    const own = newField(column)
    const match = known.find(({ field }) => [own, `data.${column}`].some((one) => isSame(field, one)))
    const field = match?.field ?? own
    // The name of a column such as "#" has nothing that a field could be named after.
    if (field === 'data.' || taken.has(field.toLowerCase())) return { column, field: '', type: 'string' }
    taken.add(field.toLowerCase())
    return { column, field, type: match?.type ?? guessType(rows.map((row) => row[i] ?? '')) }
  })
}

/** By its name, or else the first column whose cells are addresses. */
function findEmail(columns: string[], rows: string[][]): number {
  const exact = columns.findIndex((column) => column.toLowerCase() === 'email')
  if (exact >= 0) return exact
  const named = columns.findIndex((column) => EMAIL.test(column))
  if (named >= 0) return named
  return columns.findIndex((_, i) => rows.length > 0 && rows.every((row) => /^\S+@\S+\.\S+$/.test(row[i] ?? '')))
}

/** Why the mapping can't be used yet. */
export type MappingProblem = { kind: 'no-email' } | { kind: 'unnamed' | 'twice'; column: string }

export function findMappingProblem(targets: Target[]): MappingProblem | undefined {
  const used = targets.filter(({ field }) => field !== '')
  const unnamed = used.find(({ field }) => field === 'data.')
  if (unnamed) return { kind: 'unnamed', column: unnamed.column }
  const twice = used.find(({ field }, i) => used.findIndex((other) => other.field === field) !== i)
  if (twice) return { kind: 'twice', column: twice.column }
  return used.some(({ field }) => field === 'email') ? undefined : { kind: 'no-email' }
}

/** Templates read `address.city` as the entry `city` of `address`, so they need another way to name these fields. */
export const dottedNames = (targets: Target[]): string[] =>
  targets.flatMap(({ field }) => {
    const name = field.startsWith('data.') ? field.slice('data.'.length) : ''
    return name.includes('.') ? [name] : []
  })

/** Words for the state of a subscription in several languages, as in the warnings of `POST /contacts/import`. */
const STATUS =
  /^(e-?mail|contact|subscriber|subscription|list|kontakt|newsletter)?[ _.-]*(status|state|zustand|statut|estado|stato)$|block ?list|black ?list|suppress|unsub|opt(ed)?[ _-]?(in|out)|subscribed?$|(ab|an)gemeldet|abonniert|abbestellt|einwilligung|consent|désabonn|abonné|inscrit|suscrit|iscritto|bounced?$|complain/i

/**
 * Columns that look like the state of a subscription but don't become the subscription. Without them, people who
 * unsubscribed elsewhere would be imported as subscribed.
 */
export function statusColumns(targets: Target[]): string[] {
  if (targets.some(({ field }) => field === 'subscribed')) return []
  return targets.flatMap(({ column, field }) => (field !== 'email' && STATUS.test(column.trim()) ? [column] : []))
}

/** The values of a column that the import can read as a subscription. */
const FLAG = /^(true|false|1|0|yes|no)?$/i

/** The first value of the column of the subscription that the import can't read. */
export function unreadableSubscription(targets: Target[], rows: string[][]): string | undefined {
  const at = targets.findIndex(({ field }) => field === 'subscribed')
  return at < 0 ? undefined : rows.map((row) => (row[at] ?? '').trim()).find((cell) => !FLAG.test(cell))
}

export const toMapping = (targets: Target[]): ColumnMapping[] => targets.filter(({ field }) => field !== '')
