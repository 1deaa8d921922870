/** A contact's data: summarized on one line, and read from the text of an editor. */
import { isNameField } from '../../../pickers/contact-name.ts'
import { texts } from '../texts.ts'

export type Data = Record<string, unknown>

/** The JSON that an editor shows. */
export const toJson = (data: Data): string => JSON.stringify(data, null, 2)

export function summarizeData(data: Data | null, max = 4): string {
  const pairs = Object.entries(data ?? {})
  const shown = pairs.slice(0, max).map(([key, value]) => `${key}: ${formatValue(value)}`)
  return texts.data.summary(shown, pairs.length - shown.length)
}

/** A value of the data as one text; empty if there is none. */
export function formatValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? texts.data.yes : texts.data.no
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The data without the fields that contain a name. */
export const withoutName = (data: Data | null): Data =>
  Object.fromEntries(Object.entries(data ?? {}).filter(([key]) => !isNameField(key)))

/** The changes to send so that the data becomes what the editor shows. A removed key is set to null. */
export function changesOf(before: Data, after: Data): Data {
  const changes: Data = {}
  for (const [key, value] of Object.entries(after)) {
    if (JSON.stringify(value) !== JSON.stringify(before[key])) changes[key] = value
  }
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) changes[key] = null
  return changes
}

/** The object in the text, or an error message. */
export function parseData(text: string): { data: Data } | { error: string } {
  try {
    const data: unknown = JSON.parse(text.trim() || '{}')
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return { data: data as Data }
    return { error: texts.data.notAnObject }
  } catch (error) {
    return { error: texts.data.invalidJson(error instanceof Error ? error.message : String(error)) }
  }
}
