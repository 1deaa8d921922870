/** Combines the search, subscription filter and condition of the contact list into one condition. */
import type { Condition, Filter } from '../../parts/condition.ts'

export function combineFilters(condition: Condition, search: string, subscribed: string): Condition {
  const filters: Filter[] = []
  if (search) filters.push({ field: 'email', operator: 'contains', value: search })
  if (subscribed) filters.push({ field: 'subscribed', operator: 'equals', value: subscribed === 'true' })
  return filters.length === 0 ? condition : { logic: 'AND', groups: [{ filters, conditions: condition }] }
}
