/** The order of the rows of the palette. What comes first is highlighted, so it must be what was most likely meant. */
import { defaultFilter } from 'cmdk'

export interface Ranked {
  label: string
  /** What is searched instead of the label. */
  words?: string
  /** Comes after all others that match as well. */
  isLast?: boolean
}

interface Group<E> {
  heading: string
  /** Found by the server, maybe by something that the label doesn't show. */
  isFound?: boolean
  entries: E[]
}

/** People write "new campaign" for "Create campaign" and "new contact" for "Add contact". */
const meanings = (search: string): string[] =>
  /^new\b/i.test(search)
    ? [search, ...['create', 'add', 'import'].map((word) => search.replace(/^new/i, word))]
    : [search]

const FOUND_MIN = 0.5
const LAST_FACTOR = 0.01

function scoreOf({ label, words = label, isLast }: Ranked, search: string, isFound: boolean): number {
  // A page or command is meant if the start of its name was typed.
  if (!isFound && !isLast && label.toLowerCase().startsWith(search.toLowerCase())) return 2
  const best = Math.max(...meanings(search).map((text) => defaultFilter(words, text)))
  return (isFound ? FOUND_MIN + best : best) * (isLast ? LAST_FACTOR : 1)
}

/** The groups with the rows that match, the best first. Without a search, everything in its own order. */
export function rankGroups<E extends Ranked, G extends Group<E>>(groups: G[], search: string): G[] {
  if (search === '') return groups.filter(({ entries }) => entries.length > 0)
  return groups
    .map((group) => {
      const scored = group.entries
        .map((entry) => ({ entry, score: scoreOf(entry, search, group.isFound ?? false) }))
        .filter(({ score }) => score > 0)
        .toSorted((a, b) => b.score - a.score)
      return { group: { ...group, entries: scored.map(({ entry }) => entry) }, score: scored[0]?.score ?? 0 }
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .map(({ group }) => group)
}
