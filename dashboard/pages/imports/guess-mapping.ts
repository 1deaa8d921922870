/** Guesses what the columns of a file become: the address, the subscription, a known field, or a new one with a type. */

import type { ColumnMapping } from '@posthorn/sdk'
import { isAddress } from './csv-preview.ts'

export type CellType = NonNullable<ColumnMapping['type']>

export interface Target {
  /** Its name, or that of its place if it has none. */
  column: string
  /** `email`, `subscribed`, `data.<name>`, or empty for a column that isn't imported. */
  field: string
  type: CellType
  /** What the words of the column mean, if it becomes the subscription. */
  values?: Record<string, boolean | undefined>
}

interface KnownField {
  field: string
  type: CellType
}

const EMAIL = /^(e-?mail([ _-]?address)?|mail|e-?mail-?adresse|address|adresse)$/i
const SUBSCRIBED = /^(subscribed|opt[ _-]?in|newsletter|marketing)$/i

const NUMBERS = {
  ',': /^[+-]?(0|[1-9]\d{0,14}|[1-9]\d{0,2}(\.\d{3})+)(,\d+)?$/,
  '.': /^[+-]?(0|[1-9]\d{0,14}|[1-9]\d{0,2}(,\d{3})+)(\.\d+)?$/,
}
const PLAIN_NUMBER = /^[+-]?(0|[1-9]\d{0,14})([.,]\d+)?$/
/** A sign that can't separate thousands. */
const CLEARLY = { ',': /,(\d{1,2}|\d{4,})$|\.\d{3}[.,]/, '.': /\.(\d{1,2}|\d{4,})$|,\d{3}[.,]/ }

const PATTERNS: [CellType, RegExp][] = [
  ['boolean', /^(true|false|yes|no)$/i],
  ['date', /^(\d{4}-\d{2}-\d{2}([T ].+)?|\d{1,2}\.\d{1,2}\.\d{4})$/],
]

/** A number that starts with zero is a code, such as a postal code. */
function guessType(cells: string[]): CellType {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length === 0) return 'string'
  const decimal = decimalOf(filled)
  if (filled.every((cell) => (decimal ? NUMBERS[decimal] : PLAIN_NUMBER).test(cell))) return 'number'
  return PATTERNS.find(([, pattern]) => filled.every((cell) => pattern.test(cell)))?.[0] ?? 'string'
}

/** The decimal sign that one of the cells must have; undefined if none of them has a sign, or all are like 1.234. */
const decimalOf = (cells: string[]): ',' | '.' | undefined =>
  ([',', '.'] as const).find((sign) => cells.some((cell) => NUMBERS[sign].test(cell) && CLEARLY[sign].test(cell)))

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

/** `placeName` is for columns without a name. */
export function guessMapping(
  columns: string[],
  rows: string[][],
  known: KnownField[],
  placeName: (position: number) => string = String,
): Target[] {
  const emailAt = findEmail(columns, rows)
  const taken = new Set<string>()
  return columns.map((column, i) => {
    if (i === emailAt) return { column: column || placeName(i + 1), field: 'email', type: 'string' }
    if (column === '') return { column: placeName(i + 1), field: '', type: 'string' }
    if (SUBSCRIBED.test(column) && !taken.has('subscribed')) {
      taken.add('subscribed')
      return { column, field: 'subscribed', type: 'string', values: wordsOf(rows, i) }
    }
    const own = newField(column)
    const match = known.find(({ field }) => [own, `data.${column}`].some((one) => isSame(field, one)))
    // The name of a column such as "#" has nothing that a field could be named after.
    if (!match && own === 'data.') return { column, field: '', type: 'string' }
    const field = untaken(match?.field ?? own, taken)
    taken.add(field.toLowerCase())
    return { column, field, type: match?.type ?? guessType(rows.map((row) => row[i] ?? '')) }
  })
}

/** `data.city2`, if another column becomes `data.city`. */
function untaken(field: string, taken: Set<string>): string {
  let free = field
  for (let n = 2; taken.has(free.toLowerCase()); n++) free = `${field}${n}`
  return free
}

/** By its name, or else the first column whose cells are addresses. */
function findEmail(columns: string[], rows: string[][]): number {
  const exact = columns.findIndex((column) => column.toLowerCase() === 'email')
  if (exact >= 0) return exact
  const named = columns.findIndex((column) => EMAIL.test(column))
  if (named >= 0) return named
  return columns.findIndex((_, i) => rows.length > 0 && rows.every((row) => isAddress(row[i] ?? '')))
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
 * The places of columns that look like the state of a subscription but don't become the subscription. Without them, people
 * who unsubscribed elsewhere would be imported as subscribed.
 */
export function statusColumns(targets: Target[]): number[] {
  if (targets.some(({ field }) => field === 'subscribed')) return []
  return targets.flatMap(({ column, field }, i) => (field !== 'email' && STATUS.test(column.trim()) ? [i] : []))
}

const YES = new Set(
  'true 1 yes y ja j oui si sí sim active activated subscribed subscribe confirmed enabled enrolled aktiv abonniert angemeldet abonné inscrit suscrito iscritto'.split(
    ' ',
  ),
)
const NO = new Set(
  'false 0 no n nein non não inactive unsubscribed unsubscribe blocklisted blacklisted blocked bounced hardbounced softbounced suppressed complained cleaned archived disabled deleted pending unconfirmed inaktiv abgemeldet abbestellt désabonné désinscrit'.split(
    ' ',
  ),
)

/** A column with more has something else in it, such as dates. */
const WORDS_MAX = 20

/** The words of a column, with what each probably means for a subscription. Undefined if there are too many. */
export function wordsOf(rows: string[][], at: number): Target['values'] {
  const words = new Set(rows.map((row) => (row[at] ?? '').toLowerCase()).filter((cell) => cell !== ''))
  if (words.size > WORDS_MAX) return undefined
  return Object.fromEntries([...words].map((word) => [word, meaningOf(word)]))
}

function meaningOf(word: string): boolean | undefined {
  const plain = word.replace(/[\s_-]+/g, '')
  return YES.has(plain) ? true : NO.has(plain) ? false : undefined
}

/** Words of the column of the subscription without a meaning yet. */
export const unclearWords = (targets: Target[]): string[] =>
  targets.flatMap(({ field, values = {} }) =>
    field === 'subscribed' ? Object.keys(values).filter((word) => values[word] === undefined) : [],
  )

/** Columns are named by their positions, so that two can have the same name. */
export const toMapping = (targets: Target[], rows: string[][]): ColumnMapping[] =>
  targets.flatMap(({ field, type, values }, i) => {
    if (field === '') return []
    const decimal = type === 'number' ? decimalOf(rows.map((row) => row[i] ?? '')) : undefined
    const meanings = Object.entries(values ?? {}).filter((entry): entry is [string, boolean] => entry[1] !== undefined)
    return [
      {
        position: i + 1,
        field,
        type,
        ...(decimal && { decimal }),
        ...(field === 'subscribed' && values && { values: Object.fromEntries(meanings) }),
      },
    ]
  })
