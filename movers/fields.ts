/** Names and values of contact fields from columns. */

import { csvRows } from './csv.ts'
import type { MoveFile } from './record.ts'

const ALIASES: Record<string, string> = {
  fname: 'firstName',
  lname: 'lastName',
  firstname: 'firstName',
  lastname: 'lastName',
  vorname: 'firstName',
  nachname: 'lastName',
}

/** "First Name", FIRST_NAME and FNAME become firstName. */
export function fieldName(column: string): string {
  const words = column
    .trim()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
  const alias = ALIASES[words.join('').toLowerCase()]
  if (alias) return alias
  const isLoud = column === column.toUpperCase()
  const camel = words.map((word, i) => {
    const text = isLoud ? word.toLowerCase() : word
    return i === 0 ? text.charAt(0).toLowerCase() + text.slice(1) : text.charAt(0).toUpperCase() + text.slice(1)
  })
  return camel.join('').slice(0, 255)
}

export type ColumnType = 'number' | 'boolean' | 'string'

/** Digits that aren't amounts. */
const NEVER_NUMBERS = /phone|mobile|sms|tel|zip|post|plz|fax|\bid\b|_id$|^id$/i
const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
])
const SAFE_DIGITS = 15

const isNumber = (text: string) => text.length <= SAFE_DIGITS && String(Number(text)) === text

/** What all values of a column are. Reads the whole file. */
export async function columnTypes(file: MoveFile, required: string[]): Promise<Map<string, ColumnType>> {
  const types = new Map<string, ColumnType | undefined>()
  for await (const { cells } of csvRows(file, required)) {
    for (const [column, text] of Object.entries(cells)) {
      if (text === '' || types.get(column) === 'string') continue
      const type = BOOLEANS.has(text.toLowerCase())
        ? 'boolean'
        : isNumber(text) && !NEVER_NUMBERS.test(column)
          ? 'number'
          : 'string'
      const before = types.get(column)
      types.set(column, before === undefined || before === type ? type : 'string')
    }
  }
  return new Map([...types].map(([column, type]) => [column, type ?? 'string']))
}

const typedValue = (text: string, type: ColumnType = 'string'): string | number | boolean =>
  type === 'number' ? Number(text) : type === 'boolean' ? BOOLEANS.get(text.toLowerCase())! : text

/** The columns that become fields, without empty cells. */
export function dataOf(
  cells: Record<string, string>,
  types: Map<string, ColumnType>,
  isField: (column: string) => boolean,
): Record<string, unknown> {
  const data: Record<string, unknown> = {}
  for (const [column, text] of Object.entries(cells)) {
    const name = text === '' || !isField(column) ? '' : fieldName(column)
    if (name !== '') data[name] = typedValue(text, types.get(column))
  }
  return data
}

/** The key of a topic from the name of a list. */
export const topicKey = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 50)
    .replace(/-$/, '') || 'list'

const BEFORE_NUMBER = 46

/** A topic's key of its own, if several lists of an account have names with the same key. */
export function freeTopicKey(name: string, used: Set<string>): string {
  const key = topicKey(name)
  let free = key
  for (let i = 2; used.has(free); i++) free = `${key.slice(0, BEFORE_NUMBER).replace(/-$/, '')}-${i}`
  used.add(free)
  return free
}

/** Cells such as `"news","beta"` and `news, beta`. */
export const listOf = (cell: string): string[] =>
  cell
    .split(',')
    .map((part) => part.trim().replace(/^"(.*)"$/, '$1'))
    .filter(Boolean)

const YES = new Set(['true', '1', 'yes', 'y', 't'])
export const isYes = (text: string | undefined): boolean => YES.has((text ?? '').trim().toLowerCase())

const NO = new Set(['', 'false', '0', 'no', 'n', 'f', 'null'])
/** Reads a column that says who opted out: anything but a clear no. */
export const isOptOut = (text: string | undefined): boolean => !NO.has((text ?? '').trim().toLowerCase())
