/** Combines the search, subscription filter and condition of the contact list into one condition. */
import type { Condition, Filter } from '../../conditions/condition.ts'
import { wordFilters } from '../../pickers/word-filters.ts'

/** Matches every contact. */
const EVERYONE: Filter = { field: 'email', operator: 'contains', value: '' }

/** A search for an address uses an index; any other search looks at the data of every contact. */
export const isAddress = (search: string): boolean => search.includes('@')

export function combineFilters(condition: Condition | undefined, search: string, subscribed: string): Condition {
  const filters: Filter[] = []
  if (isAddress(search)) filters.push({ field: 'email', operator: 'contains', value: search })
  else filters.push(...wordFilters(search))
  if (subscribed) filters.push({ field: 'subscribed', operator: 'equals', value: subscribed === 'true' })
  if (!condition) return { logic: 'AND', groups: [{ filters: filters.length > 0 ? filters : [EVERYONE] }] }
  return filters.length === 0 ? condition : { logic: 'AND', groups: [{ filters, conditions: condition }] }
}
