/** Contacts as CSV text. */

import { isInTopic } from '../../../kernel/subscription.ts'
import { escapeFormula, csvLine as line } from '../../../platform/csv-line.ts'
import type { KeyedTopic } from '../contacts/topics.ts'
import { EXPORT_COLUMNS, TOPIC_COLUMN } from './layout.ts'

export interface ExportedContact {
  email: string
  subscribed: boolean
  topics: readonly number[]
  data: Record<string, unknown>
  created_at: Date
  updated_at: Date
}

export const headerLine = (topics: KeyedTopic[], paths: string[][]): string =>
  line([
    ...EXPORT_COLUMNS,
    ...topics.map(({ key }) => `${TOPIC_COLUMN}${key}`),
    ...paths.map((path) => escapeFormula(path.join('.'))),
  ])

export function contactLine(contact: ExportedContact, topics: KeyedTopic[], paths: string[][]): string {
  return line([
    escapeFormula(contact.email),
    String(contact.subscribed),
    contact.created_at.toISOString(),
    contact.updated_at.toISOString(),
    ...topics.map((topic) => String(isInTopic(contact.topics, topic))),
    ...paths.map((path) => cellOf(valueAt(contact.data, path))),
  ])
}

function valueAt(data: unknown, path: string[]): unknown {
  let value = data
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, key))
      return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

/** An object in a field of other contacts' values has its own fields, in its own columns. */
function cellOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return escapeFormula(value)
  if (Array.isArray(value)) return JSON.stringify(value)
  return typeof value === 'object' ? '' : String(value)
}
