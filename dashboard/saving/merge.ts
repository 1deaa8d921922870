/** What to do with the changes of two people who started from the same values, field by field. */

export type Parts = Record<string, unknown>

export interface Merge {
  /** The values of both. Where both changed a field, it has the own value. */
  merged: Parts
  /** Fields that only the other person changed. */
  taken: string[]
  /** Fields that both changed, to different values. */
  both: string[]
}

interface Changes {
  /** What was edited, as the form had it. */
  saved: Parts
  /** The same values as the API returned them. */
  stored: Parts
  mine: Parts
  theirs: Parts
}

export function mergeParts({ saved, stored, mine, theirs }: Changes): Merge {
  const merge: Merge = { merged: { ...mine }, taken: [], both: [] }
  for (const name of new Set([...Object.keys(stored), ...Object.keys(mine), ...Object.keys(theirs)])) {
    if (isSame(theirs[name], stored[name]) || isSame(theirs[name], mine[name])) continue
    if (isSame(mine[name], saved[name]) || isSame(mine[name], stored[name])) {
      merge.merged[name] = theirs[name]
      merge.taken.push(name)
    } else merge.both.push(name)
  }
  return merge
}

export const isSame = (a: unknown, b: unknown): boolean => a === b || canonical(a) === canonical(b)

/** JSON with the fields of objects in order, because the database doesn't keep the order. */
const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  )

/** A value as one short text, to tell two apart. */
export function excerptOf(value: unknown, most = 160): string {
  const text = textsIn(value)
    .join(' ')
    .replaceAll(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text
}

/** Fields that say how something looks or what it is, and not what it says. */
const NOT_TEXT = new Set([
  'id',
  'type',
  'version',
  'editor',
  'operator',
  'logic',
  'color',
  'align',
  'settings',
  'attrs',
  'templateId',
  'layoutId',
])

function textsIn(value: unknown): string[] {
  if (value === null || value === undefined || value === '') return []
  if (typeof value !== 'object') return [String(value)]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return Object.entries(value).flatMap(([name, one]) => (NOT_TEXT.has(name) ? [] : textsIn(one)))
}
