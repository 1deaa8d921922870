/** A condition in the editor: the same tree that the API accepts, with the operators of each field. */
import type { TimeUnit } from '../figures/format.ts'
import { conditionTexts } from './texts.ts'

export type Condition = {
  logic: 'AND' | 'OR'
  groups: Group[]
}

export type Group = {
  filters: Filter[]
  conditions?: Condition
}

/** The deepest nesting that the API accepts. */
export const DEPTH_MAX = 10

export type Unit = 'minutes' | 'hours' | 'days'

export const TIME_UNITS: Record<Unit, TimeUnit> = { minutes: 'minute', hours: 'hour', days: 'day' }

export type Filter = {
  field: string
  operator: string
  value?: string | number | boolean | null
  unit?: Unit
  /** Only this period counts. */
  within?: Period
  /** Only events, emails or clicks with these properties count. */
  where?: PropertyFilter[]
}

/** While a number is being typed, it may be NaN. */
export type Period = { value: number; unit: Unit }

export type PropertyFilter = {
  property: string
  operator: string
  value?: string | number | boolean | null
  unit?: Unit
}

export type ValueType = 'string' | 'number' | 'boolean' | 'date'

export interface KnownField {
  field: string
  label: string
  /** Unknown for a field that was typed in. */
  type?: ValueType
}

const SAME = ['equals', 'notEquals']
const CONTENT = ['contains', 'notContains']
const ORDER = ['greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual']
const PRESENCE = ['exists', 'notExists']
const AGE = ['within', 'olderThan']
const OCCURRENCE = ['triggered', 'notTriggered', 'triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan']
const COUNTED = ['countAtLeast', 'countAtMost', 'countExactly']
const MEMBERSHIP = ['memberOfSegment', 'notMemberOfSegment']
const IN_WORKFLOW = ['inWorkflow', 'notInWorkflow']
const PASSED_WORKFLOW = ['enteredWorkflow', 'notEnteredWorkflow', 'completedWorkflow', 'notCompletedWorkflow']
const LINK = ['equals', 'startsWith', 'contains']

const OPERATORS_BY_TYPE: Record<ValueType, string[]> = {
  string: [...SAME, ...CONTENT, ...PRESENCE],
  number: [...SAME, ...ORDER, ...PRESENCE],
  boolean: [...SAME, ...PRESENCE],
  date: [...AGE, ...ORDER, ...SAME, ...PRESENCE],
}

const TIMED = new Set([...AGE, 'triggeredWithin', 'notTriggeredWithin', 'triggeredOlderThan'])
const WITHOUT_VALUE = new Set([
  ...PRESENCE,
  ...MEMBERSHIP,
  ...IN_WORKFLOW,
  ...PASSED_WORKFLOW,
  'triggered',
  'notTriggered',
])
const PERIODS = new Set([...COUNTED, ...PASSED_WORKFLOW])

export const isTimed = (operator: string) => TIMED.has(operator)
export const isCount = (operator: string) => COUNTED.includes(operator)
export const takesPeriod = (operator: string) => PERIODS.has(operator)
export const takesValue = (operator: string) => !WITHOUT_VALUE.has(operator)

const { fields } = conditionTexts

export const EMAIL_FIELDS: KnownField[] = (
  ['email.sent', 'email.delivered', 'email.opened', 'email.clicked', 'email.bounced', 'email.complained'] as const
).map((field) => ({ field, label: fields[field] }))

export const CONTACT_FIELDS: KnownField[] = [
  { field: 'email', label: fields.email, type: 'string' },
  { field: 'text', label: fields.text, type: 'string' },
  { field: 'subscribed', label: fields.subscribed, type: 'boolean' },
  { field: 'timezone', label: fields.timezone, type: 'string' },
  { field: 'createdAt', label: fields.createdAt, type: 'date' },
  { field: 'updatedAt', label: fields.updatedAt, type: 'date' },
  { field: 'confirmedAt', label: fields.confirmedAt, type: 'date' },
]

/** The operators of a field, the most likely first. */
export function operatorsFor(field: string, type: ValueType | undefined): string[] {
  if (field === 'email') return [...CONTENT, ...SAME]
  if (field === 'text') return CONTENT
  if (field === 'subscribed' || field.startsWith('topics.')) return SAME
  if (field === 'createdAt' || field === 'updatedAt') return [...AGE, ...ORDER, ...SAME]
  if (field.startsWith('segment.')) return MEMBERSHIP
  if (field.startsWith('workflow.')) return [...IN_WORKFLOW, ...PASSED_WORKFLOW]
  if (takesProperties(field)) return [...OCCURRENCE, ...COUNTED]
  return type ? OPERATORS_BY_TYPE[type] : [...SAME, ...CONTENT, ...ORDER, ...PRESENCE, ...AGE]
}

/** Whether the filter is about events or emails, which have properties. */
export const takesProperties = (field: string): boolean =>
  field.startsWith('email.') || (field.startsWith('event.') && !field.startsWith('event.data.'))

/** The properties of email activity; those of events depend on their data. */
export const activityProperties = (field: string): string[] =>
  /^email\.clicke?d?$/.test(field) ? ['link', 'campaignId'] : ['campaignId']

export function propertyOperators(field: string, property: string, type: ValueType | undefined): string[] {
  if (!field.startsWith('email.')) return operatorsFor('data.', type)
  return property === 'link' ? LINK : ['equals']
}

export const operatorLabel = (operator: string, type: ValueType | undefined): string =>
  (type === 'date' ? conditionTexts.dateOperators[operator] : undefined) ??
  conditionTexts.operators[operator] ??
  operator

/** A new filter on a field, with its defaults. */
export function newFilter(field: string, type: ValueType | undefined): Filter {
  return withOperator({ field, operator: '' }, operatorsFor(field, type)[0]!, type)
}

/** The same filter with another operator. Its value is kept if the new operator can use it. */
export function withOperator(filter: Filter, operator: string, type: ValueType | undefined): Filter {
  const { field, value, unit, where } = filter
  const kept = {
    field,
    operator,
    ...(takesPeriod(operator) ? periodOf(filter) : {}),
    ...(where && takesProperties(field) ? { where } : {}),
  }
  if (!takesValue(operator)) return kept
  if (isTimed(operator)) {
    const amount = filter.within?.value ?? (isCount(filter.operator) ? undefined : value)
    return { ...kept, value: typeof amount === 'number' ? amount : 30, unit: filter.within?.unit ?? unit ?? 'days' }
  }
  if (isCount(operator)) return { ...kept, value: isCount(filter.operator) ? (value ?? 1) : 1 }
  const reusable = isTimed(filter.operator) ? undefined : value
  if (type === 'boolean') return { field, operator, value: typeof reusable === 'boolean' ? reusable : true }
  return reusable === undefined ? { field, operator } : { field, operator, value: reusable }
}

/** The period stays when a filter about time becomes one about a number. */
function periodOf({ operator, value, unit, within }: Filter): Pick<Filter, 'within'> {
  if (within) return { within }
  return isTimed(operator) && typeof value === 'number' ? { within: { value, unit: unit ?? 'days' } } : {}
}

export const emptyCondition = (): Condition => ({
  logic: 'AND',
  groups: [{ filters: [newFilter('subscribed', 'boolean')] }],
})

/** Whether every filter has its value; an incomplete condition isn't sent to the API. */
export const isComplete = ({ groups }: Condition): boolean =>
  groups.length > 0 &&
  groups.every(
    ({ filters, conditions }) =>
      (filters.length > 0 || conditions !== undefined) &&
      filters.every(isFilterComplete) &&
      (conditions === undefined || isComplete(conditions)),
  )

const isFilterComplete = ({ field, operator, value, within, where = [] }: Filter): boolean =>
  field !== '' &&
  !field.endsWith('.') &&
  hasValue(operator, value) &&
  (within === undefined || within.value > 0) &&
  where.every((one) => one.property !== '' && hasValue(one.operator, one.value))

const hasValue = (operator: string, value: Filter['value']): boolean =>
  !takesValue(operator) || (value !== undefined && value !== null && value !== '')

/** A condition from the address, or undefined if it is invalid. */
export function parseCondition(text: string | undefined): Condition | undefined {
  try {
    const tree: unknown = JSON.parse(text ?? '')
    return isCondition(tree) ? tree : undefined
  } catch {
    return undefined
  }
}

function isCondition(tree: unknown, level = 1): tree is Condition {
  const { logic, groups } = (tree ?? {}) as Partial<Condition>
  return (
    (logic === 'AND' || logic === 'OR') &&
    level <= DEPTH_MAX &&
    Array.isArray(groups) &&
    groups.every(
      (group) =>
        Array.isArray(group?.filters) &&
        group.filters.every((filter) => typeof filter?.field === 'string' && typeof filter.operator === 'string') &&
        (group.conditions === undefined || isCondition(group.conditions, level + 1)),
    )
  )
}

export const countFilters = ({ groups }: Condition): number =>
  groups.reduce((sum, { filters, conditions }) => sum + filters.length + (conditions ? countFilters(conditions) : 0), 0)
