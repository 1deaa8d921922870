import type { Filter } from '../conditions/condition.ts'

const WORDS_MAX = 8

/** Every word of a search, because the parts of a name can be in different fields. */
export const wordFilters = (search: string): Filter[] =>
  search
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, WORDS_MAX)
    .map((value) => ({ field: 'text', operator: 'contains', value }))
