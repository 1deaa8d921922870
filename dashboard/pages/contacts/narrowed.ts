/** The tools above the list of contacts, as one condition. */
import type { Condition, Filter } from '../../parts/condition.ts'

export function narrowed(where: Condition, search: string, subscribed: string): Condition {
  const filters: Filter[] = []
  if (search) filters.push({ field: 'email', operator: 'contains', value: search })
  if (subscribed) filters.push({ field: 'subscribed', operator: 'equals', value: subscribed === 'true' })
  return filters.length === 0 ? where : { logic: 'AND', groups: [{ filters, conditions: where }] }
}
