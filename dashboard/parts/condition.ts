/**
 * A condition while it is edited: the same tree the API takes. Here is which operators a field offers, how they read,
 * what a new filter starts with, and whether the tree can be asked about yet.
 */
export interface Condition {
  logic: 'AND' | 'OR'
  groups: Group[]
}

export interface Group {
  filters: Filter[]
  conditions?: Condition
}

/** As deep as the API takes them. */
export const DEEPEST = 10

export type Unit = 'minutes' | 'hours' | 'days'

export interface Filter {
  field: string
  operator: string
  value?: string | number | boolean | null
  unit?: Unit
}

export type ValueType = 'string' | 'number' | 'boolean' | 'date'

export interface KnownField {
  field: string
  words: string
  /** Unknown for a field that somebody wrote by hand. */
  type?: ValueType
}

const SAME = ['equals', 'notEquals']
const CONTENT = ['contains', 'notContains']
const ORDER = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual']
const PRESENCE = ['exists', 'notExists']
const AGE = ['within', 'olderThan']
const HAPPENING = ['triggered', 'notTriggered', 'triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan']
const MEMBERSHIP = ['memberOfSegment', 'notMemberOfSegment']

const OF_TYPE: Record<ValueType, string[]> = {
  string: [...SAME, ...CONTENT, ...PRESENCE],
  number: [...SAME, ...ORDER, ...PRESENCE],
  boolean: [...SAME, ...PRESENCE],
  date: [...AGE, ...ORDER, ...SAME, ...PRESENCE],
}

const TIMED = new Set([...AGE, 'triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan'])
const WITHOUT_VALUE = new Set([...PRESENCE, ...MEMBERSHIP, 'triggered', 'notTriggered'])

export const isTimed = (operator: string) => TIMED.has(operator)
export const takesValue = (operator: string) => !WITHOUT_VALUE.has(operator)

export const ACTIVITIES = {
  'email.sent': 'Was sent an email',
  'email.delivered': 'Got an email',
  'email.opened': 'Opened an email',
  'email.clicked': 'Clicked in an email',
  'email.bounced': 'Bounced',
  'email.complained': 'Complained',
}

export const STANDARD: KnownField[] = [
  { field: 'email', words: 'Email address', type: 'string' },
  { field: 'subscribed', words: 'Subscribed', type: 'boolean' },
  { field: 'createdAt', words: 'Added', type: 'date' },
  { field: 'updatedAt', words: 'Changed', type: 'date' },
]

/** The operators a field takes, the likeliest first. `type` is what its values are known to be. */
export function operatorsFor(field: string, type: ValueType | undefined): string[] {
  if (field === 'email') return [...CONTENT, ...SAME]
  if (field === 'subscribed') return SAME
  if (field === 'createdAt' || field === 'updatedAt') return [...AGE, ...ORDER, ...SAME]
  if (field.startsWith('segment.')) return MEMBERSHIP
  if (field.startsWith('email.') || (field.startsWith('event.') && !field.startsWith('event.data.'))) return HAPPENING
  return type ? OF_TYPE[type] : [...SAME, ...CONTENT, ...ORDER, ...PRESENCE, ...AGE]
}

const WORDS: Record<string, string> = {
  equals: 'is',
  notEquals: 'is not',
  contains: 'contains',
  notContains: 'does not contain',
  greaterThan: 'is greater than',
  lessThan: 'is less than',
  greaterThanOrEqual: 'is at least',
  lessThanOrEqual: 'is at most',
  exists: 'is known',
  notExists: 'is not known',
  within: 'was within the last',
  olderThan: 'was longer ago than',
  triggered: 'ever',
  notTriggered: 'never',
  triggeredWithin: 'within the last',
  notTriggeredWithin: 'not within the last',
  triggeredOlderThan: 'but not within the last',
  memberOfSegment: 'is a member',
  notMemberOfSegment: 'is not a member',
}

const OF_DATES: Record<string, string> = {
  greaterThan: 'is after',
  lessThan: 'is before',
  greaterThanOrEqual: 'is on or after',
  lessThanOrEqual: 'is on or before',
}

export const operatorWords = (operator: string, type: ValueType | undefined): string =>
  (type === 'date' ? OF_DATES[operator] : undefined) ?? WORDS[operator] ?? operator

/** A filter on this field, with as much filled in as can be guessed. */
export function newFilter(field: string, type: ValueType | undefined): Filter {
  return withOperator({ field, operator: '' }, operatorsFor(field, type)[0]!, type)
}

/** The same filter with another operator: its value stays if it still means something. */
export function withOperator(filter: Filter, operator: string, type: ValueType | undefined): Filter {
  const { field, value, unit } = filter
  if (!takesValue(operator)) return { field, operator }
  if (isTimed(operator)) return { field, operator, value: typeof value === 'number' ? value : 30, unit: unit ?? 'days' }
  const kept = isTimed(filter.operator) ? undefined : value
  if (type === 'boolean') return { field, operator, value: typeof kept === 'boolean' ? kept : true }
  return kept === undefined ? { field, operator } : { field, operator, value: kept }
}

export const emptyCondition = (): Condition => ({
  logic: 'AND',
  groups: [{ filters: [newFilter('subscribed', 'boolean')] }],
})

/** Whether every filter says what it compares with: until then there is nothing to ask. */
export const isComplete = ({ groups }: Condition): boolean =>
  groups.length > 0 &&
  groups.every(
    ({ filters, conditions }) =>
      (filters.length > 0 || conditions !== undefined) &&
      filters.every(isFilterComplete) &&
      (conditions === undefined || isComplete(conditions)),
  )

const isFilterComplete = ({ field, operator, value }: Filter): boolean =>
  field !== '' &&
  !field.endsWith('.') &&
  (!takesValue(operator) || (value !== undefined && value !== null && value !== ''))

/** A condition from an address, where anybody may have written anything. */
export function readCondition(text: string | undefined): Condition | undefined {
  try {
    const tree: unknown = JSON.parse(text ?? '')
    return isTree(tree) ? tree : undefined
  } catch {
    return undefined
  }
}

function isTree(tree: unknown, level = 1): tree is Condition {
  const { logic, groups } = (tree ?? {}) as Partial<Condition>
  return (
    (logic === 'AND' || logic === 'OR') &&
    level <= DEEPEST &&
    Array.isArray(groups) &&
    groups.every(
      (group) =>
        Array.isArray(group?.filters) &&
        group.filters.every((filter) => typeof filter?.field === 'string' && typeof filter.operator === 'string') &&
        (group.conditions === undefined || isTree(group.conditions, level + 1)),
    )
  )
}

export const countFilters = ({ groups }: Condition): number =>
  groups.reduce((sum, { filters, conditions }) => sum + filters.length + (conditions ? countFilters(conditions) : 0), 0)
