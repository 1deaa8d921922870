/** Which choices of a list match what is typed, and in which order. The first one is what was most likely meant. */

export interface Searchable {
  label: string
  /** Searched too, such as an address below a name. */
  note?: string | undefined
  /** The heading above it. Choices of the same group stay together. */
  group?: string | undefined
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

const isWordStart = (text: string, at: number) => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)

const NO_MATCH = 5

/** 0 is the best. */
function rankOf({ label, note = '', group = '' }: Searchable, search: string): number {
  const name = plain(label)
  if (name === search) return 0
  if (name.startsWith(search)) return 1
  const at = name.indexOf(search)
  if (at > 0) return isWordStart(name, at) ? 2 : 3
  const all = plain(`${label} ${note} ${group}`)
  return search.split(/\s+/).every((word) => all.includes(word)) ? 4 : NO_MATCH
}

/** Without a search, all of them in their own order. */
export function searchChoices<C extends Searchable>(choices: C[], typed: string): C[] {
  const search = plain(typed.trim())
  if (search === '') return choices
  const ranked = choices
    .map((choice) => ({ choice, rank: rankOf(choice, search) }))
    .filter(({ rank }) => rank < NO_MATCH)
  const bestOf = new Map<string | undefined, number>()
  for (const { choice, rank } of ranked) bestOf.set(choice.group, Math.min(rank, bestOf.get(choice.group) ?? rank))
  const groups = [...bestOf.keys()].toSorted((a, b) => bestOf.get(a)! - bestOf.get(b)!)
  return groups.flatMap((group) =>
    ranked
      .filter(({ choice }) => choice.group === group)
      .toSorted((a, b) => a.rank - b.rank)
      .map(({ choice }) => choice),
  )
}

/** The choice whose whole label was typed. */
export const exactChoice = <C extends Searchable>(choices: C[], typed: string): C | undefined =>
  choices.find(({ label }) => plain(label) === plain(typed.trim()))

/** A list that is this short needs no second order. */
const SHORT = 6

interface Headings {
  recent: string
  others: string
}

/** What was chosen last comes first. The choice of nothing stays above it. */
export function recentFirst<C extends Searchable & { value: string }>(
  choices: C[],
  recent: string[],
  headings: Headings,
): C[] {
  const found = recent.flatMap((value) => choices.find((choice) => choice.value === value) ?? [])
  if (found.length === 0 || choices.length <= SHORT) return choices
  return [
    ...choices.filter(({ value }) => value === ''),
    ...found.map((choice) => ({ ...choice, note: choice.note ?? choice.group, group: headings.recent })),
    ...choices
      .filter((choice) => choice.value !== '' && !found.includes(choice))
      .map((choice) => ({ ...choice, group: choice.group ?? headings.others })),
  ]
}
