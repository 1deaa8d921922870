/** A contact's data: summarized on one line, and read from the text of an editor. */
import { texts } from './texts.ts'

export function summarizeData(data: Record<string, unknown> | null, max = 4): string {
  const pairs = Object.entries(data ?? {})
  const shown = pairs.slice(0, max).map(([key, value]) => `${key}: ${formatValue(value)}`)
  return texts.data.summary(shown, pairs.length - shown.length)
}

const formatValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The changes to send so that the data becomes what the editor shows. A removed key is set to null. */
export function changesOf(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(after)) {
    if (JSON.stringify(value) !== JSON.stringify(before[key])) changes[key] = value
  }
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) changes[key] = null
  return changes
}

/** The object in the text, or an error message. */
export function parseData(text: string): { data: Record<string, unknown> } | { error: string } {
  try {
    const data: unknown = JSON.parse(text.trim() || '{}')
    if (typeof data === 'object' && data !== null && !Array.isArray(data))
      return { data: data as Record<string, unknown> }
    return { error: texts.data.notAnObject }
  } catch (error) {
    return { error: texts.data.invalidJson(error instanceof Error ? error.message : String(error)) }
  }
}
