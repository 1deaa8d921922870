/** A contact's data on one line, and as the text of an editor. */

export function dataInWords(data: Record<string, unknown> | null, most = 4): string {
  const pairs = Object.entries(data ?? {})
  const shown = pairs.slice(0, most).map(([key, value]) => `${key}: ${inWords(value)}`)
  return pairs.length > most ? `${shown.join(', ')} and ${pairs.length - most} more` : shown.join(', ')
}

const inWords = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** What to send so that the data becomes what the editor shows: a key that is gone is removed by null. */
export function changesOf(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(after)) {
    if (JSON.stringify(value) !== JSON.stringify(before[key])) changes[key] = value
  }
  for (const key of Object.keys(before)) if (!Object.hasOwn(after, key)) changes[key] = null
  return changes
}

/** An object, or the words that say what is wrong with the text. */
export function readData(text: string): { data: Record<string, unknown> } | { wrong: string } {
  try {
    const data: unknown = JSON.parse(text.trim() || '{}')
    if (typeof data === 'object' && data !== null && !Array.isArray(data))
      return { data: data as Record<string, unknown> }
    return { wrong: 'The data must be an object: { "plan": "pro" }.' }
  } catch (error) {
    return { wrong: `This is not JSON: ${error instanceof Error ? error.message : error}` }
  }
}
